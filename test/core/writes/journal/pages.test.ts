import { okAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { pagesSince } from '../../../../src/core/writes/journal/look.ts';
import { publishPhotoStory, publishPost } from '../../../../src/page/index.ts';
import { createWorld, settleMs } from './support.ts';

const next = 'https://example.com/list?after=more&access_token=secret&appsecret_proof=secret';

/** Entries that are so many seconds old, in the order of a list. */
const posts = (...ages: number[]) =>
  ages.map((age) => ({ created_time: new Date(-1000 * age).toISOString().replace('.000Z', '+0000') }));
const stories = (...ages: number[]) => ages.map((age) => ({ creation_time: `${10_000 - age}` }));

/** Reads pages back to a time, and says how many were asked for. */
async function readBack(since: number, limit: number, pages: readonly object[]) {
  const asked: unknown[] = [];
  const walk = pagesSince(() => since);
  const read = await walk.read(
    (query) => {
      asked.push(query);
      return okAsync(pages[asked.length - 1] ?? {});
    },
    { limit },
  );
  const { data } = read._unsafeUnwrap() as { readonly data: readonly unknown[] };
  return { asked, count: data.length, isWhole: walk.isWholeSince(since) };
}

describe('a list', () => {
  test('is read until it reaches back to the time, with the token of the request alone', async () => {
    const pages = [
      { data: posts(1, 2), paging: { next } },
      { data: posts(3, 9), paging: { next } },
    ];
    expect(await readBack(-8000, 2, pages)).toEqual({
      asked: [{ limit: 2 }, { limit: 2, after: 'more' }],
      count: 4,
      isWhole: true,
    });
  });

  test('is read to its end where its newest entries are not the first', async () => {
    const pages = [{ data: posts(9, 1), paging: { next } }, { data: posts(2) }];
    expect(await readBack(-8000, 2, pages)).toMatchObject({ count: 3, isWhole: true });
    expect(await readBack(-8000, 2, [{ data: posts(9, 1), paging: {} }])).toMatchObject({ isWhole: false });
  });

  test('that tells no times is whole at its end only', async () => {
    expect(await readBack(-8000, 2, [{ data: [{}] }])).toMatchObject({ isWhole: true });
    expect(await readBack(-8000, 2, [{ data: [{}, {}] }])).toMatchObject({ isWhole: false });
  });

  test('of 100 stories, as many as were asked for, proves nothing of what is older', async () => {
    const full = stories(...Array(100).keys());
    expect(await readBack(9_800_000, 100, [{ data: full, paging: {} }])).toMatchObject({ isWhole: false });
    expect(await readBack(9_950_000, 100, [{ data: full, paging: {} }])).toMatchObject({ isWhole: true });
    expect(await readBack(9_800_000, 100, [{ data: full.slice(1), paging: {} }])).toMatchObject({
      isWhole: true,
    });
  });

  test('whose last page is full is whole where an earlier page named a next one', async () => {
    const pages = [
      { data: posts(9, 1), paging: { next } },
      { data: posts(2, 3), paging: {} },
    ];
    expect(await readBack(-8000, 2, pages)).toMatchObject({ count: 4, isWhole: true });
  });

  test('of one full page is asked for with an entry less, which tells whether it names next pages', async () => {
    const full = { data: posts(9, 1), paging: {} };
    const named = { data: posts(9), paging: { next } };
    expect(await readBack(-8000, 2, [full, named])).toEqual({
      asked: [{ limit: 2 }, { limit: 1 }],
      count: 2,
      isWhole: true,
    });
    for (const unnamed of [{ data: posts(9), paging: {} }, { data: posts(9), paging: { next: 7 } }, {}])
      expect(await readBack(-8000, 2, [full, unnamed])).toMatchObject({ count: 2, isWhole: false });
    // Of a single entry, there is none less to ask for.
    expect(await readBack(-8000, 1, [{ data: posts(2) }])).toMatchObject({ asked: [{ limit: 1 }] });
  });

  test.each([7, 'nowhere', null])('whose next page is at %j is not whole', async (address) => {
    expect(await readBack(-8000, 2, [{ data: posts(1), paging: { next: address } }])).toMatchObject({
      asked: [{ limit: 2 }],
      isWhole: false,
    });
  });

  test('without end is read for 20 pages', async () => {
    const { asked, isWhole } = await readBack(
      -8000,
      1,
      Array.from({ length: 30 }, () => ({ data: posts(1), paging: { next } })),
    );
    expect([asked.length, isWhole]).toEqual([20, false]);
  });
});

test.each(['before', 'after'] as const)(
  'a story that was lost %s its effect is told, although 110 came since',
  { tags: 'long' },
  async (when) => {
    const world = createWorld();
    const { sandbox, page } = world;
    const options = { pageId: page.id, pageToken: page.token };
    const photoUrl = 'https://example.com/a.jpg';
    sandbox.fault({ method: 'POST', path: '/photo_stories', when, drop: true });
    sandbox.fault({ method: 'GET', path: '/stories', status: 503, times: 4 });
    const lost = { ...options, photoUrl, idempotencyKey: 'lost' };
    expect((await publishPhotoStory(world.start().context, lost)).isErr()).toBe(true);
    const { context } = world.start();
    for (let story = 0; story < 110; story++) await publishPhotoStory(context, { ...options, photoUrl });
    sandbox.advance(settleMs);

    const told = await publishPhotoStory(world.start().context, lost);

    const ids = sandbox.effects('photo_story').map(({ id }) => id);
    expect(ids.length).toBe(111);
    expect(told._unsafeUnwrap().post_id).toBe(when === 'after' ? ids[0] : ids[110]);
  },
);

test('a scheduled post is looked for in the whole list, whatever its order', async () => {
  const world = createWorld();
  const { sandbox, page } = world;
  const hour = 3_600_000;
  const soon = Math.floor(sandbox.now() / 1000) + 86_400;
  function schedule(message: string, scheduledAt: number, idempotencyKey?: string) {
    const options = { pageId: page.id, pageToken: page.token, message, scheduledAt, idempotencyKey };
    return publishPost(world.start().context, options);
  }
  sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });
  sandbox.fault({ method: 'GET', path: '/scheduled_posts', status: 503, times: 4 });
  expect((await schedule('Lost', soon, 'lost')).isErr()).toBe(true);
  for (let post = 0; post < 30; post++) expect((await schedule(`${post}`, soon + post)).isOk()).toBe(true);
  sandbox.advance(hour);

  expect((await schedule('Lost', soon, 'lost'))._unsafeUnwrap().id).toBe(sandbox.effects('post')[0]?.id);
});

