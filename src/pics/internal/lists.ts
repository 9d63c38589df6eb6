import { path } from '../../core/http/path.ts';
import type { ListRequest } from '../../core/lists/list.ts';
import { countOrAll, fieldNames, id, optional, type Rules, token } from '../../core/options/check.ts';
import { type PicsComment, picsCommentSchema } from '../../models/comments.ts';
import { type Media, mediaSchema } from '../../models/media.ts';
import type { CommentsOptions } from '../comments.ts';
import type { PicsContext } from '../context.ts';
import type { MediaOptions } from '../media.ts';
import { accountId, accountOf } from './account.ts';

// Shared by the functions that collect a list and those that walk it.

/** The rules of a list of a media. */
export function mediaListRules(): Rules<CommentsOptions> {
  return { mediaId: id, token, limit: optional(countOrAll), fields: optional(fieldNames) };
}

export function commentsOf({
  mediaId,
  fields = commentFields,
}: CommentsOptions): Pick<ListRequest<PicsComment>, 'path' | 'query' | 'pageSize' | 'item'> {
  return {
    path: path`${mediaId}/comments`,
    query: { fields: fields.join(',') },
    // The most that the platform returns at once.
    pageSize: 50,
    item: picsCommentSchema,
  };
}

const commentFields = [
  'id',
  'text',
  'timestamp',
  'username',
  'like_count',
  'hidden',
  'from',
  'parent_id',
  'replies{id,text,timestamp,username,like_count,hidden}',
];

/** The rules of a list of an account. */
export function accountListRules(context: PicsContext): Rules<MediaOptions> {
  return {
    token,
    picsUserId: accountId(context),
    limit: optional(countOrAll),
    fields: optional(fieldNames),
  };
}

/** The fields to request, one of which is always among them. */
export function withField(fields: readonly string[], always: string): string {
  return [...new Set([...fields, always])].join(',');
}

/** The media of an account; whoever reads them adds the fields. */
export function mediaOf({ picsUserId }: MediaOptions): Pick<ListRequest<Media>, 'path' | 'item'> {
  return { path: path`${accountOf(picsUserId)}/media`, item: mediaSchema };
}
