import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { settleKey } from '../../../../src/core/index.ts';
import { parseEntry } from '../../../../src/core/writes/journal/entry.ts';
import { publishPhoto, publishPhotos, publishPost } from '../../../../src/page/index.ts';
import { publish } from '../../../../src/pics/index.ts';
import { createWorld, settleMs, type World } from './support.ts';

interface Fixture {
  readonly endedAt: number;
  readonly made: readonly string[];
  readonly rows: Readonly<Record<string, string>>;
}

// What version 1.3.0 has stored under the key `key`.
const fixtures = JSON.parse(
  readFileSync(new URL('fixtures/entriesOfVersion2.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Fixture>>;
const message = 'Open until nine';
const idempotencyKey = 'key';
const imageUrl = 'https://example.com/a.jpg';
const onPage = ({ page }: World) => ({ pageId: page.id, pageToken: page.token });

/** A world whose store holds a fixture, as if it had been stored just now, with other ids in place of its own. */
async function createWorldOf(
  name: string,
  make: (world: World) => Promise<readonly (readonly [old: string, id: string])[]> = async () => [],
): Promise<World> {
  const world = createWorld();
  const ids = new Map(await make(world));
  const { rows, endedAt } = fixtures[name] as Fixture;
  const shifted = (text: string): string =>
    text
      .replaceAll(/\b17954352\d{5}\b/g, (time) => `${Number(time) + world.sandbox.now() - endedAt}`)
      .replaceAll(/\b1\d{16}\b/g, (id) => ids.get(id) ?? id);
  for (const [key, value] of Object.entries(rows)) {
    const { origin } = new URL(world.sandbox.platform.graphUrl);
    await world.store.compareAndSet(key.replace(/https:\S+/, origin), undefined, shifted(value), 1e9);
  }
  return world;
}

const post = (world: World) =>
  publishPost(world.start().context, { ...onPage(world), message, idempotencyKey });
const unkeyed = (world: World) => publishPost(world.start().context, { ...onPage(world), message });
const idsOf = ({ sandbox }: World, kind: 'post' | 'media' = 'post') =>
  sandbox.effects(kind).map(({ id }) => id);

test('a value of version 2 is returned', async () => {
  const world = await createWorldOf('published');

  expect((await post(world))._unsafeUnwrap()).toEqual({ id: fixtures['published']?.made[0] });
  expect(world.sandbox.requests).toEqual([]);
});

test('a refused key of version 2 starts over', async () => {
  const world = await createWorldOf('rejected');

  expect([(await post(world))._unsafeUnwrap().id]).toEqual(idsOf(world));
});

test('a request of version 2 that took no effect is sent again once it is over', async () => {
  const world = await createWorldOf('sent, and it took no effect');
  const early = (await post(world))._unsafeUnwrapErr();
  expect(early).toMatchObject({ outcome: 'unknown' });
  expect(idsOf(world)).toEqual([]);
  world.sandbox.advance(Object(early).retryAfterMs as number);

  expect([(await post(world))._unsafeUnwrap().id]).toEqual(idsOf(world));
});

test('a post of version 2 is shown to a person: its key held no lock, so it takes none by its text', async () => {
  const world = await createWorldOf('sent, and it took effect', async (empty) => {
    (await unkeyed(empty))._unsafeUnwrap();
    return [];
  });
  for (let calls = 0; calls < 2; calls++) {
    expect((await post(world))._unsafeUnwrapErr()).toMatchObject({
      outcome: 'unknown',
      payload: { candidates: idsOf(world) },
    });
    world.sandbox.advance(settleMs);
  }
  expect(idsOf(world).length).toBe(1);

  const value = { id: idsOf(world)[0] };
  expect((await settleKey(world.start().context, idempotencyKey, { value })).isOk()).toBe(true);
  expect((await post(world))._unsafeUnwrap()).toEqual(value);
});

test('photos that version 2 has uploaded are not uploaded again', async () => {
  const photos = ['a', 'b'].map((name) => ({ photoUrl: `https://example.com/${name}.jpg` }));
  const world = await createWorldOf('interrupted, with ids', async (empty) => {
    const uploaded = [];
    for (const photo of photos)
      uploaded.push(
        await publishPhoto(empty.start().context, { ...onPage(empty), ...photo, published: false }),
      );
    const [first, second] = uploaded.map((photo) => photo._unsafeUnwrap().id);
    return [
      ['12200000000055103', first ?? ''],
      ['12200000000055155', second ?? ''],
    ];
  });
  const before = world.sandbox.requests.length;

  const album = await publishPhotos(world.start().context, {
    ...onPage(world),
    message,
    photos,
    idempotencyKey,
  });

  expect([album._unsafeUnwrap().id]).toEqual(idsOf(world));
  const sent = world.sandbox.requests.slice(before).filter(({ method }) => method === 'POST');
  expect(sent.map(({ path }) => path.replace(/.*\//, ''))).toEqual(['feed']);
});

test('a container that version 2 has published is not published again', async () => {
  const media = (world: World) => ({
    token: world.page.token,
    picsUserId: world.page.picsId,
    imageUrl,
    caption: message,
  });
  const world = await createWorldOf('container published, response lost', async (empty) => {
    const { container_id: id } = (await publish(empty.start().viaPages, media(empty)))._unsafeUnwrap();
    return [['17800000000055103', id]];
  });
  world.sandbox.advance(settleMs);

  expect(
    (await publish(world.start().viaPages, { ...media(world), idempotencyKey }))._unsafeUnwrapErr(),
  ).toMatchObject({
    outcome: 'applied',
  });
  expect(idsOf(world, 'media').length).toBe(1);
});

test('an effect that version 2 knew of, without its id, is still known', () => {
  const rows = Object.values(fixtures).flatMap(({ rows: texts }) => Object.values(texts));
  const applied = rows.filter((text) => text.includes('"isApplied":true'));

  expect(applied).not.toEqual([]);
  for (const text of applied) expect(parseEntry(text)).toMatchObject({ applied: true });
});

test('a request that an entry does not limit may have taken ten minutes', () => {
  const [text = ''] = Object.values(fixtures)
    .flatMap(({ rows }) => Object.values(rows))
    .filter((row) => row.includes('"sending":{"at"'));
  const stored = JSON.parse(text) as { readonly sending: { readonly at: number } };
  const { at } = stored.sending;
  const lastsOf = (endsAt?: number) =>
    parseEntry(JSON.stringify({ ...stored, sending: { ...stored.sending, endsAt } }))?.sending?.lastsMs;

  expect([lastsOf(at + 5000), lastsOf(), lastsOf(at - 1)]).toEqual([5000, 600_000, 0]);
});
