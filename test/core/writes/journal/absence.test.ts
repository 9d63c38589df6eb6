import { describe, expect, test } from 'vitest';

import { type ContextOptions, journalState } from '../../../../src/core/index.ts';
import {
  deletePost,
  publishComment,
  publishPhoto,
  publishPhotos,
  publishPost,
  publishScheduledPost,
  replyComment,
  updatePost,
} from '../../../../src/page/index.ts';
import {
  publish as publishMedia,
  publishStory,
  replyComment as replyPicsComment,
} from '../../../../src/pics/index.ts';
import { createWorld, leaseMs, settleMs, type World } from './support.ts';

// Absence is never inferred from content: a list without an entry of the same words does not say that nothing happened.

const idempotencyKey = 'job-1';
const message = 'Open until nine';
const onPage = ({ page }: World) => ({ pageId: page.id, pageToken: page.token });
const idsOf = ({ sandbox }: World, kind: 'post' | 'reply' | 'media' = 'post') =>
  sandbox.effects(kind).map(({ id }) => id);

/** No list of posts can be read. The returned function ends that. */
function hidePosts({ sandbox }: World): () => void {
  const ends = ['/published_posts', '/scheduled_posts'].map((path) =>
    sandbox.fault({ method: 'GET', path, status: 503, times: Infinity }),
  );
  return () => {
    for (const end of ends) end();
  };
}

