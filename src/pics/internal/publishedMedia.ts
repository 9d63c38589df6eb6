import { okAsync, ResultAsync } from 'neverthrow';

import type { CreatedIds, RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { lookAtNewest } from '../../core/writes/newest.ts';
import type { Look, Sighting } from '../../core/writes/once.ts';
import type { Created } from '../../models/created.ts';
import type { PicsContext } from '../context.ts';
import { type PublishCall, readContainer } from './container.ts';

/** What is known of the media that a container becomes. */
export interface Content {
  /** The list that will hold it; either may where this is not known. */
  readonly edge?: 'media' | 'stories' | undefined;
  readonly mediaType?: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM' | undefined;
  /** `''` is none; `undefined` where it is not known. */
  readonly caption?: string | undefined;
}

/** How to find the media that a container became. */
export interface PublishedMedia {
  /** Asks the container first: without its word, no media can be taken for its own. */
  readonly afterPublish: Look<Created>;
  /** For a container that is known to be published. */
  readonly ofPublished: Look<Created>;
}

export function publishedMedia(
  context: PicsContext,
  call: PublishCall,
  containerId: string,
  content: Content,
  ids: CreatedIds,
): PublishedMedia {
  const { account, ...request } = call;
  const look = {
    // One key for all that an account publishes: of another process' container, the content is not known.
    // `me` is a different account for each token.
    key: `${account === 'me' ? request.token : account}/media`,
    content: content.edge && `${content.edge} ${plain(content.caption ?? '')}`,
    subject: containerId,
    idOf: ({ id }: Created) => id,
    ids,
  };
  let isPublished = false;
  return {
    afterPublish: {
      ...look,
      find: () =>
        askContainer().andThen(() =>
          isPublished
            ? findListed()
                .map((seen) => ({ ...seen, applied: true }))
                .orElse(() => okAsync<Sighting<Created>>({ entries: [], applied: true }))
            : okAsync<Sighting<Created>>({ entries: [] }),
        ),
    },
    ofPublished: { ...look, find: findListed },
  };

  function askContainer(): ResultAsync<unknown, RequestFailure> {
    if (isPublished) return okAsync(undefined);
    return readContainer(context, request, containerId).map(({ status_code }) => {
      isPublished = status_code === 'PUBLISHED';
    });
  }

  function findListed(): ResultAsync<Sighting<Created>, RequestFailure> {
    const edges = content.edge === undefined ? (['media', 'stories'] as const) : [content.edge];
    // Login mode has no list of stories.
    const listed = edges.filter((edge) => edge === 'media' || context.mode === 'page');
    return ResultAsync.combine(listed.map((edge) => lookAt(edge))).map((seen) => ({
      entries: seen.flatMap(({ entries }) => entries),
      date: seen[0]?.date,
    }));
  }

  function lookAt(edge: string): ResultAsync<Sighting<Created>, RequestFailure> {
    const { mediaType, caption } = content;
    const fields = ['id', 'timestamp', mediaType && 'media_type', caption !== undefined && 'caption'];
    return lookAtNewest(context, {
      ...request,
      path: path`${account}/${edge}`,
      query: { fields: fields.filter(Boolean).join(','), limit: 25 },
      time: 'timestamp',
      match: (entry) =>
        typeof entry['id'] === 'string' &&
        (mediaType === undefined || (entry['media_type'] ?? mediaType) === mediaType) &&
        (caption === undefined || isCaption(entry['caption'] ?? '', caption))
          ? { id: entry['id'] }
          : undefined,
      idOf: look.idOf,
    });
  }
}

function isCaption(value: unknown, caption: string): boolean {
  return typeof value === 'string' && plain(value) === plain(caption);
}

/** A caption without what the platform may change of it. */
function plain(caption: string): string {
  return caption.replace(/\s+/g, ' ').trim();
}
