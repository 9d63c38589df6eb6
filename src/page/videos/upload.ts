import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import { factOf } from '../../core/codes.ts';
import type { Context } from '../../core/context.ts';
import { withIds, withOutcome } from '../../core/deriveError.ts';
import type { ConfigurationError, RequestFailure, TransportError } from '../../core/errors.ts';
import { ApiError } from '../../core/errors.ts';
import { path } from '../../core/http/addresses.ts';
import { ownFields } from '../../core/http/fields.ts';
import { guardHook } from '../../core/http/guardHook.ts';
import { POST } from '../../core/http/methods.ts';
import { defaultWaitMs, startPolling } from '../../core/http/polling.ts';
import { isOver, safeTry, sendForResponse } from '../../core/http/send.ts';
import type { Call, CallLimits, GraphRequest } from '../../core/http/types.ts';
import { fieldsOf } from '../../core/objects.ts';
import { type FileSource, fileSource } from '../../core/options/fileSource.ts';
import * as rule from '../../core/options/rules.ts';
import type { UploadOptions, UploadStatus } from '../../core/upload.ts';
import { progressReport, uploadAddress, uploadRules, uploadVideo } from '../../core/upload.ts';
import type { KeyedOptions } from '../../core/writes/journal/types.ts';
import { isSent, openDigested, recordIds, recordedIn } from '../../core/writes/keyed.ts';
import { type EffectLookup, type ObjectLookup, textOf } from '../../core/writes/lookups.ts';
import { idSchema, objectOf, string } from '../../models/fields.ts';
import { type VideoStoryStatus, videoStoryStatusSchema } from '../../models/stories.ts';
import { type OnePageOptions, pageRules } from '../pageOptions.ts';

/** A video at a public address. */
export interface HostedVideo {
  /** Public address of an MP4, fetched by the platform. */
  readonly videoUrl: string;
  readonly video?: undefined;
}

/** An uploaded video. */
export interface UploadedVideo {
  /**
   * An MP4: its bytes, or the path of its file as a string or a file URL. Never use a path from user input. A file is
   * streamed, and must not change meanwhile.
   */
  readonly video: FileSource;
  readonly videoUrl?: undefined;
}

/** Options of every function that publishes a video. */
export interface VideoOptions extends OnePageOptions, UploadOptions, KeyedOptions {
  /**
   * How long the function waits for the platform once the file is sent, in milliseconds, including status requests that
   * fail and waits that the platform asks for. A status request in flight at the end gets 5 seconds at most. 0 sends
   * one status request.
   * @default 300_000
   */
  readonly waitTimeoutMs?: number | undefined;
  /**
   * `processed` also waits, after the video is published, until the platform has processed it: people cannot play it
   * before. This counts against the same `waitTimeoutMs`; `processed` in the value says whether it finished in time.
   */
  readonly waitFor?: 'processed' | undefined;
  /**
   * Labels the video as made with AI. The platform takes the label for videos, Reels and video stories of a Page, and
   * for no other posts of it. Known from the platform's own SDK; no document describes it.
   */
  readonly isAiGenerated?: boolean | undefined;
  /** Called once the video has an id, before the next step. Anything it throws is ignored. */
  readonly onCreated?: ((ids: { readonly video_id: string }) => unknown) | undefined;
}

/** Options of functions that publish a video or a Reel, which has a text. */
export interface DescribedVideoOptions extends VideoOptions {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /**
   * The thumbnail: its bytes, or the path of its file as a string or a file URL. Never use a path from user input.
   */
  readonly thumbnail?: FileSource | undefined;
  /** A Page with a location, where the video is from. */
  readonly placeId?: string | undefined;
}

export const videoRules = {
  ...pageRules,
  videoUrl: rule.optional(rule.mediaUrl),
  video: rule.optional(fileSource('videoUrl')),
  waitTimeoutMs: rule.optional(rule.duration),
  waitFor: rule.optional(
    rule.as(
      'how',
      rule.satisfies((value) => value === 'processed', 'processed'),
    ),
  ),
  isAiGenerated: rule.optional(rule.flag),
  ...uploadRules,
  onCreated: rule.optional(rule.hook),
};

