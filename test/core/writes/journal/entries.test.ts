import { createHash, createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { createJournal, journalState, type JournalStore, memoryJournal } from '../../../../src/core/index.ts';
import { changesTo, idsIn, newEntry, parseEntry } from '../../../../src/core/writes/journal/entry.ts';
import { describeEntry } from '../../../../src/core/writes/journal/operators.ts';
import {
  publishPhoto,
  publishPhotoStory,
  publishPost,
  publishReel,
  replyComment,
} from '../../../../src/page/index.ts';
import {
  createPicsContext,
  publish as publishPics,
  publishContainer,
  replyComment as replyPicsComment,
} from '../../../../src/pics/index.ts';
import { publishings } from './publishings.ts';
import { createWorld, leaseMs, settleMs, type World } from './support.ts';

const message = 'Canary, that nobody may read';

/** A store, and all that it was ever given. */
function watchedStore(): { readonly store: JournalStore; readonly given: string[] } {
  const memory = memoryJournal();
  const given: string[] = [];
  return {
    given,
    store: {
      get: (key) => {
        given.push(key);
        return memory.get(key);
      },
      compareAndSet: (key, expected, value, ttlMs) => {
        given.push(key, expected ?? '', value);
        return memory.compareAndSet(key, expected, value, ttlMs);
      },
    },
  };
}

test.each(Object.entries(publishings))(
  '%s gives a journal no text, no token and no secret, nor a digest of one',
  { tags: 'long' },
  async (_, { call, prepare }) => {
    const { store, given } = watchedStore();
    const { sandbox, page, start } = createWorld(store);
    const { account, app, picsApp, user } = sandbox;
    const target = { page, account, prepared: await prepare?.(sandbox) };
    const job = { idempotencyKey: 'key', message };
    // Lost, refused, looked up and done: each has entries of its own.
    sandbox.fault({ method: 'POST', error: { code: 100, message }, status: 400 });
    await call(start(), target, job);
    sandbox.fault({ method: 'POST', when: 'after', drop: true, times: 3 });
    for (let calls = 0; calls < 3; calls++) {
      await call(start(), target, job);
      sandbox.advance(leaseMs + settleMs);
    }
    await call(start(), target, { ...job, idempotencyKey: 'another' });

    const all = given.join('\n');
    expect(all).toContain('"digest"');
    const secrets = [page.token, account.token, user.token, app.secret, picsApp.secret];
    for (const canary of [message, encodeURIComponent(message), 'Canary', ...secrets]) {
      expect(all).not.toContain(canary);
      for (const encoding of ['hex', 'base64'] as const) {
        const hash = createHash('sha256').update(canary).digest(encoding);
        expect(all).not.toContain(hash.slice(0, 16));
      }
    }
  },
);

describe('the digest of the content', () => {
  const text = 'Your code is 271828';
  const optionsOf = ({ page }: World) => ({ pageId: page.id, pageToken: page.token, message: text });

  async function storedEntry(world: World): Promise<{ readonly digest: string; readonly under: string }> {
    const key = `pagepics ${new URL(world.sandbox.platform.graphUrl).origin} key`;
    return JSON.parse((await world.store.get(key)) ?? '') as Awaited<ReturnType<typeof storedEntry>>;
  }

  test('cannot be guessed from what the store holds', async () => {
    const world = createWorld();
    const { pageToken: _, ...content } = optionsOf(world);
    await publishPost(world.start().context, { ...optionsOf(world), idempotencyKey: 'key' });

    const { digest, under } = await storedEntry(world);
    const { message: told, pageId } = content;
    for (const key of ['key', under]) {
      for (const name of ['publishPost', 'page publishPost']) {
        const guess = createHmac('sha256', key).update(JSON.stringify([name, { message: told, pageId }]));
        expect(digest).not.toBe(guess.digest('hex'));
      }
    }
    expect(under).not.toContain(world.sandbox.app.secret);
  });

  test('is not compared with one under another app secret: what is published is no success of that app', async () => {
    const world = createWorld();
    const options = { ...optionsOf(world), idempotencyKey: 'key' };
    const post = (await publishPost(world.start().context, options))._unsafeUnwrap();
    const rotated = world.start(Infinity, {}, 'a new secret').context;

    for (const message of [text, 'Another'])
      expect((await publishPost(rotated, { ...options, message }))._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        option: 'idempotencyKey',
        message: expect.stringContaining('made by an app with another secret') as string,
      });
    expect((await journalState(rotated, 'key'))._unsafeUnwrap()?.value).toEqual(post);
    expect(world.sandbox.effects('post').length).toBe(1);
  });

  test('that is under another app secret keeps nothing back as long as nothing was sent: the content given is published', async () => {
    const world = createWorld();
    const { token, userId: picsUserId } = world.sandbox.account;
    const options = { token, picsUserId, imageUrl: 'https://example.com/a.jpg', idempotencyKey: 'key' };
    // It dies with its container made, for the text that is corrected after the rotation.
    const dying = world.start(5);
    void publishPics(dying.pics, { ...options, caption: 'Opn until nine' });
    await dying.death;
    expect(dying.points.filter((point) => point.startsWith('after POST')).length).toBe(1);
    world.sandbox.advance(leaseMs);
    const { fetch, platform } = world.sandbox;
    const clock = { now: world.sandbox.now, monotonic: world.sandbox.now, sleep: async () => undefined };
    const bare = createPicsContext({ fetch, platform, clock, journal: createJournal(world.store) });

    const media = await publishPics(bare._unsafeUnwrap(), { ...options, caption: 'Open until nine' });

    expect(media.isOk()).toBe(true);
    expect(world.sandbox.effects('media').map(({ content }) => content['caption'])).toEqual([
      'Open until nine',
    ]);
  });

  test('that is under another app secret ends a call whose request may have been sent', async () => {
    const world = createWorld();
    const options = { ...optionsOf(world), idempotencyKey: 'key' };
    const machine = world.start('after POST');
    void publishPost(machine.context, options);
    await machine.death;
    const rotated = world.start(Infinity, {}, 'a new secret').context;
    for (const pauseMs of [0, leaseMs, settleMs]) {
      world.sandbox.advance(pauseMs);
      expect((await publishPost(rotated, options))._unsafeUnwrapErr()).toMatchObject({
        option: 'idempotencyKey',
        message: expect.stringContaining('made by an app with another secret') as string,
      });
    }
    expect((await publishPost(world.start().context, options)).isOk()).toBe(true);
    expect(world.sandbox.effects('post').length).toBe(1);
  });

  test('of a file that is gone is taken as published only by the same function and app', async () => {
    const world = createWorld();
    const { id: pageId, token: pageToken } = world.page;
    const options = { pageId, pageToken, photo: new Blob(['photo']), idempotencyKey: 'key' };
    const photo = (await publishPhoto(world.start().context, options))._unsafeUnwrap();
    const gone = { ...options, photo: '/no/such/file.jpg' };

    expect((await publishPhoto(world.start().context, gone))._unsafeUnwrap()).toEqual(photo);
    const rotated = world.start(Infinity, {}, 'a new secret').context;
    const refusal = { name: 'ConfigurationError', option: 'photo' };
    expect((await publishPhoto(rotated, gone))._unsafeUnwrapErr()).toMatchObject(refusal);
    expect((await publishPhotoStory(world.start().context, gone))._unsafeUnwrapErr()).toMatchObject(refusal);
  });

  test('that differs from what is published says so, with its ids', async () => {
    const world = createWorld();
    const options = { ...optionsOf(world), idempotencyKey: 'key' };
    const { context } = world.start();
    const published = (await publishPost(context, options))._unsafeUnwrap();
    const error = (await publishPost(context, { ...options, message: 'Another' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ConfigurationError',
      option: 'idempotencyKey',
      message:
        'idempotencyKey was used for another function or other content, which is published: payload.published tells its ids',
      payload: { published },
    });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ payload: { published } });
  });

  test('that was signed without an app secret is compared by contexts that have one', async () => {
    const world = createWorld();
    const { token, userId: picsUserId } = world.sandbox.account;
    const options = { token, picsUserId, imageUrl: 'https://example.com/a.jpg', idempotencyKey: 'key' };
    const { pics } = world.start();
    const { fetch, platform } = world.sandbox;
    const clock = { now: world.sandbox.now, monotonic: world.sandbox.now, sleep: async () => undefined };
    const bare = createPicsContext({ fetch, platform, clock, journal: createJournal(world.store) });
    const media = await publishPics(bare._unsafeUnwrap(), { ...options, caption: text });

    expect(await publishPics(pics, { ...options, caption: text })).toEqual(media);
    expect(media.isOk()).toBe(true);
    expect((await publishPics(pics, { ...options, caption: 'Another' }))._unsafeUnwrapErr()).toMatchObject({
      option: 'idempotencyKey',
    });
  });

  test('is of one function, whatever the app secret', async () => {
    const world = createWorld();
    const { page } = world;
    const { context } = world.start();
    const commentId = page.commentIds[0] ?? '';
    const options = { commentId, message: text, idempotencyKey: 'key' };
    const reply = (await replyComment(context, { ...options, pageToken: page.token }))._unsafeUnwrap();
    const rotated = world.start(Infinity, {}, 'a new secret');

    expect(await replyComment(context, { ...options, pageToken: page.token })).toEqual({ value: reply });
    for (const other of [
      publishPost(rotated.context, { ...optionsOf(world), idempotencyKey: 'key' }),
      replyPicsComment(rotated.viaPages, { ...options, token: page.token }),
    ]) {
      expect((await other)._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        option: 'idempotencyKey',
      });
    }
  });

  test('names the client: a reply to a comment of either is another one', async () => {
    const world = createWorld();
    const { page } = world;
    const { context, viaPages } = world.start();
    const commentId = page.commentIds[0] ?? '';
    const options = { commentId, message: 'Thank you', idempotencyKey: 'key' };
    expect((await replyComment(context, { ...options, pageToken: page.token })).isOk()).toBe(true);

    expect(
      (await replyPicsComment(viaPages, { ...options, token: page.token }))._unsafeUnwrapErr(),
    ).toMatchObject({ name: 'ConfigurationError', option: 'idempotencyKey' });
  });
});

