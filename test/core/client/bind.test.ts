import { inspect } from 'node:util';

import { err, errAsync, ok, okAsync, type Result } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { bind, unwrap } from '../../../src/core/client.ts';
import { ApiError, ConfigurationError } from '../../../src/core/errors.ts';
import { createPageClient, createPageClientFromEnv } from '../../../src/page/client.ts';
import * as pageEndpoints from '../../../src/page/endpoints.ts';
import { deletePost, publishPost } from '../../../src/page/posts.ts';
import { createPicsClient, createPicsClientViaPages } from '../../../src/pics/client.ts';
import * as picsEndpoints from '../../../src/pics/endpoints.ts';
import { appSecret, authenticated, graphBase, pageContext, platform, token } from '../../support/context.ts';
import { json, networkFailure, refusal, requestsTo, stubFetch } from '../stub.ts';

describe('a client in the console', () => {
  const settings = { appId: '1', appSecret: 'hidden-secret', licenseKey: 'hidden-key', platform };

  test.each([
    [createPageClient(settings), graphBase],
    [createPicsClient(settings), 'https://pics-graph.test/v26.0'],
  ])('is told in one line, without its functions and secrets', (client, base) => {
    expect(inspect(client)).toBe(`client of ${base}`);
    expect(inspect({ client })).toBe(`{ client: client of ${base} }`);
    expect(Object.getOwnPropertySymbols({ ...client })).toEqual([Symbol.asyncDispose]);
  });
});

describe('bind', () => {
  test('makes methods of functions: the context bound, the value returned', async () => {
    const fetch = stubFetch(json({ id: '42_1' }));
    const client = bind(pageContext({ fetch }), { publishPost, deletePost });

    const post = await client.publishPost({ pageId: '42', pageToken: token, message: 'Hello' });

    expect(post).toEqual({ id: '42_1' });
    expect(Object.keys(client)).toEqual(['publishPost', 'deletePost']);
    expect(Object.isFrozen(client)).toBe(true);
  });

  test('throws what the function returns as failure', async () => {
    const client = bind(pageContext({ fetch: stubFetch(refusal(190)) }), { publishPost });

    await expect(
      client.publishPost({ pageId: '42', pageToken: token, message: 'Hello' }),
    ).rejects.toBeInstanceOf(ApiError);
    await expect(
      client.publishPost({ pageId: '', pageToken: token, message: 'Hello' }),
    ).rejects.toBeInstanceOf(ConfigurationError);
  });

  test('gives the values of a generator one by one, and throws its failure', async () => {
    const client = bind(7, {
      async *count(context: number): AsyncGenerator<Result<number, ConfigurationError>, void, undefined> {
        yield ok(context);
        yield ok(context + 1);
        yield err(new ConfigurationError('No', 'x'));
      },
    });
    const seen: number[] = [];

    await expect(async () => {
      for await (const value of client.count()) seen.push(value);
    }).rejects.toBeInstanceOf(ConfigurationError);
    expect(seen).toEqual([7, 8]);
  });

  test('keeps what sends nothing synchronous', () => {
    const client = bind(7, {
      double: (context: number) => ok(context * 2),
      fail: (_: number, option: string) => err(new ConfigurationError('No', option)),
    });

    expect(client.double()).toBe(14);
    expect(() => client.fail('x')).toThrow(ConfigurationError);
  });
});

describe('unwrap', () => {
  test('tells results by their shape', async () => {
    expect(unwrap(ok(1))).toBe(1);
    await expect(unwrap(okAsync(1))).resolves.toBe(1);
    await expect(unwrap(errAsync(new Error('No')))).rejects.toThrow('No');
  });
});

describe('clients', () => {
  const keys = { appId: '1', appSecret, platform };

  test('have every function as a method, and the low-level ones', () => {
    const low = ['request', 'get', 'post', 'delete', 'paginate', 'iterate', 'close', 'context'];
    expect(Object.keys(createPageClient(keys))).toEqual(
      expect.arrayContaining([...Object.keys(pageEndpoints), ...low]),
    );
    for (const client of [createPicsClient(keys), createPicsClientViaPages(keys)]) {
      expect(Object.keys(client)).toEqual(expect.arrayContaining([...Object.keys(picsEndpoints), ...low]));
    }
    expect(Object.isFrozen(createPageClient(keys))).toBe(true);
  });

  test('throw at once where they cannot be made', () => {
    expect(() => createPageClient({ appId: '', appSecret })).toThrow(ConfigurationError);
    expect(() => createPageClientFromEnv({ env: {} })).toThrow('PAGE_APP_ID');
    expect(() => createPicsClientViaPages({ appSecret: '' })).toThrow(ConfigurationError);
  });

  test('send low-level requests, and throw their failures', async () => {
    const fetch = stubFetch(json({ data: [{ id: '1' }] }));
    const client = createPageClient({ ...keys, fetch });

    expect(await client.get('42/feed', { params: authenticated })).toEqual({ data: [{ id: '1' }] });
    expect(await client.paginate('42/feed')).toEqual([{ id: '1' }]);
    await client.delete('42_1');

    expect(requestsTo(fetch).map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      'GET /v26.0/42/feed',
      'GET /v26.0/42/feed',
      'DELETE /v26.0/42_1',
    ]);
    await expect(client.get('')).rejects.toBeInstanceOf(ConfigurationError);
  });

  test('iterate over entries, and throw the failure at the end', async () => {
    const next = `${graphBase}/42/feed?after=1`;
    const fetch = stubFetch(json({ data: [{ id: '1' }], paging: { next } }), networkFailure());
    const client = createPageClient({ ...keys, fetch, retry: { attempts: 1 } });
    const ids: unknown[] = [];

    await expect(
      (async () => {
        for await (const { id } of client.iterate('42/feed')) ids.push(id);
      })(),
    ).rejects.toMatchObject({ name: 'TransportError' });

    expect(ids).toEqual(['1']);
  });
});
