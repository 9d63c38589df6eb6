import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { close } from '../../../src/core/client/createClient.ts';
import type { ContainerStatusEvent } from '../../../src/models/media.ts';
import type { PicsContext } from '../../../src/pics/context.ts';
import { startContainerWait, waitRules } from '../../../src/pics/internal/container.ts';
import { picsContext, picsGraphBase, token, virtualClock, newTrace } from '../../support/context.ts';

const ids = { container_id: '18' };

function looks(status_code: string, status?: string, count = 1): void {
  nock(picsGraphBase).get('/18').query(true).times(count).reply(200, { status_code, status });
}

function wait(
  context: PicsContext,
  waitTimeoutMs: number,
  {
    deadline = Infinity,
    signal,
    pausesFirst = false,
  }: { deadline?: number; signal?: AbortSignal; pausesFirst?: boolean } = {},
) {
  const seen: ContainerStatusEvent[] = [];
  const call = { trace: newTrace(), account: 'me', token, deadline, signal };
  const onStatus = (event: ContainerStatusEvent) => seen.push(event);
  const { untilReady } = startContainerWait(context, call, {
    containerId: '18',
    ids,
    pausesFirst,
    waitTimeoutMs,
    onStatus,
  });
  return { seen, untilReady };
}

/** A clock whose sleeps take a little less or more than they should. */
function unpunctualClock(offMs: number) {
  const clock = virtualClock();
  const sleep: typeof clock.sleep = async (ms, signal) => {
    await clock.sleep(ms, signal);
    clock.advance(offMs);
  };
  return { ...clock, sleep };
}

describe('the wait for a container', () => {
  test.each([
    ['a little early', -1, [0, 999, 1999]],
    ['late', 5000, [0, 6000]],
  ])('ends with the look at its end, though the timers fire %s', async (_, offMs, times) => {
    looks('IN_PROGRESS', undefined, times.length);
    const { seen, untilReady } = wait(
      picsContext({ clock: unpunctualClock(offMs) }),
      times.length === 2 ? 3000 : 2000,
    );

    expect((await untilReady())._unsafeUnwrapErr()).toMatchObject({ name: 'ContainerNotReadyError' });
    expect(seen.map(({ elapsedMs }) => elapsedMs)).toEqual(times);
    expect((await untilReady())._unsafeUnwrapErr()).toMatchObject({ name: 'ContainerNotReadyError' });
  });

  test.each([
    ['IN_PROGRESS', 'Hold on', 'the container is not ready (IN_PROGRESS: Hold on)'],
    ['IN_PROGRESS', undefined, 'the container is not ready (IN_PROGRESS)'],
    ['ERROR', 'Error: 2207026', 'the container cannot be published (ERROR: Error: 2207026)'],
    ['EXPIRED', undefined, 'the container cannot be published (EXPIRED)'],
  ])('says what is known at %s (%j)', async (status_code, status, message) => {
    looks(status_code, status);

    expect((await wait(picsContext(), 0).untilReady())._unsafeUnwrapErr()).toMatchObject({
      name: 'ContainerNotReadyError',
      message,
      category: 'media',
      payload: { ...ids, status_code, status },
    });
  });

  test('says that the state is not known when no look was taken', async () => {
    const clock = virtualClock();
    const { untilReady } = wait(picsContext({ clock }), 9000, {
      deadline: clock.now() + 1000,
      pausesFirst: true,
    });

    expect((await untilReady())._unsafeUnwrapErr()).toMatchObject({
      message: 'the container is not ready (its state is not known)',
    });
    expect(clock.slept).toEqual([]);
  });

  test('fails as the only lookup did, and names the container', async () => {
    nock(picsGraphBase)
      .get('/18')
      .query(true)
      .reply(400, { error: { message: 'No such object', code: 100 } });

    expect((await wait(picsContext(), 0).untilReady())._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      message: 'No such object',
      ids,
      payload: ids,
    });
  });

  test('sends one request when it may look once, also where the network fails', async () => {
    nock(picsGraphBase).get('/18').query(true).replyWithError(new Error('reset'));

    expect((await wait(picsContext(), 0).untilReady())._unsafeUnwrapErr()).toMatchObject({
      name: 'TransportError',
      reason: 'network',
      payload: ids,
    });
  });

  test.each(['aborted', 'closed'])('ends as %s when it is so during the only look', async (reason) => {
    const abort = new AbortController();
    const context: PicsContext = picsContext({
      fetch: async () => {
        if (reason === 'aborted') abort.abort();
        else close(context);
        return new Promise<Response>(() => undefined);
      },
    });

    expect((await wait(context, 0, { signal: abort.signal }).untilReady())._unsafeUnwrapErr()).toMatchObject({
      name: 'TransportError',
      reason,
      payload: ids,
    });
  });
});

test('the options of a wait must be milliseconds and a function', () => {
  expect([undefined, 0, 5.5, Infinity].map(waitRules.waitTimeoutMs)).toEqual(Array(4).fill(undefined));
  expect([-1, Number.NaN, '5', null].map(waitRules.waitTimeoutMs)).toEqual(
    Array(4).fill('must be milliseconds, from 0 on'),
  );
  expect([undefined, () => 5].map(waitRules.onStatus)).toEqual([undefined, undefined]);
  expect([null, 'log'].map(waitRules.onStatus)).toEqual(['must be a function', 'must be a function']);
});
