import type { ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import type { RequestFailure } from '../errors.ts';
import { send } from '../http/send.ts';
import { type UploadInAttempts, uploadInAttempts } from './attempts.ts';
import { uploadBody } from './uploadBody.ts';

export type { UploadStatus } from './attempts.ts';

/** The transfer of a video to the platform's upload host. */
export interface Upload extends Omit<UploadInAttempts, 'transfer'> {
  /** The address to send the bytes to, used unchanged. */
  readonly url: string;
  readonly token: string;
  /** Milliseconds for one attempt. */
  readonly timeoutMs: number;
  /** Called with the number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/** Uploads a video to the upload host, which tells how many bytes it holds after an interruption. */
export function uploadVideo(context: Context, upload: Upload): ResultAsync<void, RequestFailure> {
  return uploadInAttempts(context, {
    ...upload,
    transfer: (offset) => transfer(context, upload, offset),
  });
}

function transfer(
  context: Context,
  { url, token, source, timeoutMs, onSent, deadline, signal }: Upload,
  offset: number,
): ResultAsync<unknown, RequestFailure> {
  const { secret, licenseKey } = context;
  const authorization = `OAuth ${token}`;
  const isHosted = typeof source === 'string';
  let sent = offset;
  if (!isHosted) onSent(sent);
  // One attempt, since another one must begin where this one ended.
  return send(context, {
    attempts: 1,
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
  });
}
