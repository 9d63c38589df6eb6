import { describe, expect, test } from 'vitest';

import {
  type ContextOptions,
  journalState,
  type JournalStore,
  memoryJournal,
  withOptions,
} from '../../../../src/core/index.ts';
import {
  publishPhoto,
  publishPhotos,
  publishPost,
  publishReel,
  publishVideo,
} from '../../../../src/page/index.ts';
import {
  privateReply,
  publish,
  publishCarousel,
  publishContainer,
  publishStory,
  sendMessage,
} from '../../../../src/pics/index.ts';
import { publishings, type Target } from './publishings.ts';
import { createWorld, leaseMs, settleMs, type World } from './support.ts';

const idempotencyKey = 'job-1';
const message = 'Open until nine';
const dayMs = 86_400_000;

function optionsOf({ page }: World) {
  return { pageId: page.id, pageToken: page.token, message, idempotencyKey };
}

/** A store that knows the time of its world, and records the lifetimes that it was given. */
function timedStore(): { readonly store: JournalStore; readonly tellTime: (now: () => number) => void } {
  const entries = new Map<string, { readonly value: string; readonly endsAt: number }>();
  let now = (): number => 0;
  const read = (key: string): string | undefined => {
    const { value, endsAt = 0 } = entries.get(key) ?? {};
    return endsAt > now() ? value : undefined;
  };
  return {
    tellTime: (clock) => {
      now = clock;
    },
    store: {
      get: async (key) => read(key),
      compareAndSet: async (key, expected, value, ttlMs) => {
        if (read(key) !== expected) return false;
        entries.set(key, { value, endsAt: now() + ttlMs });
        return true;
      },
    },
  };
}

describe('ids that were recorded', () => {
  const making = Object.entries(publishings).filter(([, { makes, hidesId }]) => makes && hidesId !== true);

  test.each(making)('of %s outlast a lookup that finds nothing there', async (_, { call, kind, id }) => {
    const job = { idempotencyKey, message };
    const rehearsal = createWorld();
    const whole = rehearsal.start();
    await call(whole, { page: rehearsal.page, account: rehearsal.sandbox.account }, job);
    const world = createWorld();
    const { sandbox, page, start } = world;
    const target: Target = { page, account: sandbox.account };
    // Dead before it hears that it has published.
    const first = start(whole.points.findLastIndex((point) => point.startsWith('after POST')));
    expect(await Promise.race([call(first, target, job), first.death])).toBe('dead');
    expect(sandbox.effects(kind).length).toBe(1);

    sandbox.advance(leaseMs + 1);
    const gone = { error: { code: 100, error_subcode: 33 }, status: 400 };
    const repair = sandbox.fault({ method: 'GET', ...gone, times: Infinity });
    const blind = (await call(start(), target, job))._unsafeUnwrapErr();
    expect(blind).toMatchObject({ outcome: 'unknown' });
    repair();
    sandbox.advance(leaseMs + settleMs);
    const told = await call(start(), target, job);

    const [effect, ...more] = sandbox.effects(kind);
    expect(more).toEqual([]);
    expect(told._unsafeUnwrap()).toMatchObject({ [id]: effect?.id });
  });
});

describe('a key in login mode', () => {
  const video = 'https://example.com/a.mp4';
  const calls = {
    publish: (world: World, given: object) =>
      publish(world.start().pics, { ...loginOf(world), imageUrl: 'https://example.com/a.jpg', ...given }),
    publishCarousel: (world: World, given: object) =>
      publishCarousel(world.start().pics, {
        ...loginOf(world),
        imageUrls: ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
        ...given,
      }),
    publishStory: (world: World, given: object) =>
      publishStory(world.start().pics, { ...loginOf(world), videoUrl: video, ...given }),
    publishContainer: (world: World, given: object) =>
      publishContainer(world.start().pics, { ...loginOf(world), containerId: '1', ...given }),
    sendMessage: (world: World, given: object) =>
      sendMessage(world.start().pics, { ...loginOf(world), recipientId: '1', text: message, ...given }),
    privateReply: (world: World, given: object) =>
      privateReply(world.start().pics, { ...loginOf(world), commentId: '1', text: message, ...given }),
  };
  const loginOf = ({ sandbox }: World) => ({ token: sandbox.account.token, idempotencyKey });

  test.each(Object.entries(calls))(
    'needs the account of %s: another token stands for another one',
    async (_, call) => {
      const world = createWorld();
      for (const given of [{}, { picsUserId: undefined }, { picsUserId: 'me' }]) {
        expect((await call(world, given))._unsafeUnwrapErr()).toMatchObject({
          name: 'ConfigurationError',
          option: 'picsUserId',
        });
      }
      expect(world.sandbox.requests).toEqual([]);
    },
  );
});

