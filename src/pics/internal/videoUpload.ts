import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';

import { withOutcome } from '../../core/deriveError.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { isSameOrigin, path } from '../../core/http/path.ts';
import { defaultWaitMs } from '../../core/http/polling.ts';
import { sendForResponse } from '../../core/http/send.ts';
import type { Params } from '../../core/http/types.ts';
import { fieldsOf } from '../../core/options/check.ts';
import { objectOf } from '../../core/schema.ts';
import {
  defaultUploadAttempts,
  defaultUploadMs,
  type UploadOptions,
  type UploadStatus,
  uploadVideo,
} from '../../core/upload.ts';
import { idSchema } from '../../models/fields.ts';
import { containerStatusSchema } from '../../models/media.ts';
import type { PicsContext } from '../context.ts';
import { createContainer, isPending, type PublishCall } from './container.ts';

/** An image or a video to create a container for. */
export interface NewMedia extends Pick<UploadOptions, 'uploadTimeoutMs' | 'uploadAttempts'> {
  readonly form: Params;
  /** The video to upload; `undefined` for media that the platform fetches. */
  readonly file: Blob | undefined;
  /** The container that an earlier call under the same key created, and where its video goes. */
  readonly known?: { readonly id: string; readonly uri?: string | undefined } | undefined;
  /** Records the container under the key of the call. */
  readonly onRecord?: ((ids: RecordedMedia) => ResultAsync<unknown, RequestFailure>) | undefined;
  /** Called with the id as soon as it is known. */
  readonly onMade: (containerId: string) => void;
  /** How long further attempts may take, in milliseconds, if the platform cannot fetch the media. */
  readonly waitTimeoutMs: number | undefined;
  /**
   * Ends the upload, and the pauses between those attempts.
   * @default the signal of the call
   */
  readonly uploadSignal?: AbortSignal | undefined;
  /** Called with the number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

interface RecordedMedia {
  readonly id: string;
  readonly uri?: string;
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
  const {
    form,
    file,
    known,
    onMade,
    onSent,
    uploadTimeoutMs = defaultUploadMs,
    uploadAttempts = defaultUploadAttempts,
  } = media;
  const { onRecord = () => okAsync(), waitTimeoutMs = defaultWaitMs } = media;
  const signal = media.uploadSignal ?? call.signal;
  if (file === undefined) {
    return known === undefined
      ? createContainer(context, call, form, { waitTimeoutMs, signal })
          .andTee(onMade)
          .andThrough((id) => onRecord({ id }))
      : okAsync(known.id).andTee(onMade);
  }
  const { account, ...request } = call;
  const upload = { ...request, signal };
  const session = known === undefined ? start() : okAsync({ value: known, status: undefined });
  return session
    .andThen(({ value: { id, uri }, status }): Result<RecordedMedia & { uri: string }, ApiError> => {
      onMade(id);
      // The token is sent to this address, so it must be the platform's.
      if (typeof uri === 'string' && isSameOrigin(uri, context.platform.uploadUrl)) return ok({ id, uri });
      return err(new ApiError('uri: the upload address is not at the platform', { status, payload: {} }));
    })
    .andThrough((made) => (known === undefined ? onRecord(made) : okAsync()))
    .andThen(({ id, uri }) =>
      uploadVideo(context, {
        ...upload,
        url: uri,
        source: file,
        attempts: uploadAttempts,
        timeoutMs: uploadTimeoutMs,
        resumes: known !== undefined,
        onSent,
        readStatus: () => readUploadStatus(context, upload, id),
      }).map(() => id),
    )
    .mapErr((failure) => withOutcome(failure, 'rejected'));

  function start(): ResultAsync<Session, RequestFailure> {
    return sendForResponse(context, {
      ...request,
      method: 'POST',
      path: path`${account}/media`,
      form: { ...form, upload_type: 'resumable' },
      schema: objectOf({ id: idSchema }),
    });
  }
}

interface Session {
  readonly value: { readonly id: string; readonly uri?: unknown };
  readonly status: number | undefined;
}

/**
 * Reads the state of an upload. Whether the platform can use the video is found out later, by the wait for the
 * container.
 */
function readUploadStatus(
  context: PicsContext,
  request: Omit<PublishCall, 'account'>,
  containerId: string,
): ResultAsync<UploadStatus, RequestFailure> {
  return sendForResponse(context, {
    ...request,
    method: 'GET',
    path: path`${containerId}`,
    query: { fields: 'status_code,status,video_status' },
    purpose: 'status',
    schema: containerStatusSchema,
  }).map(({ value, body, redact }) => {
    const { uploading_phase } = fieldsOf(fieldsOf(body)['video_status']);
    const { status, bytes_transfered, bytes_transferred = bytes_transfered } = fieldsOf(uploading_phase);
    return {
      isComplete: status === 'complete' || !isPending({ id: containerId, ...value }),
      bytesHeld: bytesOf(bytes_transferred),
      payload: { status: redact(body) },
    };
  });
}

/** A number of bytes, which may arrive as a string. */
function bytesOf(value: unknown): number | undefined {
  const bytes = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof bytes === 'number' ? bytes : undefined;
}
