import { describe, expect, test, vi } from 'vitest';

import { withOptions } from '../../../src/core/context.ts';
import { SdkError } from '../../../src/core/errors.ts';
import type { ResponseEvent } from '../../../src/core/http/hooks.ts';
import { send } from '../../../src/core/http/send.ts';
import { get } from '../../../src/core/lowLevel/request.ts';
import { memoryJournal } from '../../../src/core/writes/journal/createJournal.ts';
import { createdSchema } from '../../../src/models/fields.ts';
import { publishPost } from '../../../src/page/posts.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { pageContext, token, virtualClock, newCall } from '../../support/context.ts';
import { json, networkFailure, refusal, stubFetch, text } from '../stub.ts';

describe('onResponse', () => {
  test('is told of each response', async () => {
    const clock = virtualClock();
    const events: ResponseEvent[] = [];
    const fetch = stubFetch(
      (request, signal) => {
        clock.advance(120);
        return refusal(4, {
          status: 403,
          headers: { 'retry-after': '1', 'x-fb-trace-id': 'T1', 'facebook-api-version': 'v24.0' },
        })(request, signal);
      },
      networkFailure(),
      json({ id: '1' }, 200, { 'x-app-usage': '{"call_count":28}' }),
    );

    await get(pageContext({ fetch, clock, onResponse: (event) => events.push(event) }), '42_1/a%2Fb?x=1', {
      params: { access_token: 'token-of-a-page' },
    });

    const call = { operation: 'get', callId: expect.any(String) };
    expect(events).toEqual([
      {
        ...call,
        method: 'GET',
        path: '/v26.0/42_1/a%2Fb',
        request: 1,
        status: 403,
        durationMs: 120,
        attempt: 1,
        purpose: 'call',
        usage: undefined,
        traceId: 'T1',
        apiVersion: 'v24.0',
      },
      {
        ...call,
        method: 'GET',
        path: '/v26.0/42_1/a%2Fb',
        request: 1,
        status: 200,
        durationMs: 0,
        attempt: 3,
        purpose: 'call',
        usage: { percent: 28 },
        traceId: undefined,
        apiVersion: undefined,
      },
    ]);
  });
});

describe('onVersion', () => {
  const call = { operation: 'get', callId: expect.any(String) };
  const served = (version: string) => json({ id: '1' }, 200, { 'facebook-api-version': version });

  test('is told once per context of a version that served in place of the one asked for', async () => {
    const events: unknown[] = [];
    const fetch = stubFetch(served('v20.0'), json({ id: '1' }), served('v21.0'), served('v22.0'));
    const onVersion = (event: unknown) => events.push(event);
    const context = pageContext({ fetch, graphVersion: 'v20.0', onVersion });
    const quick = withOptions(context, { deadlineMs: 60_000 })._unsafeUnwrap();

    await get(context, '42');
    await get(context, '42');
    expect(events).toEqual([]);
    await get(quick, '42');
    await get(context, '42');

    expect(events).toEqual([{ ...call, requestedVersion: 'v20.0', apiVersion: 'v21.0' }]);
  });

  test('is told of a version that the platform warns about, and what it says', async () => {
    const fetch = stubFetch(
      json({ id: '1' }, 200, {
        'facebook-api-version': 'v26.0',
        'x-ad-api-version-warning': `v26.0 ends soon, also for ${token}`,
      }),
      served('v25.0'),
    );
    const onVersion = vi.fn<(event: unknown) => void>();
    const context = pageContext({ fetch, onVersion });

    await get(context, '42', { params: { access_token: token } });
    await get(context, '42');

    const warning = expect.stringMatching(/^v26\.0 ends soon, also for (?!.*token-of)/);
    expect(onVersion.mock.calls).toEqual([
      [{ ...call, requestedVersion: 'v26.0', apiVersion: 'v26.0', warning }],
    ]);
  });

  test('is told of a refusal, and of the version in the address of the request', async () => {
    const onVersion = vi.fn(() => {
      throw new Error('of the caller');
    });
    const fetch = stubFetch(
      refusal(100, { headers: { 'facebook-api-version': 'v24.0' } }),
      refusal(100, { headers: { 'facebook-api-version': 'v25.0' } }),
    );
    const context = pageContext({ fetch, onVersion });

    await get(context, 'https://graph.test/v24.0/42');
    expect(onVersion).not.toHaveBeenCalled();
    await get(context, '42');

    expect(onVersion.mock.calls).toEqual([[{ ...call, requestedVersion: 'v26.0', apiVersion: 'v25.0' }]]);
  });
});

