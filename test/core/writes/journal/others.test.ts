import { describe, expect, test } from 'vitest';

import {
  createWriteMemory,
  forgetKey,
  isFinal,
  journalState,
  memoryJournal,
  settleKey,
} from '../../../../src/core/index.ts';
import { createPageContext, publishPhotoStory, publishPost } from '../../../../src/page/index.ts';
import { publishings, variants } from './publishings.ts';
import { createWorld, leaseMs, type Machine, settleMs, type World } from './support.ts';

// Of two keys with different texts on one list, both of which were lost: what the other one has made is no candidate, and
// what its call would settle is not left to a person.

const texts = { a: 'Open until nine', b: 'Closed on Sunday' } as const;
type Key = keyof typeof texts;

const targetOf = (world: World) => ({ page: world.page, account: world.sandbox.account });

function call(world: World, name: string, key: Key, machine: Machine = world.start(), prepared?: string) {
  const publishing = publishings[name] ?? variants[name];
  if (publishing === undefined) throw new Error(`${name} is none of them`);
  const target = { ...targetOf(world), prepared };
  return publishing.call(machine, target, { idempotencyKey: key, message: texts[key] });
}

const lastPoints = new Map<string, number>();

/** The point after the last request of a publishing, which is rehearsed once. */
async function lastPoint(name: string): Promise<number> {
  const known = lastPoints.get(name);
  if (known !== undefined) return known;
  const rehearsal = createWorld();
  const whole = rehearsal.start();
  await call(rehearsal, name, 'a', whole);
  const last = whole.points.findLastIndex((point) => point.startsWith('after POST'));
  lastPoints.set(name, last);
  return last;
}

/** Calls a publishing in a process that dies with its request, before or after that takes effect. */
async function die(world: World, name: string, key: Key, when: 'before' | 'after'): Promise<void> {
  const last = await lastPoint(name);
  const machine = world.start(when === 'after' ? last : last - 1);
  expect(await Promise.race([call(world, name, key, machine), machine.death])).toBe('dead');
}

const kinds = Object.entries(publishings).filter(
  ([name, { isBlind, hidesContent, hidesId, isGuarded, prepare, kind }]) =>
    !name.includes('thumbnail') &&
    !isBlind &&
    !hidesContent &&
    !hidesId &&
    !isGuarded &&
    prepare === undefined &&
    kind !== 'media',
);
type Pair = readonly [name: string, other: string];
const pairs = kinds.flatMap(([name]): readonly Pair[] => [
  [name, name],
  ...(name === 'page publishPost'
    ? ['page publishPhoto', 'page publishPhotos'].flatMap((other): readonly Pair[] => [
        [name, other],
        [other, name],
      ])
    : []),
]);
/** Every day, one of each list in which an effect is looked for. */
const everyday = [
  'page publishPost',
  'page publishVideo',
  'page publishComment',
  'page sendMessage',
  'pics publish',
];
const isEveryday = ([name, other]: Pair): boolean => everyday.includes(name) || name !== other;

describe('a key that was lost without effect', () => {
  const title = '%s, beside one of %s that took effect: it waits until that is called';
  test.each(pairs.filter(isEveryday))(title, waits);
  test.each(pairs.filter((pair) => !isEveryday(pair)))(title, { tags: 'long' }, waits);

  async function waits(name: string, other: string): Promise<void> {
    const world = createWorld();
    await die(world, name, 'a', 'before');
    await die(world, other, 'b', 'after');
    const effects = world.sandbox.effects(publishings[other]?.kind).map(({ id }) => id);
    const made = effects.at(-1);
    world.sandbox.advance(leaseMs + settleMs);
    // The first call after a death may only learn the platform's time.
    let told = await call(world, name, 'a');
    for (let calls = 0; calls < 2 && told.isErr(); calls++) {
      expect(isFinal(told.error)).toBe(false);
      expect(JSON.stringify(told.error)).not.toContain(`"${made}"`);
      world.sandbox.advance(Number(Object(told.error).retryAfterMs));
      told = await call(world, name, 'a');
    }
    const { kind } = publishings[name] ?? {};
    // What tells by itself that it was not published need not wait.
    if (told.isErr()) {
      // The effect of a photo is not its post, which lists show.
      const isShown = other !== 'page publishPhoto';
      expect(told.error).toMatchObject({ outcome: 'unknown', retryAfterMs: expect.any(Number) as number });
      expect(told.error.message).toContain('idempotencyKey b');
      expect(told.error).toMatchObject({ payload: { candidates: [] } });
      const { context, pics } = world.start();
      const on = name.startsWith('pics') ? pics : context;
      const settled = isShown
        ? (await settleKey(on, 'a', { value: { id: made } }))._unsafeUnwrapErr()
        : undefined;
      if (isShown) expect(settled).toMatchObject({ name: 'ConfigurationError', option: 'outcome.value' });
      if (isShown) expect(settled?.message).toContain('idempotencyKey b');
    }

    const b = (await call(world, other, 'b'))._unsafeUnwrap();
    const a = (await call(world, name, 'a'))._unsafeUnwrap();

    expect(Object.values(b as object)).toContain(made);
    const all = world.sandbox.effects(kind).map(({ id }) => id);
    expect(Object.values(a as object)).toContain(all.at(-1));
    expect(all.length).toBe(kind === publishings[other]?.kind ? effects.length + 1 : 1);
  }
});

