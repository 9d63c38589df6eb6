import { describe, expect, test } from 'vitest';

import { refusal, start, still } from '../support/caller.ts';
import { as, container, day, hour, idsOf, jpeg, modes, mp4, second } from './support.ts';

describe.each(modes)('media in %s mode', (name) => {
  test('come newest first, without stories and carousel items, ids only by default', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const found = await mode.get(`${mode.account}/media`);
    expect(found.body.data).toEqual(sandbox.account.mediaIds.map((id) => ({ id })));
  });

  test("that a test adds are the seeded account's, unless it says whose", async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    sandbox.advance(second);
    const own = [sandbox.addMedia({ caption: 'Ours' }), sandbox.addMedia({ by: sandbox.account.username })];
    sandbox.addMedia({ by: 'wim' });
    sandbox.happen({ kind: 'media', caption: 'A person posts' });

    const { body } = await mode.get(`${mode.account}/media`);
    const ids: string[] = body.data.map(({ id }: { id: string }) => id);
    expect(new Set(ids)).toEqual(new Set([...own, ...sandbox.account.mediaIds]));
  });

  test('tell what they are', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const [image = '', carousel, reel] = sandbox.account.mediaIds;
    const fields =
      'caption,media_type,media_product_type,media_url,permalink,thumbnail_url,timestamp,username,comments_count';
    const { body } = await mode.get(`${mode.account}/media`, { fields, limit: '3' });
    expect(body.data).toMatchObject([
      {
        id: image,
        caption: 'Morning light',
        media_type: 'IMAGE',
        media_product_type: 'FEED',
        comments_count: 5,
      },
      { id: carousel, media_type: 'CAROUSEL_ALBUM', media_product_type: 'FEED', comments_count: 0 },
      { id: reel, media_type: 'VIDEO', media_product_type: 'REELS' },
    ]);
    expect(body.data[0].timestamp).toBe('2026-10-04T12:00:00+0000');
    expect(body.data[0].thumbnail_url).toBeUndefined();
    expect(body.data[2].thumbnail_url).toMatch(/^https:/);
    expect(new Set(body.data.map((one: { permalink: string }) => one.permalink)).size).toBe(3);
    expect((await mode.get(`/${image}`, { fields: 'caption' })).body).toEqual({
      caption: 'Morning light',
      id: image,
    });
  });

  test('are walked by links that hold the token', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const ids: string[] = [];
    let after: string | undefined;
    do {
      const page = await mode.get(`${mode.account}/media`, {
        limit: '2',
        ...(after === undefined ? {} : { after }),
      });
      ids.push(...idsOf(page));
      const next = page.body.paging.next === undefined ? undefined : new URL(page.body.paging.next);
      if (next !== undefined) expect(next.searchParams.get('access_token')).toBe(mode.token);
      after = next?.searchParams.get('after') ?? undefined;
    } while (after !== undefined);
    expect(ids).toEqual(sandbox.account.mediaIds);
  });

  test('are chosen by time', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const since = String((start - 5 * day) / 1000);
    const found = await mode.get(`${mode.account}/media`, { since });
    expect(idsOf(found)).toEqual(sandbox.account.mediaIds.slice(0, 3));
  });

  test('have children when they are carousels', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const [image, carousel] = sandbox.account.mediaIds;
    const { carouselItemIds } = sandbox.account;
    const inside = await mode.get(`/${carousel}`, { fields: 'children{id,media_type}' });
    expect(inside.body.children.data).toEqual(carouselItemIds.map((id) => ({ id, media_type: 'IMAGE' })));
    expect(idsOf(await mode.get(`/${carousel}/children`))).toEqual(carouselItemIds);
    expect((await mode.get(`/${image}`, { fields: 'children{id}' })).body).toEqual({ id: image });
  });

  test('are refused as a whole for one unknown field', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    for (const fields of ['id,nonsense', 'video_title', 'children{nonsense}']) {
      expect(refusal(await mode.get(`${mode.account}/media`, { fields }))).toEqual([400, 100, undefined]);
    }
  });

  test('appear in lists after the lag only, and by their id at once', async () => {
    const sandbox = still();
    sandbox.tune({ lists: { lagMs: 5 * second } });
    const mode = as(name, sandbox);
    const publish = async (form: Record<string, string>): Promise<string> => {
      const creation_id = await container(mode, form);
      return (await mode.post(`${mode.account}/media_publish`, { creation_id })).body.id;
    };
    const id = await publish({ image_url: jpeg, caption: 'new' });
    const story = await publish({ media_type: 'STORIES', image_url: jpeg });
    const list = async (): Promise<string[]> => idsOf(await mode.get(`${mode.account}/media`));
    expect(await list()).toEqual(sandbox.account.mediaIds);
    expect((await mode.get(`/${id}`, { fields: 'caption' })).body.caption).toBe('new');
    const stories = async (): Promise<string[]> =>
      idsOf(await as('page', sandbox).get(`/${sandbox.account.userId}/stories`));
    expect(await stories()).toEqual(sandbox.account.storyIds);
    sandbox.advance(5 * second);
    expect(await list()).toEqual([id, ...sandbox.account.mediaIds]);
    expect(await stories()).toEqual([story, ...sandbox.account.storyIds]);
  });
});

test('view_count is for business discovery only, and for page mode', async () => {
  const sandbox = still();
  const [id] = sandbox.account.mediaIds;
  expect(refusal(await as('page', sandbox).get(`/${id}`, { fields: 'view_count' }))).toEqual([
    400,
    36_104,
    undefined,
  ]);
  expect(refusal(await as('login', sandbox).get(`/${id}`, { fields: 'view_count' }))).toEqual([
    400,
    100,
    undefined,
  ]);
  const { body } = await as('page', sandbox).get(`/${id}`, { fields: 'total_like_count' });
  expect(body.total_like_count).toBe(12);
});

describe('stories', () => {
  test('live for 24 hours, in page mode', async () => {
    const sandbox = still();
    const mode = as('page', sandbox);
    const path = `${mode.account}/stories`;
    const [younger = '', older = ''] = sandbox.account.storyIds;
    const { body } = await mode.get(path, { fields: 'media_product_type,media_type,permalink' });
    expect(body.data).toMatchObject([
      { id: younger, media_product_type: 'STORY', media_type: 'IMAGE' },
      { id: older, media_product_type: 'STORY', media_type: 'VIDEO' },
    ]);
    sandbox.advance(19 * hour);
    expect(idsOf(await mode.get(path))).toEqual([younger]);
    expect(refusal(await mode.get(`/${older}`))).toEqual([400, 100, 33]);
    expect((await mode.get(`/${younger}`)).status).toBe(200);
  });

  test('are not listed in login mode', async () => {
    const found = await as('login', still()).get('/me/stories');
    expect(refusal(found)).toEqual([400, 2500, undefined]);
  });
});

test('a published reel says so', async () => {
  const sandbox = still();
  const mode = as('login', sandbox);
  const creation_id = await container(mode, { media_type: 'REELS', video_url: mp4, share_to_feed: 'false' });
  const { body } = await mode.post('/me/media_publish', { creation_id });
  const media = await mode.get(`/${body.id}`, {
    fields: 'media_type,media_product_type,is_shared_to_feed,media_url',
  });
  expect(media.body).toEqual({
    id: body.id,
    media_type: 'VIDEO',
    media_product_type: 'REELS',
    is_shared_to_feed: false,
    media_url: mp4,
  });
});