describe('every attempt', () => {
  test('begins with onRequest, and ends with onResponse or onFailure', async () => {
    const clock = virtualClock();
    const events: unknown[] = [];
    const fetch = stubFetch(
      networkFailure('ECONNRESET', 'socket hang up'),
      (request, signal) => {
        clock.advance(7);
        return text('', 503)(request, signal);
      },
      json({ id: '1' }),
    );
    const tell = (hook: string) => (event: object) => void events.push({ hook, ...event });
    const context = pageContext({
      fetch,
      clock,
      onRequest: tell('onRequest'),
      onResponse: tell('onResponse'),
      onFailure: tell('onFailure'),
      onRetry: tell('onRetry'),
    });

    await get(context, '42_1?x=1', { params: { access_token: 'token-of-a-page' } });

    const common = { method: 'GET', path: '/v26.0/42_1', request: 1, purpose: 'call' };
    expect(events).toMatchObject([
      { hook: 'onRequest', ...common, attempt: 1 },
      { hook: 'onFailure', ...common, attempt: 1, durationMs: 0, error: { reason: 'network' } },
      { hook: 'onRetry', ...common, attempt: 1, delayMs: 0, error: { reason: 'network' } },
      { hook: 'onRequest', ...common, attempt: 2 },
      { hook: 'onResponse', ...common, attempt: 2, status: 503, durationMs: 7 },
      { hook: 'onRetry', ...common, attempt: 2, delayMs: 0, error: { status: 503 } },
      { hook: 'onRequest', ...common, attempt: 3 },
      { hook: 'onResponse', ...common, attempt: 3, status: 200 },
    ]);
    expect(JSON.stringify(events)).not.toContain('token-of-a-page');
  });

  test('that is never sent is not told of', async () => {
    const tell = vi.fn();
    const context = pageContext({ fetch: stubFetch(json({})), onRequest: tell, onFailure: tell });

    await get(context, '42', { signal: AbortSignal.abort() });

    expect(tell).not.toHaveBeenCalled();
  });

  test('says what it is for', async () => {
    const purposes: string[] = [];
    const context = pageContext({
      fetch: stubFetch(json({ id: '1' })),
      onRequest: ({ purpose }) => purposes.push(purpose),
    });

    for (const purpose of [undefined, 'lookup', 'status'] as const) {
      await send(context, { ...newCall(), path: '42', purpose, schema: createdSchema });
    }

    expect(purposes).toEqual(['call', 'lookup', 'status']);
  });
});

describe('a lost write', () => {
  test('shows as the failure that it was, and its lookup as one', async () => {
    const clock = virtualClock();
    const events: unknown[] = [];
    const list = { data: [{ id: '42_7', message: 'hi', created_time: '2026-01-02T00:00:00+0000' }] };
    const fetch = stubFetch(networkFailure(), json(list, 200, { date: 'Fri, 02 Jan 2026 00:00:00 GMT' }));
    const context = pageContext({
      fetch,
      clock,
      onFailure: ({ method, path, purpose }) => events.push(['lost', method, path, purpose]),
      onResponse: ({ method, path, purpose }) => events.push(['came', method, path, purpose]),
    });

    const post = await publishPost(context, { pageId: '42', pageToken: token, message: 'hi' });

    expect(post._unsafeUnwrap()).toMatchObject({ id: '42_7' });
    expect(events).toEqual([
      ['lost', 'POST', '/v26.0/42/feed', 'call'],
      ['came', 'GET', '/v26.0/42/published_posts', 'lookup'],
    ]);
  });
});