/** How a key's entry is known by its text, of which a person may know no better. */
const named = kinds.filter(([name]) => /publish(?:Post|Photo|Comment)|reply|send|Mention/.test(name));

describe('a key whose post a person has given to another one before any call had looked', () => {
  const title = '%s is not published twice, and says so';
  const names = named.map(([name]) => name);
  test.each(names.filter((name) => everyday.includes(name)))(title, isNotTwice);
  test.each(names.filter((name) => !everyday.includes(name)))(title, { tags: 'long' }, isNotTwice);

  async function isNotTwice(name: string): Promise<void> {
    const world = createWorld();
    const { sandbox } = world;
    await die(world, name, 'a', 'before');
    await die(world, name, 'b', 'after');
    const { kind, id: field } = publishings[name] ?? {};
    const value = { [field ?? 'id']: sandbox.effects(kind).at(-1)?.id };
    sandbox.advance(leaseMs + settleMs);
    const { context, pics } = world.start();
    const on = name.startsWith('pics') ? pics : context;
    expect((await settleKey(on, 'a', { value })).isOk()).toBe(true);

    let told = await call(world, name, 'b');
    for (let calls = 0; calls < 2 && told.isErr() && !isFinal(told.error); calls++) {
      sandbox.advance(Number(Object(told.error).retryAfterMs));
      told = await call(world, name, 'b');
    }

    expect(sandbox.effects(kind).length).toBe(1);
    // What an object or a photo of its own shows, it has.
    if (told.isOk()) return;
    expect(told.error).toMatchObject({ outcome: 'unknown', payload: { candidates: Object.values(value) } });
    expect(told.error.message).toContain('the idempotencyKey a');
    // As journal.md says.
    expect((await settleKey(on, 'b', { value })).isErr()).toBe(true);
    expect((await forgetKey(on, 'a')).isOk()).toBe(true);
    sandbox.advance(2);
    expect((await call(world, name, 'b'))._unsafeUnwrap()).toMatchObject(value);
    expect((await call(world, name, 'a')).isOk()).toBe(true);
    expect(sandbox.effects(kind).length).toBe(2);
  }

  test('is published where the other one has the same text', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    const publish = (key: string, machine = world.start()) =>
      publishPost(machine.context, {
        pageId: page.id,
        pageToken: page.token,
        message: texts.a,
        idempotencyKey: key,
      });
    for (const [key, dieAt] of [
      ['a', 'after POST'],
      ['b', 'before POST'],
    ] as const) {
      const machine = world.start(dieAt);
      expect(await Promise.race([publish(key, machine), machine.death])).toBe('dead');
      const id = sandbox.effects('post')[0]?.id;
      if (key === 'a') sandbox.advance(leaseMs + settleMs);
      if (key === 'a') await settleKey(world.start().context, 'a', { value: { id } });
    }
    sandbox.advance(leaseMs + settleMs);
    await publish('b');
    sandbox.advance(settleMs);

    expect((await publish('b'))._unsafeUnwrap()).toEqual({ id: sandbox.effects('post')[1]?.id });
  });
});