describe('a reply to a reply, which the platform attaches to the top-level comment', () => {
  const replies = {
    'replyComment of a Page': (world: World, commentId: string) =>
      replyComment(world.start().context, {
        commentId,
        pageToken: world.page.token,
        message,
        idempotencyKey,
      }),
    'publishComment of a Page': (world: World, objectId: string) =>
      publishComment(world.start().context, {
        objectId,
        pageToken: world.page.token,
        message,
        idempotencyKey,
      }),
    'publishComment of a Page, with a photo': (world: World, objectId: string) =>
      publishComment(world.start().context, {
        ...onPage(world),
        objectId,
        photo: new Uint8Array([0xff, 0xd8, 0xff, ...Array<number>(3000).fill(7)]),
        idempotencyKey,
      }),
    'replyComment of an account': (world: World, commentId: string) =>
      replyPicsComment(world.start().pics, {
        commentId,
        token: world.sandbox.account.token,
        message,
        idempotencyKey,
      }),
  };

  test.each(Object.entries(replies))('is done once by %s', async (name, reply) => {
    for (const when of ['before', 'after'] as const) {
      const world = createWorld();
      const { sandbox, page } = world;
      const isAccount = name.endsWith('account');
      const [comment = ''] = isAccount ? sandbox.account.commentIds : page.commentIds;
      const visitors = sandbox.addComment({ on: comment, message: 'And on Sunday?' });
      const path = isAccount ? '/replies' : '/comments';
      sandbox.fault({ method: 'POST', path, when, drop: true });
      const hide = sandbox.fault({ method: 'GET', path, status: 503, times: Infinity });
      expect((await reply(world, visitors))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
      hide();
      await reply(world, visitors);
      sandbox.advance(settleMs);

      const told = (await reply(world, visitors))._unsafeUnwrap();

      expect([told.id]).toEqual(idsOf(world, 'reply'));
    }
  });
});

describe('a post that was edited between its loss and the next call', () => {
  /** Publishes, loses the response, and shows nothing within the call. */
  async function lose(world: World, scheduledAt?: number) {
    const { sandbox } = world;
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
    const hide = hidePosts(world);
    const call = () =>
      publishPost(world.start().context, { ...onPage(world), message, scheduledAt, idempotencyKey });
    expect((await call())._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    hide();
    return { call, postId: idsOf(world)[0] ?? '', pageToken: world.page.token };
  }

  test('is not published again: a person is told where to look', async () => {
    const world = createWorld();
    const { call, ...post } = await lose(world);
    await updatePost(world.start().context, { ...post, message: 'Open until ten' });
    for (let calls = 0; calls < 3; calls++) {
      world.sandbox.advance(settleMs);
      const told = (await call())._unsafeUnwrapErr();
      expect(told).toMatchObject({ outcome: 'unknown', payload: { candidates: [post.postId] } });
      expect(told.message).toContain('one candidate');
    }
    expect(idsOf(world).length).toBe(1);
    expect((await journalState(world.start().context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
      state: 'sent',
      reason: 'one candidate',
    });
  });

  test.each([
    [
      'published by hand',
      (world: World, post: { postId: string; pageToken: string }) =>
        publishScheduledPost(world.start().context, post),
    ],
    [
      'moved',
      (world: World, post: { postId: string; pageToken: string }, at: number) =>
        updatePost(world.start().context, { ...post, scheduledAt: at + 3600 }),
    ],
  ])('a scheduled one that was %s is not scheduled again', async (_, change) => {
    const world = createWorld();
    const scheduledAt = Math.floor(world.sandbox.now() / 1000) + 86_400;
    const { call, ...post } = await lose(world, scheduledAt);
    expect((await change(world, post, scheduledAt)).isOk()).toBe(true);
    for (let calls = 0; calls < 3; calls++) {
      world.sandbox.advance(settleMs);
      const told = await call();
      if (told.isOk()) expect(told.value.id).toBe(post.postId);
      else expect(told.error).toMatchObject({ outcome: 'unknown', payload: { candidates: [post.postId] } });
    }
    expect(idsOf(world).length).toBe(1);
  });

  test('is recognized although the platform shows its text in another form', async () => {
    const world = createWorld();
    const { call, ...post } = await lose(world);
    await updatePost(world.start().context, { ...post, message: '  Open\r\nuntil\u00A0nine ' });

    expect((await call())._unsafeUnwrap()).toEqual({ id: post.postId });
  });
});

test('two keys whose media differ in the query of their addresses alone keep their own ids', async () => {
  const world = createWorld();
  const call = (product: string) =>
    publishPhoto(world.start().context, {
      ...onPage(world),
      photoUrl: `https://example.com/image?product=${product}`,
      message,
      idempotencyKey: product,
    });
  const urls = () =>
    Object.fromEntries(world.sandbox.effects('photo').map(({ id, content }) => [id, content['url']]));
  for (const product of ['a', 'b']) {
    world.sandbox.fault({ method: 'POST', path: '/photos', when: 'after', drop: true });
    const hide = hidePosts(world);
    expect((await call(product)).isErr()).toBe(true);
    hide();
    world.sandbox.advance(settleMs);
  }
  for (const product of ['b', 'a', 'b', 'a']) {
    const told = await call(product);
    if (told.isOk()) expect(urls()[told.value.id]).toContain(`product=${product}`);
    else expect(told.error).toMatchObject({ outcome: 'unknown' });
    world.sandbox.advance(settleMs);
  }
  expect(Object.keys(urls()).length).toBe(2);
});

/** A context whose responses have a `Date` of somebody else's, and a clock of its own. */
function skewed(world: World, dateMs: number, now = (): number => world.sandbox.now()): ContextOptions {
  return {
    clock: { now, monotonic: world.sandbox.now, sleep: async (ms) => world.sandbox.advance(ms) },
    fetch: async (input, init) => {
      const response = await world.sandbox.fetch(input, init);
      const headers = new Headers(response.headers);
      headers.set('date', new Date(world.sandbox.now() + dateMs).toUTCString());
      const { status } = response;
      return new Response(response.body, { status, headers });
    },
  };
}

describe('a `Date` that a proxy wrote', () => {
  test.each([
    ['two minutes ahead', 120_000],
    ['half an hour behind', -1_800_000],
    ['half an hour ahead', 1_800_000],
  ])('%s leads to one post', async (_, dateMs) => {
    for (const when of ['before', 'after'] as const) {
      const world = createWorld();
      const { sandbox } = world;
      const call = (options?: ContextOptions) =>
        publishPost(world.start(Infinity, options).context, { ...onPage(world), message, idempotencyKey });
      sandbox.fault({ method: 'POST', path: '/feed', when, drop: true });
      const hide = sandbox.fault({ method: 'GET', path: '/published_posts', status: 503, times: Infinity });
      expect((await call(skewed(world, dateMs))).isErr()).toBe(true);
      hide();
      for (let calls = 0; calls < 4; calls++) {
        sandbox.advance(settleMs);
        const told = await call(calls % 2 === 0 ? undefined : skewed(world, dateMs));
        if (told.isOk()) expect([told.value.id]).toEqual(idsOf(world));
        else expect(told.error).toMatchObject({ outcome: 'unknown' });
        expect(idsOf(world).length).toBeLessThanOrEqual(1);
      }
      sandbox.advance(3_600_000);
      const last = await call();
      // One that shows at a time which only one of the clocks allows is left to a person.
      if (last.isErr()) expect(last.error).toMatchObject({ payload: { candidates: idsOf(world) } });
      if (when === 'before') expect(last.isOk()).toBe(true);
      expect(idsOf(world).length).toBe(1);
    }
  });

  test('half an hour behind does not make a post of before the call its own', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    sandbox.addPost({ pageId: page.id, message });
    sandbox.advance(1_790_000);
    sandbox.fault({ method: 'POST', path: '/feed', drop: true });
    const call = () =>
      publishPost(world.start(Infinity, skewed(world, -1_800_000)).context, {
        ...onPage(world),
        message,
        idempotencyKey,
      });
    const told = [await call()];
    for (let calls = 0; calls < 3; calls++) {
      sandbox.advance(settleMs);
      told.push(await call());
    }
    // Only one of the clocks allows its time.
    for (const result of told) {
      if (result.isOk()) expect(idsOf(world)).toContain(result.value.id);
      else expect(result.error).toMatchObject({ outcome: 'unknown' });
    }
    expect(idsOf(world).length).toBeLessThanOrEqual(1);
  });
});

test.each([15, -15])(
  'a wall clock that steps by %i minutes while a request is in flight: one post',
  async (minutes) => {
    const world = createWorld();
    const { sandbox } = world;
    let stepMs = 0;
    // Long enough for the lease to be over by the clock that steps.
    const options = skewed(world, 0, () => sandbox.now() + stepMs);
    const call = (given?: ContextOptions) =>
      publishPost(world.start(Infinity, given).context, { ...onPage(world), message, idempotencyKey });
    const arrival = Promise.withResolvers<void>();
    const { fetch } = options;
    let isSent = false;
    const late = call({
      ...options,
      fetch: async (input, init) => {
        isSent = true;
        await arrival.promise;
        return fetch?.(input, init) ?? Response.error();
      },
    });
    await expect.poll(() => isSent).toBe(true);
    stepMs = minutes * 60_000;
    for (let calls = 0; calls < 3; calls++) {
      // Other machines step with it, as where a host's clock is set.
      const told = await call(options);
      expect(told._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
      sandbox.advance(1000);
    }
    arrival.resolve();
    const made = (await late)._unsafeUnwrap();

    expect((await call())._unsafeUnwrap()).toEqual(made);
    expect(idsOf(world)).toEqual([made.id]);
  },
);

describe('what a list shows without its content', () => {
  test('of a person is not returned by a first call: the value of a lost story is not known', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    const story = { token: page.token, picsUserId: page.picsId, imageUrl: 'https://example.com/a.jpg' };
    sandbox.fault({ method: 'POST', path: '/media_publish', when: 'after', drop: true });
    // The list shows what a person published in the same second, and not yet the own one.
    let persons: string | undefined;
    const { viaPages } = world.start(Infinity, {
      fetch: async (input, init) => {
        const { url } = input as Request;
        if (new URL(url).pathname.endsWith('/stories')) {
          persons ??= (await publishStory(world.start().viaPages, story))._unsafeUnwrap().media_id;
          return Response.json({
            data: [{ id: persons, media_type: 'IMAGE', timestamp: new Date(sandbox.now()).toISOString() }],
          });
        }
        return sandbox.fetch(input, init);
      },
    });

    const told = (await publishStory(viaPages, { ...story, idempotencyKey }))._unsafeUnwrapErr();

    expect(told).toMatchObject({ outcome: 'applied' });
    expect(persons).toBeDefined();
  });

  test('is known later, when the only one of its time must be it', async () => {
    const world = createWorld();
    const { sandbox, page } = world;
    const call = () =>
      publishMedia(world.start().viaPages, {
        token: page.token,
        picsUserId: page.picsId,
        imageUrl: 'https://example.com/a.jpg',
        idempotencyKey,
      });
    sandbox.fault({ method: 'POST', path: '/media_publish', when: 'after', drop: true });
    expect((await call())._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
    sandbox.advance(settleMs);

    expect((await call())._unsafeUnwrap().media_id).toBe(idsOf(world, 'media')[0]);
  });
});

test('a call whose runtime ends it, timers and all, holds nobody up but by its lease', async () => {
  for (let point = 0; point < 12; point++) {
    const world = createWorld();
    const dead = world.start(point);
    const call = (machine = world.start(), key = `key ${point}`) =>
      publishPost(machine.context, { ...onPage(world), message: `${point}`, idempotencyKey: key });
    await Promise.race([call(dead), dead.death]);
    world.sandbox.advance(leaseMs + 1);
    await call();
    world.sandbox.advance(settleMs + leaseMs);
    const own = (await call())._unsafeUnwrap();
    world.sandbox.advance(settleMs);
    const other = (await call(world.start(), `other ${point}`))._unsafeUnwrap();

    expect(idsOf(world)).toEqual([own.id, other.id]);
  }
});

test('a post that a person deleted is not mistaken for one that never was, while it shows', async () => {
  const world = createWorld();
  const { page } = world;
  const call = () => publishPost(world.start().context, { ...onPage(world), message, idempotencyKey });
  const post = (await call())._unsafeUnwrap();
  await deletePost(world.start().context, { postId: post.id, pageToken: page.token });

  expect((await call())._unsafeUnwrap()).toEqual(post);
});

test.each([
  [4, 0],
  [4, 4],
  [-4, 0],
  [-4, -4],
  [2, 0],
])(
  'a clock that is %i hours off, of a process that died in its first request: one post, by a clock that is %i off',
  async (hours, laterHours) => {
    const world = createWorld();
    const off = (by: number): ContextOptions => ({
      clock: skewed(world, 0, () => world.sandbox.now() + by * 3_600_000).clock,
    });
    const dead = world.start('after POST', off(hours));
    const call = ({ context } = world.start(Infinity, off(laterHours))) =>
      publishPost(context, { ...onPage(world), message, idempotencyKey });
    await Promise.race([call(dead), dead.death]);
    for (const waitMs of [leaseMs + 1, settleMs, 5 * 3_600_000, settleMs, 86_400_000]) {
      world.sandbox.advance(waitMs);
      const told = await call();
      // A lease of the wrong clock delays nobody.
      expect(told._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown', reason: 'network' });
      expect(idsOf(world).length).toBe(1);
    }
    expect((await call())._unsafeUnwrapErr()).toMatchObject({
      payload: { candidates: expect.arrayContaining(idsOf(world)) },
    });
  },
);

describe('a lost post whose photos a person has changed', () => {
  /** Posts show their photos as a person left them. */
  function shown({ sandbox }: World, change: (photos: unknown[]) => unknown[]): ContextOptions {
    return {
      fetch: async (input, init) => {
        const response = await sandbox.fetch(input, init);
        const { url } = input as Request;
        if (!new URL(url).pathname.endsWith('/published_posts')) return response;
        const text = await response.text();
        const body = JSON.parse(text, (name, value: unknown) => {
          if (name !== 'attachments' || !(value instanceof Object && 'data' in value)) return value;
          const [first] = value.data as [{ subattachments?: { data: unknown[] } }];
          const data = change(first.subattachments?.data ?? [first]);
          return { data: [{ target: { id: '1' }, subattachments: { data } }] };
        }) as unknown;
        return Response.json(body, { headers: { date: new Date(sandbox.now()).toUTCString() } });
      },
    };
  }

  test.each([
    [
      'one of an album removed',
      '/feed',
      (world: World) =>
        publishPhotos(
          world.start(
            Infinity,
            shown(world, (photos) => photos.slice(1)),
          ).context,
          {
            ...onPage(world),
            photos: ['a', 'b', 'c'].map((name) => ({ photoUrl: `https://example.com/${name}.jpg` })),
            message,
            idempotencyKey,
          },
        ),
    ],
    [
      'one added',
      '/photos',
      (world: World) =>
        publishPhoto(
          world.start(
            Infinity,
            shown(world, (photos) => [...photos, { target: { id: '2' } }]),
          ).context,
          { ...onPage(world), photoUrl: 'https://example.com/a.jpg', message, idempotencyKey },
        ),
    ],
  ])('is not sent again, but shown to a person: %s', async (_, path, call) => {
    const world = createWorld();
    world.sandbox.fault({ method: 'POST', path, when: 'after', drop: true });
    for (let calls = 0; calls < 3; calls++) {
      const told = (await call(world))._unsafeUnwrapErr();
      expect(told).toMatchObject({ outcome: 'unknown', payload: { candidates: [expect.any(String)] } });
      world.sandbox.advance(settleMs);
    }
    const posts = world.sandbox.requests.filter(
      ({ method, path: at }) => method === 'POST' && at.endsWith(path),
    );
    expect(posts.length).toBe(1);
  });
});

test('a process that is frozen between its record and the request, for less than the settling time: one post', async () => {
  const world = createWorld();
  const { sandbox } = world;
  const call = (options?: ContextOptions) =>
    publishPost(world.start(Infinity, options).context, { ...onPage(world), message, idempotencyKey });
  // The refusal of its first attempt tells the time of the platform.
  sandbox.fault({ method: 'POST', path: '/feed', error: { code: 4 }, status: 400 });
  let posts = 0;
  const frozen = await call({
    fetch: async (input, init) => {
      if ((input as Request).method !== 'POST') throw new Error('no network');
      if (posts++ === 0) return sandbox.fetch(input, init);
      sandbox.advance(250_000);
      await sandbox.fetch(input, init);
      throw new Error('no network');
    },
  });
  expect(frozen._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
  for (let calls = 0; calls < 3; calls++) {
    sandbox.advance(settleMs);
    const told = await call();
    if (told.isErr()) expect(told.error).toMatchObject({ outcome: 'unknown' });
    expect(idsOf(world).length).toBe(1);
  }
});
