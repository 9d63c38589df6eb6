import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ResultAsync } from 'neverthrow';
import { afterAll, describe, expect, test } from 'vitest';

import { createJournal, memoryJournal } from '../../../../src/core/index.ts';
import { digestContent } from '../../../../src/core/writes/journal/fingerprint.ts';
import {
  publishComment,
  publishPhoto,
  publishPhotos,
  publishPhotoStory,
  publishPost,
  publishReel,
  publishVideo,
  publishVideoStory,
} from '../../../../src/page/index.ts';
import { publish, publishCarousel } from '../../../../src/pics/index.ts';
import { fileOf } from '../../../functions/at.ts';
import { pageContext } from '../../../support/context.ts';
import { json, stubFetch } from '../../stub.ts';
import { createWorld, type Machine, type World } from './support.ts';

const idempotencyKey = 'job-1';
const message = 'Open until nine.';

function target({ page }: World) {
  return { pageId: page.id, pageToken: page.token };
}

describe('the content under a key', () => {
  test.each([
    ['imageUrl', 'a.jpg'],
    ['videoUrl', 'a.mp4'],
  ])('leaves out what follows a ? or # in %s, since signed addresses change', async (name, file) => {
    const world = createWorld();
    const { token, userId: picsUserId } = world.sandbox.account;
    const publishAt = (address: string) =>
      publish(world.start().pics, {
        token,
        picsUserId,
        idempotencyKey,
        ...({ [name]: address } as { readonly imageUrl: string }),
      });
    const address = `https://example.com/${file}`;

    const first = (await publishAt(`${address}?signed=1&until=2#top`))._unsafeUnwrap();

    expect((await publishAt(`${address}?signed=22`))._unsafeUnwrap()).toEqual(first);
    expect((await publishAt(`https://example.com/b${file}?signed=1`))._unsafeUnwrapErr()).toMatchObject({
      option: 'idempotencyKey',
    });
  });

  test('is what the options hold when the function is called, though they are used again', async () => {
    const world = createWorld();
    const { context } = world.start();
    const options = { ...target(world), message: '', idempotencyKey: '' };
    const results = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        publishPost(context, Object.assign(options, { message: name, idempotencyKey: name })),
      ),
    );

    const texts = new Map(world.sandbox.effects('post').map(({ id, content }) => [id, content['message']]));
    const published = results.map((result) => texts.get(result._unsafeUnwrap().id));
    expect([...published, texts.size]).toEqual(['one', 'two', 'three', 3]);
  });

  test('is told apart in an instance of a class, whose fields are private', async () => {
    class Job {
      readonly idempotencyKey = idempotencyKey;
      readonly #world: World;
      readonly #message: string;
      constructor(world: World, text: string) {
        this.#world = world;
        this.#message = text;
      }
      get pageId() {
        return target(this.#world).pageId;
      }
      get pageToken() {
        return target(this.#world).pageToken;
      }
      get message() {
        return this.#message;
      }
    }
    const world = createWorld();
    const { context } = world.start();
    (await publishPost(context, new Job(world, message)))._unsafeUnwrap();

    expect((await publishPost(context, new Job(world, message))).isOk()).toBe(true);
    const error = (await publishPost(context, new Job(world, 'Another text')))._unsafeUnwrapErr();
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'idempotencyKey' });
    expect(world.sandbox.effects('post')).toHaveLength(1);
  });
});

