import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { toResultAsync } from '../../core/http/resultAsync.ts';
import { startPolling } from '../../core/waits/polling.ts';
import type { VideoStoryStatus } from '../../models/videoStoryStatus.ts';
import { failureOf, isUploaded, readVideoStatus, type VideoRequest } from './videoStatus.ts';

/** Waits until the platform has taken an upload in. It may not have begun to process it. */
export function waitForUpload(
  context: Context,
  video: VideoRequest,
  waitTimeoutMs: number,
): ResultAsync<void, RequestFailure> {
  return toResultAsync(context, run(context, video, waitTimeoutMs));
}

async function run(
  context: Context,
  video: VideoRequest,
  waitTimeoutMs: number,
): Promise<Result<void, RequestFailure>> {
  const { startedAt, poll } = startPolling<VideoStoryStatus>(context, {
    waitTimeoutMs,
    signal: video.signal,
    deadline: video.deadline,
    readStatus: (limits) => readVideoStatus(context, { ...video, ...limits }),
    isPending: (status) => !isUploaded(status) && failureOf(status) === undefined,
  });
  const polled = await poll();
  if (polled.isErr()) return err(polled.error);
  const { isTimeUp, status } = polled.value;
  if (isTimeUp) return err(notInTime(status, Math.round(context.clock.monotonic() - startedAt)));
  const failure = failureOf(status);
  return failure === undefined ? ok() : err(failure);
}

function notInTime(status: VideoStoryStatus | undefined, elapsedMs: number): ApiError {
  const state = status === undefined ? 'its state is not known' : `it is ${status.uploading_phase.status}`;
  return new ApiError(`the upload is not complete after ${elapsedMs} ms: ${state}`, {
    payload: { status },
  });
}
