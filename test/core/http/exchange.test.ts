import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

import { describe, expect, test, vi } from 'vitest';

import type { RequestFailure } from '../../../src/core/errors.ts';
import { readContent } from '../../../src/core/http/exchange.ts';
import { batch } from '../../../src/core/lowLevel/batch.ts';
import { get, post } from '../../../src/core/lowLevel/request.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { posts } from '../../../src/page/posts.ts';
import { me } from '../../../src/page/tokens.ts';
import { appSecret, pageContext, token } from '../../support/context.ts';
import { listen } from '../../support/server.ts';
import { json, stubFetch, text } from '../stub.ts';

/** A body without end, and how much of it was asked for. */
function endless(chunk: Uint8Array<ArrayBuffer>): {
  readonly response: () => Response;
  sent: number;
  isCancelled: boolean;
} {
  const seen = { response, sent: 0, isCancelled: false };
  function response(): Response {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        seen.sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
      cancel: () => {
        seen.isCancelled = true;
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  }
  return seen;
}

describe('a response that is larger than maxResponseBytes', () => {
  test.each([
    ['GET', 'rejected'],
    ['POST', 'unknown'],
  ] as const)('is an ApiError, and no more of it is read (%s)', async (method, outcome) => {
    const body = endless(new Uint8Array(1000).fill(32));
    const context = pageContext({ fetch: stubFetch(body.response), maxResponseBytes: 10_000 });

    const failed = await (method === 'GET' ? get(context, '4') : post(context, '4/feed'));

    const error = failed._unsafeUnwrapErr() as RequestFailure;
    expect(error).toMatchObject({ name: 'ApiError', status: 200, outcome, payload: undefined });
    expect(error.message).toBe('the response is larger than maxResponseBytes (HTTP status 200)');
    await expect.poll(() => body.isCancelled).toBe(true);
    // What a stream holds ready is asked for before.
    expect(body.sent).toBeLessThan(13_000);
  });

  test('is read where it is as large', async () => {
    const context = pageContext({ fetch: stubFetch(text('"1234567"')), maxResponseBytes: 9 });

    expect((await get(context, '4'))._unsafeUnwrap()).toBe('1234567');
  });

  test.each([
    ['16 MiB', (context: Parameters<typeof get>[0]) => get(context, '4'), 2 ** 24],
    [
      '64 MiB of a batch',
      async (context: Parameters<typeof get>[0]) => {
        const parts = await batch(context, [{ method: 'GET', path: '4' }], { token });
        return parts._unsafeUnwrap()[0];
      },
      2 ** 26,
    ],
  ])('is one of more than %s by default', { tags: 'long' }, async (_, call, most) => {
    const body = endless(new Uint8Array(2 ** 20).fill(32));

    const failed = await call(pageContext({ fetch: stubFetch(body.response) }));

    expect(failed._unsafeUnwrapErr().message).toContain('larger than maxResponseBytes');
    expect(body.sent).toBeGreaterThan(most);
    expect(body.sent).toBeLessThan(most + 4 * 2 ** 20);
  });

  test('counts what is decoded', async () => {
    const server = createServer((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(`{"id":"${'1'.repeat(1_000_000)}"}`));
    });
    await using at = await listen(server);
    const context = pageContext({ platform: { graphUrl: at.origin }, maxResponseBytes: 100_000 });

    expect((await get(context, '4'))._unsafeUnwrapErr().message).toContain('maxResponseBytes');
  });

  test.each([0, -1, NaN, '1'])('cannot be one of more than %s bytes', (maxResponseBytes) => {
    const bad = createPageContext({ appId: '1', appSecret, maxResponseBytes: maxResponseBytes as number });

    expect(bad._unsafeUnwrapErr().option).toBe('maxResponseBytes');
  });
});

