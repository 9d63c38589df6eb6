import { afterEach, describe, expect, test, vi } from 'vitest';

import { close } from '../../src/core/client.ts';
import { withOptions } from '../../src/core/context.ts';
import { systemClock } from '../../src/core/options/clock.ts';
import { memoryJournal } from '../../src/core/writes/journal/createJournal.ts';
import { createGovernor, type GovernorOptions, limits, type LimitState } from '../../src/governor/index.ts';
import { conversations } from '../../src/page/inbox.ts';
import { me } from '../../src/page/tokens.ts';
import { hashtagId } from '../../src/pics/hashtags.ts';
import { media } from '../../src/pics/media.ts';
import { json, refusal, requestsTo, type Step, stubFetch } from '../core/stub.ts';
import { pageContext, picsPageContext, token } from '../support/context.ts';
import { fakeTimers } from '../support/timers.ts';
import { handClock } from './support.ts';

type Store = NonNullable<GovernorOptions['store']>;

const person = { id: '1', name: 'Ada' };
const used = (percent: number) =>
  json(person, 200, { 'x-app-usage': JSON.stringify({ call_count: percent }) });

/** Headers that say how much of a Page's limit is used, and for how many minutes it is blocked. */
const pageUsage = (call_count: number, estimated_time_to_regain_access = 0) => ({
  'x-business-use-case-usage': JSON.stringify({
    '42': [{ type: 'pages', call_count, estimated_time_to_regain_access }],
  }),
});

afterEach(() => void vi.useRealTimers());

/** A machine of a fleet, whose clock is ahead by some milliseconds. */
function machine(store: Store, options: GovernorOptions = {}, aheadMs = 0, step = used(80)) {
  const clock = handClock(Date.UTC(2026, 0, 2) + aheadMs);
  const fetch = stubFetch(step);
  const errors: unknown[] = [];
  const governor = createGovernor({ store, onStoreError: (error) => errors.push(error), ...options });
  const context = pageContext({ clock, fetch, governor, retry: { attempts: 1 } });
  return {
    clock,
    fetch,
    errors,
    context,
    call: () => me(context, { token }),
    sent: () => requestsTo(fetch).length,
  };
}

/** A journal whose operations and texts are recorded. */
function watched(store: Store = memoryJournal()) {
  const reads: string[] = [];
  const writes: { readonly key: string; readonly value: string; readonly ttlMs: number }[] = [];
  const recorded: Store = {
    get: (key) => {
      reads.push(key);
      return store.get(key);
    },
    compareAndSet: (key, expected, value, ttlMs) => {
      writes.push({ key, value, ttlMs });
      return store.compareAndSet(key, expected, value, ttlMs);
    },
    ...(store.list && { list: store.list }),
  };
  return { store: recorded, reads, writes };
}

