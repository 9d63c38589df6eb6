import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { withIds, withOutcome } from '../../core/deriveError.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { startPolling } from '../../core/http/polling.ts';
import { sendForResponse } from '../../core/http/send.ts';
import type { CallLimits, GraphRequest } from '../../core/http/types.ts';
import { fieldsOf } from '../../core/options/check.ts';
import type { UploadStatus } from '../../core/upload.ts';
import { textOf } from '../../core/writes/recentEntries.ts';
import type { EffectLookup } from '../../core/writes/types.ts';
import { type VideoStoryStatus, videoStoryStatusSchema } from '../../models/posts.ts';
import type { VideoOptions } from './videoOptions.ts';

/** A video that is being uploaded. */
export interface VideoRequest extends CallLimits, Pick<GraphRequest<unknown>, 'attempts' | 'purpose'> {
  readonly videoId: string;
  readonly token: string;
}

/** Reads the state of a video. The status holds no secret, so an error may quote it. */
export function readVideoStatus(
  context: Context,
  { videoId, ...limits }: VideoRequest,
): ResultAsync<VideoStoryStatus, RequestFailure> {
  return sendForResponse(context, {
    ...limits,
    method: 'GET',
    path: path`${videoId}`,
    query: { fields: 'status' },
    schema: videoStoryStatusSchema,
  }).map(({ value, redact }) => redact(value));
}

/** Reads the state of an upload. Fails if the platform cannot use the video. */
export function readUploadStatus(
  context: Context,
  video: VideoRequest,
): ResultAsync<UploadStatus, RequestFailure> {
  return readVideoStatus(context, { ...video, purpose: 'status' }).andThen(
    (status): Result<UploadStatus, ApiError> => {
      const failure = failureOf(status);
      if (failure !== undefined) return err(failure);
      const { bytes_transfered } = status.uploading_phase;
      return ok({ isComplete: isUploaded(status), bytesHeld: bytes_transfered, payload: { status } });
    },
  );
}

export function isUploaded({ uploading_phase }: VideoStoryStatus): boolean {
  return uploading_phase.status === 'complete';
}

/**
 * The failure that a status reports. When a file of low quality is refused after its upload, no phase has the status
 * `error`, but one of them holds an `error` or `errors`.
 */
export function failureOf(status: VideoStoryStatus): ApiError | undefined {
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
  return new ApiError(`the platform cannot use the video: ${[...new Set(texts)].join('; ')}`, {
    category: 'media',
    payload: { status },
  });
}

/** Final values of `video_status`. */
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

/** What the platform says about a video that may be published. */
interface VideoState {
  readonly status: VideoStoryStatus;
  /** Its `published`. */
  readonly isPublished: boolean;
  /** Where to find it, as far as known. */
  readonly links: { readonly post_id?: string; readonly permalink_url?: string };
}

function readVideo(
  context: Context,
  { videoId, ...limits }: VideoRequest,
): ResultAsync<VideoState, RequestFailure> {
  return sendForResponse(context, {
    ...limits,
    method: 'GET',
    path: path`${videoId}`,
    query: { fields: 'status,published,post_id,permalink_url' },
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

/** Whether there is nothing left to wait for. */
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
 * others could mistake its post for theirs, by `list` and `content`.
 */
export function videoLookup<TValue>(
  context: Context,
  video: VideoRequest,
  { toValue, ...shown }: Pick<EffectLookup<TValue>, 'toValue' | 'list' | 'content'>,
): EffectLookup<TValue> {
  const { videoId } = video;
  return {
    ...shown,
    findsOwnOnly: true,
    ids: { video_id: videoId },
    // The list shows a post, whose id is known only later.
    idOf: () => undefined,
    toValue,
    query: (limits) =>
      readVideo(context, { ...video, ...limits, purpose: 'lookup' }).map((state) => ({
        entries: isFinished(state) ? [{ id: videoId, createdAt: NaN }] : [],
      })),
  };
}

/** Whether the platform has processed a video, so that people can play it once it is published. */
function isProcessed({ status: { processing_phase, video_status } }: VideoState): boolean {
  return processing_phase.status === 'complete' || video_status === 'ready';
}

/** Where a video is, as far as known, and whether it is `processed`, if the call waited for that. */
type Whereabouts = VideoState['links'] & { readonly processed?: boolean };

/**
 * Waits until it is known where a published or scheduled video is, or until the platform has processed it. If the time
 * runs out or status requests fail, the call still succeeds, since the video is published. If the platform cannot use
 * the video, it fails.
 */
export function waitForVideo(
  context: Context,
  video: VideoRequest & Pick<VideoOptions, 'waitFor'>,
  endsAt: number,
): ResultAsync<Whereabouts, RequestFailure> {
  return new ResultAsync(run(context, video, Math.max(0, endsAt - context.clock.monotonic())));
}

async function run(
  context: Context,
  { waitFor, ...video }: VideoRequest & Pick<VideoOptions, 'waitFor'>,
  waitTimeoutMs: number,
): Promise<Result<Whereabouts, RequestFailure>> {
  const ids = { video_id: video.videoId };
  const isOver = waitFor === undefined ? isDone : isProcessed;
  const { poll } = startPolling<VideoState>(context, {
    ...video,
    waitTimeoutMs,
    readStatus: (limits) => readVideo(context, { ...video, ...limits }),
    isPending: (state) => !isOver(state) && failureOf(state.status) === undefined,
  });
  const polled = await poll();
  if (polled.isErr()) {
    const { error } = polled;
    const isEnded = error.name === 'TransportError' && /aborted|closed/.test(error.reason);
    return isEnded
      ? err(withOutcome(withIds(error, ids), 'applied'))
      : ok(waitFor ? { processed: false } : {});
  }
  const { status: state } = polled.value;
  const processed = state !== undefined && isOver(state);
  const failure = state === undefined || processed ? undefined : failureOf(state.status);
  return failure === undefined
    ? ok({ ...state?.links, ...(waitFor && { processed }) })
    : err(withIds(failure, ids));
}
