import { createServer, setGlobalProxyFromEnv } from 'node:http';
import { connect } from 'node:net';

import nock from 'nock';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createExchange } from '../../../src/core/http/exchange.ts';
import { isOfNode } from '../../../src/core/http/networkFailure.ts';
import { GET } from '../../../src/core/http/send.ts';
import type { Fetch, GraphRequest, HttpContext } from '../../../src/core/http/types.ts';
import { post } from '../../../src/core/lowLevel/request.ts';
import { memoryJournal } from '../../../src/core/writes/journal/createJournal.ts';
import { createWriteMemory } from '../../../src/core/writes/memory.ts';
import { publishPhoto } from '../../../src/page/photos.ts';
import { publishPost } from '../../../src/page/posts.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { pageContext, platform } from '../../support/context.ts';
import { listen } from '../../support/server.ts';

// The global `fetch` is then that of Node.
let nodeFetch: Fetch;
beforeAll(() => {
  nock.restore();
  nodeFetch = globalThis.fetch;
});
afterAll(() => nock.activate());
afterEach(() => vi.unstubAllGlobals());

/** An address of this machine at which nothing listens. */
async function closedOrigin(): Promise<string> {
  await using server = await listen(createServer());
  return server.origin;
}

test('a read that was not sent is told as such, so that a governor does not count it', async () => {
  const closed = await closedOrigin();
  const onUnsent = vi.fn();
  const { signal } = new AbortController();
  // All that is read of them.
  const request = { method: GET } as GraphRequest<unknown>;
  const exchanged = createExchange(undefined)(`${closed}/me`, request, {} as HttpContext, signal, onUnsent);

  await expect(exchanged).rejects.toThrow();
  expect(onUnsent).toHaveBeenCalledOnce();
});

const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'];

/** What fails after a write took effect: something else that a `fetch` does, or the body of its response. */
type Failing = readonly [string, (written: Response, closed: string) => Promise<Response>];

const failures: readonly [Failing, ...Failing[]] = [
  [
    'a log at an address that refuses the connection',
    async (written, closed) => {
      await nodeFetch(`${closed}/audit`, { method: 'POST', body: written.statusText });
      return written;
    },
  ],
  ...codes.map(
    (code) =>
      [
        `a log that fails with ${code}`,
        (written: Response) =>
          Promise.reject(
            new TypeError(written.statusText, { cause: Object.assign(new Error('x'), { code }) }),
          ),
      ] as const,
  ),
  ['a log at a bad port', () => Promise.reject(new TypeError('x', { cause: new Error('bad port') }))],
  [
    'a body',
    async ({ headers }) => {
      const reason = Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect', port: 443 });
      return new Response(new ReadableStream({ start: (body) => body.error(reason) }), { headers });
    },
  ],
];

/** A sandbox, and a `fetch` by which the first response to each path that `fits` gets lost in a way of its own. */
async function losing(fits: RegExp, fail: Failing[1]) {
  const sandbox = createSandbox({ seed: 7 });
  const [page] = sandbox.pages;
  if (page === undefined) throw new Error('no page');
  const closed = await closedOrigin();
  let isFirst = true;
  const fetch: Fetch = async (input, init) => {
    const request = new Request(input, init);
    const written = await sandbox.fetch(request);
    if (request.method !== 'POST' || !fits.test(new URL(request.url).pathname) || !isFirst) return written;
    isFirst = false;
    return fail(written, closed);
  };
  const options = { appSecret: sandbox.app.secret, platform: sandbox.platform, clock: sandbox.clock };
  return { sandbox, page, fetch, options: { ...options, appId: sandbox.app.id } };
}

describe.each(failures)('%s, after the response', (_, fail) => {
  test.each([
    ['the fetch of a context', 'own', undefined],
    ['the fetch of a context, under a key', 'own', 'key-1'],
    ['another global fetch', 'global', undefined],
  ])('leaves one post: %s', async (name, whose, idempotencyKey) => {
    const { sandbox, page, fetch, options } = await losing(/feed$/, fail);
    if (whose === 'global') vi.stubGlobal('fetch', fetch);
    const own = whose === 'global' ? {} : { fetch };
    const context = pageContext({
      ...options,
      ...own,
      journal: memoryJournal(),
      memory: createWriteMemory(),
    });
    const call = { pageId: page.id, pageToken: page.token, message: `Open, ${name}`, idempotencyKey };

    const first = await publishPost(context, call);
    const again = idempotencyKey === undefined ? first : await publishPost(context, call);

    const [effect, ...more] = sandbox.effects('post');
    expect(more).toEqual([]);
    expect(first._unsafeUnwrap().id).toBe(effect?.id);
    expect(again._unsafeUnwrap().id).toBe(effect?.id);
  });
});

