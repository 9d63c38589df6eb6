import { answerChallenge } from './answerChallenge.ts';
import type { WebhookEvent } from './event.ts';
import { parseDelivery } from './parseDelivery.ts';
import { areTexts, isSignature, verifySignature, wrong } from './verifySignature.ts';

export interface WebhookHandlerOptions {
  /** The verify token in the app's dashboard. */
  readonly verifyToken: string;
  /** The app's secret, or several, each of which is tried. */
  readonly secrets: string | readonly string[];
  /**
   * Called for one event after the other, and awaited. If it throws, rejects, or returns an `Err` of neverthrow, the
   * event has failed.
   */
  readonly onEvent: (event: WebhookEvent) => unknown;
  /** Called with what `onEvent` threw, or with the error of its `Err`. What it throws itself changes nothing. */
  readonly onError?: ((error: unknown, event: WebhookEvent) => unknown) | undefined;
  /**
   * The largest body that is accepted, in bytes, from 1 on. A delivery has at most 1,000 events.
   * @default 4_194_304
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Takes over the work of a delivery, as `waitUntil` of a worker does, so that the response is sent before the events
   * are handled. An event that fails is then not delivered again. The promise never rejects.
   */
  readonly background?: ((work: Promise<void>) => unknown) | undefined;
}

/** Responds to one request. It never rejects. */
export type WebhookHandler = (request: Request) => Promise<Response>;

/**
 * Makes a handler for the callback address of a webhook. It uses Web standards only, for workers, Deno, Bun, Hono,
 * Next.js, and Node's `http` with an adapter.
 *
 * A GET with the right verify token gets its challenge, any other a 403. A POST with a good signature gets a 200 once
 * all its events are handled, and a 500 if one of them failed: the platform then delivers the whole request again, so
 * recognize events by their `key`. A 401 stands for a missing or wrong signature,
 * 400 for a body that is no delivery, 413 for one over the limit, 405 for another method.
 *
 * Throws a ConfigurationError for options that cannot work. The handler itself never throws.
 *
 * @example
 * const options = { verifyToken, secrets: appSecret, onEvent: console.log };
 * const response = await createWebhookHandler(options)(request);
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const {
    verifyToken,
    secrets,
    onEvent,
    onError,
    background,
    maxBodyBytes = 4_194_304,
  } = Object(options) as WebhookHandlerOptions;
  const list = [secrets].flat();
  const good = {
    verifyToken: areTexts([verifyToken]),
    secrets: areTexts(list),
    maxBodyBytes: maxBodyBytes > 0,
    onEvent: typeof onEvent === 'function',
    onError: !onError || typeof onError === 'function',
    background: !background || typeof background === 'function',
  };
  for (const [option, isGood] of Object.entries(good)) if (!isGood) throw wrong(option);

  return async (request) => {
    if (request.method === 'GET') {
      return answerChallenge(request, verifyToken).match(
        (challenge) => answer(200, challenge),
        () => answer(403),
      );
    }
    if (request.method !== 'POST')
      return new Response(null, { status: 405, headers: { allow: 'GET, POST' } });
    const signature = request.headers.get('x-hub-signature-256');
    if (!isSignature(signature)) return answer(401);
    let body = new Uint8Array();
    let size = 0;
    try {
      // Without a body this throws, as for one that breaks off.
      for await (const chunk of request.body as ReadableStream<Uint8Array>) {
        const end = size + chunk.length;
        // Leaving the loop cancels the rest.
        if (end > maxBodyBytes) return answer(413);
        if (end > body.length) {
          const grown = new Uint8Array(2 * end);
          grown.set(body);
          body = grown;
        }
        body.set(chunk, size);
        size = end;
      }
    } catch {
      return answer(400);
    }
    body = body.subarray(0, size);
    if ((await verifySignature(body, signature, list)).isErr()) return answer(401);
    const delivery = parseDelivery(body);
    if (delivery.isErr()) return answer(400);
    const work = handle(delivery.value.events);
    try {
      if (background) {
        background(work.then(() => undefined));
        return answer(200);
      }
    } catch {
      // `background` has not taken over the work, so it is awaited.
    }
    return answer((await work) ? 200 : 500);
  };

  /** Whether all events were handled. */
  async function handle(events: readonly WebhookEvent[]): Promise<boolean> {
    let good = true;
    for (const event of events) {
      try {
        const result = (await onEvent(event)) as { isErr?(): boolean; error?: unknown } | undefined;
        if (result?.isErr?.()) throw result.error;
      } catch (error) {
        good = false;
        try {
          await onError?.(error, event);
        } catch {
          // An error in `onError` changes nothing.
        }
      }
    }
    return good;
  }
}

function answer(status: number, text?: string): Response {
  return new Response(text, { status });
}
