import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, still } from '../support/caller.ts';

function setting() {
  const sandbox = still();
  const page = pageOf(sandbox);
  const { get, post, del } = caller(sandbox);
  return {
    sandbox,
    page,
    get: (path: string, params?: Readonly<Record<string, string>>) => get(path, page.token, params),
    post: (path: string, form?: Readonly<Record<string, string>>) => post(path, page.token, form),
    del: (path: string, params?: Readonly<Record<string, string>>) => del(path, page.token, params),
  };
}

describe('blocked people', () => {
  /** The people who wrote the comments on the first post. */
  async function people({ page, get }: ReturnType<typeof setting>): Promise<string[]> {
    const { body } = await get(`/${page.postIds[0]}/comments`, { fields: 'from' });
    return body.data.map((one: { from: { id: string } }) => one.from.id);
  }

  test('are reported one by one, listed, and unblocked again', async () => {
    const open = setting();
    const { sandbox, page, get, post, del } = open;
    const path = `/${page.id}/blocked`;
    const [one = '', two = ''] = await people(open);

    expect((await get(path)).body).toEqual({ data: [] });
    expect((await post(path, { user: JSON.stringify([one, two, '404']) })).body).toEqual({
      [one]: true,
      [two]: true,
      404: false,
    });
    expect((await post(path, { user: one })).body).toEqual({ [one]: true });
    expect((await get(path, { fields: 'id,name,link,profile_type' })).body).toMatchObject({
      data: [
        { id: two, name: expect.any(String), profile_type: 'user' },
        { id: one, link: expect.stringMatching(/^https:/) },
      ],
      paging: { cursors: { before: expect.any(String), after: expect.any(String) } },
    });
    const first = (await get(path, { limit: '1', fields: 'id' })).body;
    expect([first.data, first.paging.next]).toEqual([[{ id: two }], expect.stringContaining('after=')]);
    expect((await get(path, { user: one, fields: 'id' })).body.data).toEqual([{ id: one }]);
    expect((await get(path, { uid: '404' })).body.data).toEqual([]);

    expect((await del(path, { user: one })).body).toEqual({ success: true });
    expect((await del(path, { user: one })).body).toEqual({ success: true });
    expect((await get(path, { fields: 'id' })).body.data).toEqual([{ id: two }]);
    expect(sandbox.effects('block').map(({ id, parentId }) => [id, parentId])).toEqual([
      [one, page.id],
      [two, page.id],
    ]);
    expect(sandbox.effects('unblock').map(({ id }) => id)).toEqual([one]);
  });

  test('are named by one kind of id', async () => {
    const open = setting();
    const { page, post, del } = open;
    const path = `/${page.id}/blocked`;
    const [one = '', two = ''] = await people(open);
    const [contact] = page.contacts;

    expect((await post(path, { psid: contact?.id ?? '' })).body).toEqual({ [contact?.id ?? '']: true });
    expect(refusal(await post(path))).toEqual([400, 100, undefined]);
    expect(refusal(await post(path, { user: one, psid: two }))).toEqual([400, 100, undefined]);
    expect(refusal(await del(path))).toEqual([400, 100, undefined]);
    expect(refusal(await del(path, { user: `${one},${two}` }))).toEqual([400, 100, undefined]);
  });

  test('are a matter of pages_manage_engagement', async () => {
    const { sandbox, page } = setting();
    const { get, post } = caller(sandbox);
    const token = sandbox.issueToken({ kind: 'page', scopes: ['pages_messaging'] });
    const path = `/${page.id}/blocked`;

    expect(refusal(await get(path, token))).toEqual([403, 10, undefined]);
    expect(refusal(await post(path, token, { user: '1' }))).toEqual([403, 200, undefined]);
    expect(refusal(await get(path, sandbox.user.token))).toEqual([403, 210, undefined]);
  });
});