describe('a request that may still be under way', () => {
  test('is not sent again before it must have ended, however long it may take', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    const options = {
      pageId: page.id,
      pageToken: page.token,
      videoUrl: 'https://example.com/a.mp4',
      description: message,
      uploadTimeoutMs: 3_600_000,
      waitTimeoutMs: 0,
      idempotencyKey,
    };
    const arrival = Promise.withResolvers<void>();
    const slow: ContextOptions = {
      fetch: async (input, init) => {
        await arrival.promise;
        return sandbox.fetch(input, init);
      },
    };
    const late = publishVideo(world.start(Infinity, slow).context, options);
    await expect
      .poll(async () => (await journalState(world.start().context, idempotencyKey))._unsafeUnwrap()?.sentAt)
      .toBeDefined();
    sandbox.advance(leaseMs + settleMs + 1);

    const early = (await publishVideo(world.start().context, options))._unsafeUnwrapErr();
    expect(early).toMatchObject({ outcome: 'unknown' });
    expect('retryAfterMs' in early && early.retryAfterMs).toBeGreaterThan(3_600_000 - leaseMs - settleMs);
    arrival.resolve();
    await late;
    const { video_id } = (await publishVideo(world.start().context, options))._unsafeUnwrap();

    expect(sandbox.effects('video').map(({ id }) => id)).toEqual([video_id]);
  });

  test('that a list shows late is found by machines whose clocks are half a lease apart', async () => {
    const world = createWorld();
    const { sandbox } = world;
    const times = { journalLeaseMs: 600_000, journalSettleMs: 1_200_000 };
    const clock = (aheadMs: number): ContextOptions['clock'] => ({
      now: () => sandbox.now() + aheadMs,
      monotonic: sandbox.now,
      sleep: async (ms) => sandbox.advance(ms),
    });
    const rehearsal = createWorld();
    const whole = rehearsal.start();
    await publishPost(whole.context, optionsOf(rehearsal));
    const first = world.start(
      whole.points.findIndex((point) => point.startsWith('after POST')),
      { ...times, clock: clock(290_000) },
    );
    const call = publishPost(first.context, optionsOf(world));
    expect(await Promise.race([call, first.death])).toBe('dead');
    sandbox.advance(2_000_000);

    const { context } = world.start(Infinity, { ...times, clock: clock(0) });
    const post = (await publishPost(context, optionsOf(world)))._unsafeUnwrap();

    expect(sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
  });
});

test('a key is once-only, whatever the policy says', async () => {
  const world = createWorld();
  world.sandbox.fault({ method: 'POST', path: '/feed', when: 'after', status: 503, times: 2 });
  const { context } = world.start(Infinity, { retry: { baseDelayMs: 5, onceOnly: false } });

  const post = (await publishPost(context, optionsOf(world)))._unsafeUnwrap();

  expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
});

