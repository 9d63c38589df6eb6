import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';

import handleRequest from '../../node_modules/nock/dist/lib/handle-request.js';
import { signHere } from './sign.ts';

// nock responds to an unexpected request with a 501, which a client could take for a refusal.
const unexpected: string[] = [];
function notice(request: { method?: string; path?: string; url?: string }): void {
  if (!/^http:\/\/127\.0\.0\.1[:/]/.test(request.url ?? '')) {
    unexpected.push(`${request.method} ${request.url ?? request.path}`);
  }
}

/** nock intercepts `fetch` at its sockets, which takes three times as long as here. */
function interceptFetch(onSockets: typeof fetch): void {
  globalThis.fetch = async function intercepted(input, init) {
    const request = new Request(input, init);
    if (!nock.isActive() || request.url.startsWith('http://127.0.0.1')) return onSockets(request);
    const { signal } = request;
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    return Promise.race([aborted, respond(request)]);
  };
}

async function respond(sent: Request): Promise<Response> {
  const body = sent.body === null ? null : await sent.arrayBuffer();
  // Its test may have ended meanwhile.
  sent.signal.throwIfAborted();
  const request = new Request(sent.url, { method: sent.method, headers: sent.headers, body });
  if (body !== null) request.headers.set('content-length', `${body.byteLength}`);
  // The same class, which @types/node declares twice.
  const response = (await handleRequest(request)) as Response | undefined;
  if (response === undefined) throw new TypeError('fetch failed');
  return response;
}

/** Lets no test of a file reach the network, or leave a mock that no request used. */
export function watchNetwork(): void {
  // The files of a worker share one nock: a file that needs real sockets restores them only for itself.
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    if (fetch.name !== 'intercepted') interceptFetch(fetch);
    signHere();
    nock.disableNetConnect();
    nock.enableNetConnect('127.0.0.1');
    nock.emitter.on('no match', notice);
  });

  // A mock that no request used means that a test did not test what it claims.
  afterEach(() => {
    const unused = nock.pendingMocks();
    const strays = unexpected.splice(0);
    nock.cleanAll();
    if (unused.length + strays.length > 0) expect({ unused, strays }).toEqual({ unused: [], strays: [] });
  });

  // Changes that a file left behind, for example when a test failed half-way, must not affect the next one.
  afterAll(() => {
    nock.emitter.off('no match', notice);
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
}
