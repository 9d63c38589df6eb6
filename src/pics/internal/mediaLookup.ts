import { okAsync, type ResultAsync } from 'neverthrow';

import type { CreatedIds, RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import {
  type ListEntry,
  queryRecentEntries,
  textOf,
  toRecentEntries,
} from '../../core/writes/recentEntries.ts';
import type { EffectLookup, LookupLimits, LookupResult } from '../../core/writes/types.ts';
import type { Created } from '../../models/written.ts';
import type { PicsContext } from '../context.ts';
import { captionDigest, type ContainerContent, type PublishCall, readContainer } from './container.ts';

export interface MediaLookupRequest {
  readonly containerId: string;
  /** `undefined` for a container of another process, whose media cannot be recognized. */
  readonly content: ContainerContent | undefined;
  readonly ids: CreatedIds;
}

/** How to find the media that a container became. */
export interface MediaLookup {
  /** Reads the state of the container first: only a published one can have become media. */
  readonly afterPublish: EffectLookup<Created>;
  /** For a container that is known to be published. */
  readonly ofPublished: EffectLookup<Created>;
}

export function mediaLookup(
  context: PicsContext,
  call: PublishCall,
  { containerId, content, ids }: MediaLookupRequest,
): MediaLookup {
  const { account, ...request } = call;
  // Login mode has no list of stories.
  const listed = content?.edge === 'stories' && context.mode === 'login' ? undefined : content;
  const lookup = {
    // `me` is a different account for each token.
    list: `${account === 'me' ? request.token : account}/media`,
    content: content && JSON.stringify(content),
    hidesContent: content?.hidesContent,
    resource: containerId,
    // In login mode no list shows stories, so none can be mistaken for another.
    isAlone: listed !== undefined,
    ids,
    idOf: ({ id }: Created) => id,
    toValue: (id: string) => ({ id }),
  };
  let isPublished = false;
  return {
    afterPublish: {
      ...lookup,
      query: (limits) =>
        askContainer(limits).andThen(() =>
          // It is published, even if its media is not found.
          isPublished
            ? queryPublished(limits).orElse(() => okAsync({ entries: [], isApplied: true }))
            : okAsync({ entries: [] }),
        ),
    },
    ofPublished: { ...lookup, query: queryPublished },
  };

  function askContainer(limits: LookupLimits): ResultAsync<unknown, RequestFailure> {
    if (isPublished) return okAsync(undefined);
    return readContainer(context, { ...request, ...limits, purpose: 'lookup' }, containerId).map(
      ({ status_code }) => {
        isPublished = status_code === 'PUBLISHED';
      },
    );
  }

  function queryPublished(limits: LookupLimits): ResultAsync<LookupResult, RequestFailure> {
    if (listed === undefined) return okAsync({ entries: [], isApplied: true, isFinal: true });
    return queryMedia(limits, listed).map((entries) => ({
      entries: toRecentEntries(entries, 'timestamp'),
      isApplied: true,
    }));
  }

  function queryMedia(
    limits: LookupLimits,
    { edge, mediaType, caption }: ContainerContent,
  ): ResultAsync<readonly ListEntry[], RequestFailure> {
    const fields = ['id', 'timestamp', 'media_type', ...(caption === undefined ? [] : ['caption'])];
    return queryRecentEntries(context, {
      ...request,
      ...limits,
      path: path`${account}/${edge}`,
      query: { fields: fields.join(','), limit: 25 },
    }).map((entries) => entries.filter((entry) => isOf(entry, { mediaType, caption })));
  }
}

function isOf(
  entry: ListEntry,
  { mediaType, caption }: Pick<ContainerContent, 'mediaType' | 'caption'>,
): boolean {
  return (
    (entry['media_type'] ?? mediaType) === mediaType &&
    (caption === undefined || captionDigest(textOf(entry['caption'])) === caption)
  );
}