export const describedVideoRules = {
  ...videoRules,
  title: rule.optional(rule.text),
  description: rule.optional(rule.text),
  thumbnail: rule.optional(fileSource()),
  placeId: rule.optional(rule.id),
};

/** Opens the files of a video: its bytes or its address, and its thumbnail if there is one. */
export function openFiles(
  context: Context,
  call: CallLimits,
  { video, videoUrl, thumbnail }: Pick<DescribedVideoOptions, 'thumbnail'> & (HostedVideo | UploadedVideo),
): ResultAsync<[source: string | Blob, thumb: Blob | undefined], ConfigurationError | TransportError> {
  return ResultAsync.combine([
    openDigested(context, call, video, 'video', videoUrl ?? ''),
    openDigested(context, call, thumbnail, 'thumbnail', undefined),
  ]);
}

/**
 * Sends a video through the upload host, and waits until the platform has ingested it, unless an earlier call under the
 * same key already did. Nothing is published yet, so a lost response cannot hide an effect. `endsAt` is when the wait
 * for the video times out, by the monotonic clock.
 */
export function sendVideo(
  context: Context,
  edge: 'video_stories' | 'video_reels',
  options: VideoOptions,
  source: string | Blob,
  request: Call,
) {
  const { pageId, waitTimeoutMs = defaultWaitMs } = options;
  const report = progressReport(context, options, source);
  const onCreated = guardHook(options.onCreated);
  const { video_id: known, upload_url: knownUrl, upload_begun } = recordedIn(context);
  const unpublished = (failure: RequestFailure): RequestFailure => withOutcome(failure, 'rejected');
  return safeTry(async function* () {
    report('start', 0);
    const { value, status } = yield* (
      known !== undefined && knownUrl !== undefined
        ? okAsync({ value: { video_id: known, upload_url: knownUrl }, status: undefined })
        : sendForResponse(context, {
            ...request,
            method: POST,
            path: path`${pageId}/${edge}`,
            form: { upload_phase: 'start' },
            schema: objectOf({ video_id: idSchema, upload_url: string }),
          })
    ).mapErr(unpublished);
    const { video_id, upload_url } = value;
    const ids = { video_id };
    const details = { status, payload: ids, ids };
    const url = yield* uploadAddress(context, 'upload_url', upload_url, details).mapErr(unpublished);
    onCreated?.({ video_id });
    yield* recordIds(context, { video_id, upload_url });
    const video = { ...request, videoId: video_id };
    if (!isSent(context) && upload_begun === undefined) {
      yield* uploadVideo(context, {
        ...request,
        url,
        source,
        options,
        resumes: knownUrl !== undefined,
        onSent: (bytes) => report('upload', bytes),
        readStatus: () => readUploadStatus(context, video),
      }).mapErr((failure) => unpublished(withIds(failure, ids)));
      if (typeof source === 'string') yield* recordIds(context, { upload_begun: 'yes' });
    }
    if (!isSent(context)) report('wait');
    const endsAt = context.clock.monotonic() + waitTimeoutMs;
    if (!isSent(context)) {
      yield* new ResultAsync(waitForUpload(context, video, waitTimeoutMs)).mapErr((failure) =>
        unpublished(withIds(failure, ids)),
      );
    }
    return ok({ video_id, report, endsAt });
  });
}

/** Waits until the platform has ingested an upload. It may not have started processing it. */
async function waitForUpload(
  context: Context,
  video: VideoRequest,
  waitTimeoutMs: number,
): Promise<Result<void, RequestFailure>> {
  const { startedAt, poll } = startPolling<VideoStoryStatus>(context, {
    ...video,
    waitTimeoutMs,
    readStatus: (limits) => readVideoStatus(context, { ...video, ...limits }),
    isPending: (status) => !isUploaded(status) && failureOf(status) === undefined,
  });
  const polled = await poll();
  if (polled.isErr()) return err(polled.error);
  const { isTimeUp, status } = polled.value;
  if (isTimeUp) {
    const elapsedMs = Math.round(context.clock.monotonic() - startedAt);
    const after = waitTimeoutMs === 0 ? '' : ` after ${elapsedMs} ms`;
    const state = status === undefined ? 'its state is unknown' : `it is ${status.uploading_phase.status}`;
    const message = `the upload is not complete${after}: ${state}`;
    return err(new ApiError(message, { action: 'wait', payload: { status } }));
  }
  const failure = failureOf(status);
  return failure === undefined ? ok() : err(failure);
}