describe('two posts of different texts', () => {
  const publish = (world: World, key: Key, machine?: Machine) =>
    call(world, 'page publishPost', key, machine);
  const idsOf = (world: World) => world.sandbox.effects('post').map(({ id }) => id);

  async function loseBoth(): Promise<World> {
    const world = createWorld();
    await die(world, 'page publishPost', 'a', 'before');
    await die(world, 'page publishPost', 'b', 'after');
    world.sandbox.advance(leaseMs + settleMs);
    await publish(world, 'a');
    world.sandbox.advance(settleMs);
    return world;
  }

  test('are told apart days later, too', async () => {
    const world = await loseBoth();
    world.sandbox.advance(6 * 86_400_000);

    const early = (await publish(world, 'a'))._unsafeUnwrapErr();
    expect(isFinal(early)).toBe(false);
    const b = (await publish(world, 'b'))._unsafeUnwrap();
    const a = (await publish(world, 'a'))._unsafeUnwrap();

    expect([b, a]).toEqual(idsOf(world).map((id) => ({ id })));
  });

  test('of which one is settled with what the other made, because a person insists', async () => {
    const world = await loseBoth();
    const [id] = idsOf(world);
    const { context } = world.start();

    expect((await settleKey(context, 'a', { value: { id } })).isErr()).toBe(true);
    expect((await journalState(context, 'a'))._unsafeUnwrap()?.state).toBe('sent');
    expect((await settleKey(context, 'a', { value: { id }, force: true })).isOk()).toBe(true);
    expect((await publish(world, 'a'))._unsafeUnwrap()).toEqual({ id });
  });

  test('of which one is settled before the other: its post is a candidate no more', async () => {
    const world = await loseBoth();
    const [id] = idsOf(world);
    const { context } = world.start();
    expect((await settleKey(context, 'b', { value: { id } })).isOk()).toBe(true);

    expect((await settleKey(context, 'a', { value: { id } }))._unsafeUnwrapErr()).toMatchObject({
      reason: 'journal',
    });
    expect((await publish(world, 'a')).isOk()).toBe(true);
    expect(idsOf(world).length).toBe(2);
  });

  test('of which one cannot be found by its call, either: a person settles that one', async () => {
    const world = createWorld();
    await die(world, 'page publishPost', 'a', 'before');
    await die(world, 'page publishPost', 'b', 'after');
    const [id] = idsOf(world);
    const person = createPageContext({
      appId: world.sandbox.app.id,
      appSecret: world.sandbox.app.secret,
      platform: world.sandbox.platform,
      fetch: world.sandbox.fetch,
    })._unsafeUnwrap();
    const onPage = { pageId: world.page.id, pageToken: world.page.token };
    // Two with its text, of which neither shows its maker.
    expect((await publishPost(person, { ...onPage, message: texts.b })).isOk()).toBe(true);
    world.sandbox.advance(leaseMs + settleMs);
    for (const key of ['a', 'b'] as const) await publish(world, key);
    world.sandbox.advance(settleMs);

    const b = (await publish(world, 'b'))._unsafeUnwrapErr();
    expect(isFinal(b)).toBe(true);
    expect(isFinal((await publish(world, 'a'))._unsafeUnwrapErr())).toBe(false);
    expect((await settleKey(world.start().context, 'b', { value: { id } })).isOk()).toBe(true);
    // The person's own is left.
    expect((await publish(world, 'a'))._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      payload: { candidates: [idsOf(world)[1]] },
    });
  });

  test('of which nobody calls the other any more: it is settled with its post, and the first one is published', async () => {
    const world = await loseBoth();
    const [id] = idsOf(world);
    for (let days = 0; days < 3; days++) {
      world.sandbox.advance(86_400_000);
      expect(isFinal((await publish(world, 'a'))._unsafeUnwrapErr())).toBe(false);
    }

    expect((await settleKey(world.start().context, 'b', { value: { id } })).isOk()).toBe(true);

    const a = (await publish(world, 'a'))._unsafeUnwrap();
    expect([{ id }, a]).toEqual(idsOf(world).map((one) => ({ id: one })));
  });

  test.each([
    ['is forgotten', (world: World) => forgetKey(world.start().context, 'b')],
    [
      'expires',
      async (world: World) => {
        // Each call keeps the entry of the first one.
        for (let days = 0; days < 7; days++) {
          world.sandbox.advance(86_400_000);
          await publish(world, 'a');
        }
      },
    ],
  ])('of which the other %s: its post is left to a person', async (_, end) => {
    const world = await loseBoth();

    await end(world);

    const a = (await publish(world, 'a'))._unsafeUnwrapErr();
    expect(isFinal(a)).toBe(true);
    expect(a).toMatchObject({ outcome: 'unknown', payload: { candidates: idsOf(world) } });
  });

  test('of which the other is still being sent, in the same process', async () => {
    const world = createWorld();
    const memory = createWriteMemory();
    const slow = world.start('after POST', { memory });
    void publish(world, 'b', slow);
    await slow.death;
    world.sandbox.fault({ method: 'POST', path: '/feed', when: 'before', drop: true });

    const lost = (await publish(world, 'a', world.start(Infinity, { memory })))._unsafeUnwrapErr();

    expect(lost).toMatchObject({ outcome: 'unknown', retryAfterMs: expect.any(Number) as number });
    expect(lost.message).toContain('idempotencyKey b');
    expect(JSON.stringify(lost)).not.toContain(idsOf(world)[0]);
  });

  test('without an app secret: the list has one lock, and the first one waits for the other', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    const publishAs = (key: Key, machine: Machine) =>
      publishPost(machine.context, {
        pageId: page.id,
        pageToken: page.token,
        message: texts[key],
        idempotencyKey: key,
      });
    const without = (dieAt?: string) => {
      const machine = world.start(dieAt);
      const { context } = machine;
      return {
        ...machine,
        context: Object.create(context, { secret: { value: undefined } }) as typeof context,
      };
    };
    for (const [key, dieAt] of [
      ['a', 'before POST'],
      ['b', 'after POST'],
    ] as const) {
      const machine = without(dieAt);
      void publishAs(key, machine);
      expect(await machine.death).toBe('dead');
      sandbox.advance(leaseMs + settleMs);
      await publishAs(key, without());
      sandbox.advance(settleMs);
    }
    const live = idsOf(world).length;
    expect(live).toBeGreaterThan(0);
  });
});

