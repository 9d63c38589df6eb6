import type { ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { path } from '../../core/http/path.ts';
import { sendForResponse } from '../../core/http/send.ts';
import type { CallLimits } from '../../core/http/types.ts';
import {
  type VideoStoryPhase,
  type VideoStoryStatus,
  videoStoryStatusSchema,
} from '../../models/videoStoryStatus.ts';

/** A video that is on its way to be a story. */
export interface VideoRequest extends CallLimits {
  readonly videoId: string;
  readonly token: string;
}

/** Asks how far a video is. The answer holds no secret: what it says may be shown in an error. */
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

export function isUploaded({ uploading_phase }: VideoStoryStatus): boolean {
  return uploading_phase.status === 'complete';
}

/**
 * The failure that a status tells of. A file of low quality is found out after its upload: then no phase
 * says `error`, but one of them holds an `error` or `errors`.
 */
export function failureOf(status: VideoStoryStatus): ApiError | undefined {
  const phases = Object.entries(status).filter(([name]) => name.endsWith('_phase'));
  const { error, errors, video_status } = status;
  const faults = faultsIn([{ error, errors }, phases]);
  const failed = phases.filter(([, phase]) => (phase as Partial<VideoStoryPhase>).status === 'error');
  const names = failed.map(([name]) => `${name} is error`);
  const end = lost.find((state) => state === video_status);
  if (end !== undefined) names.push(`video_status is ${end}`);
  if (faults.length + names.length === 0) return undefined;
  const texts = faults.length > 0 ? faults.map(tell) : names;
  return new ApiError<'ApiError'>(`the platform cannot use the video: ${[...new Set(texts)].join('; ')}`, {
    category: 'media',
    payload: { status },
  });
}

/** Values of `video_status` after which nothing more happens. */
const lost = ['error', 'expired', 'upload_failed'];

/** What stands under `error` and `errors`, however deep. */
function faultsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]: [string, unknown]) =>
    name === 'error' || name === 'errors' ? [item].flat().filter(Boolean) : faultsIn(item),
  );
}

function tell(fault: unknown): string {
  const message = (fault as { readonly message?: unknown }).message;
  return typeof message === 'string' ? message : typeof fault === 'string' ? fault : JSON.stringify(fault);
}
