import { connectionLost } from './faults.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes of the body that arrive before the connection is lost. */
  readonly truncate?: number;
}

const bodiless = new Set([204, 205, 304]);

/** The answer as `fetch` hands it out, redirect mode included. */
export function reply(request: Request, answer: Answer): Response {
  const moved = answer.status >= 300 && answer.status < 400 && answer.status !== 304;
  if (moved && request.redirect === 'error') {
    throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
  }
  const bytes = new TextEncoder().encode(answer.body);
  const bare = bodiless.has(answer.status);
  const headers = new Headers(answer.headers);
  if (!bare) headers.set('content-length', String(bytes.length));
  const body = answer.truncate === undefined ? bytes : cutStream(bytes.subarray(0, answer.truncate));
  const response = new Response(bare ? null : body, { status: answer.status, headers });
  return Object.defineProperty(response, 'url', { value: request.url });
}

function cutStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes);
    },
    pull: (controller) => controller.error(connectionLost()),
  });
}