test('a key that settles while another one looks is no reason to leave that one to a person', async () => {
  const store = memoryJournal();
  const get = store.get.bind(store);
  const world = createWorld(store);
  let isLooking = false;
  let isSettled = false;
  Object.assign(store, {
    get: async (...key: Parameters<typeof store.get>) => {
      // By then, it has seen that nobody owns the entry.
      if (isLooking && key[0].startsWith('pagepics-lock')) {
        isLooking = false;
        isSettled = (await call(world, 'page publishPost', 'b')).isOk();
      }
      return get(...key);
    },
  });
  await die(world, 'page publishPost', 'a', 'before');
  await die(world, 'page publishPost', 'b', 'after');
  world.sandbox.advance(leaseMs + settleMs);
  await call(world, 'page publishPost', 'a');
  world.sandbox.advance(settleMs);

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await world.sandbox.fetch(input, init);
    isLooking ||= !isSettled && (input as Request).url.includes('/published_posts');
    return response;
  };
  const a = await call(world, 'page publishPost', 'a', world.start(Infinity, { fetch }));

  expect(isSettled).toBe(true);
  expect(a._unsafeUnwrap()).toEqual({ id: world.sandbox.effects('post').at(-1)?.id });
});

const published = Object.keys({ ...publishings, ...variants }).filter((name) => name.startsWith('page '));

describe('what was lost without effect', () => {
  const title = '%s is not taken for what is published meanwhile, by %s';
  const besides = (name: string): readonly Pair[] => published.map((other) => [name, other]);
  const posts = besides('page publishPost');
  test.each(posts.filter(([, other]) => everyday.includes(other)))(title, isNotTaken);
  test.each([
    ...posts.filter(([, other]) => !everyday.includes(other)),
    ...besides('page publishVideo, by its address'),
  ])(title, { tags: 'long' }, isNotTaken);

  async function isNotTaken(name: string, other: string): Promise<void> {
    const world = createWorld();
    await die(world, name, 'a', 'before');
    const prepared = await (publishings[other] ?? variants[other])?.prepare?.(world.sandbox);
    const told = await call(world, other, 'b', world.start(), prepared);
    expect(told.isOk()).toBe(true);
    world.sandbox.advance(leaseMs + settleMs);
    await call(world, name, 'a');
    world.sandbox.advance(2 * settleMs);

    expect((await call(world, name, 'a')).mapErr(String)).toMatchObject({ value: {} });
  }
});

