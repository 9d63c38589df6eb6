import { ok, type ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { withIds, withOutcome } from '../../core/deriveError.ts';
import type { RequestFailure } from '../../core/errors.ts';
import { guardHook } from '../../core/http/hooks.ts';
import { safeTry } from '../../core/http/resultAsync.ts';
import type { CallLimits } from '../../core/http/types.ts';
import { isSent, record, recordedIn } from '../../core/journal/keyed.ts';
import { uploadVideo } from '../../core/uploads/upload.ts';
import type { UploadProgress } from '../../core/uploads/uploadOptions.ts';
import { startUpload } from './startUpload.ts';
import type { VideoOptions } from './videoOptions.ts';
import { readUploadStatus } from './videoStatus.ts';
import { waitForUpload } from './waitForUpload.ts';

/** Tells the caller how far the video is. */
export type Report = (phase: UploadProgress['phase'], sentBytes?: number) => void;

/** Makes what tells the progress of a video. */
export function toReport({ onProgress }: VideoOptions, source: string | Blob): Report {
  const notify = guardHook(onProgress);
  const totalBytes = typeof source === 'string' ? undefined : source.size;
  return (phase, sentBytes = totalBytes ?? 0) => notify?.({ phase, sentBytes, totalBytes });
}

/** A video that the platform holds and has not published. */
export interface SentVideo {
  readonly video_id: string;
  readonly report: Report;
  /** Instant of the monotonic time at which the wait for it is over. */
  readonly endsAt: number;
}

/**
 * Sends a video through the upload host, and waits until the platform has taken it in. Nothing is published, so a lost
 * response is no doubt.
 */
export function sendVideo(
  context: Context,
  edge: 'video_stories' | 'video_reels',
  options: VideoOptions,
  source: string | Blob,
  request: CallLimits & { readonly token: string },
): ResultAsync<SentVideo, RequestFailure> {
  const { pageId, waitTimeoutMs = 300_000, uploadTimeoutMs = 600_000, uploadAttempts = 3 } = options;
  const report = toReport(options, source);
  const onCreated = guardHook(options.onCreated);
  return safeTry(context, async function* () {
    report('start', 0);
    const resumes = recordedIn(context).upload_url !== undefined;
    const { video_id, upload_url } = yield* startUpload(context, pageId, edge, request);
    onCreated?.({ video_id });
    yield* record(context, { video_id, upload_url });
    const video = { ...request, videoId: video_id };
    const unpublished = (failure: RequestFailure): RequestFailure =>
      withOutcome(withIds(failure, { video_id }), 'rejected');
    if (isSent(context)) return ok({ video_id, report, endsAt: context.clock.monotonic() + waitTimeoutMs });
    yield* uploadVideo(context, {
      ...request,
      url: upload_url,
      source,
      attempts: uploadAttempts,
      timeoutMs: uploadTimeoutMs,
      resumes,
      onSent: (bytes) => report('upload', bytes),
      readStatus: () => readUploadStatus(context, video),
    }).mapErr(unpublished);

    report('wait');
    const endsAt = context.clock.monotonic() + waitTimeoutMs;
    yield* waitForUpload(context, video, waitTimeoutMs).mapErr(unpublished);
    return ok({ video_id, report, endsAt });
  });
}
