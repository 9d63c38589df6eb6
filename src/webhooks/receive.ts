import { longestTimer, within } from '../core/options/clock.ts';

/** Responds to one request. It never rejects. */
export type WebhookHandler = (request: Request) => Promise<Response>;

/** Options of every handler of signed requests; `TSubject` is what `onError` is told of. */
export interface HandlerOptions<TSubject> extends ReceiveOptions {
  /**
   * The app's secret, or several, each of which is tried: in login mode, that of the app and that of its photo-sharing
   * product.
   */
  readonly secrets: string | readonly string[];
  /**
   * Called when `onEvent`, `onDeauthorize` or `onDelete` fails: with what it threw, with the error of its `Err`, or
   * with a `TimeoutError`. Anything that `onError` throws is ignored.
   */
  readonly onError?: ((error: unknown, subject: TSubject) => unknown) | undefined;
  /**
   * The largest accepted body, in bytes; at least 1. A delivery has at most 1,000 events.
   * @default 4_194_304, for a signed request 65_536
   */
  readonly maxBodyBytes?: number | undefined;
}

/** Options of every handler. */
export interface ReceiveOptions {
  /**
   * Called for every request that gets a status other than 200, with the reason and a hint, for logs and metrics. The
   * response waits for it, at most `timeoutMs`. Anything it throws is ignored.
   */
  readonly onRejected?: ((rejection: Rejection, request: Request) => unknown) | undefined;
  /**
   * Milliseconds for the body to arrive, and then again for each call of `onEvent` or another of these functions, and
   * for all calls together, before the response is sent. At least 1.
   * @default 30_000
   */
  readonly timeoutMs?: number | undefined;
}

/** Why a request got a status other than 200. */
export interface Rejection {
  /** The status of the response. */
  readonly status: number;
  readonly reason: RejectionReason;
  /** What is wrong and how to fix it, in words. It quotes nothing from the request. */
  readonly hint: string;
}

export type RejectionReason = keyof typeof rejections | OwnReason;

/** The reasons of handlers of signed requests only, which have their texts. */
type OwnReason = 'type' | 'expired';

const rejections = {
  method: [405, 'the platform does not use this method'],
  handshake: [403, 'it is no handshake, which has hub.mode, hub.verify_token and hub.challenge'],
  verify_token: [403, 'verifyToken is not what the app was subscribed with: compare it with the dashboard'],
  missing: [401, 'it has no signature: it is not from the platform, or a proxy removed that'],
  malformed: [401, 'its signature is not HMAC-SHA256'],
  mismatch: [
    401,
    'secrets lacks the secret of the app that signed it, or the body was changed after it was sent, as by express.json() and JSON.stringify()',
  ],
  body_read: [
    400,
    'there is no body, or it was read before, as express.json() does: the handler needs the bytes as they were sent, perhaps those of rawBody',
  ],
  broken_body: [
    400,
    'the body broke off, or was read before, as parsers do: the handler needs the bytes as they were sent',
  ],
  too_large: [
    413,
    'the body is larger than maxBodyBytes, or a limit of the framework, such as BODY_SIZE_LIMIT',
  ],
  slow_body: [408, 'the body took longer than timeoutMs, or was read before'],
  unreadable: [
    400,
    'it is signed, but not what the platform sends here: compare the address with the dashboard',
  ],
  failed: [500, 'onEvent failed, see onError: the platform sends the request again'],
  slow: [503, 'onEvent took longer than timeoutMs: use background or a queue'],
  busy: [503, 'an event is being handled elsewhere: the platform sends the request again'],
  no_request: [500, 'the handler takes a Request of the Fetch API; others need an adapter'],
} as const;

/**
 * Creates a handler from a function that responds to a request or returns the reason for a rejection. `hook` is the
 * option that it calls.
 */
export function receive(
  { onRejected, timeoutMs }: ReceiveOptions & { readonly timeoutMs: number },
  allow: string,
  hook: string,
  respond: (request: Request) => Promise<Response | RejectionReason>,
  own: Readonly<Partial<Record<OwnReason, readonly [status: number, hint: string]>>> = {},
): WebhookHandler {
  return async (request) => {
    // Not a Request, or an imitation of one that lacks some members.
    const response = await respond(request).catch(() => 'no_request' as const);
    if (typeof response !== 'string') return response;
    const [status, text] = { ...rejections, ...own }[response] ?? rejections.failed;
    const hint = text.replace('onEvent', hook);
    await within(timeoutMs, () => onRejected?.({ status, reason: response, hint }, request)).catch(
      () => undefined,
    );
    return new Response(null, { status, headers: status === 405 ? { allow } : {} });
  };
}

/** Reads a body that may be large, slow or broken, into a buffer that grows with it, or returns the reason why it cannot. */
export async function readBody(
  request: Request,
  { maxBodyBytes, timeoutMs }: { readonly maxBodyBytes: number; readonly timeoutMs: number },
): Promise<Uint8Array | RejectionReason> {
  if (!request.body || request.bodyUsed || request.body.locked) return 'body_read';
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let body = new Uint8Array();
  let size = 0;
  let refusal: RejectionReason | undefined;
  // Pending reads end at once. The source may take longer to cancel, which is not awaited.
  const refuse = (reason: RejectionReason) => {
    refusal = reason;
    reader.cancel().catch(() => undefined);
  };
  const timer = setTimeout(refuse, Math.min(timeoutMs, longestTimer), 'slow_body');
  try {
    while (!refusal) {
      const { done, value: chunk } = await reader.read();
      if (done) break;
      const end = size + chunk.length;
      if (end > maxBodyBytes) {
        refuse('too_large');
        break;
      }
      if (end > body.length) {
        const grown = new Uint8Array(Math.min(2 * end, maxBodyBytes));
        grown.set(body);
        body = grown;
      }
      body.set(chunk, size);
      size = end;
    }
  } catch (thrown) {
    refusal ??= isSizeLimit(thrown) ? 'too_large' : 'broken_body';
  }
  clearTimeout(timer);
  // Where a parser has read it, adapters of Node's http make an empty one.
  return refusal ?? (size ? body.subarray(0, size) : 'body_read');
}

/** Whether a framework ended a body at a limit of its own: SvelteKit, Express, Koa and h3 say 413. */
function isSizeLimit(thrown: unknown): boolean {
  const { status, statusCode = status }: Readonly<Record<string, unknown>> = Object(thrown);
  return statusCode === 413;
}