describe('what shows the photo or the video of another key is no candidate', () => {
  const beside = '%s beside %s, whose post was not named';
  test.each([
    ['page publishPost', 'page publishVideo', /\/\d+$/],
    ['page publishPost, scheduled', 'page publishVideo, scheduled', /\/(?:\d+|scheduled_posts)$/],
  ])(beside, isItsOwn);
  test.each([
    ['page publishPost', 'page publishVideo, by its address', /\/\d+$/],
    ['page publishPhoto', 'page publishVideo', /\/\d+$/],
    [
      'page publishPost, scheduled',
      'page publishVideo, by its address and scheduled',
      /\/(?:\d+|scheduled_posts)$/,
    ],
    ['page publishPost, scheduled', 'page publishPhoto, scheduled', /\/scheduled_posts$/],
    ['page publishPost', 'page publishVideo, without a text', /\/\d+$/],
    [
      'page publishPost, scheduled',
      'page publishVideo, scheduled without a text',
      /\/(?:\d+|scheduled_posts)$/,
    ],
    ['page publishPost, scheduled', 'page publishPhoto, scheduled without a text', /\/scheduled_posts$/],
  ])(beside, { tags: 'long' }, isItsOwn);

  async function isItsOwn(name: string, other: string, unread: RegExp) {
    const world = createWorld();
    const { sandbox } = world;
    await die(world, name, 'a', 'before');
    const repair = sandbox.fault({ method: 'GET', path: unread, status: 503, times: Infinity });
    const b = (await call(world, other, 'b', world.start(Infinity, { deadlineMs: 60_000 })))._unsafeUnwrap();
    repair();
    expect(b).not.toHaveProperty('post_id');
    sandbox.advance(leaseMs + settleMs);
    await call(world, name, 'a');
    sandbox.advance(settleMs);

    const a = (await call(world, name, 'a'))._unsafeUnwrap();

    expect(Object.values(a as object)).toContain(sandbox.effects(publishings[name]?.kind).at(-1)?.id);
  }

  test.each(['page publishPhotos', 'page publishVideo'])(
    'a post beside %s, whose process died and which nobody calls',
    async (other) => {
      const world = createWorld();
      await die(world, 'page publishPost', 'a', 'before');
      await die(world, other, 'b', 'after');
      world.sandbox.advance(leaseMs + settleMs);
      await call(world, 'page publishPost', 'a');
      world.sandbox.advance(settleMs);

      const a = (await call(world, 'page publishPost', 'a'))._unsafeUnwrap();

      expect(a).toEqual({ id: world.sandbox.effects('post').at(-1)?.id });
      const b = (await call(world, other, 'b'))._unsafeUnwrap();
      expect(b).not.toMatchObject(a as object);
    },
  );
});

test('of many keys that are not settled, a message names three', async () => {
  const world = createWorld();
  const publish = (message: string) =>
    publishPost(world.start().context, {
      pageId: world.page.id,
      pageToken: world.page.token,
      message,
      idempotencyKey: `key ${message}`,
    });
  const repair = world.sandbox.fault({
    method: 'GET',
    path: '/published_posts',
    status: 503,
    times: Infinity,
  });
  for (const message of 'abcdef') {
    const when = message === 'a' ? 'before' : 'after';
    world.sandbox.fault({ method: 'POST', path: '/feed', when, drop: true });
    expect((await publish(message)).isErr()).toBe(true);
  }
  repair();
  world.sandbox.advance(settleMs);

  const { message } = (await publish('a'))._unsafeUnwrapErr();
  expect(message).toMatch(
    /5 other entries have the text of the idempotencyKeys (?:key [b-f], ){2}key [b-f] and 2 more, which are not/,
  );
});

test('of two posts, one of them with a mention, the other one is found; what that has taken a person tells from the first', async () => {
  for (const order of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const world = createWorld();
    const { sandbox, page } = world;
    const named = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      if (request.method === 'GET') return sandbox.fetch(request);
      const body = (await request.text()).replace(encodeURIComponent('@[1]'), 'Ann');
      const { url, method, headers } = request;
      return sandbox.fetch(new Request(url, { method, headers, body }));
    };
    const publish = (key: Key) =>
      publishPost(world.start(Infinity, { fetch: named }).context, {
        pageId: page.id,
        pageToken: page.token,
        message: { a: 'Happy birthday, @[1]', b: 'Happy birthday, Ben' }[key],
        idempotencyKey: key,
      });
    const repair = sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: Infinity });
    for (const [key, when] of [
      ['a', 'before'],
      ['b', 'after'],
    ] as const) {
      sandbox.fault({ method: 'POST', path: '/feed', when, drop: true });
      expect((await publish(key)).isErr()).toBe(true);
    }
    repair();
    sandbox.advance(settleMs);
    for (const key of [...order, ...order]) await publish(key);

    // Nobody knows that the name is not Ben.
    const a = (await publish('a'))._unsafeUnwrapErr();
    expect(isFinal(a)).toBe(true);
    expect(a).toMatchObject({ payload: { candidates: [sandbox.effects('post')[0]?.id] } });
    expect((await settleKey(world.start().context, 'a', 'rejected')).isOk()).toBe(true);
    expect([(await publish('b'))._unsafeUnwrap(), (await publish('a'))._unsafeUnwrap()]).toEqual(
      sandbox.effects('post').map(({ id }) => ({ id })),
    );
    expect(sandbox.effects('post').map(({ content }) => content['message'])).toEqual([
      'Happy birthday, Ben',
      'Happy birthday, Ann',
    ]);
  }
});

