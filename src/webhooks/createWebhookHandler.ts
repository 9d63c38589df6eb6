import { hookValue } from '../core/deriveError.ts';
import { within } from '../core/options/clock.ts';
import { fromCaller } from '../core/options/given.ts';
import type { WebhookEvent } from './events.ts';
import { readDelivery } from './readDelivery.ts';
import { readBody, receive, type HandlerOptions, type WebhookHandler } from './receive.ts';
import {
  queryOf,
  readChallenge,
  firstInvalid,
  isAmount,
  invalidSecret,
  isHook,
  readSignature,
  indexOfSecret,
} from './signature.ts';

export interface WebhookHandlerOptions extends HandlerOptions<WebhookEvent> {
  /** The verify token in the app's dashboard. */
  readonly verifyToken: string;
  /**
   * Called and awaited for one event after the other. If it throws, rejects, takes longer than `timeoutMs`, or returns
   * an `Err` of neverthrow, the event has failed.
   */
  readonly onEvent: (event: WebhookEvent, effects: EventEffects) => unknown;
  /**
   * Handles each event once, whichever machine it is delivered to: `eventsOnce` of `pagepics/journal`. An event of
   * type `unknown` without a time of its own is handled each time, since the next one of its kind may be the same.
   * @default each event is handled whenever it is delivered
   */
  readonly once?: Once | undefined;
  /**
   * Takes over the work of a delivery, like a worker's `waitUntil`, so that the response is sent before the events are
   * handled. An event that fails, or that is being handled elsewhere, is then not delivered again: see `onError`.
   * The promise never rejects.
   */
  readonly background?: ((work: Promise<void>) => unknown) | undefined;
}

/** What `onEvent` needs for what it does on the platform. */
export interface EventEffects {
  /**
   * The `idempotencyKey` for one effect of the event, the same each time the event is delivered: its `key`, a colon, and
   * a name of your choice, of up to 190 characters.
   */
  readonly idempotencyKey: (name: string) => string;
}

/**
 * Does the work of an event, unless it was done before. Resolves to `busy` while it is being done elsewhere. Rejects as
 * the work does.
 */
export type Once = (key: string, work: () => unknown) => Promise<'done' | 'already' | 'busy'>;

/**
 * Creates a handler for the callback address of a webhook. It uses only Web standards, for workers, Deno, Bun, Hono,
 * Next.js, and Node's `http` with an adapter.
 *
 * A GET with the right verify token gets its challenge, any other GET a 403. A POST with a good signature gets a 200
 * once all its events are handled. It gets a 500 if one of them failed, and a 503 if one is being handled elsewhere, or
 * takes longer than `timeoutMs`. After a 500 or a 503 the platform delivers the whole request again, so use `once`, or
 * recognize events by their `key`. A missing or wrong signature gets a 401, and without one the body is not read. A body
 * that is no delivery gets a 400, a slow one a 408, one over the limit a 413, and another method a 405. `onRejected` is
 * called for everything but a 200.
 *
 * Throws a ConfigurationError for options that cannot work. The handler itself never throws.
 *
 * @example
 * const options = { verifyToken, secrets: appSecret, onEvent: console.log };
 * const response = await createWebhookHandler(options)(request);
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  return fromCaller('options', () => handlerOf(options));
}

function handlerOf(options: WebhookHandlerOptions): WebhookHandler {
  const {
    verifyToken,
    secrets,
    onEvent,
    onError,
    onRejected,
    once,
    background,
    timeoutMs = 30_000,
    maxBodyBytes = 4_194_304,
  }: WebhookHandlerOptions = Object(options);
  const list = [secrets].flat();
  const limits = { onRejected, timeoutMs, maxBodyBytes };
  const invalid = firstInvalid(options, {
    verifyToken: invalidSecret('verifyToken', [verifyToken]),
    secrets: invalidSecret('secrets', list),
    onEvent: typeof onEvent === 'function',
    onError: isHook(onError),
    onRejected: isHook(onRejected),
    once: isHook(once),
    background: isHook(background),
    timeoutMs: isAmount(timeoutMs),
    maxBodyBytes: isAmount(maxBodyBytes),
  });
  if (invalid) throw invalid;

  return receive(limits, 'GET, POST', 'onEvent', async (request) => {
    if (request.method === 'GET') {
      const { challenge, reason } = readChallenge(queryOf(request.url), verifyToken);
      if (reason === undefined) return new Response(challenge);
      return reason === 'mismatch' ? 'verify_token' : 'handshake';
    }
    if (request.method !== 'POST') return 'method';
    const header = request.headers.get('x-hub-signature-256');
    const signature = readSignature(header);
    if (!signature) return header ? 'malformed' : 'missing';
    const data = await readBody(request, limits);
    if (typeof data === 'string') return data;
    if ((await indexOfSecret(data, signature, list)) < 0) return 'mismatch';
    let events: readonly WebhookEvent[];
    try {
      ({ events } = readDelivery(data));
    } catch {
      return 'unreadable';
    }
    const work = handle(events);
    try {
      if (background) {
        Promise.resolve(background(work.then(() => undefined))).catch(() => undefined);
        return new Response();
      }
    } catch {
      // `background` has not taken over the work, so it is awaited.
    }
    return within(timeoutMs, () => work).then(
      (failure) => failure ?? new Response(),
      () => 'slow',
    );
  });

  /** The worst outcome among the events; `undefined` if all were handled. */
  async function handle(events: readonly WebhookEvent[]): Promise<'failed' | 'busy' | undefined> {
    const outcomes: unknown[] = [];
    for (const event of events) outcomes.push(await handleOne(event));
    return (['failed', 'busy'] as const).find((outcome) => outcomes.includes(outcome));
  }

  async function handleOne(event: WebhookEvent): Promise<unknown> {
    const { key, type, at } = event;
    const work = async (): Promise<unknown> =>
      hookValue(await onEvent(event, { idempotencyKey: (name) => `${key}:${name}` }));
    try {
      // An unknown event without a time of its own may look the same as the next one of its kind.
      const isDistinct = type !== 'unknown' || at;
      const outcome = await within(timeoutMs, () =>
        once && isDistinct ? once(key, work) : work().then(() => 'done'),
      );
      if (outcome === 'busy' && background) throw new Error('the event is being handled elsewhere');
      return outcome;
    } catch (error) {
      await within(timeoutMs, () => onError?.(error, event)).catch(() => undefined);
      return 'failed';
    }
  }
}