test('whose an effect is stays known for as long as a key can ask for it', async () => {
  const { store, tellTime } = timedStore();
  const world = createWorld(store);
  const { sandbox } = world;
  tellTime(sandbox.now);
  const call = (key: string) =>
    publishPost(world.start().context, { ...optionsOf(world), idempotencyKey: key });
  sandbox.fault({ method: 'POST', path: '/feed', drop: true });
  expect((await call('b')).isErr()).toBe(true);
  sandbox.advance(settleMs);
  const a = (await call('a'))._unsafeUnwrap();
  // Asked for every few days, the entry of the other key lives on.
  sandbox.advance(6 * dayMs);
  sandbox.fault({ method: 'GET', path: '/published_posts', status: 503 });
  expect((await call('b'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  sandbox.advance(6 * dayMs);

  const b = (await call('b'))._unsafeUnwrap();

  expect(sandbox.effects('post').map(({ id }) => id)).toEqual([a.id, b.id]);
});

test('a key that stays open for longer than it is known whose an effect is takes none by its text', async () => {
  const { store, tellTime } = timedStore();
  const world = createWorld(store);
  const { sandbox } = world;
  tellTime(sandbox.now);
  const call = (key: string) =>
    publishPost(world.start().context, { ...optionsOf(world), idempotencyKey: key });
  const a = (await call('a'))._unsafeUnwrap();
  sandbox.fault({ method: 'POST', path: '/feed', drop: true });
  const repair = sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: Infinity });
  for (let days = 0; days < 15; days += 3) {
    expect((await call('b'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    sandbox.advance(3 * dayMs);
  }
  repair();

  const told = (await call('b'))._unsafeUnwrapErr();
  expect(told).toMatchObject({ outcome: 'unknown', payload: { candidates: [a.id] } });
});

test('a key that waits to send again, for so long that its lock expires, takes it again', async () => {
  const { store, tellTime } = timedStore();
  const world = createWorld(store);
  const { sandbox } = world;
  tellTime(sandbox.now);
  const call = (key: string, options?: ContextOptions) =>
    publishPost(world.start(Infinity, options).context, { ...optionsOf(world), idempotencyKey: key });
  const refusal = { error: { code: 4 }, status: 400, headers: { 'retry-after': '3000' } };
  sandbox.fault({ method: 'POST', path: '/feed', ...refusal, times: 3 });
  let waits = 0;
  const told = await call('a', {
    retry: { attempts: 4, maxRetryAfterMs: 3_600_000, jitter: 'none', baseDelayMs: 5 },
    clock: {
      now: sandbox.now,
      monotonic: sandbox.now,
      sleep: async (ms) => {
        sandbox.advance(ms);
        if (++waits < 3) return;
        sandbox.fault({ method: 'POST', path: '/feed', drop: true });
        expect((await call('b'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
      },
    },
  });

  // Otherwise the other key could take its post for its own.
  expect(told._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
  expect(sandbox.effects('post')).toEqual([]);
  sandbox.advance(settleMs);
  const ids = [(await call('b'))._unsafeUnwrap().id, (await call('a'))._unsafeUnwrap().id];
  expect(sandbox.effects('post').map(({ id }) => id)).toEqual(ids);
});

test.each([506, 368])(
  'a refusal as a duplicate, %i, says that an earlier request may have published',
  async (code) => {
    const world = createWorld();
    const { sandbox } = world;
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
    const hide = sandbox.fault({
      method: 'GET',
      path: '/published_posts',
      status: 200,
      body: { data: [] },
      times: Infinity,
    });
    expect((await publishPost(world.start().context, optionsOf(world))).isErr()).toBe(true);
    sandbox.advance(settleMs);
    sandbox.fault({ method: 'POST', path: '/feed', error: { code }, status: 400 });

    const refused = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ code, outcome: 'unknown' });
    hide();
    const post = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrap();

    expect(sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
  },
);

test.each([
  [506, 60_000],
  [368, 3_600_000],
])(
  'a refusal as a duplicate, %i, after a lost request is not sent again before %i ms',
  async (code, waitMs) => {
    const world = createWorld();
    const { sandbox } = world;
    sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    expect((await publishPost(world.start().context, optionsOf(world))).isErr()).toBe(true);
    sandbox.advance(settleMs);
    sandbox.fault({ method: 'POST', path: '/feed', error: { code }, status: 400 });

    const refused = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();

    expect(refused).toMatchObject({ code, outcome: 'unknown', action: 'wait', retryAfterMs: waitMs });
  },
);

test.each([506, 368])('a refusal as a duplicate, %i, of the first request is a refusal', async (code) => {
  const world = createWorld();
  world.sandbox.fault({ method: 'POST', path: '/feed', error: { code }, status: 400 });

  const refused = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr();

  expect(refused).toMatchObject({ code, outcome: 'rejected' });
});

describe('a time that is over', () => {
  const photoUrl = 'https://example.com/a.jpg';
  const videoOf = (world: World) => {
    const { message: description, ...options } = optionsOf(world);
    return { ...options, description };
  };
  const calls = {
    publishPost: (world: World, given: { readonly scheduledAt: Date }) =>
      publishPost(world.start().context, { ...optionsOf(world), ...given }),
    publishPhoto: (world: World, given: { readonly scheduledAt: Date }) =>
      publishPhoto(world.start().context, { ...optionsOf(world), photoUrl, ...given }),
    publishPhotos: (world: World, given: { readonly scheduledAt: Date }) =>
      publishPhotos(world.start().context, {
        ...optionsOf(world),
        photos: [{ photoUrl }, { photoUrl }],
        ...given,
      }),
    publishVideo: (world: World, given: { readonly scheduledAt: Date }) =>
      publishVideo(world.start().context, { ...videoOf(world), videoUrl: photoUrl, ...given }),
    publishReel: (world: World, given: { readonly scheduledAt: Date }) =>
      publishReel(world.start().context, { ...videoOf(world), videoUrl: photoUrl, ...given }),
  };

  test.each(Object.entries(calls))('is refused of a first call of %s', async (_, call) => {
    const world = createWorld();
    const error = (await call(world, { scheduledAt: new Date(world.sandbox.now() - 1) }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'scheduledAt' });
    expect(world.sandbox.requests).toEqual([]);
    expect((await journalState(world.start().context, idempotencyKey))._unsafeUnwrap()).toBeUndefined();
  });

  test('is taken of a call that is repeated', async () => {
    const world = createWorld();
    const scheduledAt = new Date(world.sandbox.now() + 700_000);
    const post = (await calls.publishPost(world, { scheduledAt }))._unsafeUnwrap();
    world.sandbox.advance(dayMs);

    expect((await calls.publishPost(world, { scheduledAt }))._unsafeUnwrap()).toEqual(post);
  });
});

describe('content', () => {
  test('may be corrected as long as nothing was sent', async () => {
    const world = createWorld();
    const dead = world.start(2);
    expect(await Promise.race([publishPost(dead.context, optionsOf(world)), dead.death])).toBe('dead');
    const corrected = { ...optionsOf(world), message: 'Corrected' };
    expect((await publishPost(world.start().context, corrected)).isErr()).toBe(true);
    world.sandbox.advance(leaseMs + 1);

    const post = (await publishPost(world.start().context, corrected))._unsafeUnwrap();

    expect(world.sandbox.effects('post')).toMatchObject([{ id: post.id, content: { message: 'Corrected' } }]);
  });

  test('may not be corrected once a request may have left', async () => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    expect((await publishPost(world.start().context, optionsOf(world))).isErr()).toBe(true);
    world.sandbox.advance(leaseMs + settleMs);

    const corrected = { ...optionsOf(world), message: 'Corrected' };
    const error = (await publishPost(world.start().context, corrected))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'idempotencyKey' });
  });
});

test('an operator is told when a published one was sent', async () => {
  const world = createWorld(memoryJournal());
  const { context } = world.start();
  const before = world.sandbox.now();
  await publishPost(context, optionsOf(world));

  const state = (await journalState(context, idempotencyKey))._unsafeUnwrap();
  expect(state).toMatchObject({ state: 'published' });
  expect(state?.sentAt?.getTime()).toBeGreaterThanOrEqual(before);
  expect(withOptions(context, {}).isOk()).toBe(true);
});

test('a post that a list shows twice is one', async () => {
  const world = createWorld();
  const { sandbox } = world;
  sandbox.fault({ method: 'POST', path: '/feed', drop: true, when: 'after' });
  sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: 4 });
  expect((await publishPost(world.start().context, optionsOf(world))).isErr()).toBe(true);
  sandbox.advance(leaseMs + 1);
  const { context } = world.start(Infinity, {
    fetch: async (input, init) => {
      const response = await sandbox.fetch(input, init);
      const { data, ...rest } = (await response.json()) as { readonly data: readonly object[] };
      return Response.json(
        { ...rest, data: data.flatMap((post) => [post, post]) },
        { headers: response.headers },
      );
    },
  });

  const told = await publishPost(context, optionsOf(world));

  expect(told._unsafeUnwrap()).toEqual({ id: sandbox.effects('post')[0]?.id });
});

test('what this process published without a key is not taken for the effect of a key', async () => {
  const world = createWorld();
  const { sandbox } = world;
  const { context } = world.start();
  const { idempotencyKey: _, ...unkeyed } = optionsOf(world);
  sandbox.fault({ method: 'POST', path: '/feed', when: 'before', drop: true });
  expect((await publishPost(context, optionsOf(world)))._unsafeUnwrapErr()).toMatchObject({
    outcome: 'unknown',
  });
  const other = (await publishPost(context, unkeyed))._unsafeUnwrap();
  sandbox.advance(settleMs);

  const own = (await publishPost(context, optionsOf(world)))._unsafeUnwrap();

  expect(sandbox.effects('post').map(({ id }) => id)).toEqual([other.id, own.id]);
});

test('a video, whose post has an id that its response hides, is not taken for that of another key', async () => {
  const world = createWorld();
  const { sandbox, page } = world;
  const options = {
    pageId: page.id,
    pageToken: page.token,
    videoUrl: 'https://example.com/a.mp4',
    description: message,
  };
  const first = (
    await publishVideo(world.start().context, { ...options, idempotencyKey: 'a' })
  )._unsafeUnwrap();
  sandbox.fault({ method: 'POST', path: '/videos', when: 'before', drop: true });
  const told: unknown[] = [];
  for (let calls = 0; calls < 4; calls++) {
    const result = await publishVideo(world.start().context, { ...options, idempotencyKey: 'b' });
    told.push(result.isOk() ? result.value.video_id : result.error.message);
    sandbox.advance(settleMs);
  }

  const [own, other, ...more] = sandbox.effects('video').map(({ id }) => id);
  expect([own, more]).toEqual([first.video_id, []]);
  const busy =
    'an equal publish under the idempotencyKey a is done, but one could be taken for the other until its request is over';
  expect(told).toEqual([
    busy,
    busy,
    expect.stringMatching(/unknown: not found in the list of posts \(1 read\)$/),
    other,
  ]);
});
