import { describe, expect, test, vi } from 'vitest';

import type { Clock } from '../../src/core/index.ts';
import { systemClock } from '../../src/core/options/clock.ts';
import { createWriteMemory } from '../../src/core/writes/memory.ts';
import { publishPost, type PageContext } from '../../src/page/index.ts';
import { bench, tell, useRealSockets, type Bench, type Told } from './support.ts';

useRealSockets();
vi.setConfig({ maxConcurrency: 12 });

const list = { method: 'GET', path: /\/published_posts$/ } as const;

function publish(at: Bench, message: string, context: PageContext = at.context): Promise<Told> {
  return tell(publishPost(context, { pageId: at.page.id, pageToken: at.page.token, message }));
}

/** The next post is lost: before it is made, or after. */
function lose({ sandbox }: Bench, when: 'before' | 'after'): void {
  sandbox.fault({ method: 'POST', path: 'feed', drop: true, when });
}

function idsOf(at: Bench): readonly string[] {
  return at.sandbox.effects('post').map(({ id }) => id);
}

function lookups(at: Bench): number {
  return at.sent.filter((request) => /^GET .*\/published_posts$/.test(request)).length;
}

/** An equal post that another process made so long ago, by the platform's clock. */
async function makeBefore(at: Bench, message: string, agoMs: number): Promise<void> {
  const { context } = at.contexts({ memory: createWriteMemory() });
  expect((await publish(at, message, context)).said).toBe('ok');
  at.sandbox.advance(agoMs);
}

describe.concurrent('the lookups of a lost write end', () => {
  test('where the platform never responds', async ({ expect: check }) => {
    await using at = await bench();
    lose(at, 'after');
    at.sandbox.fault({ ...list, hang: true, times: Infinity });
    const begun = performance.now();
    const told = await publish(at, 'Nobody responds');

    // All of them take 10 s; without a bound, each of the four would wait for the 30 s of an attempt.
    check(performance.now() - begun).toBeLessThan(60_000);
    check([told.said, idsOf(at).length]).toEqual(['unknown', 1]);
  });

  test('where the platform throttles, each after one attempt', async ({ expect: check }) => {
    await using at = await bench();
    lose(at, 'after');
    const headers = { 'retry-after': '30' };
    at.sandbox.fault({ ...list, error: { code: 4 }, status: 403, headers, times: Infinity });
    const begun = performance.now();
    const told = await publish(at, 'Throttled');

    check(performance.now() - begun).toBeLessThan(20_000);
    check([told.said, lookups(at)]).toEqual(['unknown', 4]);
  });
});

describe.concurrent('a slow lookup', () => {
  test.for(['before', 'after'] as const)(
    'finds the own post, its time being lost %s the response',
    async (when, { expect: check }) => {
      await using at = await bench();
      lose(at, 'after');
      at.sandbox.fault({ ...list, delayMs: 2300, when, times: Infinity });
      const told = await publish(at, 'Slowly');

      check([told.said, told.value]).toEqual(['ok', { id: idsOf(at)[0] }]);
    },
  );

  test('does not take an older post', async ({ expect: check }) => {
    await using at = await bench();
    await makeBefore(at, 'Slowly', 6000);
    lose(at, 'before');
    at.sandbox.fault({ ...list, delayMs: 2300, when: 'after', times: Infinity });

    check((await publish(at, 'Slowly')).said).toBe('unknown');
  });
});

