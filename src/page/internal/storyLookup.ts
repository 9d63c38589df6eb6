import * as v from 'valibot';

import type { CreatedIds } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import type { Call, Schema } from '../../core/http/types.ts';
import type { EffectLookup } from '../../core/writes/effectLookup.ts';
import { queryRecentEntries, textOf, toRecentEntries } from '../../core/writes/recentEntries.ts';
import { idSchema } from '../../models/fields.ts';
import type { PageContext } from '../context.ts';

/** The post that carries a story. */
export interface StoryPost {
  readonly post_id: string;
}

export const storyPostSchema: Schema<StoryPost> = v.looseObject({ post_id: idSchema });

/** Looks up the story of a photo or a video. Each makes one story only, so no other can be taken for it. */
export function storyLookup(
  context: PageContext,
  pageId: string,
  mediaId: string,
  ids: CreatedIds,
  request: Call,
): EffectLookup<StoryPost> {
  return {
    ids,
    idOf: ({ post_id }) => post_id,
    toValue: (post_id) => ({ post_id }),
    query: (limits) =>
      queryRecentEntries(context, {
        ...request,
        ...limits,
        path: path`${pageId}/stories`,
        query: { limit: 100 },
      }).map((stories) => ({
        entries: toRecentEntries(
          stories.filter(({ media_id }) => textOf(media_id) === mediaId),
          '',
          'post_id',
        ),
      })),
  };
}
