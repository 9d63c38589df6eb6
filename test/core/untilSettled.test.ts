import { setImmediate } from 'node:timers/promises';

import { errAsync, ok, okAsync, type ResultAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import {
  ApiError,
  close,
  ConfigurationError,
  ContainerNotReadyError,
  isFinal,
  memoryJournal,
  PermissionError,
  RateLimitError,
  SignatureError,
  TransportError,
  untilSettled,
} from '../../src/core/index.ts';
import { createPageClient } from '../../src/index.ts';
import { createPageContext, me, publishPost } from '../../src/page/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { pageContext, token, virtualClock } from '../support/context.ts';
import { json, networkFailure, refusal, stubFetch } from './stub.ts';

const fine = json({ id: '1', name: 'Page' });
const limited = (seconds: number) => refusal(4, { headers: { 'retry-after': `${seconds}` } });
const busy = (retryAfterMs: number) =>
  new TransportError('busy', 'held', { outcome: 'unknown', retryAfterMs });

/** Fails with each of the errors in turn, then succeeds. */
function calls(...errors: readonly TransportError[]) {
  let next = 0;
  return vi.fn((): ResultAsync<'done', TransportError> => {
    const error = errors[next++];
    return error ? errAsync(error) : okAsync('done');
  });
}

describe('a call that waits for its own end', () => {
  test('is made again after what the platform asked for, and tells each wait', async () => {
    const clock = virtualClock();
    const fetch = stubFetch(limited(90), limited(120), fine);
    const context = pageContext({ fetch, clock });
    const waits: unknown[] = [];

    const read = await untilSettled(() => me(context, { token }), { onWait: (wait) => waits.push(wait) });

    expect(read._unsafeUnwrap()).toMatchObject({ id: '1' });
    expect(clock.slept).toEqual([90_000, 120_000]);
    expect(waits).toEqual([
      { error: expect.any(RateLimitError), waitMs: 90_000, attempt: 1 },
      { error: expect.any(RateLimitError), waitMs: 120_000, attempt: 2 },
    ]);
  });

  test('throws and returns as a method of a client does', async () => {
    const clock = virtualClock();
    const refused = refusal(190, { message: 'dead' });
    const fetch = stubFetch(limited(90), fine, limited(90), refused);
    const client = createPageClient({ appId: '1', appSecret: 's', fetch, clock });

    await expect(untilSettled(() => client.me({ token }))).resolves.toMatchObject({ id: '1' });
    await expect(untilSettled(() => client.me({ token }))).rejects.toMatchObject({ code: 190 });
    expect(fetch).toHaveBeenCalledTimes(4);
  });

  test('understands a promise of a Result', async () => {
    const clock = virtualClock();
    const context = pageContext({ fetch: stubFetch(limited(90), fine), clock });

    const read = await untilSettled(async () => (await me(context, { token })).map(({ id }) => id));

    expect(read).toEqual(ok('1'));
    expect(clock.slept).toEqual([90_000]);
  });

  test('waits a minute where the platform names no time, and never more than a day', async () => {
    const clock = virtualClock();
    const day = 86_400;
    const fetch = stubFetch(refusal(4), limited(3 * day), fine);
    const context = pageContext({ fetch, clock, retry: { attempts: 1 } });

    const read = await untilSettled(() => me(context, { token }), { forMs: Infinity });

    expect(read.isOk()).toBe(true);
    expect(clock.slept).toEqual([60_000, day * 1000]);
  });

  test('asks for a busy key every second, however long its lease is', async () => {
    const clock = virtualClock();
    const call = calls(busy(120_000), busy(119_000), busy(300));

    expect(await untilSettled(call, { clock })).toEqual(ok('done'));
    expect(clock.slept).toEqual([1000, 1000, 300]);
  });

  test('ends with the last failure when the next wait would be over too late', async () => {
    const clock = virtualClock();
    const fetch = stubFetch(limited(400), limited(400), limited(400));
    const context = pageContext({ fetch, clock });

    const read = await untilSettled(() => me(context, { token }));

    expect(read._unsafeUnwrapErr()).toMatchObject({ name: 'RateLimitError', retryAfterMs: 400_000 });
    expect(clock.slept).toEqual([400_000, 400_000]);
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test('counts from the first call, what the calls take included', async () => {
    const clock = virtualClock();
    const fetch = stubFetch((...given) => {
      clock.advance(5000);
      return limited(2)(...given);
    });
    const context = pageContext({ fetch, clock, retry: { attempts: 1 } });

    await untilSettled(() => me(context, { token }), { forMs: 9000 });
    await untilSettled(() => me(context, { token }), { forMs: 6999 });

    expect(clock.slept).toEqual([2000]);
  });

  test.each([
    ['a refusal that waiting does not mend', refusal(190)],
    [
      'a lost write without a key, even if the response asks to come back',
      refusal(2, { status: 503, headers: { 'retry-after': '90' } }),
    ],
    ['a failure of the network', networkFailure('ECONNRESET')],
  ])('is made once where it ends with %s', async (_, step) => {
    const clock = virtualClock();
    const context = pageContext({ fetch: stubFetch(step), clock, retry: { attempts: 1 } });
    const call = vi.fn(() => publishPost(context, { pageId: '1', pageToken: token, message: 'Hi' }));

    const error = (await untilSettled(call, { clock }))._unsafeUnwrapErr();

    expect(error).not.toHaveProperty('retryAfterMs', expect.any(Number));
    expect(call).toHaveBeenCalledTimes(1);
  });

  test('ends at its signal, in the wait and before', async () => {
    const abort = new AbortController();
    const context = pageContext({ fetch: stubFetch(limited(90)) });
    const call = vi.fn(() => me(context, { token }));

    const waiting = untilSettled(call, { signal: abort.signal, onWait: () => abort.abort() });

    expect((await waiting)._unsafeUnwrapErr()).toMatchObject({ name: 'RateLimitError' });
    expect((await untilSettled(call, { signal: abort.signal })).isErr()).toBe(true);
    expect(call).toHaveBeenCalledTimes(2);
  });

  test('ends when the context of the call is closed', async () => {
    const context = pageContext({ fetch: stubFetch(limited(90)) });
    const call = vi.fn(() => me(context, { token }));
    const waiting = untilSettled(call, { onWait: () => void setImmediate().then(() => close(context)) });

    expect((await waiting)._unsafeUnwrapErr()).toMatchObject({ name: 'RateLimitError' });
    expect(call).toHaveBeenCalledTimes(1);
  });

  test('goes on, whatever onWait does', async () => {
    const clock = virtualClock();
    const onWait = vi.fn(() => {
      throw new Error('no');
    });

    expect(await untilSettled(calls(busy(5)), { clock, onWait })).toEqual(ok('done'));
    expect(onWait).toHaveBeenCalledTimes(1);
  });

  test('passes on what is no error of this SDK', async () => {
    const error = Object.assign(new Error('mine'), { retryAfterMs: 5 });

    await expect(untilSettled(() => Promise.reject(error))).rejects.toBe(error);
  });

  test('is not begun with an option that is wrong', () => {
    const call = vi.fn(() => okAsync(1));
    const wrong: readonly object[] = [
      { forMs: -1 },
      { forMs: '5' },
      { onWait: 1 },
      { clock: {} },
      { signal: 5 },
      { for_ms: 5 },
    ];

    for (const options of wrong) {
      const [option = ''] = Object.keys(options);
      expect(() => untilSettled(call, options)).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', option }),
      );
    }
    expect(call).not.toHaveBeenCalled();
    // @ts-expect-error a call is a function
    expect(() => untilSettled(undefined)).toThrow(ConfigurationError);
  });
});

describe('a post under a key', () => {
  test('whose response and lookups are lost is published once, by the call after it', async () => {
    const sandbox = createSandbox({ posts: 0 });
    const [page] = sandbox.pages;
    if (page === undefined) throw new Error('a sandbox has a Page');
    const context = createPageContext({
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
      fetch: sandbox.fetch,
      platform: sandbox.platform,
      clock: sandbox.clock,
      journal: memoryJournal(),
    })._unsafeUnwrap();
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
    sandbox.fault({ method: 'GET', path: /feed|posts/, times: 9, status: 500 });
    const post = { pageId: page.id, pageToken: page.token, message: 'Once', idempotencyKey: 'row-1' };
    const call = vi.fn(() => publishPost(context, post));

    const published = (await untilSettled(call))._unsafeUnwrap();

    expect(call.mock.calls.length).toBeGreaterThan(1);
    expect(sandbox.effects().filter(({ kind }) => kind === 'post')).toHaveLength(1);
    expect(published.id).toMatch(/^\d+_\d+$/);
  });
});

describe('what is final', () => {
  test.each<[boolean, string, unknown]>([
    [true, 'a bad option', new ConfigurationError('x', 'pageId')],
    [true, 'an applied write', new TransportError('network', 'x', { outcome: 'applied' })],
    [true, 'an unknown one', new TransportError('network', 'x', { outcome: 'unknown' })],
    [false, 'an unknown one that says when', busy(5)],
    [true, 'a dead token', new ApiError('x', { code: 190, category: 'auth' })],
    [true, 'a permission', new PermissionError('x', { code: 200, category: 'permission' })],
    [true, 'a closed window', new PermissionError('x', { code: 10, category: 'window' })],
    [true, 'a recipient', new ApiError('x', { code: 551, category: 'recipient' })],
    [true, 'a missing object', new ApiError('x', { code: 100, subcode: 33, category: 'not_found' })],
    [true, 'a bad parameter', new ApiError('x', { code: 100, category: 'validation' })],
    [true, 'a bad file', new ApiError('x', { code: 36003, subcode: 2207009, category: 'media' })],
    [false, 'a file that could not be fetched', new ApiError('x', { code: 9004, category: 'media' })],
    [false, 'media in progress', new ApiError('x', { code: 9007, subcode: 2207027, category: 'media' })],
    [true, 'a container that failed', new ContainerNotReadyError('x', '1', 'ERROR')],
    [false, 'a container in progress', new ContainerNotReadyError('x', '1', 'IN_PROGRESS')],
    [false, 'a limit', new RateLimitError('x', { category: 'rate_limit' })],
    [false, 'a quota', new ApiError('x', { code: 9, category: 'quota' })],
    [false, 'a block', new ApiError('x', { code: 368, category: 'policy' })],
    [false, 'a fault of the platform', new ApiError('x', { code: 2, category: 'transient' })],
    [false, 'a refused connection', new TransportError('network', 'x')],
    [false, 'a closed context', new TransportError('closed', 'x')],
    [true, 'a wrong signature', new SignatureError('mismatch')],
    [false, 'an error of yours', new Error('x')],
    [false, 'no error', undefined],
  ])('%s: %s', (expected, _, error) => {
    expect(isFinal(error)).toBe(expected);
  });
});
