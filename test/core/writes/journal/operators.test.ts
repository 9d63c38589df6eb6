// What those see who run a journal: its open keys, and an event for each step of a call.
import { describe, expect, test } from 'vitest';

import {
  type CallEvent,
  createJournal,
  forgetKey,
  type JournalEvent,
  journalState,
  memoryJournal,
  openKeys,
  type OpenKeysOptions,
  settleKey,
} from '../../../../src/core/index.ts';
import { createPageContext, type PageContext, publishPost } from '../../../../src/page/index.ts';
import { createWorld, leaseMs, settleMs, type World } from './support.ts';

function publish(world: World, idempotencyKey: string, context: PageContext = world.start().context) {
  const { id, token } = world.page;
  return publishPost(context, { pageId: id, pageToken: token, message: idempotencyKey, idempotencyKey });
}

function lose({ sandbox }: World, when: 'before' | 'after'): void {
  sandbox.fault({ method: 'POST', when, drop: true });
}

/** A context whose journal is the store of a world as it is. */
function operatorOf({ sandbox, store }: World): PageContext {
  return createPageContext({
    appId: sandbox.app.id,
    appSecret: sandbox.app.secret,
    platform: sandbox.platform,
    clock: { now: sandbox.now, monotonic: sandbox.now, sleep: async () => undefined },
    journal: createJournal(store),
  })._unsafeUnwrap();
}

async function allOf<T>(listed: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of listed) all.push(one);
  return all;
}

async function listed(context: PageContext, options?: OpenKeysOptions) {
  const keys: Record<string, unknown> = {};
  for await (const open of openKeys(context, options)) {
    const { key, state, reason } = open._unsafeUnwrap();
    keys[key] = reason === undefined ? state : `${state}: ${reason}`;
  }
  return keys;
}

describe('openKeys', () => {
  test('lists the keys that came to no end, and why', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    expect((await publish(world, 'published')).isOk()).toBe(true);
    sandbox.fault({ method: 'POST', error: { code: 100 }, status: 400 });
    expect((await publish(world, 'rejected')).isErr()).toBe(true);
    const dead = world.start(2);
    await Promise.race([publish(world, 'interrupted', dead.context), dead.death]);
    sandbox.advance(leaseMs + 1);
    lose(world, 'before');
    expect((await publish(world, 'not found')).isErr()).toBe(true);
    expect((await publish(world, 'not found')).isErr()).toBe(true);
    lose(world, 'after');
    const repair = sandbox.fault({ method: 'GET', times: Infinity, drop: true });
    expect((await publish(world, 'no response')).isErr()).toBe(true);
    repair();
    lose(world, 'after');
    const draft = {
      pageId: page.id,
      pageToken: page.token,
      message: 'Not yet',
      draft: true,
      idempotencyKey: 'no list',
    };
    await publishPost(world.start().context, draft);
    await publishPost(world.start().context, draft);
    const holder = world.start(2);
    await Promise.race([publish(world, 'held', holder.context), holder.death]);

    const operator = operatorOf(world);
    const open = {
      interrupted: 'interrupted',
      'not found': expect.stringMatching(/^sent: not found in the list of posts \(\d+ read\)$/),
      'no response': 'sent: the list of posts could not be read',
      'no list': 'sent: no list shows it',
      held: 'held',
    };
    expect(await listed(operator)).toEqual(open);
    expect(await listed(operator, { states: ['published', 'rejected'] })).toEqual({
      published: 'published',
      rejected: 'rejected',
    });
    expect(Object.keys(await listed(operator, { limit: 2 })).length).toBe(2);
    expect(await listed(operator, { limit: 0 })).toEqual({});
  });

  test.each([
    [{ states: ['open'] }, 'states[0]'],
    [{ states: 'held' }, 'states'],
    [{ limit: -1 }, 'limit'],
    [null, 'options'],
  ])('refuses %j', async (options, option) => {
    const results = await allOf(openKeys(operatorOf(createWorld()), options as OpenKeysOptions));
    expect(results.map((result) => result._unsafeUnwrapErr())).toMatchObject([
      { name: 'ConfigurationError', option, operation: 'openKeys' },
    ]);
  });

  test('waits for a store no longer than a call may take', async () => {
    const list = () => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
    });
    const journal = createJournal({ ...memoryJournal(), list });
    const options = { appId: '1', appSecret: 's'.repeat(32), journal, deadlineMs: 20 };
    const [result] = await allOf(openKeys(createPageContext(options)._unsafeUnwrap()));

    expect(result?._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'journal' });
  });

  test('needs a journal that can list', async () => {
    const world = createWorld();
    const none = createPageContext({ appId: '1', appSecret: 's'.repeat(32) })._unsafeUnwrap();
    for (const [context, message] of [
      [world.start().context, 'journal cannot list its keys'],
      [none, 'this needs a journal in the context'],
    ] as const) {
      const results = await allOf(openKeys(context));
      expect(results.map((result) => result._unsafeUnwrapErr())).toMatchObject([
        { name: 'ConfigurationError', option: 'journal', operation: 'openKeys', message },
      ]);
    }
  });

  test('takes a listing that cannot be ended early', async () => {
    const next = async () => ({ done: true, value: undefined }) as const;
    const list = () => ({ [Symbol.asyncIterator]: () => ({ next }) });
    const world = createWorld({ ...memoryJournal(), list });

    expect(await listed(operatorOf(world))).toEqual({});
  });

  test('tells what cannot be read and goes on, and ends where the store fails', async () => {
    const memory = memoryJournal();
    const rowsOf = memory.list as NonNullable<typeof memory.list>;
    const world = createWorld({
      ...memory,
      list: async function* (query) {
        yield* rowsOf(query);
        throw Object.assign(new Error('postgres://user:password@host'), { code: 'ECONNRESET' });
      },
    });
    const lost = world.start(2);
    await Promise.race([publish(world, 'a', lost.context), lost.death]);
    const [row] = await allOf(rowsOf({ prefix: '', without: '\u0001' }));
    await memory.compareAndSet(`${row?.[0]}`.replace(/a$/, 'broken'), undefined, '{}', 60_000);

    const results = await allOf(openKeys(operatorOf(world)));

    const call = { operation: 'openKeys', callId: expect.any(String) };
    expect(results.map((result) => (result.isOk() ? result.value.key : result.error))).toMatchObject([
      'a',
      { ...call, reason: 'journal', message: 'the journal failed: an entry cannot be read' },
      { ...call, reason: 'journal', message: 'the journal failed: Error ECONNRESET' },
    ]);
  });
});