test('a refused log of the fetch of the caller leaves one upload, and one request of a low-level call', async () => {
  const [[, fail]] = failures;
  const photo = await losing(/photos$/, fail);
  await publishPhoto(pageContext({ ...photo.options, fetch: photo.fetch }), {
    pageId: photo.page.id,
    pageToken: photo.page.token,
    photo: new Uint8Array([255, 216, 255, 1]),
  });
  expect(photo.sandbox.effects('photo')).toHaveLength(1);

  const low = await losing(/feed$/, fail);
  const { id, token } = low.page;
  const sent = await post(pageContext({ ...low.options, fetch: low.fetch }), `${id}/feed`, {
    token,
    data: { message: 'Hello' },
  });
  expect(sent._unsafeUnwrapErr()).toMatchObject({ reason: 'network', outcome: 'unknown' });
  expect(low.sandbox.effects('post')).toHaveLength(1);
});

describe("Node's own fetch", () => {
  test('is told from another one', () => {
    const own = globalThis.fetch;
    expect(isOfNode(own)).toBe(true);
    const bound: unknown = own.bind(globalThis);
    const wrapper: Fetch = async (...args) => own(...args);
    for (const other of [wrapper, bound, vi.fn(), undefined, 'fetch']) expect(isOfNode(other)).toBe(false);
  });

  test.each(['http://nowhere.invalid', 'closed'])('that cannot reach %s has sent nothing', async (origin) => {
    const graphUrl = origin === 'closed' ? await closedOrigin() : origin;
    let requests = 0;
    const options = {
      platform: { ...platform, graphUrl },
      onRequest: () => requests++,
      journal: memoryJournal(),
    };
    const call = { pageId: '42', pageToken: 'token', message: 'Hello' };
    for (const idempotencyKey of [undefined, 'key-1']) {
      requests = 0;
      const failed = await publishPost(pageContext(options), { ...call, idempotencyKey });
      expect(failed._unsafeUnwrapErr()).toMatchObject({ reason: 'network', outcome: 'rejected' });
      // It is certain, so the attempts are all of the post itself.
      expect(requests).toBe(3);
    }
    const other = await publishPost(pageContext({ ...options, fetch: (...args) => fetch(...args) }), call);
    expect(other._unsafeUnwrapErr()).toMatchObject({ reason: 'network', outcome: 'unknown' });
  });

  test('whose response is cut may have sent it', async () => {
    await using server = await listen(
      createServer((request, response) => {
        request.resume().on('end', () => {
          response.writeHead(200, { 'content-length': '99' }).write('{');
          request.socket.destroy();
        });
      }),
    );
    const context = pageContext({ platform: { ...platform, graphUrl: server.origin } });
    const failed = await post(context, '42/feed', { token: 'token', data: { message: 'Hello' } });
    expect(failed._unsafeUnwrapErr()).toMatchObject({ reason: 'network', outcome: 'unknown' });
  });

  /** A forward proxy that lets nothing out, or everything; the variables by which Node takes it. */
  async function behind(answer: number | 'nobody'): Promise<{ readonly asked: string[] }> {
    const asked: string[] = [];
    const proxy = createServer((_, response) => void response.writeHead(500).end());
    proxy.on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      socket.on('error', () => undefined);
      if (answer !== 200) {
        socket.end(`HTTP/1.1 ${answer} No\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      const [host, port] = url.split(':');
      const to = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        to.pipe(socket).pipe(to);
      }).on('error', () => socket.destroy());
    });
    const listening = await listen(proxy);
    onTestFinished(listening.close);
    if (answer === 'nobody') await listening.close();
    const variables = { HTTP_PROXY: listening.origin, HTTPS_PROXY: listening.origin };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    onTestFinished(setGlobalProxyFromEnv(variables));
    return { asked };
  }

  test.each([['nobody'], [401], [403], [407], [500], [503]] as const)(
    'behind a forward proxy that answers %s has sent nothing',
    async (answer) => {
      await using server = await listen(createServer());
      const { asked } = await behind(answer);
      const graphUrl = server.origin;
      const context = pageContext({ platform: { ...platform, graphUrl }, journal: memoryJournal() });
      for (const idempotencyKey of [undefined, 'key-1']) {
        const call = { pageId: '42', pageToken: 'token', message: 'Hello', idempotencyKey };
        const failed = await publishPost(context, call);
        expect(failed._unsafeUnwrapErr()).toMatchObject({ reason: 'network', outcome: 'rejected' });
      }
      expect(asked).toEqual(answer === 'nobody' ? [] : Array(6).fill(new URL(graphUrl).host));
    },
  );

  test('behind a forward proxy whose tunnel breaks may have sent it', async () => {
    let requests = 0;
    await using server = await listen(
      createServer(({ socket }) => {
        requests++;
        socket.destroy();
      }),
    );
    const { asked } = await behind(200);
    const context = pageContext({ platform: { ...platform, graphUrl: server.origin } });
    const failed = await post(context, '42/feed', { token: 'token', data: { message: 'Hello' } });
    expect(failed._unsafeUnwrapErr()).toMatchObject({ reason: 'network', outcome: 'unknown' });
    expect([requests, asked.length]).toEqual([1, 1]);
  });
});
