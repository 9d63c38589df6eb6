import { setImmediate } from 'node:timers/promises';

import type { ResultAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { close } from '../../../src/core/client.ts';
import type { Context } from '../../../src/core/context.ts';
import { createLifecycle, transportError } from '../../../src/core/http/lifecycle.ts';
import { memoryJournal } from '../../../src/core/index.ts';
import { get } from '../../../src/core/lowLevel/request.ts';
import { systemClock } from '../../../src/core/options/clock.ts';
import { untilSettled } from '../../../src/core/untilSettled.ts';
import { checkMedia, checkMediaUrl } from '../../../src/media/index.ts';
import { createPageContext, publishPhoto, publishPost } from '../../../src/page/index.ts';
import { createPicsContext, publishCarousel } from '../../../src/pics/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { everythingIn } from '../../hostile/visible.ts';
import { appSecret, pageContext, token } from '../../support/context.ts';
import { json, refusal, silence, type Step, stubFetch } from '../stub.ts';

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
    const { withTimeout, inFlight } = createLifecycle();
    const abort = new AbortController();
    let seen: AbortSignal | undefined;
    await withTimeout(Infinity, abort.signal, async (signal) => {
      seen = signal;
    });

    await setImmediate();
    abort.abort();
    expect(inFlight.stops.size).toBe(0);

    expect(seen?.aborted).toBe(false);
  });
});

test.each(['addEventListener', 'removeEventListener'] as const)(
  'a signal whose %s throws since it was checked is no matter of the call',
  async (method) => {
    const { signal } = new AbortController();
    let calls = 0;
    signal[method] = () => {
      // The check of the options is the first.
      if (++calls > 1) throw new Error('a foreign error');
    };
    const context = pageContext({ fetch: stubFetch(json({ id: '42' })) });

    expect((await get(context, '42', { token, signal })).isOk()).toBe(true);
    expect(calls).toBeGreaterThan(1);
    await expect(systemClock.sleep(1, signal)).resolves.toBeUndefined();
  },
);

describe('a signal that begins to throw is no matter of the call', () => {
  const { app, picsApp, platform, fetch, account, pages } = createSandbox();
  const settings = { platform, fetch, journal: memoryJournal() };
  const context = createPageContext({ ...settings, appId: app.id, appSecret: app.secret })._unsafeUnwrap();
  const pics = createPicsContext({ ...settings, appSecret: picsApp.secret })._unsafeUnwrap();
  const [page] = pages;
  const onPage = { pageId: page?.id ?? '', pageToken: page?.token ?? '' };
  const own = { token: account.token, picsUserId: account.id };
  const video = new Uint8Array(3000);
  const image = new Uint8Array([0xff, 0xd8, 0xff, ...video]);
  type Call = (signal: AbortSignal, key: string) => ResultAsync<unknown, unknown>;
  const calls: Readonly<Record<string, Call>> = {
    get: (signal) => get(context, onPage.pageId, { token: onPage.pageToken, signal }),
    'a post': (signal) => publishPost(context, { ...onPage, message: 'Hi', signal }),
    'a post under a key': (signal, idempotencyKey) =>
      publishPost(context, { ...onPage, message: idempotencyKey, idempotencyKey, signal }),
    'a photo of bytes under a key': (signal, idempotencyKey) =>
      publishPhoto(context, { ...onPage, photo: new Blob([image]), idempotencyKey, signal }),
    'a carousel of videos': (signal, idempotencyKey) =>
      publishCarousel(pics, {
        ...own,
        items: [{ video: new Blob([video]) }, { video: new Blob([video]) }],
        idempotencyKey,
        signal,
      }),
    untilSettled: (signal) =>
      untilSettled(() => get(context, onPage.pageId, { token: onPage.pageToken }), { signal }),
    checkMedia: (signal) => checkMedia(new Blob([image]), { kind: 'page.photo', signal }),
    checkMediaUrl: (signal) =>
      checkMediaUrl('https://example.com/a.jpg', {
        kind: 'page.photo',
        signal,
        fetch: async () => new Response(image, { headers: { 'content-type': 'image/jpeg' } }),
      }),
  };
  const members = ['aborted', 'reason', 'throwIfAborted', 'addEventListener', 'removeEventListener'] as const;

  const cases = Object.keys(calls).flatMap((name) => members.map((member) => [member, name] as const));
  // It takes as many calls as a call has steps.
  const hasManySteps = ([, name]: (typeof cases)[number]): boolean => name === 'a carousel of videos';

  async function holds(member: (typeof members)[number], name: string): Promise<void> {
    for (let first = 0, reads = Infinity; first <= reads && first < 200; first++) {
      const abort = new AbortController();
      const { signal } = abort;
      const whole = signal[member];
      reads = 0;
      Object.defineProperty(signal, member, {
        get: () => {
          if (reads++ >= first && first > 0) throw new Error('a foreign error');
          return whole;
        },
      });
      const told = await calls[name]?.(signal, `${name} ${member} ${first}`);

      // The first reads are those of the check of options.
      const failure = told?.isErr() ? told.error : undefined;
      if (failure !== undefined)
        expect(failure).toMatchObject({ name: 'ConfigurationError', option: 'signal' });
    }
  }

  test.each(cases.filter((one) => !hasManySteps(one)))('by its %s: %s', holds);

  test.each(cases.filter(hasManySteps))('by its %s: %s', { tags: 'long' }, holds);
});