describe('a hook', () => {
  const rejected = async () => {
    throw new Error('mine');
  };

  test.each([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['rejects', rejected],
    ['never settles', () => new Promise(() => undefined)],
  ])('that %s changes nothing', async (_, hook) => {
    const onResponse = vi.fn(hook);
    const onRetry = vi.fn(hook);
    const onRequest = vi.fn(hook);
    const onFailure = vi.fn(hook);
    const fetch = stubFetch(refusal(4), networkFailure(), json({ id: '1' }));
    const context = pageContext({ fetch, onRequest, onResponse, onFailure, onRetry });

    const node = await get(context, '42');
    await new Promise((resolve) => setImmediate(resolve));

    expect(node._unsafeUnwrap()).toEqual({ id: '1' });
    expect(onResponse).toHaveBeenCalledTimes(2);
    expect(onRetry).toHaveBeenCalledTimes(2);
    expect(onRequest).toHaveBeenCalledTimes(3);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });
});

describe('the error that a hook gets', () => {
  /** Does to an error what a careless hook may do. */
  function spoil(error: object): void {
    const { payload, ids, cause } = error as Record<string, object | undefined>;
    for (const [target, changes] of [
      [error, { outcome: 'rejected', retryAfterMs: 0, message: 'spoilt', name: 'Error' }],
      [payload, { error: 'spoilt' }],
      [ids, { photo_id: 'spoilt' }],
      [cause, { message: 'spoilt' }],
    ] as const) {
      if (target === undefined) continue;
      for (const [name, value] of Object.entries(changes))
        expect(() => Object.assign(target, { [name]: value })).toThrow(TypeError);
      if (target !== error) expect(Object.isFrozen(target)).toBe(true);
    }
    // Loggers mark the errors that they have seen: pino's serializer throws where it cannot.
    const mark = Symbol('seen');
    expect(Object.getOwnPropertySymbols(Object.assign(error, { [mark]: true }))).toContain(mark);
  }

  test('is a copy that cannot be changed, but marked: a hook that changes it changes nothing of the call', async () => {
    let seen = 0;
    const look = ({ error }: { readonly error?: Error }): void => {
      if (error === undefined) return;
      spoil(error);
      expect(error).toBeInstanceOf(SdkError);
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: error.name, message: error.message });
      seen++;
    };
    const hooks = { onFailure: look, onRetry: look, onCallEnd: look };

    const lost = pageContext({ fetch: stubFetch(networkFailure()), ...hooks });
    const network = (await get(lost, '4'))._unsafeUnwrapErr();
    expect(network).toMatchObject({ name: 'TransportError', cause: { message: 'read failed' } });
    const refused = pageContext({
      fetch: stubFetch(refusal(4, { headers: { 'retry-after': '0' } })),
      ...hooks,
    });
    const limited = (await get(refused, '4'))._unsafeUnwrapErr();
    expect(limited).toMatchObject({ name: 'RateLimitError', payload: { error: { code: 4 } } });
    expect([network, limited].map((error) => Object.isFrozen(error))).toEqual([false, false]);
    // Each of the three attempts that failed, each of the two retries, and the end; a refusal is no failure.
    expect(seen).toBe(3 + 2 + 1 + 2 + 1);
  });

  test('under a key, does not make the next call publish again', async () => {
    const sandbox = createSandbox({ seed: 3 });
    const [page] = sandbox.pages;
    if (page === undefined) throw new Error('no page');
    const change = ({ error }: { readonly error?: object }): void =>
      void (error && Object.assign(error, { outcome: 'rejected' }));
    let isLost = true;
    const context = pageContext({
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
      platform: sandbox.platform,
      clock: sandbox.clock,
      journal: memoryJournal(),
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const isPost = request.method === 'POST';
        const response = await sandbox.fetch(request);
        // No look finds the post either.
        if (isLost) throw new TypeError(`fetch failed, ${isPost}`);
        return response;
      },
      onFailure: change,
      onCallEnd: change,
      onRetry: change,
    });
    const post = { pageId: page.id, pageToken: page.token, message: 'Once', idempotencyKey: 'key-1' };

    expect((await publishPost(context, post))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    isLost = false;
    await publishPost(context, post);
    expect(sandbox.effects('post')).toHaveLength(1);
  });
});
