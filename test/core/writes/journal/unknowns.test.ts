import { describe, expect, test, vi } from 'vitest';

import {
  type ContextOptions,
  createWriteMemory,
  journalState,
  memoryJournal,
} from '../../../../src/core/index.ts';
import {
  deletePost,
  postDetails,
  privateReply,
  publishPhoto,
  publishPost,
  publishVideo,
  sendMessage,
} from '../../../../src/page/index.ts';
import { publish, publishStory } from '../../../../src/pics/index.ts';
import type { FaultAction } from '../../../../src/sandbox/index.ts';
import { publishings } from './publishings.ts';
import { createWorld, leaseMs, type Machine, settleMs, type World } from './support.ts';

const idempotencyKey = 'job-1';
const message = 'Open until nine';

const onPage = ({ page }: World) => ({ pageId: page.id, pageToken: page.token });

/** Calls a publishing in a process that dies after its effect, before it hears of it. */
async function dieUnheard(world: World, name: string): Promise<void> {
  const { call } = publishings[name] ?? {};
  if (call === undefined) throw new Error('it is one of them');
  const rehearsal = createWorld();
  const whole = rehearsal.start();
  const job = { idempotencyKey, message };
  await call(whole, { page: rehearsal.page, account: rehearsal.sandbox.account }, job);
  const machine = world.start(whole.points.findLastIndex((point) => point.startsWith('after POST')));
  const target = { page: world.page, account: world.sandbox.account };
  expect(await Promise.race([call(machine, target, job), machine.death])).toBe('dead');
}

const reply = (world: World) =>
  privateReply(world.start().context, {
    ...onPage(world),
    commentId: world.page.commentIds[0] ?? '',
    text: message,
    idempotencyKey,
  });

describe('a private reply that was lost', () => {
  test.each(['before', 'after'] as const)('%s its effect is settled by the platform itself', async (when) => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/messages', when, drop: true });
    expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    const early = (await reply(world))._unsafeUnwrapErr();
    expect(early).toMatchObject({ outcome: 'unknown' });
    expect('retryAfterMs' in early && early.retryAfterMs).toBeGreaterThan(0);
    world.sandbox.advance(settleMs);

    const told = await reply(world);

    const [sent, ...more] = world.sandbox.effects('message');
    expect(more).toEqual([]);
    if (when === 'before') expect(told._unsafeUnwrap()).toMatchObject({ message_id: sent?.id });
    else expect(told._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });
});

