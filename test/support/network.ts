import tls from 'node:tls';

import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';

// A mocked request has no socket, yet Node makes a TLS context for it, which takes a third of its time.
const secureContext = tls.createSecureContext();
Object.assign(tls, { createSecureContext: () => secureContext });

// nock responds to an unexpected request with a 501, which a client could take for a refusal.
const unexpected: string[] = [];
function notice(request: { method?: string; path?: string; url?: string }): void {
  if (!/^http:\/\/127\.0\.0\.1[:/]/.test(request.url ?? '')) {
    unexpected.push(`${request.method} ${request.url ?? request.path}`);
  }
}

// The files of a worker share one nock: a file that wants real sockets restores them for itself alone.
beforeAll(() => {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  nock.enableNetConnect('127.0.0.1');
  nock.emitter.on('no match', notice);
});

// A mock that no request used means that a test did not test what it says.
afterEach(() => {
  const unused = nock.pendingMocks();
  const strays = unexpected.splice(0);
  nock.cleanAll();
  expect({ unused, strays }).toEqual({ unused: [], strays: [] });
});

// What a file left changed, as one does whose test failed half-way, is not for the next one.
afterAll(() => {
  nock.emitter.off('no match', notice);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
