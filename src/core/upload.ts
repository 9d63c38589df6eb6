import { err, ok, type Result, ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import { askedMsOf } from './action.ts';
import { type Coded, type Fact, factOf, mediaOf } from './codes.ts';
import type { Context } from './context.ts';
import { ApiError, type ApiErrorDetails, type RequestFailure } from './errors.ts';
import { isSameOrigin, shownAddresses } from './http/addresses.ts';
import { uploadBody } from './http/body.ts';
import { isStillReadable } from './http/files.ts';
import { guardHook } from './http/guardHook.ts';
import { parseJson } from './http/json.ts';
import { POST } from './http/methods.ts';
import { integer } from './http/response.ts';
import { backoff } from './http/retry.ts';
import { send, sendForResponse } from './http/send.ts';
import type { CallLimits, GraphRequest, GraphResponse, UploadError } from './http/types.ts';
import { fieldsOf, nonEmpty } from './objects.ts';
import { longestTimer } from './options/clock.ts';
import { fileChanged } from './options/fileSource.ts';
import * as rule from './options/rules.ts';

/** Options of every function that uploads a video. */
export interface UploadOptions {
  /**
   * Milliseconds for one attempt of the upload, or for the platform to fetch the file. From 1 to 2_147_483_647.
   * @default 600_000
   */
  readonly uploadTimeoutMs?: number | undefined;
  /**
   * Attempts of the upload in total. Each one resumes where the one before was interrupted.
   * @default 3
   */
  readonly uploadAttempts?: number | undefined;
  /**
   * Called when a phase begins, when all bytes are sent, when an interruption lost some, and in between at most five
   * times a second. Anything it throws is ignored.
   */
  readonly onProgress?: ((progress: UploadProgress) => unknown) | undefined;
}

/** The progress of publishing a video. */
export interface UploadProgress {
  /** `start` opens the session, `upload` sends the bytes, `wait` waits until the platform has processed them, `finish` publishes. */
  readonly phase: 'start' | 'upload' | 'wait' | 'finish';
  /** Bytes handed to the network. After an interruption, this drops back to the bytes that the platform holds. */
  readonly sentBytes: number;
  /** Bytes of the file; `undefined` for one that the platform fetches. */
  readonly totalBytes: number | undefined;
}

/** Rules for {@link UploadOptions}. */
export const uploadRules: Record<keyof UploadOptions, rule.Rule> = {
  uploadTimeoutMs: rule.optional(rule.as('how', rule.between(1, longestTimer))),
  uploadAttempts: rule.optional(rule.as('how', rule.count)),
  onProgress: rule.optional(rule.hook),
};

/** The default of `uploadTimeoutMs`. */
export const defaultUploadMs = 600_000;

/** Reports progress to the caller. */
export type Report = (phase: UploadProgress['phase'], sentBytes?: number) => void;

/** Milliseconds between two reports of bytes: five a second, plus those of phases and interruptions. */
const reportEveryMs = 200;

/**
 * Creates the progress reporter of a call that uploads a file, or has the platform fetch it from an address; without a
 * number of bytes, it reports that all are sent.
 */
export function progressReport(
  { clock }: Pick<Context, 'clock'>,
  options: UploadOptions,
  file: { readonly size: number } | string | undefined,
): Report {
  const totalBytes = typeof file === 'string' ? undefined : file?.size;
  const notify = guardHook(options.onProgress);
  let reported: UploadProgress | undefined;
  let next = 0;
  return (phase, sentBytes = totalBytes ?? 0) => {
    const now = clock.monotonic();
    // Reported at once: an interruption that lost bytes, and that all bytes are sent.
    const isMore = phase === reported?.phase && sentBytes >= reported.sentBytes;
    if (isMore && now < next && (sentBytes !== totalBytes || sentBytes === reported?.sentBytes)) return;
    next = now + reportEveryMs;
    reported = { phase, sentBytes, totalBytes };
    notify?.({ ...reported });
  };
}

/** An address to upload to, named `field` in the response. The token is sent there, so it must be the platform's. */
export function uploadAddress(
  { platform }: Context,
  field: string,
  address: unknown,
  details: ApiErrorDetails,
): Result<string, ApiError> {
  return typeof address === 'string' && isSameOrigin(address, platform.uploadUrl)
    ? ok(address)
    : err(new ApiError(`${field}: the upload address is not at the platform`, details));
}

/** The transfer of a video to the platform's upload host. */
interface Upload extends Omit<UploadInAttempts, 'transfer'> {
  /** The address to send the bytes to, used unchanged. */
  readonly url: string;
  readonly token: string;
  /** Called with the number of bytes sent so far. */
  readonly onSent: (bytes: number) => void;
}

/** Uploads a video to the upload host, which says how many bytes it holds after an interruption. */
export function uploadVideo(context: Context, upload: Upload): ResultAsync<void, RequestFailure> {
  const { url, token, source, options, onSent, deadline, signal, trace } = upload;
  return uploadInAttempts(context, { ...upload, transfer });

  function transfer(offset: number): ResultAsync<unknown, RequestFailure> {
    const authorization = `OAuth ${token}`;
    const request = {
      // The next attempt must begin where this one ended.
      attempts: 1,
      method: POST,
      path: url,
      secrets: [token, context.secret, context.licenseKey],
      timeoutMs: options.uploadTimeoutMs ?? defaultUploadMs,
      deadline,
      signal,
      trace,
      explain,
      schema: v.looseObject({}),
    };
    if (typeof source === 'string') {
      const headers = { authorization, file_url: new URL(source).href };
      return send(context, { ...request, headers, fetches: shownAddresses(source) });
    }
    const range = { offset: `${offset}`, file_size: `${source.size}` };
    const headers = { authorization, ...range, 'content-type': 'application/octet-stream' };
    return sendBytes(context, { ...request, headers }, source, offset, onSent);
  }
}

/**
 * What an error of the upload host means. It has no codes unless its message is JSON that quotes another error, so its
 * words tell that it does not accept the token; then it says itself whether the same file may go through at the next try.
 */
export function explain(
  { type, retriable }: Readonly<Record<string, unknown>>,
  message: string | undefined,
): UploadError {
  const quoted = fieldsOf(fieldsOf(message?.startsWith('{') ? parsed(message) : undefined)['error']);
  const code = integer(quoted['code']);
  const subcode = integer(quoted['error_subcode']);
  const said = nonEmpty(quoted['message']) ?? message ?? '';
  return { code, subcode, fact: factIn({ type, retriable, code, subcode, message: said }) };
}

function factIn({
  type,
  retriable,
  ...error
}: Coded & { readonly message: string; readonly type: unknown; readonly retriable: unknown }):
  | Fact
  | undefined {
  const { code, message } = error;
  const isOfToken = code === undefined && /access token|oauth|^session has/i.test(message);
  const told = factOf(isOfToken ? { ...error, code: 190 } : error);
  if (told !== undefined) return told;
  if (/unauthori[sz]ed|not authori[sz]ed|permission/i.test(message)) return { is: 'permission' };
  const isOfPart = type === 'OffsetInvalidError' || type === 'PartialRequestError';
  if (retriable === true || isOfPart) return { is: 'transient' };
  if (type !== 'ProcessingFailedError') return undefined;
  const isPassing = /request processing failed/i.test(message) && mediaOf(error, 'media') === undefined;
  return { is: isPassing ? 'transient' : 'media' };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Sends a file from an offset to its end. `onSent` is called with the offset up to which it is sent. */
export function sendBytes(
  context: Context,
  request: GraphRequest<unknown>,
  file: Blob,
  offset: number,
  onSent: (offset: number) => void,
): ResultAsync<GraphResponse<unknown>, RequestFailure> {
  let sent = offset;
  let isOver = false;
  const body = uploadBody(
    file,
    offset,
    (bytes) => onSent((sent += bytes)),
    () => isOver,
  );
  onSent(sent);
  const ending = sendForResponse(context, { ...request, ...body });
  void ending.then(() => (isOver = true));
  return ending;
}

/** An upload that may take several attempts, each resuming where the one before was interrupted. */
export interface UploadInAttempts extends CallLimits {
  /** The file, or the public address that the platform fetches it from. */
  readonly source: Blob | string;
  /** Whether the platform may hold bytes of an earlier call: they are not sent again. */
  readonly resumes?: boolean | undefined;
  readonly options: UploadOptions;
  /** Sends the file from an offset to its end, unless it is interrupted. */
  readonly transfer: (offset: number) => ResultAsync<unknown, RequestFailure>;
  /** Reads the state of the upload. Fails if the platform cannot use the file. */
  readonly readStatus: () => ResultAsync<UploadStatus, RequestFailure>;
}

/** The state of an upload. */
export interface UploadStatus {
  readonly isComplete: boolean;
  /** Bytes that the platform says it holds; `undefined` if it does not say. */
  readonly bytesHeld: number | undefined;
  /** The platform's status, for the payload of failures. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Uploads a file. After an interruption, it asks the platform how many bytes it holds, and sends the rest, until the
 * attempts are used up.
 */
export function uploadInAttempts(
  context: Context,
  upload: UploadInAttempts,
): ResultAsync<void, RequestFailure> {
  return new ResultAsync(attemptUpload(context, upload));
}

async function attemptUpload(
  context: Context,
  upload: UploadInAttempts,
): Promise<Result<void, RequestFailure>> {
  const { clock, fetcher, retry } = context;
  const { source, options, deadline, signal } = upload;
  const { uploadAttempts = 3 } = options;
  let offset = 0;
  let failure: RequestFailure | undefined;
  for (let attempt = 1; ; attempt++) {
    // All bytes may have arrived although the response was lost.
    if (failure || upload.resumes === true) {
      const offsetNow = await readOffset(upload);
      if (offsetNow.isErr() || offsetNow.value === undefined) return offsetNow.map(() => undefined);
      offset = offsetNow.value;
    }
    if (failure && attempt > uploadAttempts) return err(failure);
    const sent = await upload.transfer(offset);
    if (sent.isOk()) return ok();
    failure = sent.error;
    if (!isInterruption(failure)) return err(failure);
    if (typeof source !== 'string') {
      const isIntact = await isStillReadable(context, upload, source);
      if (isIntact.isErr()) return err(isIntact.error.reason === 'timeout' ? failure : isIntact.error);
      if (!isIntact.value) return err(fileChanged('video'));
    }

    const askedMs = askedMsOf(failure) ?? 0;
    const waitMs = Math.max(askedMs, backoff(retry, attempt));
    if (askedMs > retry.maxRetryAfterMs || clock.monotonic() + waitMs >= deadline) return err(failure);
    const waited = await fetcher.pause(clock, waitMs, signal);
    if (waited.isErr()) return err(waited.error);
  }
}

/** Reads where to continue; `undefined` if all bytes have arrived. */
async function readOffset({
  source,
  readStatus,
}: UploadInAttempts): Promise<Result<number | undefined, RequestFailure>> {
  const status = await readStatus();
  if (status.isErr()) return err(status.error);
  const { isComplete, bytesHeld = 0, payload } = status.value;
  if (isComplete) return ok(undefined);
  if (typeof source === 'string') return ok(0);
  const isPossible = Number.isSafeInteger(bytesHeld) && bytesHeld >= 0 && bytesHeld <= source.size;
  if (!isPossible) {
    const message = `the platform says that it holds ${bytesHeld} bytes of a file of ${source.size} bytes`;
    return err(new ApiError(message, { payload }));
  }
  return ok(bytesHeld === source.size ? undefined : bytesHeld);
}

/** Whether the rest of the file can be sent after this failure. */
function isInterruption(failure: RequestFailure): boolean {
  if (failure.name === 'TransportError') return failure.reason === 'network' || failure.reason === 'timeout';
  const { status = 0, outcome, transient, category, payload } = failure;
  // A refusal with a `start_offset` asks for the rest. An unreadable success, or an error that a gateway may have sent,
  // counts as a lost response.
  const isAsked = fieldsOf(fieldsOf(fieldsOf(payload)['error'])['error_data'])['start_offset'] !== undefined;
  const isOfGateway = status >= 400 && outcome === 'unknown';
  const isUnusable = status > 0 && status < 300 && category === 'unknown';
  return transient || isAsked || category === 'rate_limit' || isOfGateway || isUnusable;
}