test('a context that is closed between two steps of a call, where nothing is in flight, ends it', async () => {
  const fetch = stubFetch(refusal(4));
  const context: Context = pageContext({ fetch, onRetry: () => void close(context) });

  const call = await get(context, '42', { token });

  expect(call._unsafeUnwrapErr()).toMatchObject({ reason: 'closed', outcome: 'rejected' });
  expect(fetch).toHaveBeenCalledTimes(1);
});

describe('a signal', () => {
  const secret = 'EAACsecret1234567';

  const deploying = Object.assign(new Error('the machine is replaced'), {
    name: 'Deploying',
    code: 'E_STOP',
  });

  test.each([
    [{ name: 'AbortError', message: 'This operation was aborted' }, () => AbortSignal.abort()],
    [
      { name: 'Deploying', code: 'E_STOP', message: 'the machine is replaced' },
      () => AbortSignal.abort(deploying),
    ],
    [{ name: 'Error', message: 'stopped [secret]' }, () => AbortSignal.abort(new Error(`stopped ${secret}`))],
    [
      { name: 'no [secret]', code: '[secret]', message: '[secret]' },
      () => AbortSignal.abort(Object.assign(new Error(secret), { name: `no ${secret}`, code: secret })),
    ],
    [{ name: 'Error', message: 'the call was aborted' }, () => AbortSignal.abort({ secret })],
    [{ name: 'Error', message: '[secret]' }, () => AbortSignal.abort(secret)],
    [{ name: 'unknown', message: 'the call was aborted' }, () => AbortSignal.abort(null)],
  ])('is shown by the name, code and message of its reason, masked: %j', async (cause, signal) => {
    const failure = await createLifecycle()
      .withTimeout(Infinity, signal(), async () => undefined)
      .catch((thrown: unknown) => thrown);

    expect(failure).toMatchObject({
      reason: 'aborted',
      message: 'the call was aborted',
      cause,
    });
    expect(everythingIn(failure)).not.toContain(secret);
  });

  test.each<[string, Step]>([
    ['a request', silence()],
    ['a wait for a retry', refusal(4, { headers: { 'retry-after': '50' } })],
  ])('shows no secret of the call, whatever it looks like, when it ends %s', async (_, step) => {
    const abort = new AbortController();
    const seen: unknown[] = [];
    const context = pageContext({
      fetch: stubFetch(step),
      onRequest: () => setTimeout(() => abort.abort(new Error(`no ${token} ${appSecret}`)), 5),
      onFailure: (event) => seen.push(event),
      onCallEnd: (event) => seen.push(event),
    });

    const call = await get(context, '42', { token, signal: abort.signal });

    expect(call._unsafeUnwrapErr()).toMatchObject({ cause: { message: 'no [secret] [secret]' } });
    expect(everythingIn([call, seen])).not.toContain(token);
    expect(everythingIn([call, seen])).not.toContain(appSecret);
  });

  test('that timed out is told so, whatever is ended by it', async () => {
    const timedOut = {
      reason: 'aborted',
      message: 'the call was aborted: its signal timed out',
      cause: { name: 'TimeoutError', message: 'The operation was aborted due to timeout' },
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
