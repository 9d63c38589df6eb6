import type { ListRequest } from '../../core/lists/list.ts';
import { countOrAll, fieldNames, id, optional, type Rules, token } from '../../core/options/check.ts';
import { type PageVideo, pageVideoSchema } from '../../models/videos.ts';
import type { ListParts } from '../postLists.ts';
import type { ReelsOptions } from './reels.ts';
import type { VideosOptions } from './videos.ts';

type CommonOptions = Pick<VideosOptions & ReelsOptions, 'pageId' | 'pageToken' | 'limit' | 'fields'>;

/** The rules of a list of videos. */
export function videoListRules(): Rules<CommonOptions> {
  return { pageId: id, pageToken: token, limit: optional(countOrAll), fields: optional(fieldNames) };
}

/** What to request from a list of videos at this path. */
export function videosOn(
  at: ListRequest<PageVideo>['path'],
  { fields }: Pick<CommonOptions, 'fields'>,
): ListParts<PageVideo> {
  return { path: at, query: { fields: fields?.join(',') ?? videoFields }, item: pageVideoSchema };
}

const videoFields =
  'id,title,description,created_time,updated_time,length,picture,permalink_url,post_id,published,' +
  'scheduled_publish_time';
