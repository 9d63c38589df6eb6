import { answerChallenge } from './answerChallenge.ts';
import type { WebhookEvent } from './event.ts';
import { areTexts, wrong } from './internal/checks.ts';
import { parseDelivery } from './parseDelivery.ts';
import { verifySignature } from './verifySignature.ts';

export interface WebhookHandlerOptions {
  /** What the app's dashboard has as verify token. */
  readonly verifyToken: string;
  /** The app's secret, or several: each is tried. */
  readonly secrets: string | readonly string[];
  /**
   * Called for one event after the other. What it returns is awaited; when it throws, rejects, or hands out an `Err`
   * of neverthrow, the event has failed.
   */
  readonly onEvent: (event: WebhookEvent) => unknown;
  /** Called with what `onEvent` threw, or with the error of its `Err`. Its own failures change nothing. */
  readonly onError?: ((error: unknown, event: WebhookEvent) => unknown) | undefined;
  /**
   * Bytes of a body that are taken, from 1 on. A delivery has at most 1,000 events.
   * @default 4_194_304
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Takes the work of a delivery over, as `waitUntil` of a worker does, so that the platform is answered before the
   * events are handled. An event that fails is then not delivered again. The promise never rejects.
   */
  readonly background?: ((work: Promise<void>) => unknown) | undefined;
}

/** Answers one request. It never rejects. */
export type WebhookHandler = (request: Request) => Promise<Response>;

/**
 * A handler for the callback address of a webhook, of Web standards only: for workers, Deno, Bun, Hono, Next.js, and
 * for Node's `http` through an adapter.
 *
 * A GET with the right verify token is answered with its challenge, any other with 403. A POST with a good signature is
 * answered 200 once all its events were handled, and 500 when one of them failed: the platform then delivers the
 * whole request again, so events have to be told apart by their `key`. 401 stands for a missing or wrong signature,
 * 400 for a body that is no delivery, 413 for one over the limit, 405 for another method.
 *
 * Throws a ConfigurationError for options that cannot work. The handler itself never throws.
 *
 * @example
 * const options = { verifyToken, secrets: appSecret, onEvent: console.log };
 * const response = await createWebhookHandler(options)(request);
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const { verifyToken, secrets, onEvent, onError, background, maxBodyBytes = 4_194_304 } = options;
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
    const chunks: BlobPart[] = [];
    let size = 0;
    try {
      for await (const chunk of request.body ?? []) {
        size += chunk.length;
        // The way out of the loop cancels the rest.
        if (size > maxBodyBytes) return answer(413);
        chunks.push(chunk);
      }
    } catch {
      return answer(400);
    }
    const body = await new Blob(chunks).arrayBuffer();
    const delivery = await verifySignature(body, request.headers.get('x-hub-signature-256'), list).andThen(
      () => parseDelivery(body),
    );
    if (delivery.isErr()) return answer(delivery.error.name === 'DeliveryError' ? 400 : 401);
    const work = handle(delivery.value.events);
    try {
      if (background) {
        background(work.then(() => undefined));
        return answer(200);
      }
    } catch {
      // Nobody has taken the work over: it is waited for.
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
          // Whoever is told of failures has none of their own.
        }
      }
    }
    return good;
  }
}

function answer(status: number, text?: string): Response {
  return new Response(text, { status });
}
