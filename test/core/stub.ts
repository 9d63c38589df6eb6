import { type Mock, vi } from 'vitest';

/** Makes what one request gets: a response, or a failure of the network. */
export type Step = (request: Request, signal: AbortSignal | null | undefined) => Response | Promise<Response>;

const copies = new WeakMap<Request, Request>();

/** A `fetch` that takes one step for each request, and the last one for all further. */
export function stubFetch(...steps: readonly Step[]): Mock<typeof fetch> {
  let next = 0;
  return vi.fn<typeof fetch>(async (input, init) => {
    const step = steps[Math.min(next++, steps.length - 1)];
    if (step === undefined) throw new Error('no step');
    // The body of a request is spent when it was sent.
    if (input instanceof Request) copies.set(input, input.clone());
    return step(input as Request, init?.signal);
  });
}

/** The requests that a stub got. */
export function requestsTo(fetch: Mock<typeof globalThis.fetch>): readonly Request[] {
  return fetch.mock.calls.map(([input]) => copies.get(input as Request) ?? (input as Request));
}

export function text(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Step {
  return () => new Response(body, { status, headers });
}

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Step {
  return text(JSON.stringify(body), status, headers);
}

interface RefusalFields {
  readonly status?: number;
  readonly subcode?: number;
  readonly flagged?: boolean;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function refusal(code: number | string, fields: RefusalFields = {}): Step {
  const { status = 400, subcode, flagged, message = 'No', headers } = fields;
  return json(
    { error: { message, type: 'OAuthException', code, error_subcode: subcode, is_transient: flagged } },
    status,
    headers,
  );
}

/** A network failure, as Node's `fetch` reports it. */
export function networkFailure(code?: string, message = 'read failed'): Step {
  return () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });
  };
}

/** A response that never comes: the request ends by its signal only. */
export function silence(): Step {
  return (_, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')));
    });
}
