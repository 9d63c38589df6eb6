import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { createLifecycle, transportError } from '../../../src/core/http/lifecycle.ts';
import { get } from '../../../src/core/lowLevel/request.ts';
import { systemClock } from '../../../src/core/options/clock.ts';
import { everythingIn } from '../../hostile/visible.ts';
import { pageContext } from '../../support/context.ts';
import { refusal, silence, stubFetch } from '../stub.ts';

describe('what ends a call', () => {
  test.each([
    ['timeout', 'the time for the request ran out'],
    ['aborted', 'the call was aborted'],
    ['closed', 'the client is closed'],
  ] as const)('is told: %s', (reason, message) => {
    expect(transportError(reason)).toMatchObject({
      name: 'TransportError',
      reason,
      message,
    });
  });

  test('leaves work alone that is done', async () => {
    const { withTimeout, underWay } = createLifecycle();
    const abort = new AbortController();
    let seen: AbortSignal | undefined;
    await withTimeout(Infinity, abort.signal, async (signal) => {
      seen = signal;
    });

    await setImmediate();
    abort.abort();
    expect(underWay.stops.size).toBe(0);

    expect(seen?.aborted).toBe(false);
  });
});

describe('a signal', () => {
  const secret = 'EAACsecret1234567';

  test.each([
    ['AbortError', () => AbortSignal.abort()],
    ['Error', () => AbortSignal.abort(new Error(secret))],
    ['Goodbye', () => AbortSignal.abort(Object.assign(new Error(secret), { name: 'Goodbye', code: secret }))],
    ['Error', () => AbortSignal.abort({ secret })],
    ['Error', () => AbortSignal.abort(secret)],
    ['unknown', () => AbortSignal.abort(null)],
  ])('is told by the name of its reason, and no more of it: %s', async (name, signal) => {
    const failure = await createLifecycle()
      .withTimeout(Infinity, signal(), async () => undefined)
      .catch((thrown: unknown) => thrown);

    expect(failure).toMatchObject({
      reason: 'aborted',
      message: 'the call was aborted',
      cause: { name, message: 'the call was aborted' },
    });
    expect(everythingIn(failure)).not.toContain(secret);
  });

  test('that timed out is told so, whatever is ended by it', async () => {
    const timedOut = {
      reason: 'aborted',
      message: 'the call was aborted: its signal timed out',
      cause: { name: 'TimeoutError', message: 'the call was aborted: its signal timed out' },
    };
    const { pause } = createLifecycle();
    expect((await pause(systemClock, 60_000, AbortSignal.timeout(1)))._unsafeUnwrapErr()).toMatchObject(
      timedOut,
    );

    const fetch = stubFetch(silence());
    const call = await get(pageContext({ fetch }), '42', { signal: AbortSignal.timeout(1) });
    expect(call._unsafeUnwrapErr()).toMatchObject(timedOut);

    const waiting = pageContext({ fetch: stubFetch(refusal(4, { headers: { 'retry-after': '50' } })) });
    const waited = await get(waiting, '42', { signal: AbortSignal.timeout(20) });
    expect(waited._unsafeUnwrapErr()).toMatchObject(timedOut);
  });

  test('whose reason cannot be read ends the call nevertheless', async () => {
    const { signal } = new AbortController();
    Object.defineProperty(signal, 'aborted', { value: true });
    Object.defineProperty(signal, 'reason', {
      get() {
        throw new Error('no');
      },
    });

    const call = await get(pageContext({ fetch: stubFetch(silence()) }), '42', { signal });

    expect(call._unsafeUnwrapErr()).toMatchObject({ reason: 'aborted', cause: { name: 'unknown' } });
  });
});

test('a sleep needs no signal', async () => {
  await expect(systemClock.sleep(1)).resolves.toBeUndefined();
});

test('a request in flight ends with the deadline of its call, long before its own limit', async () => {
  const clock = {
    now: Date.now,
    monotonic: () => 1_000_000 + performance.now(),
    sleep: async () => undefined,
  };
  const context = pageContext({ fetch: stubFetch(silence()), clock, deadlineMs: 20, timeoutMs: 20_000 });
  const begun = performance.now();

  expect((await get(context, '1'))._unsafeUnwrapErr()).toMatchObject({ reason: 'timeout' });

  expect(performance.now() - begun).toBeLessThan(10_000);
});
