import { describe, expect, test } from 'vitest';

import { pageOf, refusal, still } from '../support/caller.ts';
import { as, day, idsOf } from './support.ts';

function setting() {
  const sandbox = still();
  const mode = as('page', sandbox);
  const user_id = sandbox.account.userId;
  const search = (q: string) => mode.get('/ig_hashtag_search', { user_id, q });
  return {
    ...mode,
    sandbox,
    user_id,
    search,
    media: async (order: 'recent' | 'top', more: Readonly<Record<string, string>> = {}) => {
      const { body } = await search('coffee');
      return mode.get(`/${body.data[0].id}/${order}_media`, { user_id, ...more });
    },
  };
}

describe('a hashtag', () => {
  test('has one id, for everybody', async () => {
    const { sandbox, search, get } = setting();
    const { body } = await search('Coffee');
    const [{ id }] = body.data;

    expect(body).toEqual({ data: [{ id: expect.stringMatching(/^178\d{14}$/) }] });
    expect((await search('coffee')).body).toEqual(body);
    expect((await get(`/${id}`)).body).toEqual({ id });
    expect((await get(`/${id}`, { fields: 'id,name' })).body).toEqual({ id, name: 'coffee' });
    const fern = pageOf(sandbox, 2);
    const other = as('page', sandbox, fern.token);
    const found = await other.get('/ig_hashtag_search', { user_id: fern.picsId ?? '', q: 'coffee' });
    expect(found.body).toEqual(body);
  });

  test('is searched for by an account of the token, without its sign', async () => {
    const { sandbox, get, search, user_id } = setting();
    const path = '/ig_hashtag_search';

    for (const refused of [
      await search('#coffee'),
      await search('two words'),
      await search('\u{2615}'),
      await get(path, { q: 'coffee' }),
      await get(path, { user_id }),
      await get(path, { user_id: pageOf(sandbox, 2).picsId ?? '', q: 'coffee' }),
    ]) {
      expect(refusal(refused)).toEqual([400, 100, undefined]);
    }
    const ask = async (token: string) =>
      refusal(await as('page', sandbox, token).get(path, { user_id, q: 'coffee' }));
    expect(await ask(sandbox.issueToken({ kind: 'page', scopes: [] }))).toEqual([403, 10, undefined]);
    expect(await ask(`${sandbox.app.id}|${sandbox.app.secret}`)).toEqual([403, 210, undefined]);
    expect(await ask('none')).toEqual([400, 190, undefined]);
  });

  test('is limited to 30 different words a week', async () => {
    const { sandbox, search } = setting();
    for (let at = 0; at < 30; at += 1) {
      expect((await search(`word${at}`)).status).toBe(200);
      sandbox.advance(1000);
    }

    expect(refusal(await search('another'))).toEqual([400, 18, undefined]);
    expect((await search('word0')).status).toBe(200);
    sandbox.advance(7 * day - 30_000);
    expect((await search('another')).status).toBe(200);
    expect(refusal(await search('one_more'))).toEqual([400, 18, undefined]);
  });
});

describe('searched hashtags', () => {
  test('are listed, newest first, for a week', async () => {
    const { sandbox, search, get, account } = setting();
    const path = `${account}/recently_searched_hashtags`;
    await search('first');
    sandbox.advance(day);
    for (let at = 0; at < 26; at += 1) await search(`word${at}`);

    expect((await get(path)).body.data).toHaveLength(25);
    const all = (await get(path, { limit: '30' })).body.data;
    expect([all.length, all[0]]).toEqual([27, { id: expect.any(String), name: 'word25' }]);
    expect(all.at(-1).name).toBe('first');
    expect(refusal(await get(path, { limit: '31' }))).toEqual([400, 100, undefined]);
    sandbox.advance(6 * day);
    expect((await get(path, { limit: '30' })).body.data).toHaveLength(26);
  });
});

describe('media with a hashtag', () => {
  test('are those of the last day, or the most liked ones', async () => {
    const { sandbox, media } = setting();
    const now = sandbox.now();
    const old = sandbox.addMedia({ caption: '#coffee of old', likes: 90, at: now - day });
    const fresh = sandbox.addMedia({ caption: 'My #Coffee!', likes: 5, at: now - 1000 });
    const newest = sandbox.happen({ kind: 'media', caption: '#tea #coffee', likes: 20 });
    sandbox.addMedia({ caption: '#coffeehouse, no coffee' });

    expect(idsOf(await media('recent'))).toEqual([newest, fresh]);
    expect(idsOf(await media('top'))).toEqual([old, newest, fresh]);
  });

  test('are walked by a cursor that stays the same', async () => {
    const { sandbox, media } = setting();
    for (let at = 0; at < 5; at += 1)
      sandbox.addMedia({ caption: `#coffee no. ${at}`, at: sandbox.now() - at });
    const captions: string[][] = [];
    const cursors = new Set<string>();
    for (let after: string | undefined; captions.length < 9;) {
      const { body } = await media('recent', {
        fields: 'caption',
        limit: '2',
        ...(after !== undefined && { after }),
      });
      captions.push(body.data.map((one: { caption: string }) => one.caption.at(-1)));
      after = body.paging?.cursors.after;
      if (after === undefined) break;
      expect(body.paging).toEqual({ cursors: { after } });
      cursors.add(after);
    }

    expect(captions).toEqual([['0', '1'], ['2', '3'], ['4'], []]);
    expect(cursors.size).toBe(1);
    expect(refusal(await media('recent', { after: 'other' }))).toEqual([400, 100, undefined]);
    expect(refusal(await media('top', { after: [...cursors][0] ?? '' }))).toEqual([400, 100, undefined]);
    expect(refusal(await media('recent', { limit: '51' }))).toEqual([400, 100, undefined]);
  });

  test('do not say whose they are', async () => {
    const { sandbox, media } = setting();
    const id = sandbox.addMedia({ caption: '#coffee', likes: 3 });
    const fields = 'caption,comments_count,like_count,media_type,media_url,permalink,timestamp';

    expect((await media('top', { fields })).body.data).toEqual([
      {
        id,
        caption: '#coffee',
        comments_count: 0,
        like_count: 3,
        media_type: 'IMAGE',
        media_url: expect.stringMatching(/^https:/),
        permalink: expect.stringMatching(/^https:/),
        timestamp: expect.stringMatching(/\+0000$/),
      },
    ]);
    expect(refusal(await media('top', { fields: 'username' }))).toEqual([400, 100, undefined]);
  });
});