interface VideoRequest extends CallLimits, Pick<GraphRequest<unknown>, 'attempts' | 'purpose'> {
  readonly videoId: string;
  readonly token: string;
}

/** Reads the state of a video. The status holds no secret, so an error may quote it. */
export function readVideoStatus(
  context: Context,
  video: VideoRequest,
): ResultAsync<VideoStoryStatus, RequestFailure> {
  return readVideo(context, video, 'status').map(({ status }) => status);
}

/** Reads the state of an upload. Fails if the platform cannot use the video. */
function readUploadStatus(context: Context, video: VideoRequest): ResultAsync<UploadStatus, RequestFailure> {
  return readVideoStatus(context, { ...video, purpose: 'status' }).andThen(
    (status): Result<UploadStatus, ApiError> => {
      const failure = failureOf(status);
      if (failure !== undefined) return err(failure);
      const { bytes_transfered } = status.uploading_phase;
      return ok({ isComplete: isUploaded(status), bytesHeld: bytes_transfered, payload: { status } });
    },
  );
}

function isUploaded({ uploading_phase }: VideoStoryStatus): boolean {
  return uploading_phase.status === 'complete';
}

/**
 * The failure that a status reports. When a file of low quality is refused after its upload, no phase has the status
 * `error`, but one of them holds an `error` or `errors`.
 */
function failureOf(status: VideoStoryStatus): ApiError | undefined {
  const phases = Object.entries(status).filter(([name]) => name.endsWith('_phase'));
  const { error, errors, video_status } = status;
  const faults = faultsIn([{ error, errors }, phases]);
  // An unknown phase may be of any type.
  const failed = phases.filter(([, phase]) => fieldsOf(phase)['status'] === 'error');
  const names = failed.map(([name]) => `${name} is error`);
  const end = failedStates.find((state) => state === video_status);
  if (end !== undefined) names.push(`video_status is ${end}`);
  if (faults.length + names.length === 0) return undefined;
  const texts = faults.length > 0 ? faults.map(describeFault) : names;
  const subcode = faults.map(codeOf).find((one) => factOf({ code: undefined, subcode: one }) !== undefined);
  return new ApiError(`the platform cannot use the video: ${[...new Set(texts)].join('; ')}`, {
    subcode,
    category: 'media',
    payload: { status },
  });
}

/** The code of a fault, which the platform documents as a subcode. */
function codeOf(fault: unknown): number | undefined {
  const { code, error_subcode = code } = fieldsOf(fault);
  return Number.isSafeInteger(error_subcode) ? Number(error_subcode) : undefined;
}

const failedStates = ['error', 'expired', 'upload_failed'];

/** All values under the keys `error` and `errors`, at any depth. */
function faultsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]: [string, unknown]) =>
    name === 'error' || name === 'errors' ? [item].flat().filter(Boolean) : faultsIn(item),
  );
}

function describeFault(fault: unknown): string {
  const message = fieldsOf(fault)['message'];
  return typeof message === 'string' ? message : typeof fault === 'string' ? fault : JSON.stringify(fault);
}

interface VideoState {
  readonly status: VideoStoryStatus;
  /** The field `published`. */
  readonly isPublished: boolean;
  /** Where to find it, as far as known. */
  readonly links: { readonly post_id?: string; readonly permalink_url?: string };
}

