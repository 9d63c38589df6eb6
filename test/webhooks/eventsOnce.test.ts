import { err, ok } from 'neverthrow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { memoryJournal } from '../../src/core/index.ts';
import { createJournal, type EventStore, eventsOnce } from '../../src/stores/index.ts';
import { createWebhookHandler, eventKey } from '../../src/webhooks/index.ts';
import { fc, runs } from '../support/property.ts';
import { appSecret, deliver, pageChanges, toWire, verifyToken } from './support.ts';

const leaseMs = 60_000;
const never = () => new Promise<never>(() => undefined);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Two machines with one store. */
function machines(store: EventStore = memoryJournal()) {
  return [eventsOnce(store), eventsOnce(store)] as const;
}

describe('an event', () => {
  test('is done once, whichever machine it comes to, until it is forgotten', async () => {
    const [one, two] = machines();
    const work = vi.fn();

    expect(await one('key', work)).toBe('done');
    expect(await two('key', work)).toBe('already');
    expect(await one('key', work)).toBe('already');
    expect(await two('another', work)).toBe('done');
    expect(work).toHaveBeenCalledTimes(2);
    vi.setSystemTime(Date.now() + 604_800_001);
    expect(await one('key', work)).toBe('done');
  });

  test('is busy while another one is at it, and is worked on by one of many at once', async () => {
    const store = memoryJournal();
    const gate = Promise.withResolvers<void>();
    const work = vi.fn(() => gate.promise);
    const outcomes = Array.from({ length: 20 }, () => eventsOnce(store)('key', work));
    await vi.advanceTimersByTimeAsync(0);
    gate.resolve();

    expect((await Promise.all(outcomes)).toSorted()).toEqual([...Array(19).fill('busy'), 'done']);
    expect(work).toHaveBeenCalledOnce();
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
    ['hands out an Err', async () => err(new Error('boom'))],
  ])('whose work %s has failed, and can be handled again at once', async (_, work) => {
    const [one, two] = machines();

    await expect(one('key', work)).rejects.toThrow('boom');
    expect(await two('key', () => ok())).toBe('done');
  });

  test('of a process that died is busy for a lease, and then handled', async () => {
    const [one, two] = machines();
    // Its process dies: it never renews anything.
    void one('key', never);
    await vi.advanceTimersByTimeAsync(0);
    vi.clearAllTimers();

    vi.setSystemTime(Date.now() + leaseMs - 1);
    expect(await two('key', () => undefined)).toBe('busy');
    vi.setSystemTime(Date.now() + 1);
    expect(await two('key', () => undefined)).toBe('done');
  });

  test('whose work is slow stays with it, for up to ten leases', async () => {
    const [one, two] = machines();
    const slow = Promise.withResolvers<void>();
    const first = one('key', () => slow.promise);
    await vi.advanceTimersByTimeAsync(9 * leaseMs);
    expect(await two('key', () => undefined)).toBe('busy');
    slow.resolve();

    expect(await first).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('whose work hangs is handled by another one after that, and only then', async () => {
    const [one, two] = machines();
    void one('key', never);
    await vi.advanceTimersByTimeAsync(10 * leaseMs);
    expect(await two('key', () => undefined)).toBe('busy');
    await vi.advanceTimersByTimeAsync(leaseMs);

    expect(await two('key', () => undefined)).toBe('done');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('stays done when one whose lease was over fails at last', async () => {
    const [one, two] = machines();
    const slow = Promise.withResolvers<void>();
    const first = one('key', () => slow.promise);
    await vi.advanceTimersByTimeAsync(0);
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + leaseMs);
    expect(await two('key', () => undefined)).toBe('done');
    slow.reject(new Error('late'));

    await expect(first).rejects.toThrow('late');
    expect(await two('key', () => undefined)).toBe('already');
  });

  test('is done when one whose lease was over ends its work first, even if the other fails then', async () => {
    const [one, two] = machines();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const earlier = one('key', () => first.promise);
    await vi.advanceTimersByTimeAsync(0);
    vi.clearAllTimers();
    vi.setSystemTime(Date.now() + leaseMs);
    const later = two('key', () => second.promise);
    await vi.advanceTimersByTimeAsync(0);
    first.resolve();
    expect(await earlier).toBe('done');
    second.reject(new Error('boom'));

    await expect(later).rejects.toThrow('boom');
    expect(await two('key', () => undefined)).toBe('already');
  });

  test('is not begun by a process that stood still while it claimed it', async () => {
    const store = memoryJournal();
    const work = vi.fn();
    const once = eventsOnce({
      ...store,
      compareAndSet: async (...replacement) => {
        const isStored = await store.compareAndSet(...replacement);
        vi.setSystemTime(Date.now() + leaseMs);
        return isStored;
      },
    });

    expect(await once('key', work)).toBe('busy');
    expect(work).not.toHaveBeenCalled();
    expect(await eventsOnce(store)('key', work)).toBe('done');
  });
});

describe('a store', () => {
  /** A store of somebody's own, with what its methods do first. */
  function storeOf(fault: (method: string) => unknown, entries = new Map<string, string>()) {
    return createJournal({
      get: async (key) => {
        await fault('get');
        return entries.get(key);
      },
      compareAndSet: async (key, expected, value) => {
        await fault('compareAndSet');
        if (entries.get(key) !== expected) return false;
        entries.set(key, value);
        await fault('stored');
        return true;
      },
    });
  }

  test('of another kind does as well', async () => {
    const [one, two] = machines(storeOf(() => undefined));

    expect(await one('key', () => undefined)).toBe('done');
    expect(await two('key', () => undefined)).toBe('already');
  });

  test.each([['compareAndSet'], ['stored'], ['get']])(
    'that fails at %s begins nothing, and loses nothing',
    async (at) => {
      let isBroken = true;
      const entries = new Map<string, string>();
      const work = vi.fn();
      const once = eventsOnce(
        storeOf((method) => {
          if (isBroken && method === at) throw Object.assign(new Error('password=x'), { code: 'ECONNRESET' });
        }, entries),
      );

      const failure: unknown = await once('key', work).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ name: 'TransportError', reason: 'journal', message: /ECONNRESET/ });
      expect(JSON.stringify(failure)).not.toContain('password');
      expect(work).not.toHaveBeenCalled();
      isBroken = false;
      vi.setSystemTime(Date.now() + leaseMs);
      expect(await once('key', work)).toBe('done');
    },
  );

  test('that hangs is given up after a lease', async () => {
    const once = eventsOnce(storeOf(never));
    const failed = expect(once('key', () => undefined)).rejects.toMatchObject({ reason: 'journal' });
    await vi.advanceTimersByTimeAsync(leaseMs);
    await failed;
  });

  test('that fails after the work is tried again, so that it is not done twice', async () => {
    let faults = 3;
    let isDone = false;
    const once = eventsOnce(
      storeOf(() => {
        if (isDone && faults-- > 0) throw new Error('away');
      }),
    );
    const outcome = once('key', () => void (isDone = true));
    await vi.advanceTimersByTimeAsync(60_000);

    expect(await outcome).toBe('done');
    expect(await once('key', () => undefined)).toBe('already');
  });

  test('that never comes back after the work rejects: nobody learns that it is done', async () => {
    let isDone = false;
    const once = eventsOnce(
      storeOf(() => {
        if (isDone) throw new Error('away');
      }),
    );
    const failed = expect(once('key', () => void (isDone = true))).rejects.toMatchObject({
      reason: 'journal',
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await failed;
  });

  const liars: readonly [string, EventStore][] = [
    ['keeps nothing', { get: async () => undefined, compareAndSet: async () => true }],
    [
      'says nothing',
      { get: async () => undefined, compareAndSet: async () => undefined as unknown as boolean },
    ],
    ['holds what nobody can read', { get: async () => '{', compareAndSet: async () => false }],
  ];

  test.each(liars)('that %s begins nothing', async (_, store) => {
    const work = vi.fn();

    await expect(eventsOnce(createJournal(store))('key', work)).rejects.toMatchObject({ reason: 'journal' });
    expect(work).not.toHaveBeenCalled();
  });

  test('that says no, but stores, counts by what it holds', async () => {
    const entries = new Map<string, string>();
    const inner = storeOf(() => undefined, entries);
    const once = eventsOnce({
      get: (key) => inner.get(key),
      compareAndSet: (...all) => inner.compareAndSet(...all).then(() => false),
    });
    const work = vi.fn(() => entries.clear());
    const outcome = once('key', work);
    await vi.advanceTimersByTimeAsync(60_000);

    expect(await outcome).toBe('done');
    expect(work).toHaveBeenCalledOnce();
  });
});

describe('a handler with eventsOnce, and a poll next to it', () => {
  const body = toWire(pageChanges({ field: 'leadgen', value: { leadgen_id: '1', created_time: 5 } }));
  const keyOfLead = async () => (await eventKey('leadgen', { accountId: '42', id: '1' }))._unsafeUnwrap();
  const handlerOf = (once: ReturnType<typeof eventsOnce>, onEvent: () => unknown) =>
    createWebhookHandler({ verifyToken, secrets: appSecret, once, onEvent });

  test('handle each event once, whoever comes first', async () => {
    const [one, two] = machines();
    const work = vi.fn();

    expect((await handlerOf(one, work)(deliver(body))).status).toBe(200);
    expect((await handlerOf(two, work)(deliver(body))).status).toBe(200);
    expect(await two(await keyOfLead(), work)).toBe('already');
    expect(work).toHaveBeenCalledOnce();
  });

  test('handle each of several equal items once, however they come again', async () => {
    const items = [
      { field: 'message_template_status_update', value: { event: 'PAUSED', message_template_id: '7' } },
      { field: 'feed', value: { item: 'comment', comment_id: '3_4', post_id: '42_3', verb: 'hide' } },
      { field: 'agent_messages', value: { text: 'Hello' } },
    ];
    const deliveries = fc
      .array(fc.constantFrom(...items), { minLength: 1, maxLength: 6 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    await fc.assert(
      fc.asyncProperty(deliveries, async ([all, again]) => {
        const [one, two] = machines();
        const fields: string[] = [];
        const options = { verifyToken, secrets: appSecret };
        const onEvent = ({ field }: { readonly field: string }) => void fields.push(field);
        for (const [once, changes] of [
          [one, all],
          [two, again],
          [one, again],
        ] as const) {
          const handler = createWebhookHandler({ ...options, once, onEvent });
          expect((await handler(deliver(toWire(pageChanges(...changes))))).status).toBe(200);
        }
        expect(fields.toSorted()).toEqual(all.map(({ field }) => field).toSorted());
      }),
      { numRuns: runs(200) },
    );
  });

  test('that is at it makes the response 503, until it is done', async () => {
    const [one, two] = machines();
    const gate = Promise.withResolvers<void>();
    const polled = two(await keyOfLead(), () => gate.promise);
    const handler = handlerOf(one, () => undefined);
    expect((await handler(deliver(body))).status).toBe(503);
    gate.resolve();
    await polled;

    expect((await handler(deliver(body))).status).toBe(200);
  });

  test('that failed leaves the event to the next delivery', async () => {
    const [one] = machines();
    const work = vi.fn().mockRejectedValueOnce(new Error('boom'));
    const handler = handlerOf(one, work);

    expect([(await handler(deliver(body))).status, (await handler(deliver(body))).status]).toEqual([
      500, 200,
    ]);
    expect(work).toHaveBeenCalledTimes(2);
  });
});

test.each([
  ['journal', undefined, {}],
  ['journal', { get: async () => undefined }, {}],
  ['leaseMs', memoryJournal(), { leaseMs: 0 }],
  ['leaseMs', memoryJournal(), { leaseMs: '60' }],
  ['ttlMs', memoryJournal(), { ttlMs: 60_000 }],
  ['ttlMs', memoryJournal(), { ttlMs: Number.NaN }],
])('cannot be made with a wrong %s', (option, journal, options) => {
  expect(() => eventsOnce(journal as EventStore, options as object)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', option }),
  );
});

test.each(['', 'x'.repeat(256), 42, 'a\0'])('rejects for an invalid key: %j', async (key) => {
  const failed = eventsOnce(memoryJournal())(key as string, () => undefined);

  await expect(failed).rejects.toMatchObject({ name: 'ConfigurationError', option: 'key' });
});

describe('a clock that is set back by hours', () => {
  const back = (hours: number): void => void vi.setSystemTime(Date.now() - hours * 3_600_000);

  test.each([1, 12])('does not block the event of a call that died: %d', async (hours) => {
    const store = memoryJournal();
    const dying = eventsOnce(store);
    void dying('key', never);
    await vi.advanceTimersByTimeAsync(0);
    // Its renewals are its own.
    vi.clearAllTimers();
    back(hours);

    expect(await dying('key', () => undefined)).toBe('busy');
    await vi.advanceTimersByTimeAsync(leaseMs + 1);
    expect(await dying('key', () => undefined)).toBe('done');
  });

  test('lets no other call of the process have the event of one at work', async () => {
    await expectHeld(eventsOnce(memoryJournal()), () => back(12));
  });

  test('blocks no event in a process that begins after that', async () => {
    const store = memoryJournal();
    void eventsOnce(store)('key', never);
    await vi.advanceTimersByTimeAsync(0);
    vi.clearAllTimers();
    back(12);

    expect(await eventsOnce(store)('key', () => undefined)).toBe('done');
  });
});

test('a clock that is set ahead by hours leaves an event to the call of this process that is at it', async () => {
  const once = eventsOnce(memoryJournal());
  void once('hung', never);
  await expectHeld(once, async () => {
    await vi.advanceTimersByTimeAsync(leaseMs / 2);
    vi.setSystemTime(Date.now() + 12 * 3_600_000);
  });
  // Work that hangs has it for ten leases, as ever.
  await vi.advanceTimersByTimeAsync(12 * leaseMs);
  expect(await once('hung', () => undefined)).toBe('done');
});

/** Expects that an event stays with the call that is at it, whatever the clock does. */
async function expectHeld(
  once: ReturnType<typeof eventsOnce>,
  setClock: () => void | Promise<void>,
): Promise<void> {
  const gate = Promise.withResolvers<void>();
  const work = vi.fn();
  const first = once('key', () => gate.promise);
  await vi.advanceTimersByTimeAsync(0);
  await setClock();
  for (let times = 0; times < 8; times++) {
    expect(await once('key', work)).toBe('busy');
    await vi.advanceTimersByTimeAsync(leaseMs / 4);
  }
  gate.resolve();
  expect(await first).toBe('done');
  expect(await once('key', work)).toBe('already');
  expect(work).not.toHaveBeenCalled();
}
