import { inspect } from 'node:util';

import { describe, expect, test, vi } from 'vitest';

import {
  type ContextOptions,
  journalState,
  type JournalStore,
  memoryJournal,
} from '../../../../src/core/index.ts';
import { publishPost } from '../../../../src/page/index.ts';
import { publish } from '../../../../src/pics/index.ts';
import { runs } from '../../../support/property.ts';
import { createWorld, leaseMs, type Machine, settleMs, type World } from './support.ts';

const message = 'Open until nine';

const calls = {
  publishPost: {
    kind: 'post',
    id: 'id',
    call: ({ context }: Machine, { page }: World) =>
      publishPost(context, { pageId: page.id, pageToken: page.token, message, idempotencyKey: 'a' }),
  },
  // Its wait renews the lease.
  publish: {
    kind: 'media',
    id: 'media_id',
    call: ({ pics }: Machine, { sandbox }: World) =>
      publish(pics, {
        token: sandbox.account.token,
        picsUserId: sandbox.account.userId,
        videoUrl: 'https://example.com/a.mp4',
        caption: message,
        idempotencyKey: 'a',
      }),
  },
} as const;

/** What a store can do instead of one of its operations. */
const faults: Readonly<Record<string, (honest: () => Promise<unknown>) => Promise<unknown>>> = {
  'rejects, and does nothing': () => Promise.reject(new Error('down')),
  'rejects, and does it': async (honest) => {
    await honest();
    throw new Error('down');
  },
  throws: () => {
    throw new Error('down');
  },
  'never responds, and does nothing': () => new Promise(() => undefined),
  'never responds, and does it': async (honest) => {
    await honest();
    return new Promise(() => undefined);
  },
  'resolves to nonsense': async () => 7,
  'says no, and does it': async (honest) => {
    await honest();
    return false;
  },
  'says no, and does nothing': async () => false,
};

/** A store in which an operation goes wrong; `isWhole` if it replaces several texts in one step. */
function badStore(
  isBad: (operation: number) => boolean,
  fault: (honest: () => Promise<unknown>) => Promise<unknown>,
  isWhole = true,
) {
  const memory = memoryJournal();
  let operations = 0;
  let isWell = false;
  const run = <T>(honest: () => Promise<T>): Promise<T> =>
    !isWell && isBad(operations++) ? (fault(honest) as Promise<T>) : honest();
  const store: JournalStore = {
    get: (key) => run(() => memory.get(key)),
    compareAndSet: (...replacement) => run(() => memory.compareAndSet(...replacement)),
    ...(isWhole && {
      compareAndSetAll: (...all) => run(async () => memory.compareAndSetAll?.(...all) ?? false),
    }),
  };
  return { store, operations: () => operations, heal: () => void (isWell = true) };
}

describe.each([
  ['publishPost', calls.publishPost, true],
  ['publishPost, one text at a time', calls.publishPost, false],
  ['publish, which waits', calls.publish, true],
] as const)('%s', (_, { call, kind, id }, isWhole) => {
  describe.each([
    ['one operation of a store', (point: number) => (operation: number) => operation === point],
    ['a store, from one operation on,', (point: number) => (operation: number) => operation >= point],
  ])('%s', (__, isBadAt) => {
    test.each(Object.entries(faults))('that %s: nothing is published twice', async (name, fault) => {
      const times: ContextOptions = name.startsWith('never') ? { timeoutMs: 100 } : {};
      // Each of those that hang takes its time.
      const stride = times.timeoutMs === undefined ? 1 : Math.ceil(4 / runs(4));
      for (let point = 0, isOver = false; !isOver; point += stride) {
        const { store, operations, heal } = badStore(isBadAt(point), fault, isWhole);
        const world = createWorld(store);
        const { sandbox } = world;
        sandbox.tune({ containers: { processingMs: 100_000 } });
        const onJournalError = vi.fn<() => void>();
        const where = `operation ${point}`;

        const first = await call(world.start(Infinity, { ...times, onJournalError }), world);
        const atFirst = sandbox.effects(kind);
        if (first.isOk()) {
          expect(first.value, where).toMatchObject({ [id]: atFirst[0]?.id });
        } else {
          expect(first.error, where).toMatchObject({ name: 'TransportError' });
          // Where a store hangs, time is short, for the platform too.
          const reasons = times.timeoutMs === undefined ? /^(?:journal|busy)$/ : /^(?:journal|busy|timeout)$/;
          expect(first.error, where).toHaveProperty('reason', expect.stringMatching(reasons));
          if (times.timeoutMs === undefined) expect(atFirst, where).toEqual([]);
        }
        isOver = operations() <= point;
        if (isOver) expect(onJournalError).not.toHaveBeenCalled();

        heal();
        for (const wait of [leaseMs + 1, settleMs + 1, settleMs + 1]) {
          sandbox.advance(wait);
          const next = await call(world.start(), world);
          if (next.isOk()) expect(next.value, where).toMatchObject({ [id]: sandbox.effects(kind)[0]?.id });
          else expect(next.error, where).toHaveProperty('outcome', 'unknown');
          expect(sandbox.effects(kind).length, where).toBeLessThanOrEqual(1);
        }
        expect(sandbox.effects(kind).length, where).toBe(1);
        expect((await call(world.start(), world)).isOk(), where).toBe(true);
      }
    });
  });
});

