import { err, type Ok, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';

import { withIds, withOutcome } from '../../core/deriveError.ts';
import type { ContainerNotReadyError, CreatedIds, Failure, RequestFailure } from '../../core/errors.ts';
import { ApiError } from '../../core/errors.ts';
import { path } from '../../core/http/addresses.ts';
import { guardHook } from '../../core/http/guardHook.ts';
import { POST } from '../../core/http/methods.ts';
import { safeTry } from '../../core/http/send.ts';
import type { Params } from '../../core/http/types.ts';
import type { FileSource } from '../../core/options/fileSource.ts';
import { progressReport, type UploadOptions } from '../../core/upload.ts';
import { isSent, openDigested, recordIds, recordedIn } from '../../core/writes/keyed.ts';
import type { ListedEntries, ListEntry, LookupLimits, ObjectLookup } from '../../core/writes/lookups.ts';
import { queryEntries, textOf, toListed } from '../../core/writes/lookups.ts';
import { digest, reduceText } from '../../core/writes/memory.ts';
import { lookUpEffect, sendOnce } from '../../core/writes/sendOnce.ts';
import { memoryMs } from '../../core/writes/tolerances.ts';
import { type Created, createdSchema } from '../../models/fields.ts';
import type { Published } from '../../models/media.ts';
import type { PicsContext } from '../context.ts';
import type { ContainerOptions, PublishCall, WaitOptions } from './container.ts';
import { createMedia, readContainer, startContainerWait } from './container.ts';

interface SingleOptions extends WaitOptions, UploadOptions, Pick<ContainerOptions, 'onCreated'> {
  readonly video?: FileSource | undefined;
}

/** What such a call derives from its options. */
interface MediaRequest {
  /** The parameters of the container. */
  readonly form: Params;
  readonly content: ContainerContent;
  readonly statusFirst?: boolean;
}

/** Publishes one image or one video: creates its container, uploads its bytes, waits for it, and publishes it. */
export function publishMedia(
  context: PicsContext,
  call: PublishCall,
  options: SingleOptions,
  { form, content, statusFirst }: MediaRequest,
): ResultAsync<Published, Failure | ContainerNotReadyError> {
  const onCreated = guardHook(options.onCreated);
  return safeTry(async function* () {
    const file = yield* openDigested(context, call, options.video, 'video', undefined);
    const report = progressReport(context, options, file);
    let made: { readonly container_id: string } | undefined;

    report('start', 0);
    const { container_id: known, upload_url: uri } = recordedIn(context);
    const containerId = yield* createMedia(context, call, {
      form,
      options,
      file: isSent(context) ? undefined : file,
      known: known === undefined ? undefined : { id: known, uri },
      onRecord: (ids) => recordIds(context, { container_id: ids.id, upload_url: ids.uri }),
      onMade: (container_id) => {
        made = { container_id };
        onCreated?.(made);
      },
      onSent: (bytes) => report('upload', bytes),
    }).mapErr((failure) => withIds(failure, made));

    report('wait');
    const onPublish = (): void => report('finish');
    return publishReady(context, call, { ...options, containerId, content, statusFirst, onPublish });
  });
}

interface PublishRequest extends WaitOptions {
  readonly containerId: string;
  /** Ids of the images of a carousel, for failures. */
  readonly children?: readonly string[] | undefined;
  /** What it will become; `undefined` if an earlier call created it. */
  readonly content?: ContainerContent | undefined;
  /**
   * Whether the container's status is read before the first attempt to publish it.
   * @default true
   */
  readonly statusFirst?: boolean | undefined;
  /** Called before each attempt to publish it. */
  readonly onPublish?: (() => void) | undefined;
}

/** Milliseconds before publishing a container again that the platform temporarily does not find, and how many times. */
const notFoundPauseMs = 30_000;
const notFoundRetries = 2;

/**
 * Publishes a container once it is ready, and exactly once: every kind of media goes through here.
 *
 * If the platform responds to the publishing request that the container is not ready, the wait resumes.
 */
export function publishReady(
  context: PicsContext,
  call: PublishCall,
  request: PublishRequest,
): ResultAsync<Published, RequestFailure | ContainerNotReadyError> {
  const { containerId, children, content, statusFirst = true, onPublish } = request;
  const ids = { container_id: containerId, ...(children && { children }) };
  const container = containerMemory(context, containerId);
  const wait = startContainerWait(context, call, { ...request, ids, pausesFirst: !statusFirst });

  return safeTry(async function* () {
    if (content !== undefined) container.remember(content);
    const lookup = mediaLookup(context, call, containerId, container.recall()?.content, ids);
    // A publishing request that may already have been sent under the key is looked up first.
    let pauseMs: number | undefined = statusFirst && !isSent(context) ? 0 : undefined;
    for (let retries = 0; ;) {
      if (pauseMs !== undefined) {
        const { status_code } = yield* await wait.untilReady(pauseMs);
        if (status_code === 'PUBLISHED') return findPublished(lookup);
      }
      onPublish?.();
      const sent = await sendOnce(
        context,
        {
          ...call,
          method: POST,
          path: path`${call.account}/media_publish`,
          form: { creation_id: containerId },
          schema: createdSchema,
        },
        lookup,
      );
      if (sent.isOk()) return published(sent.value.id);

      const { error } = sent;
      if (isNotReady(error)) {
        pauseMs = 0;
      } else if (
        isNotFound(error) &&
        retries++ < notFoundRetries &&
        context.clock.monotonic() + notFoundPauseMs <= wait.endsAt
      ) {
        pauseMs = notFoundPauseMs;
      } else {
        return err(error);
      }
    }
  });

  function published(mediaId: string): Ok<Published, never> {
    container.rememberMedia(mediaId);
    return ok({ container_id: containerId, media_id: mediaId });
  }

  /** Finds the media of a published container, if this process knows its content or published it. */
  async function findPublished(lookup: ObjectLookup<Created>): Promise<Result<Published, RequestFailure>> {
    const { content: known, madeAt = 0, mediaId } = container.recall() ?? {};
    if (mediaId !== undefined) return published(mediaId);
    const { clock, platformClock } = context;
    const since = { ...platformClock.timeAt(madeAt), local: madeAt + clock.now() - clock.monotonic() };
    // After that, this process no longer remembers what else it published.
    const isRecent = context.clock.monotonic() - madeAt <= memoryMs;
    // With a key, only the journal knows which call created an entry.
    if (known !== undefined && isRecent && context.keyedCall === undefined) {
      const isPublished = { ...lookup, state: () => okAsync({ isDone: true }) };
      const found = await lookUpEffect(context, isPublished, since, call.deadline);
      if (found.isErr()) return err(withOutcome(withIds(found.error, ids), 'applied'));
      if (found.value !== undefined) return published(found.value);
    }
    return err(
      new ApiError('the container is already published, but the id of its media is unknown', {
        payload: ids,
        ids,
        outcome: 'applied',
      }),
    );
  }
}

/** Whether the platform says that it is still processing the media. */
export function isNotReady(failure: RequestFailure): boolean {
  return failure.name === 'ApiError' && failure.code === 9007 && failure.outcome === 'rejected';
}

/** Whether the platform does not find the container, which may be temporary. */
function isNotFound(failure: RequestFailure): boolean {
  return failure.name === 'ApiError' && failure.subcode === 2207008 && failure.outcome === 'rejected';
}

/**
 * Looks up the media that a container became. Only a published one can have become media. Without `content`, it was made
 * by another process, and its media cannot be recognized.
 */
function mediaLookup(
  context: PicsContext,
  call: PublishCall,
  containerId: string,
  content: ContainerContent | undefined,
  ids: CreatedIds,
): ObjectLookup<Created> {
  const { account } = call;
  // Login mode has no list of stories.
  const listed = content?.edge === 'stories' && context.mode === 'login' ? undefined : content;
  const isHidden = content?.hidesContent !== false;
  let isPublished = false;
  return {
    kind: 'object',
    resource: containerId,
    ids,
    idOf: ({ id }) => id,
    toValue: (id) => ({ id }),
    state: ({ attempts, deadline }) => {
      if (isPublished) return okAsync({ isDone: true });
      const limits = { ...call, attempts, deadline, purpose: 'lookup' as const };
      return readContainer(context, limits, containerId).map(({ status_code }) => {
        isPublished = status_code === 'PUBLISHED';
        return { isDone: isPublished };
      });
    },
    entries: {
      // `me` is a different account for each token.
      list: `${account === 'me' ? call.token : account}/media`,
      text: isHidden ? undefined : content.caption,
      sign: content && JSON.stringify(content),
      ...(listed && { query: (limits: LookupLimits) => queryMedia(limits, listed) }),
    },
  };

  function queryMedia(
    limits: LookupLimits,
    { edge, mediaType, caption }: ContainerContent,
  ): ResultAsync<ListedEntries, RequestFailure> {
    const fields = ['id', 'timestamp', 'media_type', ...(caption === undefined ? [] : ['caption'])];
    return queryEntries(context, {
      ...call,
      ...limits,
      path: path`${account}/${edge}`,
      query: { fields: fields.join(','), limit: 25 },
    }).map((entries) => ({
      entries: entries
        .filter(({ media_type = mediaType }) => media_type === mediaType)
        .map((entry) => toListed(entry, 'timestamp', captionIn(entry))),
    }));
  }
}

/** The digest of a caption, by which captions are compared; `''` for none. */
function captionIn({ caption }: ListEntry): string {
  const shown = textOf(caption);
  return shown.trim() === '' ? '' : captionDigest(shown);
}

/** What is known about the media that a container becomes. */
interface ContainerContent {
  /** The list that will hold it. */
  readonly edge: 'media' | 'stories';
  readonly mediaType: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  /** `''` for none; `undefined` if the list does not show it, as with stories. */
  readonly caption?: string | undefined;
  /** Without a caption, the list shows nothing that tells it apart from others of its kind and time. */
  readonly hidesContent?: boolean;
}

/** A container that this process knows of. Only a digest of its caption is kept. */
interface RememberedContainer {
  /** `undefined` if another process created it. */
  readonly content: ContainerContent | undefined;
  /** A time, by the monotonic local clock, at which it was not yet published. */
  readonly madeAt: number;
  /** The media that it became, if known. */
  readonly mediaId?: string | undefined;
}

/** How long a container lives, in milliseconds, and how many containers are remembered at most. */
const lifeMs = 86_400_000;
const maxRemembered = 10_000;

/** What this process remembers of one container. */
function containerMemory({ graphBase, graphVersion, memory, clock }: PicsContext, containerId: string) {
  const key = graphBase.slice(0, -graphVersion.length) + containerId;
  // Only this file writes into it.
  const containers = memory.containers as Map<string, RememberedContainer>;
  return {
    recall: (): RememberedContainer | undefined => containers.get(key),
    // It was just created.
    remember: ({ caption, ...content }: ContainerContent): void =>
      store({
        content: {
          ...content,
          ...(caption !== undefined && { caption: captionDigest(caption) }),
          hidesContent: (caption ?? '').trim() === '',
        },
        madeAt: clock.monotonic(),
      }),
    rememberMedia: (mediaId: string): void =>
      store({ content: containers.get(key)?.content, madeAt: clock.monotonic(), mediaId }),
  };

  function store(container: RememberedContainer): void {
    // Deleting and setting it again moves it to the end, so the first ones are the oldest.
    containers.delete(key);
    containers.set(key, container);
    for (const [oldest, { madeAt }] of containers) {
      if (containers.size <= maxRemembered && madeAt >= container.madeAt - lifeMs) break;
      containers.delete(oldest);
    }
  }
}

/** A digest of a caption, ignoring what the platform may change. */
function captionDigest(caption: string): string {
  return digest(reduceText(caption));
}
