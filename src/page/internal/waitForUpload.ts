import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import type { VideoStoryStatus } from '../../models/videoStoryStatus.ts';
import { failureOf, isUploaded, readVideoStatus, type VideoRequest } from './videoStatus.ts';

const firstWaitMs = 1000;
const longestWaitMs = 30_000;
/** Failed looks in a row that end the wait. */
const mostFailures = 3;

/** Waits until the platform has taken a video in, with looks that grow rarer. The last one is at the end of the wait. */
export function waitForUpload(
  context: Context,
  video: VideoRequest,
  waitTimeoutMs: number,
): ResultAsync<void, RequestFailure> {
  return new ResultAsync(run(context, video, waitTimeoutMs));
}

async function run(
  context: Context,
  video: VideoRequest,
  waitTimeoutMs: number,
): Promise<Result<void, RequestFailure>> {
  const { clock, fetcher } = context;
  const { deadline = Infinity, signal } = video;
  const end = Math.min(clock.now() + waitTimeoutMs, deadline);
  let failures = 0;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 1.5, longestWaitMs)) {
    const seen = await readVideoStatus(context, video);
    if (seen.isOk()) {
      failures = 0;
      const fault = failureOf(seen.value);
      if (fault !== undefined) return err(fault);
      if (isUploaded(seen.value)) return ok();
    } else if (++failures === mostFailures) {
      return err(seen.error);
    }
    const leftMs = end - clock.now();
    if (leftMs <= 0) return err(seen.isOk() ? notInTime(seen.value, waitTimeoutMs) : seen.error);
    const limited = seen.isErr() && seen.error.name === 'RateLimitError' ? seen.error.retryAfterMs : 0;
    const waited = await fetcher.pause(clock, Math.min(Math.max(waitMs, limited ?? 0), leftMs), signal);
    if (waited.isErr()) return err(waited.error);
  }
}

function notInTime(status: VideoStoryStatus, waitTimeoutMs: number): ApiError {
  const state = status.uploading_phase.status;
  return new ApiError<'ApiError'>(`the upload is not complete after ${waitTimeoutMs} ms: it is ${state}`, {
    payload: { status },
  });
}
