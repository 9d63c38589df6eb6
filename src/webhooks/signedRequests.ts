import type { Result } from 'neverthrow';

import { hookValue } from '../core/deriveError.ts';
import { within } from '../core/options/clock.ts';
import { fromCaller } from '../core/options/given.ts';
import { parseExact, toDate } from './readDelivery.ts';
import {
  readBody,
  receive,
  type RejectionReason,
  type HandlerOptions,
  type WebhookHandler,
} from './receive.ts';
import { areTexts, firstInvalid, invalidSecret, isAmount, isHook, indexOfSecret } from './signature.ts';

export interface DeauthorizeHandlerOptions extends HandlerOptions<SignedRequest> {
  /**
   * Called with the id of a person who removed the app: their tokens are dead. It may be called again for the same
   * person. If it throws, rejects, takes longer than `timeoutMs`, or returns an `Err` of neverthrow, it has failed.
   */
  readonly onDeauthorize: (userId: string, signedRequest: SignedRequest) => unknown;
}

export interface DataDeletionHandlerOptions extends HandlerOptions<SignedRequest> {
  /**
   * Called with the id of a person who wants their data deleted; returns what they are shown, or a Result of it. It may
   * be called again for the same person. If it throws, rejects, takes longer than `timeoutMs`, or returns an `Err`
   * of neverthrow, it has failed.
   */
  readonly onDelete: (userId: string, signedRequest: SignedRequest) => Shown | PromiseLike<Shown>;
}

type Shown = DataDeletion | Result<DataDeletion, unknown>;

/** What to show a person who wants their data deleted. */
export interface DataDeletion {
  /** A page where the person can see what became of the request. */
  readonly url: string;
  /** Letters and digits. */
  readonly confirmationCode: string;
}

/**
 * Creates a handler for the address that the platform calls when a person removes the app. A form with a valid
 * `signed_request` gets a 200 once `onDeauthorize` is done, and a 500 if it failed. Other requests are refused as by
 * the webhook handler, with 415 for anything but a form, and reported to `onRejected`.
 *
 * Throws a ConfigurationError for options that cannot work. The handler itself never throws.
 *
 * @example
 * const options = { secrets: appSecret, onDeauthorize: (userId: string) => console.log(userId) };
 * const response = await createDeauthorizeHandler(options)(request);
 */
export function createDeauthorizeHandler(options: DeauthorizeHandlerOptions): WebhookHandler {
  return handlerOf(options, 'onDeauthorize', () => new Response());
}

/**
 * Creates a handler for the address that the platform calls when a person asks the app to delete their data, which
 * every app must respond to. A form with a valid `signed_request` gets what `onDelete` returns, as the JSON that the
 * platform expects, and a 500 if it failed or returned something else. Other requests are refused as by the webhook
 * handler, with 415 for anything but a form, and reported to `onRejected`.
 *
 * Throws a ConfigurationError for options that cannot work. The handler itself never throws.
 *
 * @example
 * const onDelete = (userId: string) => ({ url: `https://example.org/deletions/${userId}`, confirmationCode: userId });
 * const response = await createDataDeletionHandler({ secrets: appSecret, onDelete })(request);
 */
export function createDataDeletionHandler(options: DataDeletionHandlerOptions): WebhookHandler {
  return handlerOf(options, 'onDelete', (shown) => {
    const { url, confirmationCode }: DataDeletion = Object(shown);
    const invalid = firstInvalid(
      {},
      {
        url: /^https?:/.test(url) && URL.canParse(url),
        confirmationCode: areTexts([confirmationCode]) && /^[\da-z]+$/i.test(confirmationCode),
      },
    );
    if (invalid) throw invalid;
    return Response.json({ url, confirmation_code: confirmationCode });
  });
}

type Hook = (userId: string, signedRequest: SignedRequest) => unknown;

