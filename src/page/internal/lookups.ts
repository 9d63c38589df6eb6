import { ok, okAsync, type ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import type { CreatedIds, RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { send } from '../../core/http/send.ts';
import type { Call } from '../../core/http/types.ts';
import { fieldsOf } from '../../core/options/check.ts';
import { objectOf, type Schema } from '../../core/schema.ts';
import {
  type ListEntry,
  queryRecentEntries,
  textOf,
  toRecentEntries,
} from '../../core/writes/recentEntries.ts';
import type { EffectLookup, LookupLimits } from '../../core/writes/types.ts';
import { idSchema } from '../../models/fields.ts';
import { asCreated, type Created, createdSchema } from '../../models/written.ts';
import type { PageContext } from '../context.ts';

/**
 * Looks up a comment by its author and its text among the newest ones on an object: visitors may have written the same
 * text.
 */
export function commentLookup(
  context: Context,
  objectId: string,
  message: string,
  request: Call,
): EffectLookup<Created> {
  const list = path`${objectId}/comments`;
  const content = message.trim();
  let pageId: string | undefined;
  return {
    list,
    content,
    ...asCreated,
    query: (limits) =>
      queryRecentEntries(context, {
        ...request,
        ...limits,
        path: list,
        query: { fields: 'id,message,created_time,from', order: 'reverse_chronological', limit: 25 },
      })
        .map((comments) => comments.filter(({ message: found }) => textOf(found).trim() === content))
        .andThen((equal) => (equal.length > 0 ? ownIn(equal, limits) : ok(equal)))
        .map((own) => ({ entries: toRecentEntries(own, 'created_time') })),
  };

  /** The comments of the token's own Page. One whose author is not shown is given no time, so that it never matches. */
  function ownIn(
    comments: readonly ListEntry[],
    limits: LookupLimits,
  ): ResultAsync<readonly ListEntry[], RequestFailure> {
    return ownPage(limits).map((own) =>
      comments
        .map((comment) => ({ comment, author: textOf(fieldsOf(comment['from'])['id']) }))
        .filter(({ author }) => author === own || author === '')
        .map(({ comment, author }) => (author === own ? comment : { ...comment, created_time: undefined })),
    );
  }

  function ownPage({ attempts, deadline }: LookupLimits): ResultAsync<string, RequestFailure> {
    if (pageId !== undefined) return okAsync(pageId);
    return send(context, {
      ...request,
      attempts,
      deadline,
      method: 'GET',
      path: 'me',
      query: { fields: 'id' },
      purpose: 'lookup',
      schema: createdSchema,
    }).map(({ id }) => (pageId = id));
  }
}

/** The post that carries a story. */
export interface StoryPost {
  readonly post_id: string;
}

export const storyPostSchema: Schema<StoryPost> = objectOf({ post_id: idSchema });

/** Looks up the story of a photo or a video. Each becomes only one story, so no other can be mistaken for it. */
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
