import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  del,
  get,
  type Method,
  post,
  request,
  type RequestOptions,
} from '../../../src/core/lowLevel/request.ts';
import type { PageContext } from '../../../src/page/context.ts';
import { createPicsContext } from '../../../src/pics/context.ts';
import {
  authenticated,
  graphBase,
  pageContext,
  picsContext,
  picsGraphBase,
  platform,
  proof,
  token,
} from '../../support/context.ts';
import { partOf } from '../../support/rules.ts';
import { listen } from '../../support/server.ts';
import { json, networkFailure, refusal, requestsTo, stubFetch, text } from '../stub.ts';

const fine = json({ id: '1' });

async function sent(method: Method, url: string, options?: RequestOptions): Promise<Request> {
  const fetch = stubFetch(fine);
  const result = await request(pageContext({ fetch }), method, url, options);
  expect(result._unsafeUnwrap()).toEqual({ id: '1' });
  const [made] = requestsTo(fetch);
  if (made === undefined) throw new Error('nothing was sent');
  return made;
}

describe('request', () => {
  test('joins a path to the address and version of the context', async () => {
    nock(graphBase).get('/42/feed').query({ fields: 'id,name', access_token: 't' }).reply(200, { data: [] });
    nock(picsGraphBase).get('/me').reply(200, { id: '1' });

    const feed = await get(pageContext(), '/42/feed', {
      params: { fields: ['id', 'name'], access_token: 't' },
    });
    const me = await get(picsContext(), 'me');

    expect(feed._unsafeUnwrap()).toEqual({ data: [] });
    expect(me._unsafeUnwrap()).toEqual({ id: '1' });
  });

  test('takes an absolute address as it is, and adds nothing', async () => {
    const { url } = await sent('GET', 'https://elsewhere.test/x?a=1', { params: { b: 2 } });
    expect(url).toBe('https://elsewhere.test/x?a=1&b=2');
  });

  test('leaves the query of the address as it is, in its order', async () => {
    const query = '?limit=5&fields=id,name&access_token=t&after=a%2Bb';
    expect((await sent('GET', `42${query}`)).url).toBe(`${graphBase}/42${query}`);
  });

  test('sends lists with commas, objects as JSON, and leaves null and undefined out', async () => {
    const { url } = await sent('GET', '42', {
      params: {
        list: ['a', 2],
        flag: false,
        none: null,
        nothing: undefined,
        zero: 0,
        empty: '',
        filtering: [{ field: 'x' }],
        deep: { a: [1] },
      },
    });

    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      list: 'a,2',
      flag: 'false',
      zero: '0',
      empty: '',
      filtering: '[{"field":"x"}]',
      deep: '{"a":[1]}',
    });
  });

  test('sends dates, addresses and bigints as their texts, also in lists and forms', async () => {
    const since = new Date(Date.UTC(2026, 0, 2));
    const link = new URL('https://shop.test/a?b=1');
    const values = {
      since,
      link,
      id: 12345678901234567890n,
      ids: [1n, 2n],
      times: [since, link],
      deep: { since },
    };
    const expected = {
      since: '2026-01-02T00:00:00.000Z',
      link: 'https://shop.test/a?b=1',
      id: '12345678901234567890',
      ids: '1,2',
      times: '2026-01-02T00:00:00.000Z,https://shop.test/a?b=1',
      deep: '{"since":"2026-01-02T00:00:00.000Z"}',
    };

    const read = await sent('GET', '42', { params: values });
    const written = await sent('POST', '42', { data: values });

    expect(Object.fromEntries(new URL(read.url).searchParams)).toEqual(expected);
    expect(Object.fromEntries(new URLSearchParams(await written.text()))).toEqual(expected);
  });

  test.each(['me#f', 'me?x=0#f', 'https://elsewhere.test/me#f?a=1'])(
    '%s loses its fragment, and no parameter',
    async (url) => {
      const made = await sent('GET', url, { params: { b: 2 } });
      expect(new URL(made.url).searchParams.get('b')).toBe('2');
      expect(made.url).not.toMatch(/#|%23|a=1/);
    },
  );

  test.each(['HEAD', 'OPTIONS'] as const)(
    '%s needs no body in the response, and is retried as a read',
    async (method) => {
      const fetch = stubFetch(networkFailure(), text('', 200));

      const result = await request(pageContext({ fetch }), method, '42', { params: { a: 1 } });

      expect(result._unsafeUnwrap()).toBeUndefined();
      expect(requestsTo(fetch).map((made) => made.method)).toEqual([method, method]);
    },
  );

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const)(
    'a 204 of a %s has no value, and is no failure',
    async (method) => {
      const fetch = stubFetch(() => new Response(null, { status: 204 }));

      const result = await request(pageContext({ fetch }), method, '42');

      expect(result._unsafeUnwrap()).toBeUndefined();
      expect(fetch).toHaveBeenCalledTimes(1);
    },
  );

  test.each(['GET', 'POST', 'DELETE'] as const)(
    'another empty response of a %s is a failure',
    async (method) => {
      const error = (
        await request(pageContext({ fetch: stubFetch(text('')) }), method, '42')
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ApiError', status: 200 });
      expect(error.message).toContain('the response is empty');
    },
  );

  test.each(['HEAD', 'OPTIONS'] as const)('%s that is refused or lost did nothing', async (method) => {
    for (const step of [text('', 404), networkFailure()]) {
      const context = pageContext({ fetch: stubFetch(step), retry: { attempts: 1 } });
      expect((await request(context, method, '42'))._unsafeUnwrapErr()).toMatchObject({
        outcome: 'rejected',
      });
    }
  });

  test('sends a plain object as a form', async () => {
    const made = await sent('POST', '42', { data: { message: 'a b&c', ids: [1, 2], none: null } });

    expect(made.headers.get('content-type')).toMatch(/^application\/x-www-form-urlencoded/);
    expect(await made.text()).toBe('message=a+b%26c&ids=1%2C2');
  });

  test('sends a body of fetch as it is', async () => {
    expect(await (await sent('POST', '42', { data: 'raw' })).text()).toBe('raw');
    expect(await (await sent('PUT', '42', { data: new URLSearchParams({ a: '1' }) })).text()).toBe('a=1');
    expect(await (await sent('PATCH', '42', { data: new Uint8Array([65, 66]) })).text()).toBe('AB');
  });

  test('sends a form with its texts, its files and its order, each name as often as it has it', async () => {
    const form = new FormData();
    form.append('a "b"\r\nc', '1\n2');
    form.append('file', new File(['abc'], 'x "y".png', { type: 'image/png' }));
    form.append('a', '');
    form.append('file', new Blob(['d']));

    const { headers, redirect, ...made } = await sent('POST', '42', { data: form }).then(async (request) => ({
      headers: request.headers,
      redirect: request.redirect,
      entries: [...(await request.formData())],
    }));

    expect(headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=\w+$/);
    expect(redirect).toBe('error');
    expect(
      made.entries.map(([name, value]) => [name, typeof value === 'string' ? value : value.name]),
    ).toEqual([
      ['a "b"\r\nc', '1\n2'],
      ['file', 'x "y".png'],
      ['a', ''],
      ['file', 'blob'],
    ]);
    const files = made.entries.map(([, value]) => value).filter((value) => typeof value !== 'string');
    expect(files.map(({ type }) => type)).toEqual(['image/png', 'application/octet-stream']);
    expect(await Promise.all(files.map((file) => file.text()))).toEqual(['abc', 'd']);
  });

  test('fails as any lost call if a file of a form cannot be read', async () => {
    await using server = await listen(createServer((_, response) => void response.end('{}')));
    const folder = await mkdtemp(join(tmpdir(), 'form-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    nock.enableNetConnect('127.0.0.1');
    onTestFinished(() => nock.disableNetConnect());
    const path = join(folder, 'a.bin');
    await writeFile(path, 'abc');
    const form = new FormData();
    form.append('source', await openAsBlob(path));
    // What was opened is no longer there.
    await writeFile(path, 'abcdef');

    const error = (await post(pageContext(), `${server.origin}/x`, { data: form }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'unknown' });
  });

  test.each([1.5, true, 1n, Symbol('a'), () => 1, [1], new Map(), new Date(0), new (class Row {})()])(
    'sends no %s in place of a body: it would go as a text',
    async (data) => {
      const error = (await request(pageContext(), 'POST', '42', { data: data as never }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option: 'data' });
    },
  );

  test('sends a file without a copy of it in memory, which is kept where a redirect may be followed', async () => {
    const made = await sent('POST', '42', { data: new Blob(['abc']) });
    expect(await made.text()).toBe('abc');
    expect(made.redirect).toBe('error');
  });

  test('sends JSON, as the kind of JSON that the caller names', async () => {
    const made = await sent('POST', '42', { json: { a: [1] }, headers: { 'x-a': 'b' } });
    expect(made.headers.get('content-type')).toBe('application/json');
    expect(made.headers.get('x-a')).toBe('b');
    expect(await made.text()).toBe('{"a":[1]}');

    const named = await sent('POST', '42', {
      json: null,
      headers: { 'Content-Type': 'application/vnd.a+json' },
    });
    expect(named.headers.get('content-type')).toBe('application/vnd.a+json');
    expect(await named.text()).toBe('null');
  });

  test('takes the method in any case', async () => {
    expect((await sent('delete' as Method, '42')).method).toBe('DELETE');
    expect((await sent('patch' as Method, '42')).method).toBe('PATCH');
  });

  test('returns whatever JSON came, with exact ids', async () => {
    for (const [body, value] of [
      ['[17841400000000001]', ['17841400000000001']],
      ['null', null],
      ['"x"', 'x'],
      ['{"a":{"b":1}}', { a: { b: 1 } }],
    ] as const) {
      expect((await get(pageContext({ fetch: stubFetch(text(body)) }), '42'))._unsafeUnwrap()).toEqual(value);
    }
  });

  test('has short forms', async () => {
    const fetch = stubFetch(fine);
    const context = pageContext({ fetch });
    await get(context, 'a');
    await post(context, 'b');
    await del(context, 'c');
    expect(requestsTo(fetch).map(({ method, url }) => `${method} ${url.slice(-1)}`)).toEqual([
      'GET a',
      'POST b',
      'DELETE c',
    ]);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;

  test.each<[string, Method, () => RequestOptions['data']]>([
    ['a stream', 'POST', () => new Blob(['abc']).stream()],
    ['a stream', 'DELETE', () => new Blob(['abc']).stream()],
    ['an async iterable', 'POST', () => inParts('ab', 'c') as unknown as RequestOptions['data']],
  ])('sends %s once with %s, and hands on what the platform says', async (_, method, data) => {
    const bodies: string[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      bodies.push(await (input as Request).text());
      return Response.json({ error: { message: 'Try again', code: 2 } }, { status: 503 });
    };

    const error = (await request(pageContext({ fetch }), method, 'x', { data: data() }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'Try again', status: 503, code: 2 });
    expect(bodies).toEqual(['abc']);
  });

  test('sends no stream a second time: nothing would be left of it', async () => {
    const fetch = stubFetch(async (sent) => Response.json(await sent.text()));
    const data = new Blob(['abc']).stream();

    expect((await request(pageContext({ fetch }), 'POST', 'x', { data }))._unsafeUnwrap()).toBe('abc');
    const error = (await request(pageContext({ fetch }), 'POST', 'x', { data }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'data', outcome: 'rejected' });
    expect(requestsTo(fetch)).toHaveLength(1);
  });

  const stream = (): ReadableStream<Uint8Array> => new Blob(['abc']).stream();
  test.each<[string, () => Promise<unknown>]>([
    [
      'was read by a loop',
      async () => {
        const read = stream();
        for await (const chunk of read) expect(chunk).toHaveLength(3);
        return read;
      },
    ],
    [
      'was read by a reader that is gone',
      async () => {
        const read = stream();
        const reader = read.getReader();
        await reader.read();
        reader.releaseLock();
        return read;
      },
    ],
    [
      'has a reader',
      async () => {
        const read = stream();
        read.getReader();
        return read;
      },
    ],
    [
      'was cancelled',
      async () => {
        const read = stream();
        await read.cancel();
        return read;
      },
    ],
    [
      'is one of Node’s, and was read',
      async () => {
        const read = Readable.from(['abc']);
        for await (const chunk of read) expect(chunk).toBe('abc');
        return read;
      },
    ],
  ])('refuses a stream that %s', async (_, make) => {
    const fetch = stubFetch(fine);
    const data = (await make()) as ReadableStream;

    const sent = await request(pageContext({ fetch }), 'POST', 'x', { data });

    expect(sent._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'data' });
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each<[Method, string, RequestOptions]>([
    ['GET', '1/feed', { params: { method: 'post', message: 'Hi' } }],
    ['GET', '1/feed?message=Hi&m%65thod=POST#x', {}],
    ['GET', '1/feed?a=1?b=2&method=POST', {}],
    ['GET', `${platform.graphUrl}/1?method=delete`, {}],
    ['HEAD', '1', { params: { method: 'get' } }],
    ['OPTIONS', '1', { data: { method: 'post' } }],
    ['DELETE', '1/likes', { params: { method: 'post' } }],
    ['DELETE', '1/likes', { data: { method: ['post'] } }],
    ['GET', '1/feed?METHOD=post', {}],
    ['GET', '1/feed?method%20=post', {}],
    ['GET', '1/feed', { params: { Method: 'post' } }],
    ['GET', '1/feed', { params: { 'method[]': 'post' } }],
    ['GET', '1/feed', { params: { 'method[0]': 'post' } }],
    ['GET', '1/feed?method=get&method=post', {}],
  ])('refuses a %s that the platform takes for another method: %s', async (method, url, options) => {
    const fetch = stubFetch(fine);

    const refused = await request(pageContext({ fetch }), method, url, options);

    expect(refused._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'params' });
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each<[Method, string, RequestOptions]>([
    ['GET', '1', { params: { method: 'get' } }],
    ['GET', '1', { params: { method: null } }],
    ['POST', '1', { data: { method: 'delete' } }],
    ['POST', '1', { params: { method: 'get' } }],
    ['GET', 'https://elsewhere.test/pay?method=post', {}],
  ])('sends a %s whose parameter `method` changes nothing that the SDK goes by', async (...sending) => {
    await sent(...sending);
  });

  test('sends again what was given at the call, whatever became of it', async () => {
    const bodies: string[] = [];
    const json = { deep: [{ a: 1 }] };
    const params = { fields: ['id'] };
    const headers = { 'x-trace': 'a' };
    const fetch: typeof globalThis.fetch = async (input) => {
      const sent = input as Request;
      bodies.push(`${new URL(sent.url).search} ${sent.headers.get('x-trace')} ${await sent.text()}`);
      json.deep.push({ a: 2 });
      params.fields.push('name');
      headers['x-trace'] = 'b';
      return Response.json({ error: { message: 'Try again', code: 2 } }, { status: 503 });
    };

    await request(pageContext({ fetch }), 'POST', 'x', { json, params, headers });

    expect(bodies).toEqual(Array.from({ length: 3 }, () => '?fields=id a {"deep":[{"a":1}]}'));
  });

  test.each([
    [['a', undefined, 'b', null], 'a,b'],
    [[undefined, null], ''],
    [[{ a: 1 }, null, undefined], '[{"a":1}]'],
  ])('leaves out what is nothing in a list: %j', async (list, text) => {
    const { url } = await sent('GET', 'x', { params: { list } });

    expect(new URL(url).searchParams.get('list')).toBe(text);
  });

  test.each([
    ['url', 'GET', '', {}],
    ['url', 'GET', '  ', {}],
    ['url', 'GET', undefined, {}],
    ['url', 'GET', 'https://[', {}],
    ['url', 'POST', 'https://', {}],
    ['url', 'GET', 'https://user:hidden@graph.test/', {}],
    ['method', 'TRACE', 'x', {}],
    ['params', 'GET', 'x', { params: { since: new Date('x') } }],
    ['params', 'GET', 'x', { params: { a: () => 1 } }],
    ['params', 'GET', 'x', { params: { a: Symbol('a') } }],
    ['params', 'GET', 'x', { params: { a: ['b', () => 1] } }],
    ['params', 'GET', 'x', { params: { a: [{}, () => 1] } }],
    ['json', 'POST', 'x', { json: () => 1 }],
    ['method', '', 'x', {}],
    ['method', undefined, 'x', {}],
    ['params', 'GET', 'x', { params: [] }],
    ['params', 'GET', 'x', { params: { a: cyclic } }],
    ['json', 'POST', 'x', { json: cyclic }],
    ['json', 'POST', 'x', { json: { a: 1n } }],
    ['data', 'POST', 'x', { data: { a: { b: 1n } } }],
    ['headers', 'GET', 'x', { headers: 'a' }],
    ['headers', 'GET', 'x', { headers: { 'a b': 'c' } }],
    ['headers', 'GET', 'x', { headers: { a: 'b\nc' } }],
    ['data', 'POST', 'x', { data: { a: 1 }, json: {} }],
    ['data', 'GET', 'x', { data: { a: 1 } }],
    ['json', 'GET', 'x', { json: { a: 1 } }],
    ['signal', 'GET', 'x', { signal: 'now' }],
    ['options', 'GET', 'x', null],
    ['options', 'GET', 'x', 7],
  ])('refuses a bad %s before anything is sent (%s %s)', async (option, method, url, options) => {
    const fetch = stubFetch(fine);

    const error = (
      await request(pageContext({ fetch }), method as Method, url as string, options as RequestOptions)
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: partOf(option) });
    expect(error.message).not.toContain('hidden');
    expect(fetch).not.toHaveBeenCalled();
  });
});

async function* inParts(...parts: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of parts) yield new TextEncoder().encode(part);
}

describe('the token of a request', () => {
  test.each([
    ['GET', (context: PageContext) => get(context, '42', { token, params: { fields: 'id' } })],
    ['POST', (context: PageContext) => post(context, '42', { token, params: { fields: 'id' } })],
    ['DELETE', (context: PageContext) => del(context, '42', { token, params: { fields: 'id' } })],
    ['PATCH', (context: PageContext) => request(context, 'PATCH', '42', { token, params: { fields: 'id' } })],
  ])('%s: is sent with its proof', async (method, call) => {
    const fetch = stubFetch(fine);

    expect((await call(pageContext({ fetch })))._unsafeUnwrap()).toEqual({ id: '1' });

    const [made] = requestsTo(fetch);
    expect(made?.method).toBe(method);
    expect(Object.fromEntries(new URL(made?.url ?? '').searchParams)).toEqual({
      fields: 'id',
      ...authenticated,
    });
  });

  test('is sent alone where the context has no app secret', async () => {
    const fetch = stubFetch(fine);
    const context = createPicsContext({ platform, fetch })._unsafeUnwrap();

    await get(context, 'me', { token });

    expect(requestsTo(fetch).map(({ url }) => url)).toEqual([`${picsGraphBase}/me?access_token=${token}`]);
  });

  test('goes into a header where the context says so, and its proof stays', async () => {
    const fetch = stubFetch(fine);
    const headers = { 'X-Trace': 'a', Authorization: 'Basic abc' };

    await post(pageContext({ fetch, tokenTransport: 'header' }), '42', { token, headers, data: { a: 1 } });

    const [made] = requestsTo(fetch);
    expect(made?.url).toBe(`${graphBase}/42?appsecret_proof=${proof}`);
    expect(made?.headers.get('authorization')).toBe(`Bearer ${token}`);
    expect(made?.headers.get('x-trace')).toBe('a');
    expect(await made?.text()).toBe('a=1');
  });

  test('goes to an address of the graph', async () => {
    const fetch = stubFetch(fine);
    const url = `${platform.picsGraphUrl}/v20.0/9?fields=id`;

    await get(pageContext({ fetch }), url, { token });

    expect(requestsTo(fetch).map((made) => made.url)).toEqual([
      `${url}&access_token=${token}&appsecret_proof=${proof}`,
    ]);
  });

  test('is taken out of the links of the response; tokens that were asked for stay', async () => {
    const next = `${graphBase}/42/accounts?access_token=${token}&after=b`;
    const data = [{ id: '7', access_token: 'EAAofPage7' }];
    const fetch = stubFetch(json({ data, paging: { next } }));

    const result = await get(pageContext({ fetch }), '42/accounts', { token });

    expect(result._unsafeUnwrap()).toEqual({ data, paging: { next: `${graphBase}/42/accounts?after=b` } });
  });

  test('leaves all else in the response, whatever its name', async () => {
    const body = { upload_token: 'EAAupload', pages: { data: [{ access_token: 'EAAofPage7' }] } };
    const fetch = stubFetch(json({ ...body, echo: `for ${token}` }));

    const answer = await get(pageContext({ fetch }), '42', { token });

    expect(answer._unsafeUnwrap()).toEqual({ ...body, echo: 'for [secret]' });
  });

  test.each([
    ['params', { params: { access_token: 'other' } }],
    ['params, as a proof', { params: { appsecret_proof: 'other' } }],
    ['a form', { data: { access_token: 'other' } }],
    ['the address', {}, '42?access_token=other'],
    ['the address, as a proof', {}, '42?appsecret_proof=other'],
  ])('is refused beside one in %s, before anything is sent', async (_, options, url = '42') => {
    const fetch = stubFetch(fine);

    const error = (await post(pageContext({ fetch }), url, { token, ...options }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'token' });
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each(['https://elsewhere.test/42', `${platform.graphUrl}.evil.test/42`, platform.uploadUrl])(
    'goes to no other address: %s',
    async (url) => {
      const fetch = stubFetch(fine);

      const error = (await get(pageContext({ fetch }), url, { token }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option: 'url' });
      expect(fetch).not.toHaveBeenCalled();
    },
  );

  test('is in no error and no event, though the platform repeats it', async () => {
    const seen: unknown[] = [];
    const note = (event: unknown): void => void seen.push(event);
    const hooks = { onRequest: note, onResponse: note, onFailure: note, onRetry: note };
    const responses = [
      networkFailure('ECONNRESET', `to ${graphBase}?access_token=${token}&appsecret_proof=${proof}`),
      refusal(2, { status: 500, message: `for ${token} with ${proof}` }),
    ];
    for (const tokenTransport of ['query', 'header'] as const) {
      const context = pageContext({ ...hooks, tokenTransport, fetch: stubFetch(...responses) });
      seen.push((await get(context, '42', { token }))._unsafeUnwrapErr());
    }

    expect(seen.length).toBeGreaterThan(8);
    expect(inspect(seen, { depth: 9, showHidden: true })).not.toMatch(new RegExp(`${token}|${proof}`));
  });
});