describe('a file that changes after it was digested', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-content-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const account = ({ page }: World) => ({ token: page.token, picsUserId: page.picsId });
  type Publish = (at: Machine, world: World, file: string) => ResultAsync<unknown, unknown>;
  const functions: Readonly<Record<string, Publish>> = {
    publishPhoto: ({ context }, world, photo) =>
      publishPhoto(context, { ...target(world), photo, idempotencyKey }),
    publishPhotos: ({ context }, world, photo) =>
      publishPhotos(context, { ...target(world), photos: [{ photo }, { photo }], message, idempotencyKey }),
    publishPhotoStory: ({ context }, world, photo) =>
      publishPhotoStory(context, { ...target(world), photo, idempotencyKey }),
    publishComment: ({ context }, world, photo) =>
      publishComment(context, {
        ...target(world),
        objectId: world.page.postIds[0] ?? '',
        photo,
        idempotencyKey,
      }),
    publishVideo: ({ context }, world, video) =>
      publishVideo(context, { ...target(world), video, waitTimeoutMs: 0, idempotencyKey }),
    'publishVideo as a thumbnail': ({ context }, world, thumbnail) =>
      publishVideo(context, {
        ...target(world),
        video: fileOf('video'),
        thumbnail,
        waitTimeoutMs: 0,
        idempotencyKey,
      }),
    publishReel: ({ context }, world, video) =>
      publishReel(context, { ...target(world), video, idempotencyKey }),
    'publishReel as a thumbnail': ({ context }, world, thumbnail) =>
      publishReel(context, { ...target(world), video: fileOf('video'), thumbnail, idempotencyKey }),
    publishVideoStory: ({ context }, world, video) =>
      publishVideoStory(context, { ...target(world), video, idempotencyKey }),
    publish: ({ viaPages }, world, video) =>
      publish(viaPages, { ...account(world), video, caption: message, idempotencyKey }),
    publishCarousel: ({ viaPages }, world, video) =>
      publishCarousel(viaPages, {
        ...account(world),
        items: [{ video }, { imageUrl: 'https://example.com/a.jpg' }],
        idempotencyKey,
      }),
  };
  const uploaded = /\/(?:photos|videos|video_reels|video_stories|media)$|upload/;

  test.each(Object.entries(functions))('is not published by %s under the old digest', async (name, call) => {
    const path = join(folder, name);
    writeFileSync(path, fileOf('first'));
    const store = memoryJournal();
    let isChanged = false;
    const world = createWorld({
      ...store,
      compareAndSet: async (...replacement) => {
        // The claim: the digest is made, and nothing is sent.
        if (!isChanged) writeFileSync(path, fileOf('other'));
        isChanged = true;
        return store.compareAndSet(...replacement);
      },
    });
    const machine = world.start();

    expect(await call(machine, world, path)).toMatchObject({ error: { name: 'ConfigurationError' } });
    expect(machine.points.filter((point) => point.includes('POST') && uploaded.test(point))).toEqual([]);

    // Nothing was sent: the key takes what the file holds now.
    expect((await call(world.start(), world, path)).isOk()).toBe(true);
    const sha256 = createHash('sha256').update(fileOf('other')).digest('hex');
    // The sandbox shows no thumbnails.
    if (!name.includes('thumbnail')) expect(JSON.stringify(world.sandbox.effects())).toContain(sha256);
  });
});

/** The digest under a key. */
async function digestOf(name: string, options: object): Promise<string> {
  return (await digestContent('key', name, options, undefined)).digest;
}

test.each([
  [0, 'b14c503d72828d83823c08e42745343c'],
  [3, '71cca744cd3a16b5a1be43737cc4986f'],
  [2 ** 20, '9c89a07cc675ff310cf67dfc0ac4f88a'],
  [2 ** 21 + 1, '7d2a77379306b35ad83862d65b198aad'],
])('a file of %i bytes has the digest that earlier versions wrote', async (length, digest) => {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1001) bytes[at] = at % 251;

  expect(await digestOf('page publishVideo', { video: bytes })).toBe(digest);
  expect(await digestOf('page publishVideo', { video: new Blob([bytes]) })).toBe(digest);
});

test.each([
  ['secret', 'cb7283c02d7a549734a60938e805df01', '9cbd07158273e710', '5048ee3df1798b190400deb48980e188'],
  [
    'ü'.repeat(100),
    'ba31c2e9f78cd5790dbd6c09e2ce8eb8',
    '2eb0a38351ec19fb',
    'e5bd37ed7347dacda046b93e8207059f',
  ],
])('a post is stored as earlier versions stored it: %#', async (appSecret, digest, under, lock) => {
  const store = memoryJournal();
  const fetch = stubFetch(json({ id: '12_34' }));
  const context = pageContext({ fetch, appSecret, journal: createJournal(store) });
  const options = { pageId: '12', pageToken: 't', message: 'Grüße 😀', link: 'https://example.test/a?b' };
  (await publishPost(context, { ...options, idempotencyKey: 'launch' }))._unsafeUnwrap();

  const { origin } = new URL(context.graphBase);
  expect(JSON.parse((await store.get(`pagepics ${origin} launch`)) ?? '')).toMatchObject({ digest, under });
  expect(await store.get(`pagepics-lock ${origin} ${lock}`)).toBeDefined();
});

test('the bytes that a file of another class streams stay whole', async () => {
  const kept = new Uint8Array([1, 2, 3]);
  class Kept extends Blob {
    override slice(): Blob {
      return this;
    }
    override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
      return new ReadableStream({
        start(controller) {
          controller.enqueue(kept);
          controller.close();
        },
      });
    }
  }
  const video = new Kept([kept]);

  expect(await digestOf('page publishVideo', { video })).toBe(
    await digestOf('page publishVideo', { video: kept }),
  );
  expect([...kept]).toEqual([1, 2, 3]);
});