test.each(['page privateReply', 'pics privateReply'])(
  '%s whose process died, met hours later and lost again, waits no longer for that',
  async (name) => {
    const world = createWorld();
    const { sandbox, page } = world;
    const call = (machine = world.start()) =>
      publishings[name]?.call(machine, { page, account: sandbox.account }, { idempotencyKey, message });
    const dying = world.start('before POST');
    expect(await Promise.race([call(dying), dying.death])).toBe('dead');
    sandbox.advance(5 * 3_600_000);
    // The first call asks for the platform's time, from which on it waits.
    expect((await call())?.isErr()).toBe(true);
    sandbox.advance(settleMs);

    const effects = [];
    for (const when of ['before', 'after'] as const) {
      sandbox.fault({ method: 'POST', path: '/messages', when, drop: true });
      const lost = (await call())?._unsafeUnwrapErr();
      const { retryAfterMs } = Object(lost) as { readonly retryAfterMs: number };
      expect(retryAfterMs).toBeGreaterThan(660_000);
      expect(retryAfterMs).toBeLessThan(settleMs);
      sandbox.advance(retryAfterMs - 10_000);
      // Not sent sooner.
      expect((await call())?._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
      effects.push(sandbox.effects('private_reply').length);
      sandbox.advance(10_000);
    }

    expect(effects).toEqual([0, 1]);
    expect((await call())?._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
    expect(sandbox.effects('private_reply').length).toBe(1);
  },
);

describe('of equal private replies to two comments', () => {
  const replyTo = (world: World, at: number, { context } = world.start()) =>
    privateReply(context, {
      ...onPage(world),
      commentId: world.page.commentIds[at] ?? '',
      text: message,
      idempotencyKey: `reply-${at}`,
    });

  test.each(['before', 'after'] as const)(
    'the one that is lost %s its effect keeps the other waiting for nothing',
    async (when) => {
      const world = createWorld();
      const { sandbox } = world;
      sandbox.fault({ method: 'POST', path: '/messages', when, drop: true });
      expect((await replyTo(world, 0))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });

      expect((await replyTo(world, 1)).isOk()).toBe(true);
      sandbox.advance(settleMs);
      const told = await replyTo(world, 0);

      expect(told.isErr() ? told.error.outcome : 'published').toBe(
        when === 'after' ? 'applied' : 'published',
      );
      expect(sandbox.effects('private_reply').length).toBe(2);
    },
  );

  test.each(['another process', 'the same process'])(
    'one is sent while the other is under way, and also if that has died, in %s',
    async (where) => {
      const world = createWorld();
      const memory = createWriteMemory();
      const atWork = world.start('before POST', { memory });
      expect(await Promise.race([replyTo(world, 0, atWork), atWork.death])).toBe('dead');
      const begun = world.sleptMs();

      const other = world.start(Infinity, where === 'the same process' ? { memory } : {});
      expect((await replyTo(world, 1, other)).isOk()).toBe(true);
      expect(world.sleptMs() - begun).toBeLessThan(200);
    },
  );

  test('both of which are lost, none is taken by an equal message to one of the two', async () => {
    const rehearsal = createWorld();
    const { recipient_id: recipientId } = (await replyTo(rehearsal, 0))._unsafeUnwrap();
    const world = createWorld();
    const { sandbox } = world;
    for (const at of [0, 1]) {
      sandbox.fault({ method: 'POST', path: '/messages', when: 'after', drop: true });
      expect((await replyTo(world, at))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    }
    sandbox.receiveMessage({ contactId: recipientId, text: 'And on Sunday?' });
    const send = () =>
      sendMessage(world.start().context, {
        ...onPage(world),
        recipientId,
        text: message,
        idempotencyKey: 'm',
      });
    sandbox.fault({ method: 'POST', path: '/messages', drop: true });

    // What it may be is that of a key which is open, too: it waits for that one.
    expect((await send())._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      retryAfterMs: expect.any(Number) as number,
      payload: { candidates: [] },
    });
    sandbox.advance(settleMs);
    // In the past of the lock it is told whose it may be, also once that is over.
    expect((await send())._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    for (const at of [0, 1])
      expect((await replyTo(world, at))._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });
});

describe('what no list shows to be a call’s own, lost before its effect', () => {
  const replyTo = (world: World) => ({
    ...onPage(world),
    commentId: world.page.commentIds[0] ?? '',
    text: message,
    idempotencyKey,
  });
  const calls: Readonly<Record<string, (world: World, machine: Machine) => ReturnType<typeof privateReply>>> =
    {
      'a private reply': (world, { context }) => privateReply(context, replyTo(world)),
      'a message without a text': (world, { context }) =>
        sendMessage(context, {
          ...onPage(world),
          recipientId: world.page.contacts[0]?.id ?? '',
          attachment: { type: 'image', url: 'https://example.com/a.jpg' },
          idempotencyKey,
        }),
    };

  test.each(Object.keys(calls))('%s: each failure says when a call can get further', async (name) => {
    const world = createWorld();
    const call = async (machine: Machine) => calls[name]?.(world, machine);
    world.sandbox.fault({ method: 'POST', path: '/messages', drop: true });
    // The platform's time is known from an earlier response.
    const machine = world.start();
    await postDetails(machine.context, { postId: world.page.postIds[0] ?? '', pageToken: world.page.token });

    const lost = (await call(machine))?._unsafeUnwrapErr();
    const { retryAfterMs } = Object(lost) as { readonly retryAfterMs: number };
    expect(lost).toMatchObject({ outcome: 'unknown' });
    expect(retryAfterMs).toBeGreaterThan(600_000);
    const soon = (await call(world.start()))?._unsafeUnwrapErr();
    expect(soon).toMatchObject({ outcome: 'unknown', retryAfterMs: expect.any(Number) as number });
    // A little before, nothing is sent.
    world.sandbox.advance(retryAfterMs - 10_000);
    expect((await call(world.start()))?.isErr()).toBe(true);
    expect(world.sandbox.effects('message')).toEqual([]);
    world.sandbox.advance(10_000);

    expect((await call(world.start()))?.isOk()).toBe(true);
  });

  test.each(Object.keys(calls))(
    '%s, before any response has told the platform’s time: the call asks for it, and if that is lost, the next one',
    async (name) => {
      for (const isLost of [false, true]) {
        const world = createWorld();
        const call = async () => calls[name]?.(world, world.start());
        world.sandbox.fault({ method: 'POST', path: '/messages', drop: true });
        if (isLost) world.sandbox.fault({ method: 'GET', drop: true });

        const waits: unknown[] = [];
        for (let result = await call(); result?.isErr(); result = await call()) {
          const { retryAfterMs } = Object(result.error) as { readonly retryAfterMs: number };
          waits.push(retryAfterMs > 600_000 ? 'until it is over' : retryAfterMs);
          world.sandbox.advance(retryAfterMs);
        }

        // Eight times the base delay of these contexts: then the wait begins.
        expect(waits).toEqual(isLost ? [40, 'until it is over'] : ['until it is over']);
        expect(world.sandbox.effects('message').length).toBe(1);
      }
    },
  );
});

describe('a private reply that was lost is left to no person for what passes', () => {
  test.each(['before', 'after'] as const)(
    'lost %s its effect: the platform’s time cannot be asked for, long after',
    async (when) => {
      const world = createWorld();
      world.sandbox.fault({ method: 'POST', path: '/messages', when, drop: true });
      world.sandbox.fault({ method: 'GET', drop: true, times: 2 });
      expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
      world.sandbox.advance(settleMs);

      const unread = (await reply(world))._unsafeUnwrapErr();
      expect(unread).toMatchObject({ outcome: 'unknown', retryAfterMs: expect.any(Number) as number });
      // From when the platform's time is known, it waits until the request is over.
      expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({
        retryAfterMs: expect.any(Number) as number,
      });
      world.sandbox.advance(settleMs);
      expect((await reply(world)).isOk()).toBe(when === 'before');
      expect(world.sandbox.effects('private_reply').length).toBe(1);
    },
  );

  const faults: readonly (readonly [string, FaultAction])[] = [
    ['a network that is away', { drop: true }],
    ['a server that is down', { status: 503 }],
    ['a limit', { error: { code: 4 }, status: 400 }],
    ['a limit of the app', { error: { code: 613 }, status: 400 }],
  ];
  test.each(faults)('the second request meets %s', async (_, fault) => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/messages', when: 'after', drop: true });
    for (let calls = 0; calls < 2; calls++) expect((await reply(world)).isErr()).toBe(true);
    world.sandbox.advance(settleMs);
    const repair = world.sandbox.fault({ method: 'POST', path: '/messages', times: Infinity, ...fault });

    const again = (await reply(world))._unsafeUnwrapErr();
    expect(again).toMatchObject({ outcome: 'unknown', retryAfterMs: expect.any(Number) as number });
    repair();
    world.sandbox.advance(settleMs);

    expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });
});

describe('a private reply that was lost after its effect, and is refused for another reason when it is sent again', () => {
  const reply = (world: World, { context }: Machine = world.start()) =>
    privateReply(context, {
      ...onPage(world),
      commentId: world.page.commentIds[0] ?? '',
      text: message,
      idempotencyKey,
    });

  async function lose(world: World): Promise<void> {
    world.sandbox.fault({ method: 'POST', path: '/messages', when: 'after', drop: true });
    // The second call learns the time of the platform.
    for (let calls = 0; calls < 2; calls++)
      expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    world.sandbox.advance(settleMs);
  }

  test('stays unknown until the platform says that there is one', async () => {
    const world = createWorld();
    await lose(world);
    world.sandbox.fault({ method: 'POST', path: '/messages', error: { code: 200 }, status: 403 });

    const refused = (await reply(world))._unsafeUnwrapErr();
    // A person looks: the next one may be refused as well.
    expect(refused).toMatchObject({ code: 200, outcome: 'unknown', retryAfterMs: undefined });
    expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });

  test('is not taken for an equal message, however often it was sent again', async () => {
    const rehearsal = createWorld();
    const { recipient_id: recipientId } = (await reply(rehearsal))._unsafeUnwrap();
    const world = createWorld();
    const { sandbox } = world;
    const send = () =>
      sendMessage(world.start().context, {
        ...onPage(world),
        recipientId,
        text: message,
        idempotencyKey: 'message-1',
      });
    sandbox.fault({ method: 'POST', path: '/messages', when: 'after', drop: true });
    expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    sandbox.receiveMessage({ contactId: recipientId, text: 'And on Sunday?' });
    // The message is lost before its effect, and its first lookups fail.
    sandbox.fault({ method: 'POST', path: '/messages', drop: true });
    const repair = sandbox.fault({ method: 'GET', path: '/conversations', status: 503, times: Infinity });
    expect((await send())._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    sandbox.advance(settleMs);
    sandbox.fault({ method: 'POST', path: '/messages', when: 'after', drop: true });
    expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    repair();

    // The reply's key is open, too, and has the text: the message waits for it.
    expect((await send())._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      retryAfterMs: expect.any(Number) as number,
      payload: { candidates: [] },
    });
    sandbox.advance(settleMs);
    expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });

  test('is not taken for refused, although its process died while it waited to send it again', async () => {
    const world = createWorld();
    await lose(world);
    world.sandbox.fault({ method: 'POST', path: '/messages', error: { code: 4 }, status: 400 });
    const waiting = Promise.withResolvers<void>();
    const dead = world.start(Infinity, {
      clock: {
        now: world.sandbox.now,
        monotonic: world.sandbox.now,
        sleep: () => new Promise(() => waiting.resolve()),
      },
    });
    void reply(world, dead);
    await waiting.promise;
    world.sandbox.advance(leaseMs + settleMs);

    expect((await reply(world))._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
    expect(world.sandbox.effects('message').length).toBe(1);
  });
});

test('a refused call does not say that nothing was published, if another has taken over its key meanwhile', async () => {
  const world = createWorld();
  const { sandbox } = world;
  const call = (options?: ContextOptions) =>
    publishPost(world.start(Infinity, options).context, { ...onPage(world), message, idempotencyKey });
  sandbox.fault({ method: 'POST', path: '/feed', error: { code: 100 }, status: 400 });
  const refused = await call({
    fetch: async (input, init) => {
      const response = await sandbox.fetch(input, init);
      sandbox.advance(leaseMs + settleMs);
      await call();
      sandbox.advance(settleMs);
      expect((await call()).isOk()).toBe(true);
      return response;
    },
  });

  // The next one tells what became of it.
  expect(refused._unsafeUnwrapErr()).toMatchObject({
    code: 100,
    outcome: 'unknown',
    retryAfterMs: expect.any(Number) as number,
  });
  expect((await call()).isOk()).toBe(true);
  expect(sandbox.effects('post').length).toBe(1);
});

test('a call that stood still while another took over its key leaves nothing to a person', async () => {
  const world = createWorld();
  const { sandbox, page } = world;
  const call = (options?: ContextOptions) =>
    publishPost(world.start(Infinity, options).context, { ...onPage(world), message, idempotencyKey });
  sandbox.fault({ method: 'POST', path: '/feed', drop: true });
  expect((await call()).isErr()).toBe(true);
  const byHand = sandbox.addPost({ pageId: page.id, message: 'By hand' });
  sandbox.advance(settleMs);
  let isStill = false;

  const late = await call({
    fetch: async (input, init) => {
      const response = await sandbox.fetch(input, init);
      if (isStill || !new Request(input, init).url.includes('/published_posts')) return response;
      isStill = true;
      // It has seen a post that may be its own. Until it goes on, somebody deletes that.
      await deletePost(world.start().context, { postId: byHand, pageToken: page.token });
      sandbox.advance(leaseMs);
      expect((await call()).isOk()).toBe(true);
      return response;
    },
  });

  expect(late._unsafeUnwrapErr()).toMatchObject({
    outcome: 'unknown',
    retryAfterMs: expect.any(Number) as number,
  });
  expect((await call()).isOk()).toBe(true);
});

test('a story in login mode is published again where its container says that it was not', async () => {
  const world = createWorld();
  const { account } = world.sandbox;
  const publish = () =>
    publishStory(world.start().pics, {
      token: account.token,
      picsUserId: account.userId,
      imageUrl: 'https://example.com/a.jpg',
      idempotencyKey,
    });
  world.sandbox.fault({ method: 'POST', path: '/media_publish', drop: true });
  expect((await publish())._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  world.sandbox.advance(settleMs);

  const story = (await publish())._unsafeUnwrap();

  expect(world.sandbox.effects('media').map(({ id }) => id)).toEqual([story.media_id]);
  expect(world.sandbox.effects('container').length).toBe(1);
});

test.each([
  ['publishPost', 'when it was made'],
  ['publishPost', 'its time'],
  ['publishPhoto', 'when it was made'],
  ['publishPhoto', 'its time'],
] as const)(
  'a scheduled one of %s is found among the published ones after its time, dated by %s',
  async (name, dated) => {
    const world = createWorld();
    const { sandbox } = world;
    const scheduledAt = Math.floor(sandbox.now() / 1000) + 3600;
    let { fetch } = sandbox;
    const datedBy =
      (seconds: number): typeof fetch =>
      async (...sent) => {
        const { data, ...rest } = await (await sandbox.fetch(...sent)).json();
        const created_time = new Date(seconds * 1000).toISOString();
        return Response.json({ ...rest, data: data.map((entry: object) => ({ ...entry, created_time })) });
      };
    const call = () => {
      const options = { ...onPage(world), message, scheduledAt, idempotencyKey };
      const { context } = world.start(Infinity, { fetch: (...sent) => fetch(...sent) });
      return name === 'publishPost'
        ? publishPost(context, options)
        : publishPhoto(context, { ...options, photoUrl: 'https://example.com/a.jpg' });
    };
    sandbox.fault({ method: 'POST', when: 'after', drop: true });
    sandbox.fault({ method: 'GET', status: 503, times: 4 });
    expect((await call())._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    sandbox.advance(7_200_000);
    if (dated === 'its time') fetch = datedBy(scheduledAt);

    const told = (await call())._unsafeUnwrap();

    expect(sandbox.effects(name === 'publishPost' ? 'post' : 'photo').map(({ id }) => id)).toEqual([told.id]);
  },
);

test.each([undefined, message])(
  'a scheduled photo whose look was aborted is told by the next call: %s',
  async (text) => {
    const world = createWorld();
    const { sandbox } = world;
    const scheduledAt = Math.floor(sandbox.now() / 1000) + 3600;
    const photo = { ...onPage(world), message: text, scheduledAt, photoUrl: 'https://example.com/a.jpg' };
    const abort = new AbortController();
    const { context } = world.start(Infinity, {
      fetch: async (input, init) => {
        if ((input as Request).method === 'GET') abort.abort();
        return sandbox.fetch(input, init);
      },
    });
    const ended = await publishPhoto(context, { ...photo, signal: abort.signal, idempotencyKey });
    expect(ended._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });

    const told = (await publishPhoto(world.start().context, { ...photo, idempotencyKey }))._unsafeUnwrap();

    expect(sandbox.effects('photo').map(({ id }) => id)).toEqual([told.id]);
    expect(told.post_id).toMatch(/./);
  },
);

describe('an operation that fails at the end of a call', () => {
  test('loses no value: that is stored, whatever becomes of the rest', async () => {
    const memory = memoryJournal();
    const onJournalError = vi.fn<(error: Error) => void>();
    const world = createWorld({
      get: (key) => memory.get(key),
      compareAndSet: async (key, ...replacement) => {
        if (key.startsWith('pagepics-effect')) throw new Error('down');
        return memory.compareAndSet(key, ...replacement);
      },
    });
    const { context } = world.start(Infinity, { onJournalError });
    const options = { ...onPage(world), message, idempotencyKey };

    const post = (await publishPost(context, options))._unsafeUnwrap();

    expect(onJournalError).toHaveBeenCalledTimes(1);
    expect((await journalState(context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
      state: 'published',
      value: post,
    });
  });
});

test('hundreds of equal posts at once are published, each under its key', { tags: 'long' }, async () => {
  const memory = memoryJournal();
  const late = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const world = createWorld({
    get: async (key) => {
      await late();
      return memory.get(key);
    },
    compareAndSet: async (...replacement) => {
      await late();
      return memory.compareAndSet(...replacement);
    },
  });
  const count = 300;
  const { context } = world.start(Infinity, { clock: undefined });
  const posts = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      publishPost(context, { ...onPage(world), message, idempotencyKey: `job-${at}` }),
    ),
  );

  expect(posts.flatMap((post) => (post.isErr() ? [post.error.message] : []))).toEqual([]);
  expect(new Set(posts.map((post) => post._unsafeUnwrap().id)).size).toBe(count);
});

describe('a lookup that fails', () => {
  test.each([
    ['is refused', { status: 503 }, { name: 'ApiError', status: 503, retryAfterMs: 60_000 }],
    // A worker need not let a minute pass for a connection that broke: 8 times the `baseDelayMs` of this world.
    ['is lost', { drop: true }, { name: 'TransportError', reason: 'network', retryAfterMs: 40 }],
  ] as const)('says when another call can get further: one that %s', async (_, fault, expected) => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    const options = { ...onPage(world), message, idempotencyKey };
    expect((await publishPost(world.start().context, options)).isErr()).toBe(true);
    world.sandbox.fault({ method: 'GET', path: '/published_posts', ...fault });

    const failed = (await publishPost(world.start().context, options))._unsafeUnwrapErr();

    expect(failed).toMatchObject({ ...expected, outcome: 'unknown' });
    expect(world.sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await journalState(world.start().context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
      state: 'sent',
      reason: 'the list of posts could not be read',
    });
  });
});

test('an unknown one says why, and what it may have made', async () => {
  const world = createWorld();
  const options = { ...onPage(world), message, idempotencyKey };
  world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
  expect((await publishPost(world.start().context, options)).isErr()).toBe(true);
  const early = (await publishPost(world.start().context, options))._unsafeUnwrapErr();
  expect(early.message).toMatch(/not found in the list of posts \(\d+ read\)$/);
  const { idempotencyKey: _, ...unkeyed } = options;
  await publishPost(world.start().context, unkeyed);
  await publishPost(world.start().context, unkeyed);

  const told = (await publishPost(world.start().context, options))._unsafeUnwrapErr();

  expect(told.message).toMatch(/2 candidates$/);
  const candidates = world.sandbox.effects('post').map(({ id }) => id);
  expect('payload' in told && told.payload).toEqual({ candidates: candidates.toReversed() });
  expect((await journalState(world.start().context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
    state: 'sent',
    reason: '2 candidates',
  });
});

test('one whose list cannot be read later says so, and when to ask again', async () => {
  const world = createWorld();
  const { sandbox, page, start } = world;
  const options = { pageId: page.id, pageToken: page.token, message, idempotencyKey: 'a' };
  sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
  sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: Infinity });
  // Eight times the base delay of these contexts.
  expect((await publishPost(start().context, options))._unsafeUnwrapErr()).toMatchObject({
    outcome: 'unknown',
    retryAfterMs: 40,
  });
  sandbox.advance(settleMs);

  const error = (await publishPost(start().context, options))._unsafeUnwrapErr();

  expect(error).toMatchObject({ outcome: 'unknown', retryAfterMs: 60_000 });
  expect(error.message).toMatch(
    /^an earlier call under this idempotencyKey may have published: the list of posts could not be read: .+/,
  );
});

test('a key that has published gives its value although the file is gone', async () => {
  const world = createWorld();
  const publish = (video: Uint8Array<ArrayBuffer> | string) =>
    publishVideo(world.start().context, { ...onPage(world), video, waitTimeoutMs: 0, idempotencyKey });
  const video = (await publish(new Uint8Array(3000).fill(1)))._unsafeUnwrap();

  expect((await publish('/there/is/no/such.mp4'))._unsafeUnwrap()).toEqual(video);
  const other = publishVideo(world.start().context, {
    ...onPage(world),
    video: '/there/is/no/such.mp4',
    idempotencyKey: 'job-2',
  });
  expect((await other)._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'video' });
});

