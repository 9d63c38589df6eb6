import * as v from 'valibot';

import type { CreatedIds } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import type { CallLimits, Schema } from '../../core/http/types.ts';
import { lookAtNewest } from '../../core/writes/newest.ts';
import type { Look } from '../../core/writes/once.ts';
import { idSchema } from '../../models/id.ts';
import type { PageContext } from '../context.ts';

/** The post that carries a story. */
export interface StoryPost {
  readonly post_id: string;
}

export const storyPostSchema: Schema<StoryPost> = v.looseObject({ post_id: idSchema });

/** Looks for the story of a photo or a video, which makes one story only: no other can be taken for it. */
export function newestStories(
  context: PageContext,
  pageId: string,
  mediaId: string,
  ids: CreatedIds,
  request: CallLimits & { readonly token: string },
): Look<StoryPost> {
  const idOf = ({ post_id }: StoryPost): string => post_id;
  return {
    // No other write's story can be taken for this one.
    key: crypto.randomUUID(),
    ids,
    idOf,
    find: () =>
      lookAtNewest(context, {
        ...request,
        path: path`${pageId}/stories`,
        query: { limit: 100 },
        match: ({ media_id, post_id }) =>
          (typeof media_id === 'number' ? `${media_id}` : media_id) === mediaId &&
          (typeof post_id === 'string' || typeof post_id === 'number')
            ? { post_id: `${post_id}` }
            : undefined,
        idOf,
      }),
  };
}