/** Creates a handler that calls the hook of an option, and responds with what `respond` makes of its value. */
function handlerOf(
  options: HandlerOptions<SignedRequest>,
  name: string,
  respond: (value: unknown) => Response,
): WebhookHandler {
  const { list, hook, onError, onRejected, timeoutMs, maxBodyBytes } = fromCaller('options', () =>
    readOptions(options, name),
  );
  return receive({ onRejected, timeoutMs }, 'POST', name, handle, {
    type: [415, 'the platform sends application/x-www-form-urlencoded here'],
    expired: [401, 'it has expired: check the clock of this machine'],
  });

  async function handle(request: Request): Promise<Response | RejectionReason> {
    if (request.method !== 'POST') return 'method';
    const type = request.headers.get('content-type') ?? '';
    if (!/^application\/x-www-form-urlencoded *(;|$)/i.test(type)) return 'type';
    const body = await readBody(request, { maxBodyBytes, timeoutMs });
    if (typeof body === 'string') return body;
    const [text, another] = new URLSearchParams(new TextDecoder().decode(body)).getAll('signed_request');
    if (another !== undefined) return 'malformed';
    const signedRequest = await readSignedRequest(text, list);
    if (typeof signedRequest === 'string') return signedRequest;
    try {
      return respond(hookValue(await within(timeoutMs, () => hook(signedRequest.user_id, signedRequest))));
    } catch (error) {
      await within(timeoutMs, () => onError?.(error, signedRequest)).catch(() => undefined);
      return 'failed';
    }
  }
}

function readOptions(options: HandlerOptions<SignedRequest>, name: string) {
  const {
    secrets,
    onError,
    onRejected,
    timeoutMs = 30_000,
    // Forms are small.
    maxBodyBytes = 65_536,
    [name]: hook,
  }: HandlerOptions<SignedRequest> & Readonly<Record<string, unknown>> = Object(options);
  const list = [secrets].flat();
  const invalid = firstInvalid(options, {
    secrets: invalidSecret('secrets', list),
    [name]: typeof hook === 'function',
    onError: isHook(onError),
    onRejected: isHook(onRejected),
    timeoutMs: isAmount(timeoutMs),
    maxBodyBytes: isAmount(maxBodyBytes),
  });
  if (invalid) throw invalid;
  // The check has seen that it is a function.
  return { list, hook: hook as Hook, onError, onRejected, timeoutMs, maxBodyBytes };
}

/** A person who removed the app, or wants their data deleted, as the platform reports them. */
export interface SignedRequest {
  /** The person, by the id for this app. In login mode, look for it among all ids of an account that you know. */
  readonly user_id: string;
  readonly issued_at: Date | undefined;
  readonly expires_at: Date | undefined;
  /** All of its fields except `oauth_token` and `code`. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Why there is no valid signed request. */
export type NoSignedRequest = 'missing' | 'malformed' | 'mismatch' | 'expired' | 'unreadable';

/** A signature of 32 bytes in canonical form, and the signed text: base64 of either alphabet. */
const form = /^([\w+/-]{42}[AEIMQUYcgkosw048])=?\.([\w+/-]+={0,2})$/;

/** Checks the signature of a signed request and reads it, or returns why it cannot. */
export async function readSignedRequest(
  text: unknown,
  secrets: readonly string[],
): Promise<SignedRequest | NoSignedRequest> {
  if (text === '' || text === undefined || text === null) return 'missing';
  const [, signature, data] = form.exec(typeof text === 'string' ? text : '') ?? [];
  if (signature === undefined || data === undefined) return 'malformed';
  if ((await indexOfSecret(data, decode(signature).buffer, secrets)) < 0) return 'mismatch';
  try {
    const content = parseExact(new TextDecoder('utf-8', { fatal: true }).decode(decode(data)));
    const { oauth_token: _, code: __, ...raw }: Readonly<Record<string, unknown>> = Object(content);
    const { algorithm, expires, issued_at, user_id } = raw;
    if (!/^hmac-sha256$/i.test(String(algorithm))) return 'malformed';
    const expires_at = toDate(expires);
    if (expires_at && expires_at.getTime() <= Date.now()) return 'expired';
    if (typeof user_id === 'string' && user_id)
      return { user_id, issued_at: toDate(issued_at), expires_at, raw };
  } catch {
    // Reported like a request that names no person.
  }
  return 'unreadable';
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
}