describe('posts', () => {
  test('of visitors are listed apart', async () => {
    const { sandbox, page, get } = setting();
    const id = sandbox.happen({ kind: 'post', pageId: page.id, message: 'Hello', by: 'Mara Lind' });

    const { body } = await get(`/${page.id}/visitor_posts`, { fields: 'id,message,from' });

    expect(body.data).toMatchObject([
      { id, message: 'Hello', from: { name: 'Mara Lind' } },
      { message: 'A visitor was here' },
    ]);
    const few = sandbox.issueToken({ kind: 'page', scopes: ['pages_read_engagement'] });
    const refused = await caller(sandbox).get(`/${page.id}/visitor_posts`, few);
    expect(refusal(refused)).toEqual([403, 10, undefined]);
  });

  test('of visitors are refused for new Pages', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    sandbox.tune({ pages: { visitorPosts: false } });
    const reply = await caller(sandbox).get(`/${id}/visitor_posts`, token);
    expect(refusal(reply)).toEqual([403, 200, undefined]);
    expect(reply.body.error.message).toBe('(#200) Permissions error');
  });

  test('that tag the Page are in its feed, and in a list of their own', async () => {
    const { sandbox, page, get } = setting();
    const before = (await get(`/${page.id}/feed`, { fields: 'id' })).body.data;
    const id = sandbox.happen({ kind: 'post', pageId: page.id, message: 'Best coffee', tagged: true });
    const older = sandbox.addPost({
      pageId: page.id,
      message: 'Great',
      by: 'Kim Ito',
      tagged: true,
      at: sandbox.now() - 1000,
    });

    const { body } = await get(`/${page.id}/tagged`, { fields: 'id,message,from,created_time' });

    expect(body.data).toMatchObject([
      { id, message: 'Best coffee', from: { name: 'Wim Prins' } },
      { id: older, from: { name: 'Kim Ito' } },
    ]);
    expect(id).not.toContain(page.id);
    expect((await get(`/${page.id}/feed`, { fields: 'id' })).body.data).toEqual([
      { id },
      { id: older },
      ...before,
    ]);
    expect((await get(`/${page.id}/visitor_posts`)).body.data).toHaveLength(1);
    await caller(sandbox).post(`/${page.id}/subscribed_apps`, page.token, { subscribed_fields: 'feed' });
    expect(await sandbox.deliver(async () => new Response())).toEqual([]);
  });

  test('name a place, and people there', async () => {
    const { sandbox, page, get, post } = setting();
    const path = `/${page.id}/feed`;
    const place = pageOf(sandbox, 1);

    const { body } = await post(path, { message: 'Here', place: place.id, tags: '["11","12"]' });
    const bare = await post(path, { message: 'Nowhere' });

    expect((await get(`/${body.id}`, { fields: 'place{id,name},to' })).body).toEqual({
      id: body.id,
      place: { id: place.id, name: place.name },
      to: { data: [{ id: '11' }, { id: '12' }] },
    });
    expect((await get(`/${bare.body.id}`, { fields: 'place,to' })).body).toEqual({ id: bare.body.id });
    expect(sandbox.effects('post')[0]?.content).toMatchObject({ placeId: place.id, tagIds: ['11', '12'] });
    for (const form of [{ tags: '11' }, { place: '404' }, { place: place.id, tags: 'Mara' }]) {
      expect(refusal(await post(path, { message: 'x', ...form }))).toEqual([400, 100, undefined]);
    }
    expect(sandbox.effects('post')).toHaveLength(2);
  });

  test('of photos and videos name a place, too', async () => {
    const { page, get, post } = setting();
    const photo = await post(`/${page.id}/photos`, {
      url: 'https://cdn.test/a.jpg',
      place: page.id,
      tags: '11',
    });
    const video = await post(`/${page.id}/videos`, { file_url: 'https://cdn.test/a.mp4', place: page.id });

    expect((await get(`/${photo.body.post_id}`, { fields: 'place,to' })).body).toMatchObject({
      place: { id: page.id, name: page.name, location: { city: 'Berlin' } },
      to: { data: [{ id: '11' }] },
    });
    expect((await get(`/${video.body.id}`, { fields: 'place' })).body.place).toMatchObject({ id: page.id });
  });
});
