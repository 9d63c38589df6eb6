import { err, ok, type Result, ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../../core/context.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { backoff } from '../../core/http/retry.ts';
import { send } from '../../core/http/send.ts';
import { uploadBody } from './uploadBody.ts';
import { isReadable } from './videoSource.ts';
import { failureOf, isUploaded, readVideoStatus, type VideoRequest } from './videoStatus.ts';

/** The transfer of a video to the platform. */
export interface Upload extends VideoRequest {
  /** Where the platform takes the bytes; used unchanged. */
  readonly url: string;
  /** The file, or the public address that the platform fetches it from. */
  readonly source: Blob | string;
  /** Tries in all. */
  readonly attempts: number;
  /** Milliseconds for one try. */
  readonly timeoutMs: number;
  /** Called with the number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/**
 * Hands a video over. After an interruption the platform is asked how many bytes it holds, and those after
 * them are sent, until the tries are used up.
 */
export function uploadVideo(context: Context, upload: Upload): ResultAsync<void, RequestFailure> {
  return new ResultAsync(run(context, upload));
}

async function run(context: Context, upload: Upload): Promise<Result<void, RequestFailure>> {
  const { clock, fetcher, retry } = context;
  const { source, deadline = Infinity, signal } = upload;
  let offset = 0;
  for (let attempt = 1; ; attempt++) {
    const sent = await transfer(context, upload, offset);
    if (sent.isOk()) return ok();
    const failure = sent.error;
    if (!isInterruption(failure)) return err(failure);
    if (typeof source !== 'string' && !(await isReadable(source))) return err(changed());

    const askedMs = failure.name === 'RateLimitError' ? (failure.retryAfterMs ?? 0) : 0;
    const waitMs = Math.max(askedMs, backoff(retry, attempt));
    if (askedMs > retry.maxRetryAfterMs || clock.now() + waitMs >= deadline) return err(failure);
    const waited = await fetcher.pause(clock, waitMs, signal);
    if (waited.isErr()) return err(waited.error);

    const status = await readVideoStatus(context, upload);
    if (status.isErr()) return err(status.error);
    const fault = failureOf(status.value);
    if (fault !== undefined) return err(fault);
    offset = status.value.uploading_phase.bytes_transfered ?? 0;
    // The bytes may all be there although the answer was lost.
    const isWhole = typeof source !== 'string' && offset >= source.size;
    if (isWhole || isUploaded(status.value)) return ok();
    if (attempt >= upload.attempts) return err(failure);
  }
}

function transfer(
  context: Context,
  { url, token, source, timeoutMs, onSent, deadline, signal }: Upload,
  offset: number,
): ResultAsync<unknown, RequestFailure> {
  const { retry, secret, licenseKey } = context;
  const authorization = `OAuth ${token}`;
  const isHosted = typeof source === 'string';
  let sent = offset;
  if (!isHosted) onSent(sent);
  // Tried once: another try has to begin where this one ended.
  return send(
    { ...context, retry: { ...retry, attempts: 1 } },
    {
      method: 'POST',
      path: url,
      headers: isHosted
        ? { authorization, file_url: new URL(source).href }
        : {
            authorization,
            offset: String(offset),
            file_size: String(source.size),
            'content-type': 'application/octet-stream',
          },
      body: isHosted ? undefined : uploadBody(source, offset, (bytes) => onSent((sent += bytes))),
      secrets: [token, secret, licenseKey],
      timeoutMs,
      deadline,
      signal,
      schema: v.looseObject({}),
    },
  );
}

/** Whether the rest of the file can be sent after this failure. */
function isInterruption(failure: RequestFailure): boolean {
  if (failure.name === 'TransportError') return failure.reason === 'network' || failure.reason === 'timeout';
  const { type, status = 0, transient, category, payload } = failure;
  if (type === 'OffsetInvalidError' || type === 'PartialRequestError') return true;
  const { debug_info } = (payload ?? {}) as { readonly debug_info?: { readonly retriable?: unknown } | null };
  const retriable = debug_info?.retriable;
  if (typeof retriable === 'boolean') return retriable;
  // A success that cannot be read is a lost answer.
  return transient || category === 'rate_limit' || status >= 500 || status < 300;
}

function changed(): ApiError {
  return new ApiError<'ApiError'>('the video could not be read to its end: its file shrank or was removed', {
    category: 'media',
    payload: {},
  });
}