describe('a post without a key whose response was lost', () => {
  test.each([
    ['of another text leaves a key its post', texts.b, texts.a, 'found'],
    ['of the same text may be that of a key', texts.a, texts.a, 'unknown'],
    [
      'of a text with a name in it may be that of a key',
      'Hello @[123], it is six',
      'Hello you, it is six',
      'unknown',
    ],
    [
      'may be that of a key with a name in its text',
      'Hello you, it is six',
      'Hello @[123], it is six',
      'unknown',
    ],
  ])('%s', async (_, lost, message, expected) => {
    const world = createWorld();
    const { sandbox, page } = world;
    const { context } = world.start();
    const own = { pageId: page.id, pageToken: page.token };
    sandbox.fault({ method: 'POST', path: '/feed', when: 'before', drop: true });
    expect((await publishPost(context, { ...own, message: lost })).isErr()).toBe(true);
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
    const published = await publishPost(context, { ...own, message, idempotencyKey: 'a' });

    const [post, ...more] = sandbox.effects('post');
    expect(more).toEqual([]);
    if (expected === 'found') expect(published._unsafeUnwrap()).toEqual({ id: post?.id });
    else expect(published._unsafeUnwrapErr()).toMatchObject({ outcome: expected });
  });
});

describe('of two posts without a key', () => {
  test('what has the text of the other one is no candidate', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    const memory = createWriteMemory();
    const publish = (message: string) =>
      publishPost(world.start(Infinity, { memory }).context, {
        pageId: page.id,
        pageToken: page.token,
        message,
      });
    // The list shows neither in time.
    const repair = sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: 4 });
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
    expect((await publish(texts.b)).isErr()).toBe(true);
    repair();
    sandbox.fault({ method: 'POST', path: '/feed', when: 'before', drop: true });
    const lost = (await publish(texts.a))._unsafeUnwrapErr();

    expect(lost).toMatchObject({ outcome: 'unknown' });
    expect(JSON.stringify(lost)).not.toContain(sandbox.effects('post')[0]?.id);
  });

  const named = 'Happy birthday, @[1]';
  const pairs = [
    [named, 'Happy birthday, Ben'],
    [named, 'Happy birthday!'],
    ['Happy birthday!', named],
  ] as const;
  // The platform may show nothing in the place of a name.
  test.each(pairs.flatMap(([text, other]) => [true, false].map((isKnown) => ({ text, other, isKnown }))))(
    'lost, $text does not take $other, whether the id of that is known: $isKnown',
    ({ text, other, isKnown }) => takesNothing(text, other, isKnown),
  );

  async function takesNothing(text: string, other: string, isKnown: boolean): Promise<void> {
    const world = createWorld();
    const { sandbox, page } = world;
    const { context } = world.start();
    const publish = (message: string) =>
      publishPost(context, { pageId: page.id, pageToken: page.token, message });
    if (!isKnown) {
      sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
      sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: 4 });
    }
    // Both begin within the second to which the platform rounds times.
    expect((await publish(other)).isOk()).toBe(isKnown);
    sandbox.fault({ method: 'POST', path: '/feed', when: 'before', drop: true });

    const lost = (await publish(text))._unsafeUnwrapErr();

    expect(lost).toMatchObject({ outcome: 'unknown' });
    expect(sandbox.effects('post').length).toBe(1);
  }
});

test('a photo becomes one story: of two calls for it whose responses are lost, both return that', async () => {
  const world = createWorld();
  const { sandbox, page } = world;
  const { context } = world.start();
  const onPage = { pageId: page.id, pageToken: page.token };
  const lose = () => sandbox.fault({ method: 'POST', path: '/photo_stories', when: 'after', drop: true });
  lose();
  const first = (
    await publishPhotoStory(context, { ...onPage, photoUrl: 'https://example.com/a.jpg' })
  )._unsafeUnwrap();
  lose();

  const second = await publishPhotoStory(context, { ...onPage, photoId: first.photo_id });

  expect(second._unsafeUnwrap()).toEqual(first);
  expect(sandbox.effects('photo_story').length).toBe(1);
});
