import { inspect } from 'node:util';

import { describe, expect, test, vi } from 'vitest';

import { bind, close } from '../../../src/core/client.ts';
import type { ContextOptions } from '../../../src/core/context.ts';
import { batch } from '../../../src/core/lowLevel/batch.ts';
import { iterate } from '../../../src/core/lowLevel/paginate.ts';
import { del, get, post } from '../../../src/core/lowLevel/request.ts';
import { createPageClient } from '../../../src/page/client.ts';
import { deletePost, publishPost } from '../../../src/page/posts.ts';
import { loginUrl } from '../../../src/page/tokens.ts';
import { publishContainer } from '../../../src/pics/publishing/publish.ts';
import { pageContext, picsContext, platform, token, virtualClock } from '../../support/context.ts';
import { json, networkFailure, refusal, type Step, stubFetch } from '../stub.ts';

const postOptions = { pageId: '42', pageToken: token, message: 'hi' };

/** Hooks of calls, with a record of their events. */
function hooked() {
  const onCallStart = vi.fn<NonNullable<ContextOptions['onCallStart']>>();
  const onCallEnd = vi.fn<NonNullable<ContextOptions['onCallEnd']>>();
  return { onCallStart, onCallEnd };
}

describe('a call', () => {
  test('is told of when it begins and when it has ended, whatever it sends', async () => {
    const clock = virtualClock();
    const hooks = hooked();
    const fetch = stubFetch(networkFailure(), (...args) => {
      clock.advance(7);
      return json({ id: '1' })(...args);
    });

    await get(pageContext({ fetch, clock, ...hooks }), '1');

    const { callId } = hooks.onCallStart.mock.calls[0]?.[0] ?? {};
    expect(callId).toMatch(/^[\w-]{3,16}$/);
    expect(hooks.onCallStart.mock.calls).toEqual([[{ operation: 'get', callId }]]);
    expect(hooks.onCallEnd.mock.calls).toEqual([[{ operation: 'get', callId, durationMs: 7, attempts: 2 }]]);
  });

  test('of a client is the one of its function', async () => {
    const hooks = hooked();
    const fetch = stubFetch(json({ success: true }));
    const client = createPageClient({ appId: '1', appSecret: 'secret', platform, fetch, ...hooks });

    await client.deletePost({ postId: '1', pageToken: token });
    await client.delete('1');
    await bind(client.context, { remove: deletePost }).remove({ postId: '1', pageToken: token });

    const names = ['deletePost', 'del', 'deletePost'];
    expect(hooks.onCallStart.mock.calls.map(([{ operation }]) => operation)).toEqual(names);
    expect(hooks.onCallEnd.mock.calls.map(([{ operation }]) => operation)).toEqual(names);
  });

  test('has an id of its own, in each context', async () => {
    const hooks = hooked();
    for (const context of [pageContext(hooks), picsContext(hooks)]) {
      await get(context, '1', { signal: AbortSignal.abort() });
      await get(context, '1', { signal: AbortSignal.abort() });
    }

    expect(new Set(hooks.onCallEnd.mock.calls.map(([{ callId }]) => callId)).size).toBe(4);
  });

  test('goes on whatever its hooks throw', async () => {
    const fail = (): never => {
      throw new Error('mine');
    };
    const context = pageContext({ fetch: stubFetch(json({ id: '1' })), onCallStart: fail, onCallEnd: fail });

    expect((await get(context, '1'))._unsafeUnwrap()).toEqual({ id: '1' });
  });
});