describe('an entry of', () => {
  const idempotencyKey = 'key';
  const text = 'Open until nine';
  const optionsOf = ({ page }: World) => ({
    pageId: page.id,
    pageToken: page.token,
    message: text,
    idempotencyKey,
  });
  const keyIn = ({ sandbox }: World): string =>
    `pagepics ${new URL(sandbox.platform.graphUrl).origin} ${idempotencyKey}`;

  /** An entry as version 1 wrote it: with nothing but these fields, and a digest that is not compared. */
  async function versionOne({ sandbox }: World, fields: object): Promise<object> {
    return {
      version: 1,
      digest: '0123456789abcdef'.repeat(4),
      owner: '0123456789abcdef0123456789abcdef',
      leaseUntil: 0,
      createdAt: sandbox.now() - 1000,
      updatedAt: sandbox.now() - 1000,
      ids: {},
      ...fields,
    };
  }
  /** One as a later version may write it: with fields of its own. */
  async function versionNine({ sandbox }: World, fields: Fields): Promise<object> {
    const { leaseUntil = 0, isRejected, sending, ...rest } = fields;
    const twin = createWorld();
    await publishPost(twin.start().context, optionsOf(twin));
    const { digest, under } = JSON.parse((await twin.store.get(keyIn(twin))) ?? '') as Record<string, string>;
    return {
      version: 9,
      digest,
      under,
      colour: 'blue',
      nonce: '0123456789abcdef',
      lease: leaseUntil,
      createdAt: sandbox.now() - 1000,
      updatedAt: sandbox.now() - 1000,
      ids: {},
      ...(isRejected && { refused: true }),
      ...(sending && { sending: { local: sending.at, lastsMs: 30_000 } }),
      ...rest,
    };
  }
  interface Fields {
    readonly leaseUntil?: number;
    readonly isRejected?: boolean;
    readonly sending?: { readonly at: number };
  }
  const versions = { 'version 1': versionOne, 'a later version': versionNine };

  describe.each(Object.entries(versions))('%s', (name, versionOf) => {
    async function prepare(fieldsAt: (world: World) => Fields & object): Promise<World> {
      const world = createWorld();
      await world.store.compareAndSet(
        keyIn(world),
        undefined,
        JSON.stringify(await versionOf(world, fieldsAt(world))),
        1e9,
      );
      return world;
    }

    test('that is published gives its value', async () => {
      const world = await prepare(() => ({ made: '42_7', value: { id: '42_7' } }));

      expect((await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrap()).toEqual({
        id: '42_7',
      });
      expect(world.sandbox.requests).toEqual([]);
      expect((await journalState(world.start().context, idempotencyKey))._unsafeUnwrap()).toMatchObject({
        state: 'published',
        value: { id: '42_7' },
      });
    });

    test('that is held keeps others off', async () => {
      const world = await prepare(({ sandbox }) => ({ leaseUntil: sandbox.now() + 60_000 }));

      expect((await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr()).toMatchObject({
        reason: 'busy',
      });
    });

    test('that was sent settles', async () => {
      const world = await prepare(({ sandbox }) => ({
        sending: { at: sandbox.now() - 1000, since: sandbox.now() - 1000 },
      }));
      const early = await publishPost(world.start().context, optionsOf(world));
      const open = early._unsafeUnwrapErr();
      expect(open).toMatchObject({ outcome: 'unknown' });
      expect(world.sandbox.effects('post')).toEqual([]);
      const kept = JSON.parse((await world.store.get(keyIn(world))) ?? '') as object;
      expect(kept).toMatchObject(name === 'version 1' ? { version: 3 } : { version: 9, colour: 'blue' });
      world.sandbox.advance(Object(open).retryAfterMs as number);

      const post = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrap();

      expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
    });

    if (name !== 'version 1')
      test('whose digest is made in another way is not taken for that of the same content, and stays', async () => {
        for (const fields of [{ value: { id: '42_7' } }, { sending: { at: 0 } }]) {
          const world = await prepare(() => ({ ...fields, under: 'a later idea' }));
          const before = await world.store.get(keyIn(world));

          expect(
            (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrapErr(),
          ).toMatchObject({ name: 'ConfigurationError', option: 'idempotencyKey' });
          expect(await world.store.get(keyIn(world))).toBe(before);
        }
      });

    test('that was refused, or interrupted, begins anew', async () => {
      for (const fields of [{ isRejected: true as const }, {}]) {
        const world = await prepare(() => fields);
        const post = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrap();
        expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
      }
    });
  });
});

describe('the text of an entry', () => {
  const least = { ...newEntry({ digest: 'd' }, 1000), nonce: 'n' };
  const full = {
    ...least,
    under: 'key',
    call: 'page publishPost',
    sentAt: 0,
    ids: { photo_ids: ['1', ''], upload_url: 'https://upload.test/1' },
    sending: { local: 1, platform: 0, seen: 3, lastsMs: 2, lock: 'l' },
    made: '42_7',
    why: 'no list shows it',
    refused: true as const,
    applied: true as const,
    value: { id: '42_7' },
  };

  test.each([[least], [full], [{ ...full, version: 9, colour: 'blue' }]])('is read: %j', (entry) => {
    expect(parseEntry(JSON.stringify(entry))).toEqual(JSON.parse(JSON.stringify(entry)));
  });

  const bad: Readonly<Record<string, readonly unknown[]>> = {
    version: [undefined, 1.5, '2'],
    digest: [undefined, '', 5],
    nonce: [undefined, '', 5],
    lease: [undefined, -1, '1', null],
    createdAt: [undefined, -1],
    updatedAt: [undefined, -1],
    under: ['', 5],
    call: ['', null],
    made: ['', 42],
    why: ['', {}],
    ids: [undefined, null, '1', { photo_id: 1 }, { photo_ids: [1] }, { photo_ids: ['1', 2] }],
    sentAt: [-1, '1', null],
    refused: [false, 'true'],
    applied: [false, 1],
    sending: [
      null,
      {},
      { local: 1 },
      { lastsMs: 1 },
      { local: -1, lastsMs: 1 },
      { local: 1, lastsMs: -1 },
      { local: 1, lastsMs: 1, platform: '2' },
      { local: 1, lastsMs: 1, seen: null },
      { local: 1, lastsMs: 1, lock: '' },
    ],
  };

  test.each(Object.entries(bad))('is not taken for one where %s is wrong', (name, values) => {
    for (const value of values) {
      expect(parseEntry(JSON.stringify({ ...full, [name]: value })), JSON.stringify(value)).toBeUndefined();
    }
  });

  test.each(['', '{', 'null', '7', '"entry"', '[]'])('is not %j', (text) => {
    expect(parseEntry(text)).toBeUndefined();
  });

  test.each([
    ['interrupted', {}],
    ['held', { lease: 2001, refused: true }],
    ['interrupted', { lease: 2000 }],
    // Of a clock that is wrong.
    ['interrupted', { lease: 2000 + 3_601_001 }],
    ['sent', { sending: { local: 1500, lastsMs: 1 }, refused: true }],
    ['sent', { made: '7' }],
    ['sent', { applied: true }],
    ['rejected', { refused: true }],
    ['published', { value: { id: '7' }, lease: 3000, why: 'none' }],
  ] as const)('is shown as %s with %j', (state, fields) => {
    const shown = describeEntry({ ...least, why: 'why', ...fields }, 2000, { journalLeaseMs: 1000 });

    expect(shown.state).toBe(state);
    expect(shown.reason).toBe(state === 'sent' ? 'why' : undefined);
    expect(shown.heldUntil).toEqual(state === 'held' ? new Date(2001) : undefined);
    expect(shown.sentAt).toEqual('sending' in fields ? new Date(1500) : undefined);
  });

  test('is shown with its ids and times, but without addresses and places that are empty', () => {
    expect(describeEntry({ ...full, updatedAt: 1500, sentAt: 1200 }, 2000, { journalLeaseMs: 1000 })).toEqual(
      {
        state: 'published',
        ids: { photo_ids: ['1'] },
        createdAt: new Date(1000),
        updatedAt: new Date(1500),
        sentAt: new Date(1200),
        heldUntil: undefined,
        reason: undefined,
        value: { id: '42_7' },
      },
    );
  });

  test('is settled with ids and facts alone', () => {
    const told = {
      id: '1',
      children: [],
      success: true,
      permalink_url: 'u',
      media_ids: ['2'],
      text: 'No',
      idea: 'No',
      paid: 'No',
      grandchildren: ['No'],
      children_count: 'No',
      unsuccess: 'No',
      successor: 'No',
      old_permalink_url: 'No',
      permalink_urls: 'No',
    };
    const kept = Object.fromEntries(
      Object.entries(told).filter(([, value]) => !String(value).includes('No')),
    );

    expect(changesTo({ value: told })).toEqual({ value: kept, refused: undefined });
    expect(idsIn({ id: '1', media_id: '2', recipient_id: '3', ids: '4', post_id: '', paid: '5' })).toEqual([
      '1',
      '2',
    ]);
  });
});

test('a lease is renewed as long as its call waits', async () => {
  const world = createWorld();
  const { sandbox } = world;
  sandbox.tune({ containers: { processingMs: 3 * leaseMs } });
  const operator = world.start().pics;
  const states: unknown[] = [];
  const { pics } = world.start(Infinity, {
    clock: {
      now: sandbox.now,
      monotonic: sandbox.now,
      sleep: async (ms) => {
        sandbox.advance(ms);
        states.push((await journalState(operator, 'key'))._unsafeUnwrap()?.state);
      },
    },
  });

  const { account } = sandbox;
  const published = await publishPics(pics, {
    token: account.token,
    picsUserId: account.userId,
    imageUrl: 'https://example.com/a',
    idempotencyKey: 'key',
    waitTimeoutMs: 10 * leaseMs,
  });

  expect(published.isOk()).toBe(true);
  expect([...new Set(states)]).toEqual(['held']);
});

describe('what a failed call has created', () => {
  const imageUrl = 'https://example.com/a';
  const image = ({ sandbox, start }: World) =>
    publishPics(start().pics, {
      token: sandbox.account.token,
      picsUserId: sandbox.account.userId,
      imageUrl,
      idempotencyKey: 'key',
    });
  const reel = ({ page, start }: World) =>
    publishReel(start().context, {
      pageId: page.id,
      pageToken: page.token,
      videoUrl: 'https://example.com/a.mp4',
      description: 'Open',
      idempotencyKey: 'key',
    });
  const failing = { subcode: 2_207_026, text: 'Error: unsupported format' };
  const refused = (code: number, error_subcode?: number) => (world: World) =>
    void world.sandbox.fault({
      method: 'POST',
      path: '/media_publish',
      error: { code, ...(error_subcode && { error_subcode }) },
      status: 400,
    });

  test.each<[string, typeof image | typeof reel, (world: World) => void, string[]]>([
    [
      'is dropped where it failed',
      image,
      ({ sandbox }) => sandbox.tune({ containers: { fail: failing } }),
      [],
    ],
    ['is dropped where the platform does not know it any more', image, refused(100, 33), []],
    ['is kept where another option was refused', image, refused(100), ['container_id']],
    ['is kept where something else is unknown', image, refused(110, 33), ['container_id']],
    ['is kept where its media may be refused for now', image, refused(352, 2_207_026), ['container_id']],
    [
      'is kept where it is not ready in time',
      image,
      ({ sandbox }) => sandbox.tune({ containers: { processingMs: 3_600_000 } }),
      ['container_id'],
    ],
    [
      'is dropped where a video failed',
      reel,
      ({ sandbox }) => sandbox.tune({ videos: { failAt: 'processing' } }),
      [],
    ],
  ])('%s', async (_, call, prepare, kept) => {
    const world = createWorld();
    prepare(world);

    expect((await call(world)).isErr()).toBe(true);

    const api = call === image ? world.start().pics : world.start().context;
    const state = (await journalState(api, 'key'))._unsafeUnwrap();
    expect(state?.value).toBeUndefined();
    expect(Object.keys(state?.ids ?? {})).toEqual(kept);
  });
});

test('what took effect without a request of the key is on record as sent', async () => {
  const world = createWorld();
  const { account } = world.sandbox;
  const options = { token: account.token, picsUserId: account.userId };
  const byHand = await publishPics(world.start().pics, { ...options, imageUrl: 'https://example.com/a' });
  const containerId = byHand._unsafeUnwrap().container_id;

  for (let calls = 0; calls < 2; calls++) {
    const { pics } = world.start();
    const told = await publishContainer(pics, { ...options, containerId, idempotencyKey: 'key' });
    expect(told._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
    expect((await journalState(pics, 'key'))._unsafeUnwrap()).toMatchObject({ state: 'sent' });
  }
});

test('what no list shows is told to no other key', async () => {
  const { store, given } = watchedStore();
  const world = createWorld(store);
  const { id, token } = world.page;
  const photo = { pageId: id, pageToken: token, photoUrl: 'https://example.com/a.jpg', published: false };

  expect((await publishPhoto(world.start().context, { ...photo, idempotencyKey: 'key' })).isOk()).toBe(true);

  expect(given.filter((text) => text.startsWith('pagepics-rivals'))).toEqual([]);
});
