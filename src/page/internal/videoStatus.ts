import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { sendForResponse } from '../../core/http/send.ts';
import type { CallLimits, GraphRequest } from '../../core/http/types.ts';
import type { UploadStatus } from '../../core/uploads/upload.ts';
import { type VideoStoryPhase, type VideoStoryStatus, videoStoryStatusSchema } from '../../models/posts.ts';

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
  const failed = phases.filter(([, phase]) => (phase as Partial<VideoStoryPhase> | null)?.status === 'error');
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
  const message = (fault as { readonly message?: unknown }).message;
  return typeof message === 'string' ? message : typeof fault === 'string' ? fault : JSON.stringify(fault);
}
