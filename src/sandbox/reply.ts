import { connectionLost } from './faults.ts';

/** A response before it is sent. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes of the body that arrive before the connection is lost. */
  readonly truncate?: number;
}

const bodiless = new Set([204, 205, 304]);

/** The response as `fetch` returns it. Redirects are not followed; `redirect: 'error'` rejects. */
export function reply(request: Request, raw: RawResponse): Response {
  const isRedirect = raw.status >= 300 && raw.status < 400 && raw.status !== 304;
  if (isRedirect && request.redirect === 'error') {
    throw new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
  }
  const bytes = new TextEncoder().encode(raw.body);
  const bare = bodiless.has(raw.status);
  const headers = new Headers(raw.headers);
  if (!bare) headers.set('content-length', String(bytes.length));
  const body = raw.truncate === undefined ? bytes : cutStream(bytes.subarray(0, raw.truncate));
  const response = new Response(bare ? null : body, { status: raw.status, headers });
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