function readVideo(
  context: Context,
  { videoId, ...limits }: VideoRequest,
  fields = 'status,published,post_id,permalink_url',
): ResultAsync<VideoState, RequestFailure> {
  return sendForResponse(context, {
    ...limits,
    path: path`${videoId}`,
    query: { fields },
    ownFields,
    schema: videoStoryStatusSchema,
  }).map(({ value, body, redact }) => {
    const { published, ...links } = fieldsOf(body);
    const post_id = textOf(links['post_id']);
    const permalink_url = textOf(links['permalink_url']);
    return {
      status: redact(value),
      isPublished: published === true,
      links: { ...(post_id !== '' && { post_id }), ...(permalink_url !== '' && { permalink_url }) },
    };
  });
}

/**
 * Whether the step that publishes a video has taken effect: it is published, about to be, or scheduled. The platform
 * can say that a video is ready, or meant to be `published`, before that step.
 */
function isFinished({ status: { publishing_phase }, isPublished, links }: VideoState): boolean {
  const { publish_status } = fieldsOf(publishing_phase);
  return (
    isPublished ||
    links.post_id !== undefined ||
    /^(?:in_progress|complete)$/.test(publishing_phase.status) ||
    publish_status === 'scheduled'
  );
}

function isDone({ status: { publishing_phase, video_status }, links }: VideoState): boolean {
  const { publish_status } = fieldsOf(publishing_phase);
  return (
    links.post_id !== undefined ||
    publishing_phase.status === 'complete' ||
    publish_status === 'scheduled' ||
    video_status === 'ready'
  );
}

/**
 * Looks up the step that publishes a video. Its id is known beforehand, so nothing else can be mistaken for it. But
 * others could mistake its post for theirs: `entries` says where.
 */
export function videoLookup<TValue>(
  context: Context,
  video: VideoRequest,
  shown: Pick<ObjectLookup<TValue>, 'toValue' | 'entries'>,
): EffectLookup<TValue> {
  const { videoId } = video;
  return {
    kind: 'object',
    ...shown,
    ids: { video_id: videoId },
    // Lists show a post, whose id is known only later.
    idOf: () => undefined,
    hasOtherId: true,
    state: ({ attempts, deadline }) =>
      readVideo(context, { ...video, attempts, deadline, purpose: 'lookup' }).map((state) => ({
        isDone: isFinished(state),
        id: isFinished(state) ? videoId : undefined,
      })),
  };
}

/** Whether the platform has processed a video, so that people can play it once it is published. */
function isProcessed({ status: { processing_phase, video_status } }: VideoState): boolean {
  return processing_phase.status === 'complete' || video_status === 'ready';
}

/** Where to find a video, as far as known, and whether it is `processed`, if the call waited for that. */
type VideoLocation = VideoState['links'] & { readonly processed?: boolean };

/**
 * Waits until the platform says where to find a published or scheduled video, or until it has processed it. If the time
 * runs out or status requests fail, the call still succeeds, since the video is published. If the platform cannot use
 * the video, it fails.
 */
export function waitForVideo(
  context: Context,
  { waitFor, ...video }: VideoRequest & Pick<VideoOptions, 'waitFor'>,
  endsAt: number,
): ResultAsync<VideoLocation, RequestFailure> {
  const ids = { video_id: video.videoId };
  const isReady = waitFor === undefined ? isDone : isProcessed;
  const { poll } = startPolling<VideoState>(context, {
    ...video,
    waitTimeoutMs: Math.max(0, endsAt - context.clock.monotonic()),
    readStatus: (limits) => readVideo(context, { ...video, ...limits }),
    isPending: (state) => !isReady(state) && failureOf(state.status) === undefined,
  });
  return new ResultAsync(poll())
    .orElse((failure) =>
      isOver(failure) ? err(withOutcome(withIds(failure, ids), 'applied')) : ok({ status: undefined }),
    )
    .andThen(({ status: state }) => {
      const processed = state !== undefined && isReady(state);
      const failure = state === undefined || processed ? undefined : failureOf(state.status);
      return failure === undefined
        ? ok({ ...state?.links, ...(waitFor && { processed }) })
        : err(withIds(failure, ids));
    });
}