/** Lets work in the background finish. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

describe('machines that share a store', () => {
  test('know what another one learned, from their first call on', async () => {
    const store = memoryJournal();
    const one = machine(store);
    await one.call();
    await settle();
    one.clock.advance(1000);
    await one.call();
    await settle();

    const told: LimitState[] = [];
    const other = machine(store, { onChange: (limit) => told.push(limit) });
    expect((await other.call())._unsafeUnwrapErr()).toMatchObject({
      name: 'RateLimitError',
      limit: { kind: 'app', id: 'app-id', percent: 80 },
    });
    expect(other.sent()).toBe(0);
    expect(told).toMatchObject([{ kind: 'app', percent: 80 }]);
  });

  test.each([-4000, 0, 4000])(
    'wait for the end of a block, if their clocks differ by %i ms',
    async (aheadMs) => {
      const store = memoryJournal();
      const one = machine(store, {}, 0, refusal(17));
      await one.call();
      await one.call();
      await settle();
      const other = machine(store, {}, aheadMs);
      const held = (await other.call())._unsafeUnwrapErr();

      expect(held).toMatchObject({ limit: { kind: 'user', percent: 100 } });
      const { retryAfterMs = 0 } = held as { readonly retryAfterMs?: number };
      // Never too early, and no more than ten seconds late.
      expect(retryAfterMs).toBeGreaterThanOrEqual(60_000);
      expect(retryAfterMs).toBeLessThan(70_000);
    },
  );

  test.each([0, 700, 5000])(
    'keep to a block of three minutes, clocks %i ms apart, and one call of all probes after it',
    { tags: 'long' },
    async (apartMs) => {
      const store = memoryJournal();
      const sent: number[] = [];
      let time = 0;
      let isOver = false;
      const step: Step = (...sending) => {
        sent.push(time);
        const minutes = sent.length === 1 ? 3 : 1;
        return (isOver ? used(10) : refusal(80001, { headers: pageUsage(100, minutes) }))(...sending);
      };
      const fleet = Array.from({ length: 5 }, (_, at) =>
        machine(store, { lanes: { read: 100 } }, (at / 4 - 0.5) * apartMs, step),
      );
      /** All of them call, some more often than others. */
      const pass = async (ms: number): Promise<void> => {
        for (const end = time + ms; time < end; time += 100) {
          for (const [at, one] of fleet.entries()) {
            if (time % (100 + 300 * at) === 0) void one.call();
            one.clock.advance(100);
          }
          await settle();
        }
      };
      // Who learns of the block has the fastest clock, or the slowest.
      await fleet[apartMs > 1000 ? 4 : 0]?.call();
      await settle();
      expect(sent).toEqual([0]);
      await pass(179_900);
      expect(sent).toEqual([0]);
      await pass(10_100);
      expect(sent).toHaveLength(2);
      await pass(49_000);
      expect(sent).toHaveLength(2);
      isOver = true;
      await pass(20_000);
      expect(sent.length).toBeGreaterThan(50);
    },
  );

  test('read and write a limit once in syncMs, whatever the number of calls', async () => {
    const { store, reads, writes } = watched();
    const { call, clock } = machine(store, { lanes: { read: 100 } }, 0, used(10));
    for (let tick = 0; tick < 60; tick++) {
      if (tick === 10) reads.length = writes.length = 0;
      clock.advance(200);
      await Promise.all(Array.from({ length: 4 }, call));
      await settle();
    }

    expect(reads.length).toBeLessThanOrEqual(11);
    expect(writes.length).toBeLessThanOrEqual(11);
  });

  test('read and write a rate of two calls in a second once in syncMs', async () => {
    const { store, reads, writes } = watched();
    const clock = handClock();
    const fetch = stubFetch(json({ data: [] }));
    const context = pageContext({ clock, fetch, governor: createGovernor({ store }) });
    for (let tick = 0; tick < 200; tick++) {
      clock.advance(100);
      await conversations(context, { pageId: '42', pageToken: token });
      await settle();
    }

    expect(requestsTo(fetch).length).toBeGreaterThanOrEqual(36);
    expect(reads.filter((key) => !key.includes(' token ')).length).toBeLessThanOrEqual(21);
    expect(writes.length).toBeLessThanOrEqual(21);
  });

  test('hold no account for another one that is used up', async () => {
    const store = memoryJournal();
    const headers = (id: string, percent: number, minutes: number) => ({
      'x-business-use-case-usage': JSON.stringify({
        [id]: [{ type: 'instagram', call_count: percent, estimated_time_to_regain_access: minutes }],
      }),
    });
    const open = (step: Step) => {
      const governor = createGovernor({ store });
      const context = picsPageContext({
        fetch: stubFetch(step),
        clock: handClock(),
        governor,
        retry: { attempts: 1 },
      });
      return (picsUserId: string) => media(context, { token, picsUserId });
    };
    await open(refusal(80002, { headers: headers('17841', 100, 180) }))('17841');
    const read = open(json({ data: [] }, 200, headers('17842', 3, 0)));

    expect((await read('17841'))._unsafeUnwrapErr()).toMatchObject({ limit: { id: '17841', percent: 100 } });
    expect((await read('17842')).isOk()).toBe(true);
    expect((await read('17842')).isOk()).toBe(true);
  });

  test('leave no timer when a context is closed, though the store hangs', async () => {
    fakeTimers();
    const never = () => new Promise<never>(() => {});
    const { call, context, errors } = machine({ get: never, compareAndSet: never });
    const calls = [call(), call()];
    while (vi.getTimerCount() < 2) await settle();
    close(context);
    for (const called of calls) expect(await called).toMatchObject({ error: { reason: 'closed' } });
    await settle();

    expect([vi.getTimerCount(), errors]).toEqual([0, []]);
  });

  test('leave no timer, though there is news that the store will be told later', async () => {
    fakeTimers();
    const { store, writes } = watched();
    const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 2), monotonic: () => 1000 };
    const governor = createGovernor({ store, syncMs: 2 ** 31 - 1 });
    const context = pageContext({ clock, fetch: stubFetch(used(10), used(20)), governor });
    for (let call = 0; call < 3; call++) expect((await me(context, { token })).isOk()).toBe(true);
    await settle();
    expect([vi.getTimerCount(), writes.at(-1)?.value]).toEqual([0, expect.stringContaining('"percent":10')]);
    expect((await limits(context))._unsafeUnwrap()).toMatchObject([{ percent: 20 }]);

    expect(writes.at(-1)?.value).toContain('"percent":20');
    close(context);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('store small entries without a token, which end by themselves', async () => {
    const { store, reads, writes } = watched();
    const { call, clock } = machine(store);
    for (let second = 0; second < 3; second++) {
      await call();
      await settle();
      clock.advance(1000);
    }

    const texts = [...reads, ...writes.flatMap(({ key, value }) => [key, value])].join('\n');
    expect(texts).not.toContain(token);
    expect(Math.max(...writes.map(({ value }) => value.length))).toBeLessThan(400);
    expect(Math.max(...writes.map(({ ttlMs }) => ttlMs))).toBeLessThanOrEqual(7 * 86_400_000);
    expect(writes.length).toBeGreaterThan(1);
  });

  test.each([-1, 1])('survive that a clock is set by %i hours', async (hours) => {
    const store = memoryJournal();
    const [one, other] = [machine(store, {}, 0, used(10)), machine(store, {}, 0, used(10))];
    for (let second = 0; second < 30; second++) {
      if (second === 10) one.clock.set(hours * 3_600_000);
      expect([(await one.call()).isOk(), (await other.call()).isOk()]).toEqual([true, true]);
      await settle();
      for (const { clock } of [one, other]) clock.advance(1000);
    }

    expect(other.sent()).toBe(30);
  });

  test.each([-1, 1])('end a block though a clock is %i hours wrong', { tags: 'long' }, async (hours) => {
    const store = memoryJournal();
    let time = 0;
    const sent: number[] = [];
    const step: Step = (...sending) => {
      sent.push(time);
      return (time < 60_000 ? refusal(17) : used(10))(...sending);
    };
    const [one, wrong] = [machine(store, {}, 0, step), machine(store, {}, hours * 3_600_000, step)];
    for (; time < 300_000; time += 1000) {
      await one.call();
      await wrong.call();
      await settle();
      for (const { clock } of [one, wrong]) clock.advance(1000);
    }

    // A clock that is wrong ends it too early, but rarely.
    expect(sent.filter((at) => at < 60_000).length).toBeLessThan(8);
    expect(one.sent()).toBeGreaterThan(50);
    expect(wrong.sent()).toBeGreaterThan(50);
  });

  test('go by what others learned while a process was suspended for an hour', async () => {
    const store = memoryJournal();
    const [one, other] = [machine(store, {}, 0, used(10)), machine(store, {}, 0, used(80))];
    for (const { call } of [one, other]) await call();
    await settle();
    for (const { clock } of [one, other]) clock.advance(3_700_000);
    expect((await other.call()).isOk()).toBe(true);
    await settle();

    expect((await one.call())._unsafeUnwrapErr()).toMatchObject({ limit: { percent: 80 } });
    expect(one.sent()).toBe(1);
  });

  test('share a store and no limit, if they are of two apps', async () => {
    const store = memoryJournal();
    const one = machine(store, {}, 0, used(99));
    const clock = handClock();
    const fetch = stubFetch(used(10));
    const other = pageContext({ appId: 'other', clock, fetch, governor: createGovernor({ store }) });
    for (let second = 0; second < 3; second++) {
      await one.call();
      expect((await me(other, { token })).isOk()).toBe(true);
      await settle();
      one.clock.advance(1000);
      clock.advance(1000);
    }

    expect(await limits(other)).toMatchObject({ value: [{ kind: 'app', id: 'other', percent: 10 }] });
  });

  test('are asked for the limits of the context only', async () => {
    const { store, reads } = watched();
    const clock = handClock();
    const options = { clock, fetch: stubFetch(used(10)), governor: createGovernor({ store }) };
    const [one, other] = [
      pageContext({ ...options, appId: 'one' }),
      pageContext({ ...options, appId: 'other' }),
    ];
    await me(one, { token });
    await me(other, { token });
    await settle();
    clock.advance(1000);
    reads.length = 0;

    expect(await limits(one)).toMatchObject({ value: [{ kind: 'app', id: 'one' }] });
    expect(reads).toEqual([expect.stringMatching(/ app one$/)]);
  });

  test('may be governors of one process', async () => {
    const store = memoryJournal();
    const fetch = stubFetch(used(80));
    const clock = handClock();
    const [one, other] = [1, 2].map(() => pageContext({ clock, fetch, governor: createGovernor({ store }) }));
    if (one === undefined || other === undefined) throw new Error('there are two');
    await me(one, { token });
    await settle();
    clock.advance(1000);
    await me(one, { token });
    await settle();

    expect((await me(other, { token })).isErr()).toBe(true);
  });

  test('drop those from entries who are gone', async () => {
    const { store, writes } = watched();
    for (let restart = 0; restart < 100; restart++) {
      const { call, clock } = machine(store, {}, restart * 5000, used(10));
      for (let time = 0; time < 2; time++) {
        await call();
        await settle();
        clock.advance(1000);
      }
    }

    expect(writes.length).toBeGreaterThan(100);
    const names = writes.map(({ value }) => Object.keys(Object(JSON.parse(value)).names ?? {}).length);
    expect(Math.max(...names)).toBeLessThan(12);
    expect(Math.max(...writes.map(({ value }) => value.length))).toBeLessThan(1000);
  });

  test('tell what they know of limits that this process never met', async () => {
    const store = memoryJournal();
    const one = machine(store);
    await one.call();
    await one.call();
    await settle();

    expect(await limits(machine(store).context)).toMatchObject({ value: [{ kind: 'app', percent: 80 }] });
  });
});