describe('a post that was lost without effect is sent again on a Page of which a list', () => {
  const name = 'ends with the %i that came since';
  test.each([25])(name, sendAgain);
  test.each([24, 26, 49, 50, 51])(name, { tags: 'long' }, sendAgain);

  async function sendAgain(others: number) {
    const world = createWorld();
    const { sandbox, page } = world;
    const scheduledAt = Math.floor(sandbox.now() / 1000) + 86_400;
    const schedule = (message: string) =>
      publishPost(world.start().context, {
        pageId: page.id,
        pageToken: page.token,
        message,
        scheduledAt,
        idempotencyKey: message,
      });
    sandbox.fault({ method: 'POST', path: '/feed', when: 'before', drop: true });
    expect((await schedule('Lost')).isErr()).toBe(true);
    for (let post = 0; post < others; post++) expect((await schedule(`${post}`)).isOk()).toBe(true);
    sandbox.advance(settleMs);

    expect((await schedule('Lost'))._unsafeUnwrap().id).toBe(sandbox.effects('post').at(-1)?.id);
  }
});

test('a lookup asks for no page that is older than its request', async () => {
  const { sandbox, page, start } = createWorld();
  for (let post = 0; post < 60; post++) sandbox.addPost({ pageId: page.id, message: `Old ${post}` });
  sandbox.advance(7_200_000);
  sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });

  const options = { pageId: page.id, pageToken: page.token, message: 'New', idempotencyKey: 'a' };
  const made = (await publishPost(start().context, options))._unsafeUnwrap();

  expect(sandbox.effects('post').map(({ id }) => id)).toEqual([made.id]);
  const lists = sandbox.requests.filter(({ path }) => path.endsWith('/published_posts'));
  expect(lists.map(({ query }) => query['after'])).toEqual([undefined]);
});