describe('of a body that is no JSON', () => {
  test.each([
    ['one byte a sign', 'a'],
    ['three bytes a sign', '€'],
  ])('an error holds 4 KiB, of %s', async (_, sign) => {
    const context = pageContext({ fetch: stubFetch(text(sign.repeat(100_000), 400)) });

    const error = (await me(context, { token }))._unsafeUnwrapErr();

    const payload = (error as { readonly payload?: string }).payload ?? '';
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(payload)).toBeGreaterThan(4090);
  });

  test('a secret that is cut there is masked', async () => {
    const context = pageContext({ fetch: stubFetch(text(`${'x'.repeat(4080)} ${token}${appSecret}`, 400)) });
    const long = 'EAAB0123456789abcdefghijklmnop';
    const cut = pageContext({ fetch: stubFetch(text(`${'x'.repeat(4080)} ${long}`, 400)) });

    for (const error of [await me(context, { token }), await me(cut, { token: long })]) {
      expect(JSON.stringify(error._unsafeUnwrapErr())).not.toMatch(/x page|x EAAB/);
    }
  });
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', '{}'],
  ['a body', { id: '1' }],
  ['a stub without headers', { ok: true, status: 200, json: async () => ({}), text: async () => '{}' }],
  ['plain headers', { status: 200, headers: {}, text: async () => '{}' }],
])('a fetch that returns %s is named as the fault', async (_, returned) => {
  // What callers in JavaScript pass.
  const fetch = vi.fn(() => returned) as unknown as typeof globalThis.fetch;
  const context = pageContext({ fetch, retry: { attempts: 1 } });

  expect((await me(context, { token }))._unsafeUnwrapErr()).toMatchObject({
    name: 'TransportError',
    reason: 'network',
    outcome: 'rejected',
    message: 'the network failed: fetch returned no Response',
    cause: { name: 'TypeError' },
  });
  // It may have sent the request all the same.
  expect((await post(context, '4/feed'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
});

test('a large page of HTML is not searched for the links of lists', { tags: 'long' }, () => {
  const link = '{"next":"https://host.test/?access_token=abc\\u0041"} ';
  const bestOf = (page: string): number =>
    Math.min(
      ...Array.from({ length: 5 }, () => {
        const began = performance.now();
        expect(readContent(page, token, undefined).isJson).toBe(false);
        return performance.now() - began;
      }),
    );

  const plain = bestOf(`<html>${'x'.repeat(link.length)}`.repeat(20_000));

  expect(bestOf(`<html>${link.repeat(20_000)}`)).toBeLessThan(10 * plain + 10);
});

describe('of a large body that is JSON', () => {
  test.each<[string, unknown]>([
    ['a long message', { error: { message: 'a &amp; %41 '.repeat(100_000), code: 100 } }],
    ['many values', { error: { code: 100 }, list: Array.from({ length: 200_000 }, (_, at) => at) }],
    ['many names', { error: { code: 100 }, ...Object.fromEntries(Array.from('a'.repeat(99_999)).entries()) }],
    ['lists within lists', [Array.from({ length: 1000 }, () => Array.from({ length: 300 }, () => 'x'))]],
  ])('an error holds the beginning: %s', { tags: 'long' }, async (_, body) => {
    const context = pageContext({ fetch: stubFetch(json(body, 400)) });

    const error = (await me(context, { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 400 });
    const shown = JSON.stringify(error);
    expect(shown.length).toBeLessThan(1_000_000);
    expect(shown.includes('[…]')).toBe(true);
  });

  test('a secret that is cut there is masked', async () => {
    const long = 'EAAB0123456789abcdefghijklmnop';
    const padding = 'x'.repeat(65_515);
    const context = pageContext({
      fetch: stubFetch(json({ error: { message: `${padding}${long}${padding}` } }, 400)),
    });

    const error = await me(context, { token: long });

    expect(JSON.stringify(error._unsafeUnwrapErr()).includes('xEAAB0123')).toBe(false);
  });
});

describe('what a response holds of secrets', () => {
  const stranger = 'EAAstranger';

  test('is hidden at every depth, in values and in what the platform sent', async () => {
    const post = {
      id: '1_2',
      from: { id: '3', access_token: stranger, deep: [{ client_secret: stranger, token_type: 'bearer' }] },
    };
    const context = pageContext({ fetch: stubFetch(json({ data: [post] })) });

    const [found] = (await posts(context, { pageId: '1', pageToken: token }))._unsafeUnwrap();

    expect(JSON.stringify([found, found?.raw])).not.toContain(stranger);
    expect(found?.raw['from']).toMatchObject({ id: '3', deep: [{ token_type: 'bearer' }] });
  });

  test('comes as it is to a low-level request', async () => {
    const context = pageContext({ fetch: stubFetch(json({ access_token: stranger })) });

    expect((await get(context, '4'))._unsafeUnwrap()).toEqual({ access_token: stranger });
  });
});

test('a body of empty chunks without end leaves timers their turn, and ends with its attempt', async () => {
  const body = endless(new Uint8Array());
  const context = pageContext({ fetch: stubFetch(body.response), timeoutMs: 20, retry: { attempts: 1 } });

  expect((await get(context, '4'))._unsafeUnwrapErr()).toMatchObject({ reason: 'timeout' });
  await expect.poll(() => body.isCancelled).toBe(true);
});

test('the token of a request is masked where a response escapes its letters, without a link too', () => {
  const token = 'EAABwzLixnjYBO1234abcdXYZ987';
  const escaped = token.replace(/./g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

  const { body } = readContent(`{"message":"is ${escaped} dead?"}`, token, undefined);

  expect(body).toEqual({ message: 'is [secret] dead?' });
});

test('an error in the form of the upload host does not say that the graph did nothing', async () => {
  const failed = { retriable: true, type: 'ProcessingFailedError', message: 'Request processing failed' };
  const fetch = stubFetch(json({ debug_info: failed }, 500));

  const error = (await post(pageContext({ fetch }), '4/feed'))._unsafeUnwrapErr();

  expect(error).toMatchObject({ outcome: 'unknown', status: 500 });
});
