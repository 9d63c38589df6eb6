import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { withIds, withOutcome } from '../../core/deriveError.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { guardHook } from '../../core/http/hooks.ts';
import { isSameOrigin, path } from '../../core/http/path.ts';
import { defaultWaitMs, startPolling } from '../../core/http/polling.ts';
import { safeTry, sendForResponse } from '../../core/http/send.ts';
import type { Call } from '../../core/http/types.ts';
import { objectOf, string } from '../../core/schema.ts';
import {
  defaultUploadAttempts,
  defaultUploadMs,
  progressReport,
  type Report,
  uploadVideo,
} from '../../core/upload.ts';
import { isSent, record, recordedIn } from '../../core/writes/keyed.ts';
import { idSchema } from '../../models/fields.ts';
import type { VideoStoryStatus } from '../../models/posts.ts';
import type { VideoOptions } from './videoOptions.ts';
import {
  failureOf,
  isUploaded,
  readUploadStatus,
  readVideoStatus,
  type VideoRequest,
} from './videoStatus.ts';

/** The address that a video is uploaded to, and its id. */
interface UploadSession {
  readonly video_id: string;
  readonly upload_url: string;
}

/**
 * Starts the upload of a story or a Reel, unless an earlier call under the same key already did. It is safe to repeat:
 * a session publishes nothing, and expires.
 */
function startUpload(
  context: Context,
  pageId: string,
  edge: 'video_stories' | 'video_reels',
  request: Call,
): ResultAsync<UploadSession, RequestFailure> {
  const { video_id, upload_url } = recordedIn(context);
  const session: ResultAsync<Started, RequestFailure> =
    video_id !== undefined && upload_url !== undefined
      ? okAsync({ value: { video_id, upload_url }, status: undefined })
      : sendForResponse(context, {
          ...request,
          method: 'POST',
          path: path`${pageId}/${edge}`,
          form: { upload_phase: 'start' },
          schema: objectOf({ video_id: idSchema, upload_url: string }),
        });
  return session
    .andThen(({ value, status }): Result<UploadSession, ApiError> => {
      const ids = { video_id: value.video_id };
      // The token is sent to this address, so it must be the platform's.
      if (isSameOrigin(value.upload_url, context.platform.uploadUrl)) {
        return ok({ ...ids, upload_url: value.upload_url });
      }
      const message = 'upload_url: the upload address is not at the platform';
      return err(new ApiError(message, { status, payload: ids, ids }));
    })
    .mapErr((failure) => withOutcome(failure, 'rejected'));
}

interface Started {
  readonly value: UploadSession;
  readonly status: number | undefined;
}

/** A video that the platform holds but has not published. */
export interface SentVideo {
  readonly video_id: string;
  readonly report: Report;
  /** When the wait for it times out, by the monotonic clock. */
  readonly endsAt: number;
}

/**
 * Sends a video through the upload host, and waits until the platform has ingested it. Nothing is published yet, so a
 * lost response cannot hide an effect.
 */
export function sendVideo(
  context: Context,
  edge: 'video_stories' | 'video_reels',
  options: VideoOptions,
  source: string | Blob,
  request: Call,
): ResultAsync<SentVideo, RequestFailure> {
  const {
    pageId,
    waitTimeoutMs = defaultWaitMs,
    uploadTimeoutMs = defaultUploadMs,
    uploadAttempts = defaultUploadAttempts,
  } = options;
  const report = progressReport(
    context,
    options.onProgress,
    typeof source === 'string' ? undefined : source.size,
  );
  const onCreated = guardHook(options.onCreated);
  return safeTry(async function* () {
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
    yield* new ResultAsync(waitForUpload(context, video, waitTimeoutMs)).mapErr(unpublished);
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