const broken: Readonly<Record<string, Store>> = {
  'that rejects': {
    get: () => Promise.reject(new Error('down')),
    compareAndSet: () => Promise.reject(new Error('down')),
  },
  'that throws': {
    get: () => {
      throw new Error('down');
    },
    compareAndSet: () => {
      throw new Error('down');
    },
  },
  'that cannot write': {
    get: async () => undefined,
    compareAndSet: () => Promise.reject(new Error('read-only')),
  },
  'that gives what is no text': {
    // Stores of others may do anything.
    get: async () => 5 as unknown as string,
    compareAndSet: async () => true,
  },
  'that does not say whether it stored': {
    get: async () => undefined,
    compareAndSet: async () => 'OK' as unknown as boolean,
  },
};

describe('a store', () => {
  test('that comes back is told what a response said while it was asked', async () => {
    const { store } = watched();
    let [percent, answer, isAway] = [10, Promise.resolve(), false];
    const get: Store['get'] = async (key) => {
      if (isAway) throw new Error('down');
      await answer;
      return store.get(key);
    };
    const respond: Step = (...sending) => used(percent)(...sending);
    const { call, clock } = machine({ ...store, get }, {}, 0, respond);
    await call();
    await settle();
    clock.advance(10_000);
    isAway = true;
    await call();
    await settle();
    clock.advance(6000);
    // It is asked again, and responds only after two further calls.
    isAway = false;
    const gate = Promise.withResolvers<void>();
    answer = gate.promise;
    await call();
    percent = 80;
    await call();
    await settle();
    gate.resolve();
    await settle();

    const other = machine(store, {}, 16_000);
    expect((await other.call())._unsafeUnwrapErr()).toMatchObject({ limit: { percent: 80 } });
  });

  test('that lists any number of limits makes a process remember a thousand', async () => {
    let listed = 0;
    const list: Store['list'] = async function* ({ prefix }) {
      for (; listed < 3000; listed++)
        yield [`${prefix}pages ${listed}`, JSON.stringify({ percent: 10, at: Date.UTC(2026, 0, 2) })];
    };
    const { context } = machine({ ...memoryJournal(), list });

    expect((await limits(context))._unsafeUnwrap()).toHaveLength(1000);
    expect(listed).toBeLessThan(1010);
  });

  test.each(Object.entries(broken))(
    '%s is told of, and the process goes by what it knows',
    async (_, store) => {
      const { call, errors, sent } = machine(store);
      expect((await call()).isOk()).toBe(true);
      await settle();
      expect((await call()).isErr()).toBe(true);
      await settle();

      expect(sent()).toBe(1);
      expect(errors.length).toBeGreaterThan(0);
    },
  );

  test('that is cut off with another request holds a call for a tenth of a second at most, by a timer of its own', async () => {
    fakeTimers();
    const { store } = watched();
    const never = new Promise<never>(() => undefined);
    let isCut = false;
    const get: Store['get'] = (key) => (isCut ? never : store.get(key));
    const { call, clock, sent } = machine({ ...store, get }, {}, 0, used(10));
    for (let time = 0; time < 2; time++) {
      await call();
      await settle();
      clock.advance(10_000);
    }
    isCut = true;
    void call();
    await settle();
    expect(sent()).toBe(2);
    // In a Worker, whatever a request has begun dies with it, timers included.
    vi.clearAllTimers();
    isCut = false;

    const later = call();
    await settle();
    expect(sent()).toBe(2);
    await vi.advanceTimersByTimeAsync(99);
    expect(sent()).toBe(2);
    clock.advance(100);
    await vi.advanceTimersByTimeAsync(10);
    expect((await later).isOk()).toBe(true);
    clock.advance(10_000);
    expect((await call()).isOk()).toBe(true);
  });

  test('that hangs holds a call for a second at most, and the later ones not at all', async () => {
    fakeTimers();
    let asked = 0;
    const never = () => new Promise<never>(() => void asked++);
    const { call, clock, errors, sent } = machine({ get: never, compareAndSet: never }, {}, 0, used(10));
    const first = call();
    while (asked === 0) await settle();
    await vi.advanceTimersByTimeAsync(999);
    expect(sent()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect((await first).isOk()).toBe(true);
    expect((await call()).isOk()).toBe(true);

    expect(errors).toMatchObject([{ name: 'TimeoutError' }]);
    clock.advance(6000);
    // It is asked again, and no call waits for that.
    const before = asked;
    expect((await call()).isOk()).toBe(true);
    expect(asked).toBeGreaterThan(before);
    await vi.advanceTimersByTimeAsync(2000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['no JSON', '{'],
    ['something else', '{"a":1}'],
    ['null', 'null'],
    [
      'numbers that are none',
      '{"percent":"x","at":null,"until":{},"minutes":[["y"]],"leases":[5],"costs":{}}',
    ],
    ['what a journal keeps', '{"v":1,"state":"sending","ids":{}}'],
    ['the limits of a token', '{"-1":["app app-id"]}'],
    ['lists in lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['what an earlier version wrote', '[[1767312000000,99,-1],5,1000,["z",1],[],1,{},[]]'],
    [
      'a limit that is used up for ever',
      '{"percent":1e300,"at":1e300,"seq":1e300,"until":1e300,"lasts":1e300,"by":"z","tries":1e300,"wary":1e300,"leases":{"z":[1e300,1e300,1e300]}}',
    ],
    [
      'one that nobody may use',
      `{"percent":99,"at":${Date.UTC(2026, 0, 2)},"costs":[100,100,100],"wary":1e15,"leases":{"z":[1e9,${Date.UTC(2026, 0, 2)},0]}}`,
    ],
    ['what was written in the future', '{"percent":99,"at":9e15,"minutes":[9e15,[5]],"hours":[9e15,[5]]}'],
    [
      'what is no number',
      '{"percent":1e999,"at":-1e999,"until":1e999,"lasts":1e999,"leases":{"z":[1e999,1e999,1e999]}}',
    ],
  ])('that holds %s blocks nobody for ever', async (_, text) => {
    const rows = new Map<string, string>();
    const { call, clock, errors, sent } = machine(
      {
        // It lies about each limit, whatever was stored.
        get: async (key) => (key.includes(' token ') ? rows.get(key) : text),
        compareAndSet: async (key, _expected, value) => Boolean(rows.set(key, value)),
      },
      {},
      0,
      used(10),
    );
    let isLetThrough = false;
    for (let time = 0; time < 150 && !(isLetThrough && sent() > 1); time++) {
      isLetThrough = (await call()).isOk();
      await settle();
      clock.advance(600_000);
    }

    expect(sent()).toBeGreaterThan(1);
    expect(errors).toEqual([]);
  });

  test.each([
    '{"percent":"99","at":"x","until":"never","calls":7,"names":[1]}',
    '{"percent":null,"at":null,"until":null,"tries":null,"calls":null}',
    '{"percent":99,"at":"now","until":"9e99"}',
    '{"percent":1e300,"until":1e300,"version":-1,"calls":[0,["x"]]}',
  ])('whose entry is %s does not refuse the next call', async (text) => {
    const { store } = watched({
      get: async (key) => (key.includes(' token ') ? '{"names":{"app app-id":9e15}}' : text),
      compareAndSet: async () => true,
    });
    const { call, sent } = machine(store, {}, 0, used(10));
    expect((await call()).isOk()).toBe(true);
    expect(sent()).toBe(1);
  });

  test('that says it stored, and did not, takes nothing away from what was counted', async () => {
    const store: Store = { get: async () => undefined, compareAndSet: async () => true };
    const clock = handClock();
    const fetch = stubFetch(json({ data: [{ id: '7' }] }));
    const context = picsPageContext({ fetch, clock, governor: createGovernor({ store }) });
    const ask = (name: string) => hashtagId(context, { token, picsUserId: '9', name });
    for (let tag = 0; tag < 30; tag++) {
      expect((await ask(`tag${tag}`)).isOk()).toBe(true);
      await settle();
    }

    expect((await ask('another'))._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'hashtags' } });
  });

  test('that tells each process something else at each reading blocks nobody for ever', async () => {
    let reading = 0;
    const store: Store = {
      get: async (key) => {
        const at = Date.UTC(2026, 0, 2) + reading++;
        const [until, lasts] = reading % 2 ? [1e300, 1e300] : [0, 0];
        return key.includes(' token ')
          ? undefined
          : JSON.stringify({ percent: reading % 1000, at, seq: reading, until, lasts, by: 'z' });
      },
      compareAndSet: async () => true,
    };
    const { call, clock, sent } = machine(store, {}, 0, used(10));
    for (let time = 0; time < 500; time++) {
      await call();
      await settle();
      clock.advance(600_000);
    }

    expect(sent()).toBeGreaterThan(1);
  });

  test('that lists a thousand limits of a token adds no more than a few to its calls', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => `pages ${at}`);
    const { store, reads } = watched({
      get: async (key) => (key.includes(' token ') ? JSON.stringify({ '-1': names }) : undefined),
      compareAndSet: async () => true,
    });
    expect((await machine(store, {}, 0, used(10)).call()).isOk()).toBe(true);
    expect(reads.length).toBeLessThan(70);
  });

  test('that hangs holds no call beyond its deadline, nor after it was aborted', async () => {
    const never = () => new Promise<never>(() => {});
    const governor = createGovernor({ store: { get: never, compareAndSet: never } });
    const fetch = stubFetch(used(10));
    const begun = performance.now();
    const inTime = pageContext({ fetch, governor, deadlineMs: 50 });
    expect(await me(inTime, { token })).toMatchObject({ error: { reason: 'timeout', outcome: 'rejected' } });
    const context = pageContext({ fetch, governor });
    const signal = AbortSignal.timeout(20);
    expect(await me(context, { token, signal })).toMatchObject({ error: { reason: 'aborted' } });
    expect(await me(context, { token, signal })).toMatchObject({ error: { reason: 'aborted' } });
    expect(performance.now() - begun).toBeLessThan(800);
    expect(requestsTo(fetch)).toEqual([]);
  });

  test('that is asked when the deadline has passed sets no timer to less than nothing', async () => {
    let ahead = 0;
    const clock = { ...systemClock, monotonic: () => performance.now() + ahead };
    const get = () => {
      ahead = 100;
      return new Promise<never>(() => {});
    };
    const governor = createGovernor({ store: { get, compareAndSet: get } });
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    try {
      const context = pageContext({ fetch: stubFetch(used(10)), clock, governor, deadlineMs: 50 });
      expect(await me(context, { token })).toMatchObject({ error: { reason: 'timeout' } });
      expect(ahead).toBe(100);
      expect(setTimer.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms < 0)).toEqual([]);
    } finally {
      setTimer.mockRestore();
    }
  });

  test('that responds after a context was closed changes nothing', async () => {
    const responses: (() => void)[] = [];
    const store: Store = {
      get: () => new Promise((resolve) => responses.push(() => resolve(undefined))),
      compareAndSet: async () => true,
    };
    const { call, context, errors, sent } = machine(store);
    const called = call();
    while (responses.length === 0) await settle();
    close(context);
    for (const respond of responses) respond();

    expect((await called)._unsafeUnwrapErr()).toMatchObject({ reason: 'closed' });
    await settle();
    expect([sent(), errors]).toEqual([0, []]);
  });

  test('that forgets changes nothing for a process that knows', async () => {
    const { call, clock, sent } = machine({ get: async () => undefined, compareAndSet: async () => true });
    await call();
    for (let second = 0; second < 3; second++) {
      expect((await call()).isErr()).toBe(true);
      await settle();
      clock.advance(300);
    }

    expect(sent()).toBe(1);
  });

  test('that is slow to let a call try after a block: the call goes first, and one that came meanwhile follows', async () => {
    const memory = memoryJournal();
    let answer = Promise.resolve();
    const store: Store = {
      get: (key) => memory.get(key),
      compareAndSet: async (...replacement) => {
        await answer;
        return memory.compareAndSet(...replacement);
      },
    };
    let headers = pageUsage(100, 1);
    const respond: Step = (...sending) => json(person, 200, headers)(...sending);
    const { context, clock, call, sent } = machine(store, { maxWaitMs: 60_000 }, 0, respond);
    await call();
    headers = pageUsage(10);
    clock.advance(61_000);
    const gate = Promise.withResolvers<void>();
    answer = gate.promise;
    const lanes = (['background', 'publish'] as const).map((lane) =>
      withOptions(context, { lane })._unsafeUnwrap(),
    );
    const calls = [];
    for (const lane of lanes) {
      calls.push(me(lane, { token }));
      await settle();
    }
    expect(sent()).toBe(1);

    gate.resolve();
    await settle();
    expect(sent()).toBe(2);
    clock.advance(1000);
    await settle();
    expect(sent()).toBe(3);
    expect((await Promise.all(calls)).map((one) => one.isOk())).toEqual([true, true]);
  });

  test('that never lets anybody write is told of, and is no obstacle, not even after a block', async () => {
    const { call, clock, sent, errors } = machine(
      { get: async () => undefined, compareAndSet: async () => false },
      { lanes: { read: 100 } },
      0,
      (...sending) => (sent() > 5 ? refusal(17) : used(50))(...sending),
    );
    for (let second = 0; second < 80; second++) {
      expect((await call()).isOk()).toBe(sent() < 6);
      await settle();
      clock.advance(1000);
    }

    // Five and the first one that was refused; and one that tried a minute later.
    expect(sent()).toBe(7);
    expect(errors).toContainEqual(new Error('compareAndSet did not store in 5 attempts'));
  });

  test('that fails fails limits with a TransportError, and nothing else', async () => {
    const { context, call } = machine({
      ...broken['that rejects'],
      list: () => {
        throw new Error('down');
      },
    } as Store);

    expect((await call()).isOk()).toBe(true);
    expect((await limits(context))._unsafeUnwrapErr()).toMatchObject({
      name: 'TransportError',
      reason: 'journal',
    });
  });
});
