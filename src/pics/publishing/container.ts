import { err, errAsync, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import { factOf } from '../../core/codes.ts';
import { withIds, withMessage, withOutcome } from '../../core/deriveError.ts';
import type { ApiErrorDetails, CreatedIds, RequestFailure } from '../../core/errors.ts';
import { ContainerNotReadyError } from '../../core/errors.ts';
import { path, shownAddresses } from '../../core/http/addresses.ts';
import { ownFields } from '../../core/http/fields.ts';
import { guardHook } from '../../core/http/guardHook.ts';
import { POST } from '../../core/http/methods.ts';
import { defaultWaitMs, startPolling, type StatusRequest } from '../../core/http/polling.ts';
import { safeTry, send, sendForResponse } from '../../core/http/send.ts';
import type { Call, Params } from '../../core/http/types.ts';
import { fieldsOf } from '../../core/objects.ts';
import * as rule from '../../core/options/rules.ts';
import { uploadAddress, type UploadOptions, type UploadStatus, uploadVideo } from '../../core/upload.ts';
import type { KeyedOptions } from '../../core/writes/journal/types.ts';
import { checkText } from '../../models/checkText.ts';
import { createdSchema, idSchema, objectOf, toBytes } from '../../models/fields.ts';
import type { ContainerStatus, ContainerStatusEvent } from '../../models/media.ts';
import { containerStatusSchema } from '../../models/media.ts';
import { textLimits } from '../../models/textLimits.ts';
import type { PicsCallOptions, PicsContext } from '../context.ts';

/** The options that all requests of one publishing call share. */
export interface PublishCall extends Call {
  /** The account in a path. */
  readonly account: string;
}

/** Milliseconds before each further attempt at media that the platform could not fetch, and how many there are. */
const refetchPauseMs = 5000;
const refetches = 3;

/**
 * Creates a container, and returns its id. It is safe to repeat: a container that is not published does no harm. If the
 * platform cannot fetch media from its address, which is often temporary, it is attempted again: the pauses take
 * `waitTimeoutMs` in total at most, and `signal` ends them.
 */
export function createContainer(
  context: PicsContext,
  call: PublishCall,
  form: Params,
  waitTimeoutMs = 0,
  signal = call.signal,
): ResultAsync<string, RequestFailure> {
  const { clock, fetcher } = context;
  return create(1);

  function create(attempt: number): ResultAsync<string, RequestFailure> {
    return send(context, {
      ...call,
      method: POST,
      path: path`${call.account}/media`,
      form,
      fetches: shownAddresses(form['image_url'], form['video_url'], form['cover_url']),
      schema: createdSchema,
    })
      .map(({ id }) => id)
      .orElse((failure) => {
        const refused = withOutcome(withLimits(failure, form), 'rejected');
        const isOver =
          attempt > refetches ||
          attempt * refetchPauseMs > waitTimeoutMs ||
          clock.monotonic() + refetchPauseMs >= call.deadline;
        return isOver || !isNotFetched(refused)
          ? errAsync(refused)
          : new ResultAsync(fetcher.pause(clock, refetchPauseMs, signal)).andThen(() => create(attempt + 1));
      });
  }
}

/** Adds counts and limits to the refusal of a caption that is too long: the platform does not say of what, and by how much. */
function withLimits(failure: RequestFailure, { caption }: Params): RequestFailure {
  if (failure.name !== 'ApiError' || failure.subcode !== 2207010) return failure;
  const { characters, hashtags, mentions } = checkText(String(caption ?? ''), 'pics.caption');
  const most = textLimits.pics.caption;
  const limits = `the caption has ${characters} characters, ${hashtags} hashtags and ${mentions} mentions; at most ${most.characters}, ${most.hashtags} and ${most.mentions} are allowed`;
  return withMessage(failure, `${failure.message}: ${limits}`);
}

/** Whether the platform could not fetch the media, which may be temporary. */
function isNotFetched(failure: RequestFailure): boolean {
  return failure.name === 'ApiError' && failure.category === 'media' && failure.action === 'retry';
}

export function readContainer(
  context: PicsContext,
  request: StatusRequest & { readonly token: string },
  containerId: string,
): ResultAsync<ContainerStatus, RequestFailure> {
  return sendForResponse(context, {
    ...request,
    path: path`${containerId}`,
    query: { fields: 'status_code,status' },
    ownFields,
    schema: containerStatusSchema,
  }).map(({ value, redact }) => ({ id: containerId, ...redact(value) }));
}

/** Options of every function that waits for a container. */
export interface WaitOptions {
  /**
   * Milliseconds to wait for the platform to process the media, including status requests that fail and waits that the
   * platform asks for. A status request in flight at the end gets 5 seconds at most. 0 sends one status request. A
   * container whose media could not be fetched from its address is created again up to three times, 5 seconds apart,
   * within the same limit.
   * @default 300_000
   */
  readonly waitTimeoutMs?: number | undefined;
  /** Called after each status request. Anything it throws is ignored. */
  readonly onStatus?: ((event: ContainerStatusEvent) => unknown) | undefined;
}

/** Options of every function that publishes media. */
export interface PublishingOptions extends PicsCallOptions, KeyedOptions, WaitOptions {
  /**
   * Id of the account. Required in page mode, and with an `idempotencyKey`.
   * @default the token's own account, in login mode
   */
  readonly picsUserId?: string | undefined;
}

/** Options of functions that publish a single container. */
export interface ContainerOptions extends PublishingOptions {
  /**
   * Called once the container is created, before the call waits for it or publishes it. Anything it throws is ignored.
   */
  readonly onCreated?: ((ids: { readonly container_id: string }) => unknown) | undefined;
}

export const waitRules = {
  waitTimeoutMs: rule.optional(rule.duration),
  onStatus: rule.optional(rule.hook),
} satisfies Record<string, rule.Rule>;

/** Reads the statuses of containers in a wait that begins now, and passes each to the caller's `onStatus`. */
export function statusReader(
  context: PicsContext,
  { token }: PublishCall,
  onStatus: WaitOptions['onStatus'],
): (limits: StatusRequest, containerId: string) => ResultAsync<ContainerStatus, RequestFailure> {
  const { clock } = context;
  const startedAt = clock.monotonic();
  const notify = guardHook(onStatus);
  return (limits, containerId) =>
    readContainer(context, { ...limits, token }, containerId).andTee(({ id, ...state }) =>
      notify?.({ containerId: id, ...state, elapsedMs: Math.round(clock.monotonic() - startedAt) }),
    );
}

interface AwaitedContainer extends WaitOptions {
  readonly containerId: string;
  /** The ids known so far, for failures. */
  readonly ids: CreatedIds;
  /** Pauses before the first status request: the platform has just said that the container is not ready. */
  readonly pausesFirst: boolean;
}

/** The wait for one container, which a call may resume. It times out at `endsAt`. */
export function startContainerWait(
  context: PicsContext,
  call: PublishCall,
  { containerId, ids, pausesFirst, waitTimeoutMs = defaultWaitMs, onStatus }: AwaitedContainer,
) {
  const read = statusReader(context, call, onStatus);
  const { endsAt, poll } = startPolling<ContainerStatus>(context, {
    ...call,
    waitTimeoutMs,
    pausesFirst,
    readStatus: (limits) => read(limits, containerId),
    isPending,
  });

  return { endsAt, untilReady };

  /**
   * Waits until the container is `FINISHED` or `PUBLISHED`, pausing for at least `minPauseMs` before the first status
   * request. Once the time is up, it fails without another one.
   */
  async function untilReady(
    minPauseMs?: number,
  ): Promise<Result<ContainerStatus, RequestFailure | ContainerNotReadyError>> {
    const polled = await poll(minPauseMs);
    if (polled.isErr()) return err(withIds(polled.error, ids));
    const { isTimeUp, status } = polled.value;
    return isTimeUp || isFailed(status) ? err(notReady(status)) : ok(status);
  }

  function notReady(status: ContainerStatus | undefined): ContainerNotReadyError {
    const { message, payload, ...details } = describeNotReady(status);
    return new ContainerNotReadyError(message, containerId, status?.status_code, {
      ...details,
      ids,
      payload: { ...ids, ...payload },
    });
  }
}

/** Whether the platform is still processing the media of a container. */
export function isPending(status: ContainerStatus | undefined): boolean {
  return !['FINISHED', 'PUBLISHED', 'ERROR', 'EXPIRED'].includes(status?.status_code ?? '');
}

export function isFailed(status: Pick<ContainerStatus, 'status_code'> | undefined): boolean {
  return status?.status_code === 'ERROR' || status?.status_code === 'EXPIRED';
}

/** Explanations of subcodes that the platform does not explain. */
const causesBySubcode: Readonly<Record<number, string>> = {
  2207077: 'the platform could not download the video; a new container may succeed',
  2207082:
    'the upload failed, and a new container may succeed; or added music met a video without sound, which takes it with audio.videoVolume: 0 only',
};

export function describeNotReady(
  container: ContainerStatus | undefined,
): ApiErrorDetails & { readonly message: string; readonly payload: object } {
  const { status_code, status } = container ?? {};
  const why = [status_code, status].filter(Boolean).join(': ') || 'its state is unknown';
  const what = isFailed(container) ? 'cannot be published' : 'is not ready';
  const subcode = Number(/\b2207\d{3}\b/.exec(status ?? '')?.[0]) || undefined;
  const cause = causesBySubcode[subcode ?? 0];
  return {
    message: `the container ${what} (${why})${cause === undefined ? '' : `: ${cause}`}`,
    subcode,
    // Not each failure is one of the media: an account may lack trial Reels.
    category: factOf({ code: undefined, subcode })?.is ?? 'media',
    payload: { status_code, status },
  };
}

interface NewMedia {
  readonly form: Params;
  readonly options: UploadOptions & WaitOptions;
  /** The video to upload; `undefined` for media that the platform fetches. */
  readonly file: Blob | undefined;
  /** The container that an earlier call under the same key created, and where its video goes. */
  readonly known?: { readonly id: string; readonly uri?: string | undefined } | undefined;
  /** Records the container under the key of the call. */
  readonly onRecord?:
    | ((ids: { readonly id: string; readonly uri?: string }) => ResultAsync<unknown, RequestFailure>)
    | undefined;
  /** Called with the id as soon as it is known. */
  readonly onMade: (containerId: string) => void;
  /**
   * Ends the upload, and the pauses before further attempts if the platform cannot fetch the media.
   * @default the signal of the call
   */
  readonly uploadSignal?: AbortSignal | undefined;
  /** Called with the number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Creates a container, and uploads its video if there is one. Even if this fails, nothing is published: a container
 * that nobody publishes does no harm, and expires.
 */
export function createMedia(
  context: PicsContext,
  call: PublishCall,
  media: NewMedia,
): ResultAsync<string, RequestFailure> {
  const { form, options, file, known, onMade, onRecord = () => okAsync() } = media;
  const signal = media.uploadSignal ?? call.signal;
  if (file === undefined) {
    const { waitTimeoutMs = defaultWaitMs } = options;
    return known === undefined
      ? createContainer(context, call, form, waitTimeoutMs, signal)
          .andTee(onMade)
          .andThrough((id) => onRecord({ id }))
      : okAsync(known.id).andTee(onMade);
  }
  return safeTry(async function* () {
    const { value, status } = yield* known === undefined
      ? start()
      : okAsync({ value: known, status: undefined });
    const { id } = value;
    onMade(id);
    const url = yield* uploadAddress(context, 'uri', value.uri, { status, payload: {} });
    if (known === undefined) yield* onRecord({ id, uri: url });
    const upload = { ...call, signal };
    yield* uploadVideo(context, {
      ...upload,
      url,
      source: file,
      options,
      resumes: known !== undefined,
      onSent: media.onSent,
      readStatus: () => readUploadStatus(context, upload, id),
    });
    return ok(id);
  }).mapErr((failure) => withOutcome(failure, 'rejected'));

  function start(): ReturnType<typeof sendForResponse<{ readonly id: string; readonly uri?: unknown }>> {
    return sendForResponse(context, {
      ...call,
      method: POST,
      path: path`${call.account}/media`,
      form: { ...form, upload_type: 'resumable' },
      schema: objectOf({ id: idSchema }),
    });
  }
}

/**
 * Reads the state of an upload. Whether the platform can use the video is found out later, by the wait for the
 * container.
 */
function readUploadStatus(
  context: PicsContext,
  call: PublishCall,
  containerId: string,
): ResultAsync<UploadStatus, RequestFailure> {
  return sendForResponse(context, {
    ...call,
    path: path`${containerId}`,
    query: { fields: 'status_code,status,video_status' },
    purpose: 'status',
    schema: containerStatusSchema,
  }).map(({ value, body, redact }) => {
    const { uploading_phase } = fieldsOf(fieldsOf(body)['video_status']);
    const { status, bytes_transfered, bytes_transferred = bytes_transfered } = fieldsOf(uploading_phase);
    return {
      isComplete: status === 'complete' || !isPending({ id: containerId, ...value }),
      bytesHeld: toBytes(bytes_transferred),
      payload: { status: redact(body) },
    };
  });
}
