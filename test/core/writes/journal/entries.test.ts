import { createHash, createHmac } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { journalState, type JournalStore, memoryJournal } from '../../../../src/core/index.ts';
import { publishPost, replyComment } from '../../../../src/page/index.ts';
import { publish as publishPics, replyComment as replyPicsComment } from '../../../../src/pics/index.ts';
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

  test('is not compared with one under another app secret', async () => {
    const world = createWorld();
    const options = { ...optionsOf(world), idempotencyKey: 'key' };
    const post = (await publishPost(world.start().context, options))._unsafeUnwrap();
    const rotated = world.start(Infinity, {}, 'a new secret').context;

    expect((await publishPost(rotated, { ...options, message: 'Another' }))._unsafeUnwrap()).toEqual(post);
    expect(
      (await publishPost(world.start().context, { ...options, message: 'Another' }))._unsafeUnwrapErr(),
    ).toMatchObject({ option: 'idempotencyKey' });
  });

  test('is of one function, whatever the app secret', async () => {
    const world = createWorld();
    const { page } = world;
    const { context } = world.start();
    const commentId = page.commentIds[0] ?? '';
    const options = { commentId, message: text, idempotencyKey: 'key' };
    const reply = (await replyComment(context, { ...options, pageToken: page.token }))._unsafeUnwrap();
    const rotated = world.start(Infinity, {}, 'a new secret');

    expect(await replyComment(rotated.context, { ...options, pageToken: page.token })).toEqual({
      value: reply,
    });
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

  /** An entry as version 1 wrote it: with nothing but these fields, and a digest under the key. */
  function versionOne({ page, sandbox }: World, fields: object): object {
    const content = JSON.stringify(['publishPost', { message: text, pageId: page.id }]);
    return {
      version: 1,
      digest: createHmac('sha256', idempotencyKey).update(content).digest('hex'),
      owner: '0123456789abcdef0123456789abcdef',
      leaseUntil: 0,
      createdAt: sandbox.now() - 1000,
      updatedAt: sandbox.now() - 1000,
      ids: {},
      ...fields,
    };
  }
  /** One as a later version may write it: with fields of its own, and a digest that is made in another way. */
  function versionNine(world: World, fields: object): object {
    const later = { digest: 'made in another way', under: 'a later idea', colour: 'blue' };
    return { ...versionOne(world, fields), version: 9, ...later };
  }
  const versions = { 'version 1': versionOne, 'a later version': versionNine };

  describe.each(Object.entries(versions))('%s', (name, versionOf) => {
    async function prepare(fieldsAt: (world: World) => object): Promise<World> {
      const world = createWorld();
      await world.store.compareAndSet(
        keyIn(world),
        undefined,
        JSON.stringify(versionOf(world, fieldsAt(world))),
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
      expect(early._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
      expect(world.sandbox.effects('post')).toEqual([]);
      const kept = JSON.parse((await world.store.get(keyIn(world))) ?? '') as object;
      expect(kept).toMatchObject(
        name === 'version 1' ? { version: 2 } : { version: 9, colour: 'blue', under: 'a later idea' },
      );
      world.sandbox.advance(settleMs);

      const post = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrap();

      expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
    });

    test('that was refused, or interrupted, begins anew', async () => {
      for (const fields of [{ isRejected: true }, {}]) {
        const world = await prepare(() => fields);
        const post = (await publishPost(world.start().context, optionsOf(world)))._unsafeUnwrap();
        expect(world.sandbox.effects('post').map(({ id }) => id)).toEqual([post.id]);
      }
    });
  });

  test.each([undefined, 'me', '17840000000000123'])(
    'version 1 of login mode, made for the account %s, gives its value where that may be the same',
    async (picsUserId) => {
      const world = createWorld();
      const { account, platform } = world.sandbox;
      const content = JSON.stringify([
        'publish',
        { caption: text, imageUrl: 'https://example.com/a', picsUserId },
      ]);
      const digest = createHmac('sha256', idempotencyKey).update(content).digest('hex');
      const stored = {
        ...versionOne(world, { made: '7', value: { container_id: '6', media_id: '7' } }),
        digest,
      };
      const key = `pagepics ${new URL(platform.picsGraphUrl).origin} ${idempotencyKey}`;
      await world.store.compareAndSet(key, undefined, JSON.stringify(stored), 1e9);

      const call = await publishPics(world.start().pics, {
        token: account.token,
        picsUserId: account.userId,
        imageUrl: 'https://example.com/a',
        caption: text,
        idempotencyKey,
      });

      expect(call.isOk()).toBe(picsUserId === undefined || picsUserId === 'me');
    },
  );

  test('version 1 with other content is refused', async () => {
    const world = createWorld();
    const stored = versionOne(world, { made: '42_7', value: { id: '42_7' } });
    await world.store.compareAndSet(keyIn(world), undefined, JSON.stringify(stored), 1e9);

    const other = { ...optionsOf(world), message: 'Another' };
    expect((await publishPost(world.start().context, other))._unsafeUnwrapErr()).toMatchObject({
      option: 'idempotencyKey',
    });
  });
});
