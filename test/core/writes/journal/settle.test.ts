import { describe, expect, test } from 'vitest';

import {
  createJournal,
  forgetKey,
  journalState,
  memoryJournal,
  settleKey,
} from '../../../../src/core/index.ts';
import { type PageContext, publishPost, sendMessage } from '../../../../src/page/index.ts';
import { pageContext } from '../../../support/context.ts';
import { createWorld, leaseMs, settleMs, type World } from './support.ts';

const idempotencyKey = 'job-1';
const message = 'Open until nine';

function publish(world: World, key = idempotencyKey, text = message) {
  const { id, token } = world.page;
  return publishPost(world.start().context, {
    pageId: id,
    pageToken: token,
    message: text,
    idempotencyKey: key,
  });
}

/** A world in which a post was published, and whose key does not know it. */
async function loseOne(): Promise<World> {
  const world = createWorld();
  const { sandbox } = world;
  sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
  sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: 4 });
  expect((await publish(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  return world;
}

describe('settleKey', () => {
  test('records a value that a person has found: the next call gives it', async () => {
    const world = await loseOne();
    const id = world.sandbox.effects('post')[0]?.id;
    const { context } = world.start();
    const requests = world.sandbox.requests.length;

    expect((await settleKey(context, idempotencyKey, { value: { id } })).isOk()).toBe(true);

    expect((await publish(world))._unsafeUnwrap()).toEqual({ id });
    expect(world.sandbox.requests.length).toBe(requests);
    expect((await journalState(context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
      state: 'published',
      value: { id },
    });
  });

  test('keeps others from taking what it was told of', async () => {
    const world = await loseOne();
    const id = world.sandbox.effects('post')[0]?.id;
    const { context } = world.start();
    await settleKey(context, idempotencyKey, { value: { id } });

    const other = await publish(world, 'job-2', 'Another');
    expect(other.isOk()).toBe(true);
    world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    expect((await publish(world, 'job-3')).isErr()).toBe(true);

    expect((await settleKey(context, 'job-3', { value: { id } }))._unsafeUnwrapErr()).toMatchObject({
      reason: 'journal',
    });
  });

  test('settles several messages to one recipient', async () => {
    const world = createWorld();
    const { page, sandbox, start } = world;
    const recipientId = page.contacts.find(({ inWindow }) => inWindow)?.id ?? '';
    const message_ids = [];
    for (const key of ['a', 'b']) {
      sandbox.fault({ method: 'POST', path: '/messages', drop: true });
      const options = { pageId: page.id, pageToken: page.token, recipientId, text: key, idempotencyKey: key };
      expect((await sendMessage(start().context, options)).isErr()).toBe(true);
      const value = { recipient_id: recipientId, message_id: `m_${key}` };

      expect((await settleKey(start().context, key, { value }))._unsafeUnwrap()).toBeUndefined();

      message_ids.push((await sendMessage(start().context, options))._unsafeUnwrap().message_id);
    }
    expect(message_ids).toEqual(['m_a', 'm_b']);
  });

  test('records that nothing was published: the next call begins anew, with other content too', async () => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    expect((await publish(world)).isErr()).toBe(true);

    expect((await settleKey(world.start().context, idempotencyKey, 'rejected')).isOk()).toBe(true);
    const post = (await publish(world, idempotencyKey, 'Corrected'))._unsafeUnwrap();

    expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
  });

  test('records that nothing was published, also where an effect was seen before', async () => {
    const world = createWorld();
    const { context } = world.start();
    world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    expect((await publish(world)).isErr()).toBe(true);
    const key = `pagepics ${new URL(world.sandbox.platform.graphUrl).origin} ${idempotencyKey}`;
    const stored = (await world.store.get(key)) ?? '';
    const seen = JSON.stringify({ ...(JSON.parse(stored) as object), applied: true, made: '7' });
    expect(await world.store.compareAndSet(key, stored, seen, 1e9)).toBe(true);

    expect((await settleKey(context, idempotencyKey, 'rejected')).isOk()).toBe(true);

    expect((await journalState(context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
      state: 'rejected',
    });
    const post = (await publish(world))._unsafeUnwrap();
    expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
  });

  test('is not kept off by a lease that no call can have: its clock was wrong', async () => {
    const world = createWorld();
    const now = (): number => world.sandbox.now() + 7_200_000;
    const clock = {
      now,
      monotonic: world.sandbox.now,
      sleep: async (ms: number) => world.sandbox.advance(ms),
    };
    const dead = world.start('after POST', { clock });
    const { id: pageId, token: pageToken } = world.page;
    const job = { pageId, pageToken, message, idempotencyKey };
    await Promise.race([publishPost(dead.context, job), dead.death]);
    const { context } = world.start();

    expect((await journalState(context, idempotencyKey))._unsafeUnwrap()).toMatchObject({ state: 'sent' });
    expect((await settleKey(context, idempotencyKey, 'rejected')).isOk()).toBe(true);
  });

  test('is refused of a key that nobody used, that is held, or that has published', async () => {
    const world = createWorld();
    const { context } = world.start();
    const value = { id: '1' };
    const refused = (why: string): object => ({
      name: 'ConfigurationError',
      option: 'idempotencyKey',
      message: `idempotencyKey ${why}`,
    });
    expect((await settleKey(context, idempotencyKey, { value }))._unsafeUnwrapErr()).toMatchObject(
      refused('was not used yet'),
    );
    const dead = world.start(2);
    const { id, token } = world.page;
    const call = publishPost(dead.context, { pageId: id, pageToken: token, message, idempotencyKey });
    await Promise.race([call, dead.death]);
    expect((await settleKey(context, idempotencyKey, { value }))._unsafeUnwrapErr()).toMatchObject(
      refused('is held by a call'),
    );
    expect((await forgetKey(context, idempotencyKey))._unsafeUnwrapErr()).toMatchObject(
      refused('is held by a call'),
    );
    world.sandbox.advance(leaseMs + 1);
    expect((await publish(world)).isOk()).toBe(true);

    expect((await settleKey(context, idempotencyKey, 'rejected'))._unsafeUnwrapErr()).toMatchObject(
      refused('has published'),
    );
    expect((await settleKey(context, '', 'rejected'))._unsafeUnwrapErr()).toMatchObject(
      refused('must have 1 to 255 characters'),
    );
    expect((await settleKey(pageContext(), 'a', 'rejected'))._unsafeUnwrapErr()).toMatchObject(
      refused('needs a journal in the context'),
    );
  });

  test.each([
    {},
    { value: undefined },
    { value: 'id' },
    { value: { text: 'a' } },
    { value: { success: true } },
    { value: { id: '' } },
    { value: { id: 5 } },
    { value: { id: { token: 'a' } } },
    { value: { recipient_id: '5211' } },
    'applied',
    null,
  ])('is refused with %j', async (outcome) => {
    const world = await loseOne();
    const { context } = world.start();

    expect(
      (await settleKey(context, idempotencyKey, outcome as 'rejected'))._unsafeUnwrapErr(),
    ).toMatchObject({ name: 'ConfigurationError', option: 'outcome' });
    expect((await journalState(context, idempotencyKey))._unsafeUnwrap()).toMatchObject({ state: 'sent' });
  });
});

test.each([
  ['settles', (context: PageContext, id: string) => settleKey(context, idempotencyKey, { value: { id } }), 1],
  ['rejects', (context: PageContext) => settleKey(context, idempotencyKey, 'rejected'), 2],
  ['forgets', (context: PageContext) => forgetKey(context, idempotencyKey), 2],
] as const)(
  'a person who %s a key at each step of a call that looks is too early, or too late, or obeyed',
  { tags: 'long' },
  async (_, act, most) => {
    for (let step = 0, isOver = false; !isOver; step++) {
      const world = await loseOne();
      const { sandbox, store, start } = world;
      const [lost = { id: '' }] = sandbox.effects('post');
      const operator = start().context;
      let steps = 0;
      let acted: Awaited<ReturnType<typeof act>> | undefined;
      const meanwhile = async <T>(work: () => Promise<T>): Promise<T> => {
        if (steps++ === step) acted = await act(operator, lost.id);
        return work();
      };
      const journal = createJournal({
        get: (key) => meanwhile(() => store.get(key)),
        compareAndSet: (...replacement) => meanwhile(() => store.compareAndSet(...replacement)),
      });
      const { id, token } = world.page;
      const called = await publishPost(start(Infinity, { journal }).context, {
        pageId: id,
        pageToken: token,
        message,
        idempotencyKey,
      });
      isOver = acted === undefined;
      const posts = sandbox.effects('post').map((post) => post.id);
      const where = `step ${step}`;
      // Only what a person says makes it publish again.
      if (acted?.isErr() === true) {
        expect(acted.error, where).toMatchObject({ option: 'idempotencyKey' });
        expect(posts, where).toEqual([lost.id]);
      }
      expect(posts.length, where).toBeLessThanOrEqual(most);
      if (called.isOk()) expect(posts, where).toContain(called.value.id);
    }
  },
);

describe('forgetKey', () => {
  test('lets a key begin anew that has published', async () => {
    const world = createWorld();
    const first = (await publish(world))._unsafeUnwrap();
    world.sandbox.advance(settleMs);
    const { context } = world.start();

    expect((await forgetKey(context, idempotencyKey)).isOk()).toBe(true);
    const second = (await publish(world, idempotencyKey, 'Another'))._unsafeUnwrap();

    expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test('lets nobody take what it had published, its own key included', async () => {
    const world = createWorld();
    const first = (await publish(world))._unsafeUnwrap();
    expect((await forgetKey(world.start().context, idempotencyKey)).isOk()).toBe(true);
    world.sandbox.advance(10_000);
    world.sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });

    const second = (await publish(world))._unsafeUnwrap();

    expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test('lets the key be used at once, also if the store forgets it while the next call claims it', async () => {
    const store = memoryJournal();
    let claims = 0;
    const world = createWorld({
      ...store,
      compareAndSet: async (key, ...rest) =>
        (!key.startsWith('pagepics ') || claims++ > 0) && store.compareAndSet(key, ...rest),
    });

    const post = (await publish(world))._unsafeUnwrap();

    expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
  });

  test('is done where there is nothing to forget', async () => {
    const world = createWorld();
    const { context } = world.start();

    expect((await forgetKey(context, idempotencyKey)).isOk()).toBe(true);
    expect((await journalState(context, idempotencyKey))._unsafeUnwrap()).toBeUndefined();
  });
});