describe('a message', () => {
  const contact = ({ page }: World): string => page.contacts.find(({ inWindow }) => inWindow)?.id ?? '';
  const send = (world: World, key: string, machine: Machine = world.start()) =>
    sendMessage(machine.context, {
      ...onPage(world),
      recipientId: contact(world),
      text: key === idempotencyKey ? message : key,
      idempotencyKey: key,
    });

  test.each(['before', 'after'] as const)(
    'that was lost %s its effect is told from those of other keys, of which no details are shown',
    async (when) => {
      const world = createWorld();
      const { sandbox } = world;
      sandbox.fault({ method: 'POST', path: '/messages', when, drop: true });
      sandbox.fault({ method: 'GET', path: '/conversations', status: 503, times: 4 });
      expect((await send(world, idempotencyKey)).isErr()).toBe(true);
      for (let key = 0; key < 30; key++) expect((await send(world, `${key}`)).isOk()).toBe(true);
      sandbox.advance(settleMs);

      const told = await send(world, idempotencyKey);

      const own = sandbox
        .effects('message')
        .filter(({ content }) => JSON.stringify(content).includes(message));
      expect(own.length).toBe(1);
      // An entry without details may be the customer's: it is reported, but not accepted.
      if (when === 'before') expect(told._unsafeUnwrap().message_id).toBe(own[0]?.id);
      else {
        expect(told._unsafeUnwrapErr()).toMatchObject({
          outcome: 'unknown',
          payload: { candidates: [own[0]?.id] },
        });
      }
    },
  );

  test('that was lost is sent again, however many others were sent long after it', async () => {
    const world = createWorld();
    const { sandbox } = world;
    sandbox.fault({ method: 'POST', path: '/messages', drop: true });
    expect((await send(world, idempotencyKey)).isErr()).toBe(true);
    sandbox.advance(2 * settleMs);
    // Of the oldest of so many, no details are shown.
    for (let at = 0; at < 30; at++) {
      const byHand = { ...onPage(world), recipientId: contact(world), text: `${at}` };
      expect((await sendMessage(world.start().context, byHand)).isOk()).toBe(true);
    }

    const told = (await send(world, idempotencyKey))._unsafeUnwrap();

    expect(sandbox.effects('message').at(-1)).toMatchObject({ id: told.message_id });
  });

  test('of a dead call is found while its key is still held, and its entry is left alone', async () => {
    const world = createWorld();
    await dieUnheard(world, 'page sendMessage');
    const key = `pagepics ${new URL(world.sandbox.platform.graphUrl).origin} ${idempotencyKey}`;
    const entry = await world.store.get(key);

    const told = (await send(world, idempotencyKey))._unsafeUnwrap();

    expect(world.sandbox.effects('message').map(({ id }) => id)).toEqual([told.message_id]);
    expect(await world.store.get(key)).toBe(entry);
    // Whose it is stays known, when its details are shown no more.
    for (let other = 0; other < 30; other++) expect((await send(world, `${other}`)).isOk()).toBe(true);
    world.sandbox.advance(leaseMs + 1);
    expect((await send(world, idempotencyKey))._unsafeUnwrap()).toEqual(told);
  });

  test('whose key is held, and that shows nothing, is busy', async () => {
    const world = createWorld();
    const options: ContextOptions = { fetch: () => new Promise<Response>(() => undefined) };
    void send(world, idempotencyKey, world.start(Infinity, options));
    await expect
      .poll(async () => (await journalState(world.start().context, idempotencyKey))._unsafeUnwrap()?.sentAt)
      .toBeDefined();

    expect((await send(world, idempotencyKey))._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
    expect(world.sandbox.effects('message')).toEqual([]);
    world.sandbox.advance(leaseMs);
  });
});

describe('equal Reels of one account', () => {
  const call = (world: World, key: string, options: ContextOptions = {}) =>
    publish(world.start(Infinity, options).viaPages, {
      token: world.page.token,
      picsUserId: world.page.picsId,
      video: new Uint8Array(3000).fill(key.charCodeAt(0)),
      caption: message,
      idempotencyKey: key,
    });
  const idsOf = ({ sandbox }: World) => sandbox.effects('media').map(({ id }) => id);

  test('are published one after another', async () => {
    const world = createWorld();
    const real: ContextOptions = { clock: undefined };
    let underWay = 0;
    let most = 0;
    const fetch: ContextOptions['fetch'] = async (input, init) => {
      if (!(input as Request).url.includes('/media_publish')) return world.sandbox.fetch(input, init);
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => void setTimeout(resolve, 50));
      const response = await world.sandbox.fetch(input, init);
      underWay--;
      return response;
    };

    const reels = await Promise.all(['a', 'b', 'c'].map((key) => call(world, key, { ...real, fetch })));

    expect(reels.map((reel) => reel._unsafeUnwrap().media_id).toSorted()).toEqual(
      [...idsOf(world)].toSorted(),
    );
    expect(most).toBe(1);
  });

  test('of which one is lost keep the next waiting until that has settled', async () => {
    const world = createWorld();
    const { sandbox } = world;
    const publishing = { method: 'POST', path: '/media_publish', when: 'after', drop: true } as const;
    sandbox.fault(publishing);
    const hide = sandbox.fault({ method: 'GET', path: '/media', status: 503, times: Infinity });
    expect((await call(world, 'a'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
    hide();

    const early = (await call(world, 'b', { deadlineMs: 5000 }))._unsafeUnwrapErr();
    expect(early).toMatchObject({ reason: 'busy', outcome: 'unknown' });
    expect('retryAfterMs' in early && early.retryAfterMs).toBeGreaterThan(0);
    expect(idsOf(world).length).toBe(1);
    // Nothing was sent, and nothing refused: it is among the keys that are open.
    expect((await journalState(world.start().viaPages, 'b'))._unsafeUnwrap()?.state).toBe('interrupted');
    const a = (await call(world, 'a'))._unsafeUnwrap();
    // It was recognized by its caption alone, so it may still be a person's.
    expect((await call(world, 'b'))._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
    sandbox.advance(settleMs);
    const b = (await call(world, 'b'))._unsafeUnwrap();

    expect([a.media_id, b.media_id]).toEqual(idsOf(world));
  });
});

describe('a post that takes effect late', () => {
  test.each([1, 3, 5, 6, 7, 8, 9, 10])('by %i minutes is found under its key', async (minutes) => {
    const world = createWorld();
    const { sandbox } = world;
    const call = () => publishPost(world.start().context, { ...onPage(world), message, idempotencyKey });
    sandbox.tune({ writes: { landAfterMs: minutes * 60_000 } });
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
    expect((await call())._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      retryAfterMs: expect.any(Number) as number,
    });
    sandbox.advance(minutes * 60_000);

    const post = (await call())._unsafeUnwrap();

    expect(sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
  });
});

test.each([
  ['strips', ''],
  ['shows as a name', 'Caf\u00E9 Harbour & Sons'],
])('a post whose mention the platform %s is found, with a key and without', async (_, shown) => {
  const world = createWorld();
  const { sandbox } = world;
  const strip = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    if (request.method === 'GET') return sandbox.fetch(request);
    const body = (await request.text()).replace(encodeURIComponent('@[1]'), encodeURIComponent(shown));
    const { url, method, headers } = request;
    return sandbox.fetch(new Request(url, { method, headers, body }));
  };
  for (const key of [undefined, 'mentioned']) {
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
    const { context } = world.start(Infinity, { fetch: strip });
    const text = `Thanks @[1], says ${key}`;
    const post = await publishPost(context, { ...onPage(world), message: text, idempotencyKey: key });

    const made = sandbox.effects('post').at(-1);
    expect(made?.content['message']).toBe(`Thanks ${shown}, says ${key}`);
    expect(post._unsafeUnwrap().id).toBe(made?.id);
  }
});

describe('retryAfterMs of what is unknown under a key', () => {
  const lose = (world: World): void =>
    void world.sandbox.fault({ method: 'POST', path: '/feed', when: 'before', drop: true });

  test('is set where responses hide the time of the platform, until its effect cannot appear any more', async () => {
    const world = createWorld();
    const { sandbox } = world;
    const hiding = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = await sandbox.fetch(input, init);
      const headers = new Headers(response.headers);
      headers.delete('date');
      return new Response(response.body, { status: response.status, headers });
    };
    const call = async () => {
      const { context } = world.start(Infinity, { fetch: hiding });
      const post = await publishPost(context, { ...onPage(world), message, idempotencyKey });
      return post._unsafeUnwrapErr();
    };
    lose(world);
    expect(await call()).toMatchObject({ outcome: 'unknown', retryAfterMs: expect.any(Number) as number });
    const early = await call();
    expect(early).toMatchObject({ outcome: 'unknown', retryAfterMs: expect.any(Number) as number });
    sandbox.advance(Number(Object(early).retryAfterMs));
    expect(await call()).toMatchObject({ outcome: 'unknown', retryAfterMs: undefined });
    expect(sandbox.effects('post')).toEqual([]);
  });

  test('is set where the store fails while an earlier request is open', async () => {
    const memory = memoryJournal();
    let isDown = false;
    const world = createWorld({
      get: (...key) => memory.get(...key),
      compareAndSet: async (...replacement) => {
        if (isDown && replacement[0].includes('-lock')) throw new Error('down');
        return memory.compareAndSet(...replacement);
      },
    });
    const call = () => publishPost(world.start().context, { ...onPage(world), message, idempotencyKey });
    lose(world);
    expect((await call()).isErr()).toBe(true);
    isDown = true;

    expect((await call())._unsafeUnwrapErr()).toMatchObject({
      reason: 'journal',
      outcome: 'unknown',
      retryAfterMs: expect.any(Number) as number,
    });
  });

  test('is a day at most, also of busy', async () => {
    const world = createWorld();
    const times = { journalLeaseMs: 20 * 86_400_000, journalSettleMs: 1e10, journalTtlMs: 1e11 };
    const options = { ...onPage(world), message, idempotencyKey };
    const machine = world.start('after POST', times);
    void publishPost(machine.context, options);
    await machine.death;

    expect(
      (await publishPost(world.start(Infinity, times).context, options))._unsafeUnwrapErr(),
    ).toMatchObject({ reason: 'busy', retryAfterMs: 86_400_000 });
  });
});