describe.concurrent('a local clock that is set while a post is lost', () => {
  const steps = [-120_000, 120_000];
  const clocks = {
    'told to the context': (now: () => number): Clock => ({ now, sleep: systemClock.sleep }),
    'with a monotonic time': (now: () => number): Clock => ({ ...systemClock, now }),
  };
  const cases = Object.entries(clocks).flatMap(([name, clockOf]) =>
    steps.map((stepMs): [string, number, (now: () => number) => Clock] => [name, stepMs, clockOf]),
  );

  /** A context whose clock steps when it sends the post. */
  function stepping(at: Bench, stepMs: number, clockOf: (now: () => number) => Clock): PageContext {
    let aheadMs = 0;
    return at.contexts({
      clock: clockOf(() => Date.now() + aheadMs),
      memory: createWriteMemory(),
      fetch: (input, init) => {
        if ((input as Request).method === 'POST') aheadMs = stepMs;
        return fetch(input, init);
      },
    }).context;
  }

  test.for(cases)('%s (%i ms) leads to no older post', async ([, stepMs, clockOf], { expect: check }) => {
    await using at = await bench();
    await makeBefore(at, 'What time is it', 90_000);
    lose(at, 'before');

    check((await publish(at, 'What time is it', stepping(at, stepMs, clockOf))).said).toBe('unknown');
  });

  test.for(cases)('%s (%i ms) hides no own post', async ([, stepMs, clockOf], { expect: check }) => {
    await using at = await bench();
    await makeBefore(at, 'What time is it', 90_000);
    lose(at, 'after');
    const told = await publish(at, 'What time is it', stepping(at, stepMs, clockOf));

    check([told.said, told.value]).toEqual(['ok', { id: idsOf(at)[1] }]);
  });
});

test("a late post of one context is not taken for another's equal lost one", async () => {
  await using at = await bench();
  at.sandbox.tune({ writes: { landAfterMs: 30_000 } });
  lose(at, 'after');
  const first = await publish(at, 'Late');
  lose(at, 'before');
  // The first one lands while the second one, which is never made, is looked up.
  const second = publish(at, 'Late', at.contexts({}).context);
  await expect.poll(() => at.sandbox.requests.filter(({ faulted }) => faulted).length).toBe(2);
  at.sandbox.advance(30_000);

  expect([first.said, (await second).said, idsOf(at).length]).toEqual(['unknown', 'unknown', 1]);
});

test('two sandboxes of equal ids, one after the other, do not stand in the way of one another', async () => {
  for (let round = 0; round < 2; round++) {
    await using at = await bench({ fetch: (input, init) => fetch(input, init) }, { seed: 7 });
    lose(at, 'after');
    const told = await publish(at, 'Twice the same world');

    expect([told.said, told.value]).toEqual(['ok', { id: idsOf(at)[0] }]);
  }
});

test('what a platform that hides its Date shows is not taken, as it may be older', async () => {
  await using at = await bench({
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const headers = new Headers(response.headers);
      headers.delete('date');
      return new Response(response.body, { status: response.status, headers });
    },
  });
  lose(at, 'after');

  expect((await publish(at, 'No date')).said).toBe('unknown');
});

describe.concurrent('a Date header that a proxy has written', () => {
  /** A context whose responses have another time than the platform, and whose local clock is right. */
  function behindProxy(at: Bench, offMs: number): PageContext {
    return at.contexts({
      memory: createWriteMemory(),
      clock: { ...systemClock, now: at.sandbox.now },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const headers = new Headers(response.headers);
        headers.set('date', new Date(at.sandbox.now() + offMs).toUTCString());
        return new Response(response.body, { status: response.status, headers });
      },
    }).context;
  }
  const halfAnHourMs = 1_800_000;

  test('leads to no older post of somebody else, which is shown as a candidate', async ({
    expect: check,
  }) => {
    await using at = await bench();
    await makeBefore(at, 'Open until nine', 600_000);
    lose(at, 'before');
    const told = await publish(at, 'Open until nine', behindProxy(at, -halfAnHourMs));

    check([told.said, idsOf(at).length]).toEqual(['unknown', 1]);
    check(Object(told.error)).toMatchObject({ payload: { candidates: idsOf(at) } });
  });

  test('that is slow hides no own post', async ({ expect: check }) => {
    await using at = await bench();
    await makeBefore(at, 'Open until nine', 600_000);
    lose(at, 'after');
    const told = await publish(at, 'Open until nine', behindProxy(at, -halfAnHourMs));

    check([told.said, told.value]).toEqual(['ok', { id: idsOf(at)[1] }]);
  });

  test('that is fast leaves the own post a candidate', async ({ expect: check }) => {
    await using at = await bench();
    lose(at, 'after');
    const told = await publish(at, 'Open until nine', behindProxy(at, halfAnHourMs));

    check(told.said).toBe('unknown');
    check(Object(told.error)).toMatchObject({ payload: { candidates: idsOf(at) } });
  });
});