describe('the error of a call', () => {
  test('says which call it was and which request failed, in every log', async () => {
    const hooks = hooked();
    const context = pageContext({ fetch: stubFetch(refusal(100)), ...hooks });

    const error = (await deletePost(context, { postId: '42_1', pageToken: token }))._unsafeUnwrapErr();

    const { callId } = error;
    const known = { operation: 'deletePost', callId, method: 'DELETE', path: '/v26.0/42_1' };
    expect(error).toMatchObject(known);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ ...known, action: 'fix' });
    expect(Object.keys(error)).toEqual(expect.arrayContaining(Object.keys(known)));
    expect(inspect(error)).toMatch(
      /action: 'fix'[^]*operation: 'deletePost',\s+callId: '[\w-]+',\s+method: 'DELETE',\s+path: '\/v26\.0\/42_1'/,
    );
    expect(hooks.onCallStart).toHaveBeenCalledWith({ operation: 'deletePost', callId });
    expect(hooks.onCallEnd.mock.calls[0]?.[0].error).toStrictEqual(error);
  });

  test('names the write that was lost, not the lookups after it', async () => {
    const fetch = stubFetch(networkFailure(), json({ data: [] }));

    const error = (await publishPost(pageContext({ fetch }), postOptions))._unsafeUnwrapErr();

    expect(fetch.mock.calls.length).toBeGreaterThan(1);
    expect(error).toMatchObject({
      operation: 'publishPost',
      outcome: 'unknown',
      method: 'POST',
      path: '/v26.0/42/feed',
    });
  });

  test('names the last request where none failed', async () => {
    const fetch = stubFetch(json({ status_code: 'ERROR', status: 'no' }));

    const options = { containerId: '9', token, waitTimeoutMs: 0 };
    const error = (await publishContainer(picsContext({ fetch }), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ContainerNotReadyError',
      operation: 'publishContainer',
      method: 'GET',
      path: '/v26.0/9',
    });
  });

  test('names no request where none was sent', async () => {
    const closed = pageContext();
    close(closed);
    const errors = [
      await get(pageContext(), '1', { signal: AbortSignal.abort() }),
      await post(closed, '1'),
    ].map((result) => result._unsafeUnwrapErr());

    expect(errors.map(({ operation }) => operation)).toEqual(['get', 'post']);
    for (const error of errors) {
      expect(error.callId).toBeTypeOf('string');
      expect(error.method).toBeUndefined();
      expect(error.path).toBeUndefined();
    }
  });

  test('shows no token that was put into a path', async () => {
    const context = pageContext({ fetch: stubFetch(refusal(100)) });

    const error = (await get(context, `of/${token}`, { token }))._unsafeUnwrapErr();

    expect(error.path).toBe('/v26.0/of/[secret]');
  });

  test('tells the function where a check refuses it: no call began', async () => {
    const hooks = hooked();
    const context = pageContext({ ...hooks });
    const errors = [
      (await publishPost(context, { ...postOptions, message: '' }))._unsafeUnwrapErr(),
      (await del(context, ''))._unsafeUnwrapErr(),
      loginUrl(context, { redirectUri: 'no address' })._unsafeUnwrapErr(),
    ];

    expect(errors.map(({ name }) => name)).toEqual(Array(3).fill('ConfigurationError'));
    expect(errors.map(({ operation }) => operation)).toEqual(['publishPost', 'del', 'loginUrl']);
    expect(errors.map(({ callId }) => callId)).toEqual([undefined, undefined, undefined]);
    expect(hooks.onCallStart).not.toHaveBeenCalled();
    expect(hooks.onCallEnd).not.toHaveBeenCalled();
  });

  test('of a part of a batch names the part', async () => {
    const hooks = hooked();
    const refused = { code: 400, body: '{"error":{"code":100,"message":"No"}}' };
    const context = pageContext({ fetch: stubFetch(json([refused, null])), ...hooks });
    const parts = [
      { method: 'GET', path: 'me?fields=id' },
      { method: 'POST', path: `${platform.graphUrl}/v25.0/42/feed` },
    ] as const;

    const results = (await batch(context, parts, { token }))._unsafeUnwrap();

    const { callId } = hooks.onCallStart.mock.calls[0]?.[0] ?? {};
    expect(results.map((part) => part._unsafeUnwrapErr())).toMatchObject([
      { operation: 'batch', callId, method: 'GET', path: '/v26.0/me' },
      { operation: 'batch', callId, method: 'POST', path: '/v25.0/42/feed' },
    ]);
    expect(hooks.onCallEnd).toHaveBeenCalledTimes(1);
  });
});

describe('an iterator', () => {
  const next = `${platform.graphUrl}/v26.0/42/list?after=1`;
  const first = json({ data: [{ id: '1' }, { id: '2' }], paging: { next } });
  const last = json({ data: [{ id: '3' }] });

  function walkOver(...steps: readonly Step[]) {
    const requests: string[] = [];
    const hooks = hooked();
    const fetch = stubFetch(...steps);
    const context = pageContext({ fetch, ...hooks, onRequest: ({ callId }) => requests.push(callId) });
    return { ...hooks, requests, walk: iterate(context, '42/list') };
  }

  test('is one call, which begins with the first entry that is asked for, and ends with the last', async () => {
    const { onCallStart, onCallEnd, requests, walk } = walkOver(first, last);
    expect(onCallStart).not.toHaveBeenCalled();

    for await (const entry of walk) expect(entry.isOk()).toBe(true);

    const { callId } = onCallStart.mock.calls[0]?.[0] ?? {};
    expect(requests).toEqual([callId, callId]);
    expect(onCallStart).toHaveBeenCalledTimes(1);
    expect(onCallEnd.mock.calls).toEqual([
      [{ operation: 'iterate', callId, durationMs: expect.any(Number), attempts: 2 }],
    ]);
  });

  test('ends where its caller stops', async () => {
    const { onCallEnd, walk } = walkOver(first, last);

    for await (const entry of walk) {
      expect(entry.isOk()).toBe(true);
      expect(onCallEnd).not.toHaveBeenCalled();
      break;
    }

    expect(onCallEnd).toHaveBeenCalledTimes(1);
    expect(onCallEnd.mock.calls[0]?.[0]).toMatchObject({ attempts: 1 });
    expect(onCallEnd.mock.calls[0]?.[0]).not.toHaveProperty('error');
  });

  test('ends with its failure', async () => {
    const { onCallEnd, walk } = walkOver(first, refusal(100));
    const entries = await Array.fromAsync(walk);

    const error = entries.at(-1)?._unsafeUnwrapErr();
    expect(entries).toHaveLength(3);
    expect(error).toMatchObject({ operation: 'iterate', method: 'GET', path: '/v26.0/42/list' });
    expect(onCallEnd).toHaveBeenCalledTimes(1);
    expect(onCallEnd.mock.calls[0]?.[0]).toMatchObject({ callId: error?.callId, attempts: 2 });
    expect(onCallEnd.mock.calls[0]?.[0].error).toStrictEqual(error);
  });
});