describe('a call that is aborted while a store replaces a text', () => {
  test.each([
    ['before', true],
    ['after', true],
    ['before', false],
    ['after', false],
  ] as const)(
    'publishes once in the end: %s each operation; several texts at once: %s',
    async (when, isWhole) => {
      for (let point = 0, isOver = false; !isOver; point++) {
        const memory = memoryJournal();
        const controller = new AbortController();
        let operations = 0;
        const run = async <T>(work: () => Promise<T>): Promise<T> => {
          const isAborted = operations++ === point;
          if (isAborted && when === 'before') controller.abort();
          const done = await work();
          if (isAborted) controller.abort();
          return done;
        };
        const world = createWorld({
          get: (key) => run(() => memory.get(key)),
          compareAndSet: (...replacement) => run(() => memory.compareAndSet(...replacement)),
          ...(isWhole && {
            compareAndSetAll: (...all) => run(async () => memory.compareAndSetAll?.(...all) ?? false),
          }),
        });
        const { sandbox, page } = world;
        const publish = (signal?: AbortSignal) =>
          publishPost(world.start().context, {
            pageId: page.id,
            pageToken: page.token,
            message,
            idempotencyKey: 'a',
            signal,
          });
        const first = await publish(controller.signal);
        isOver = operations <= point;
        const made = sandbox.effects('post').length;
        const where = `operation ${point}`;
        if (first.isErr() && 'outcome' in first.error && first.error.outcome === 'rejected')
          expect(made, where).toBe(0);
        for (const wait of [leaseMs + 1, settleMs + 1]) {
          sandbox.advance(wait);
          await publish();
        }
        expect((await publish()).isOk(), where).toBe(true);
        expect(sandbox.effects('post').length, where).toBe(1);
      }
    },
  );
});

test('what a store says of itself is left out of errors: it may hold its password', async () => {
  const password = 'hunter2hunter2';
  class PoolError extends Error {
    override readonly name = 'PoolError';
    readonly code = '28P01';
  }
  const fail = (): never => {
    throw new PoolError(`no connection to postgres://bot:${password}@db.internal/journal`, {
      cause: new Error(password),
    });
  };
  const world = createWorld({ get: fail, compareAndSet: fail });
  const machine = world.start();

  const failures = [
    (await calls.publishPost.call(machine, world))._unsafeUnwrapErr(),
    (await journalState(machine.context, 'a'))._unsafeUnwrapErr(),
  ];

  for (const failure of failures) {
    expect(failure.message).toBe('the journal failed: PoolError 28P01');
    expect([inspect(failure, { depth: 9, showHidden: true }), JSON.stringify(failure)].join()).not.toContain(
      password,
    );
  }
});

test.each([2, 3, 4])(
  'the renewal %i that fails, and is stored all the same, does not end the call',
  async (point) => {
    const { store } = badStore(
      (operation) => operation === point,
      async (honest) => {
        await honest();
        throw new Error('down');
      },
    );
    const world = createWorld(store);
    world.sandbox.tune({ containers: { processingMs: 100_000 } });
    const { call, id } = calls.publish;

    const made = await call(world.start(), world);

    expect(made._unsafeUnwrap()).toHaveProperty(id, world.sandbox.effects('media')[0]?.id);
  },
);

test.each([
  [new TypeError('secret'), 'TypeError'],
  [Object.assign(new Error('secret'), { code: 'ECONNRESET' }), 'Error ECONNRESET'],
  [{ name: 'a text that is no name', code: 7 }, 'no reason was given'],
  ['secret', 'no reason was given'],
])('what a store rejects with, %s, is told by name and code: %s', async (thrown, why) => {
  const world = createWorld(
    badStore(
      () => true,
      () => Promise.reject(thrown),
    ).store,
  );

  const error = (await calls.publishPost.call(world.start(), world))._unsafeUnwrapErr();

  expect(error.message).toBe(`the journal failed: ${why}`);
});