test('no call begins before keys and options are checked', async () => {
  const calls: CallEvent[] = [];
  const { context } = createWorld().start(Infinity, { onCallStart: (event) => calls.push(event) });
  const [listed] = await allOf(openKeys(context, { limit: -1 }));
  const results = [
    listed,
    await journalState(context, ''),
    await settleKey(context, '', 'rejected'),
    await forgetKey(context, ''),
  ];
  for (const result of results) expect(result?._unsafeUnwrapErr()).not.toHaveProperty('callId');
  expect(calls).toEqual([]);
});

test.each([
  ['journalState', (context: PageContext) => journalState(context, 'k')],
  ['settleKey', (context: PageContext) => settleKey(context, 'k', 'rejected')],
  ['forgetKey', (context: PageContext) => forgetKey(context, 'k')],
])('%s needs a journal', async (operation, operate) => {
  const context = createPageContext({ appId: '1', appSecret: 's'.repeat(32) })._unsafeUnwrap();

  expect((await operate(context))._unsafeUnwrapErr()).toMatchObject({
    name: 'ConfigurationError',
    option: 'idempotencyKey',
    message: expect.stringContaining('idempotencyKey needs a journal in the context'),
    operation,
  });
});

describe('onJournal', () => {
  test('tells each step of a call with a key', async () => {
    const world = createWorld();
    let events: JournalEvent[] = [];
    const calls: CallEvent[] = [];
    const told = async (work: (context: PageContext) => ReturnType<typeof publish>) => {
      events = [];
      await work(
        world.start(Infinity, {
          onCallStart: (event) => calls.push(event),
          onJournal: (event) => {
            events.push(event);
            throw new Error('changes nothing');
          },
        }).context,
      );
      const call = calls.at(-1);
      expect(events.map(({ event }) => ({ ...call, event, key: 'a' }))).toEqual(events);
      return events.map(({ event }) => event);
    };
    lose(world, 'before');
    const repair = world.sandbox.fault({ method: 'GET', times: Infinity, drop: true });
    expect(await told((context) => publish(world, 'a', context))).toEqual(['claimed', 'sent', 'unknown']);
    repair();
    const dead = world.start(4);
    await Promise.race([publish(world, 'a', dead.context), dead.death]);
    expect(await told((context) => publish(world, 'a', context))).toEqual(['busy']);
    world.sandbox.advance(leaseMs);
    // The first response tells the platform's time, from which a request of unknown time is waited for.
    expect(await told((context) => publish(world, 'a', context))).toEqual(['resumed', 'unknown']);
    world.sandbox.advance(settleMs);
    expect(await told((context) => publish(world, 'a', context))).toEqual(['resumed', 'sent', 'published']);
    expect(await told((context) => publish(world, 'a', context))).toEqual(['found']);
    expect(world.sandbox.effects('post').length).toBe(1);
  });

  test('tells what a lookup found', async () => {
    const world = createWorld();
    const events: string[] = [];
    lose(world, 'after');
    const repair = world.sandbox.fault({ method: 'GET', times: Infinity, drop: true });
    await publish(world, 'a');
    repair();
    const { context } = world.start(Infinity, { onJournal: ({ event }) => events.push(event) });
    expect((await publish(world, 'a', context)).isOk()).toBe(true);
    expect((await publish(world, 'b', context)).isOk()).toBe(true);
    expect(events).toEqual(['resumed', 'found', 'claimed', 'sent', 'published']);
  });
});

test.each([
  ['journalState', journalState],
  ['forgetKey', forgetKey],
  ['settleKey', (context: PageContext) => settleKey(context, 'key', 'rejected')],
])('%s names itself, and a context that is none', async (operation, ask) => {
  const result = createPageContext({ appId: '1', appSecret: 's'.repeat(32), journal: memoryJournal() });

  const error = (await ask(result as never, 'key'))._unsafeUnwrapErr();
  expect(error).toMatchObject({ name: 'ConfigurationError', operation, option: 'context' });
});

test.each([[undefined], [null], [{}], [{ get: async () => undefined }]])('%j is no store', (store) => {
  expect(() => createJournal(store as never)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', option: 'store' }),
  );
});
