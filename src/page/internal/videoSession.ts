import { err, ok, okAsync, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../../core/context.ts';
import { withOutcome } from '../../core/deriveError.ts';
import { ApiError, type RequestFailure } from '../../core/errors.ts';
import { multipart, uploadBody } from '../../core/http/body.ts';
import { path } from '../../core/http/path.ts';
import { send, sendForResponse } from '../../core/http/send.ts';
import type { Call, GraphResponse } from '../../core/http/types.ts';
import { fieldsOf } from '../../core/options/check.ts';
import { objectOf } from '../../core/schema.ts';
import { uploadInAttempts } from '../../core/upload.ts';
import { textOf } from '../../core/writes/recentEntries.ts';
import { idSchema } from '../../models/fields.ts';

/** The bytes that the platform asks for next: from one offset to another. */
interface ByteRange {
  readonly start_offset: number;
  readonly end_offset: number;
}

/** An upload of a video in parts, each as the platform asks for it. */
export interface VideoSession extends ByteRange {
  readonly upload_session_id: string;
  readonly video_id: string;
}

const sessionSchema = objectOf({ upload_session_id: idSchema, video_id: idSchema });

/** Reads a range, whose offsets the platform sends as strings; `NaN` for anything else. */
function readRange(value: unknown): ByteRange {
  const { start_offset, end_offset } = fieldsOf(value);
  return { start_offset: toOffset(start_offset), end_offset: toOffset(end_offset) };
}

function toOffset(value: unknown): number {
  return /^\d+$/.test(textOf(value)) ? Number(value) : NaN;
}

/** Starts the upload of a video in parts. It is safe to repeat: a session publishes nothing, and expires. */
export function startSession(
  context: Context,
  pageId: string,
  size: number,
  request: Call,
): ResultAsync<VideoSession, RequestFailure> {
  return send(context, {
    ...request,
    method: 'POST',
    path: path`${pageId}/videos`,
    form: { upload_phase: 'start', file_size: size },
    schema: sessionSchema,
  })
    .map((session) => ({ ...session, ...readRange(session) }))
    .mapErr((failure) => withOutcome(failure, 'rejected'));
}

/** What is needed to send the parts of a video. */
export interface SessionUpload extends Call {
  readonly pageId: string;
  readonly source: Blob;
  /** How many attempts in total, and how many milliseconds for one part. */
  readonly attempts: number;
  readonly timeoutMs: number;
  /** Called with the number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/** Sends all parts of a video. After an interruption, the interrupted part is sent again. */
export function uploadInSession(
  context: Context,
  session: VideoSession,
  upload: SessionUpload,
): ResultAsync<void, RequestFailure> {
  const { source } = upload;
  let next: ByteRange = session;
  return uploadInAttempts(context, {
    ...upload,
    transfer: () => new ResultAsync(sendParts()),
    // Each response names the range that the platform wants next, and it accepts a part that it already has.
    readStatus: () => okAsync({ isComplete: false, bytesHeld: undefined, payload: {} }),
  });

  async function sendParts(): Promise<Result<void, RequestFailure>> {
    while (next.start_offset !== next.end_offset) {
      const { start_offset, end_offset } = next;
      if (!(start_offset >= 0 && end_offset > start_offset && end_offset <= source.size))
        return err(impossible());
      const sent = await sendPart(context, session.upload_session_id, next, upload);
      // A part that it already has is refused, along with the range that it wants instead.
      const asked = sent.isOk() ? readRange(sent.value.value) : rangeIn(sent.error);
      const isAsked = !Number.isNaN(asked.start_offset);
      if (isAsked) next = asked;
      // No progress counts as an interruption: attempts are limited, so the upload always ends.
      if (!(next.start_offset > start_offset)) {
        return err(sent.isErr() ? sent.error : isAsked ? repeated(sent.value, next) : unreadable(sent.value));
      }
    }
    return next.start_offset === source.size ? ok() : err(impossible());
  }

  function impossible(): ApiError {
    const { start_offset, end_offset } = next;
    const message = `the platform asks for bytes ${start_offset} to ${end_offset} of a file of ${source.size} bytes`;
    return new ApiError(message, { payload: { start_offset, end_offset } });
  }
}

function sendPart(
  context: Context,
  upload_session_id: string,
  { start_offset, end_offset }: ByteRange,
  { pageId, source, onSent, ...request }: SessionUpload,
): ResultAsync<GraphResponse<unknown>, RequestFailure> {
  const { body: part } = multipart(
    { upload_phase: 'transfer', upload_session_id, start_offset },
    { video_file_chunk: source.slice(start_offset, end_offset) },
  );
  let read = 0;
  let isOver = false;
  onSent(start_offset);
  // One attempt, since attempts are counted for the upload as a whole.
  const ending = sendForResponse(context, {
    ...request,
    attempts: 1,
    method: 'POST',
    path: path`${pageId}/videos`,
    headers: { 'content-type': part.type },
    ...uploadBody(
      part,
      0,
      (bytes) => {
        read += bytes;
        onSent(Math.min(end_offset, start_offset + read));
      },
      () => isOver,
    ),
    schema: objectOf({}),
  });
  void ending.then(() => (isOver = true));
  return ending;
}

/** The range that the platform asks for when it refuses a part. */
function rangeIn({ payload }: RequestFailure): ByteRange {
  return readRange(fieldsOf(fieldsOf(payload)['error'])['error_data']);
}

/** A success that cannot be read counts as a lost response. */
function unreadable({ status, body, redact }: GraphResponse<unknown>): ApiError {
  const message = 'unexpected response at start_offset: expected a number';
  return new ApiError(message, { status, payload: redact(body) });
}

/** If the platform asks for a part again, it did not arrive. */
function repeated({ status }: GraphResponse<unknown>, { start_offset, end_offset }: ByteRange): ApiError {
  const message = `the platform asks for bytes ${start_offset} to ${end_offset} again`;
  return new ApiError(message, { status, payload: { start_offset, end_offset } });
}
