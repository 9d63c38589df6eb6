import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, start, still, type Loose } from '../support/caller.ts';

const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+0000`;

describe('posts', () => {
  test('are listed newest first, the Page itself only', async () => {
    const sandbox = still();
    const { id, token, postIds } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const { body } = await get(`/${id}/published_posts`, token);
    expect(body.data.map((post: { id: string }) => post.id)).toEqual(postIds);
    expect(body.data[0]).toEqual({
      id: postIds[0],
      created_time: iso(start - 2 * 3_600_000),
      message: 'News no. 1 from Harbour Coffee',
    });
    const feed = await get(`/${id}/feed`, token, { fields: 'message' });
    expect(feed.body.data.map((post: { message: string }) => post.message)).toContain('A visitor was here');
  });

  test('refuse the fields that PagePost lost', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { get } = caller(sandbox);
    for (const fields of ['type', 'id,link', 'object_id']) {
      expect(refusal(await get(`/${id}/published_posts`, token, { fields }))).toEqual([400, 100, undefined]);
    }
    const safe =
      'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,from,shares';
    expect((await get(`/${id}/published_posts`, token, { fields: safe })).status).toBe(200);
  });

  test('are published each for itself, identical or not', async () => {
    const sandbox = still();
    const { id, token, postIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const write = { message: 'same', link: 'https://example.test/' };
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) ids.push((await post(`/${id}/feed`, token, write)).body.id);
    expect(new Set(ids).size).toBe(6);
    expect(ids[0]).toMatch(new RegExp(`^${id}_\\d{17}$`));
    expect(sandbox.effects('post')).toEqual(
      ids.map((made) => ({
        kind: 'post',
        id: made,
        at: start,
        parentId: id,
        content: { ...write, published: true },
      })),
    );
    const { body } = await get(`/${id}/published_posts`, token);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual([...ids.toReversed(), ...postIds]);
  });

  test('kept back stay out of the list but can be read', async () => {
    const sandbox = still();
    const { id, token, postIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const made = await post(`/${id}/feed`, token, { message: 'later', published: 'false' });
    expect((await get(`/${id}/published_posts`, token)).body.data).toHaveLength(postIds.length);
    const node = await get(`/${made.body.id}`, token, { fields: 'message,is_published' });
    expect(node.body).toEqual({ message: 'later', is_published: false, id: made.body.id });
  });

  test('that are scheduled are listed apart, and published when their time comes', async () => {
    const sandbox = still();
    const { id, token, postIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const time = String(start / 1000 + 900);
    const form = { message: 'later', published: 'false', scheduled_publish_time: time };
    const { body } = await post(`/${id}/feed`, token, form);
    const planned = await get(`/${id}/scheduled_posts`, token, {
      fields: 'id,message,scheduled_publish_time',
    });
    expect(planned.body.data).toEqual([
      { id: body.id, message: 'later', scheduled_publish_time: Number(time) },
    ]);
    expect((await get(`/${id}/published_posts`, token)).body.data).toHaveLength(postIds.length);
    expect(sandbox.effects('post')[0]?.content).toMatchObject({ scheduledAt: start + 900_000 });

    sandbox.advance(900_000);
    expect((await get(`/${id}/scheduled_posts`, token)).body.data).toEqual([]);
    const [newest] = (await get(`/${id}/published_posts`, token, { fields: 'is_published' })).body.data;
    expect(newest).toEqual({ id: body.id, is_published: true });
  });

  test('are changed, moved, hidden and published by themselves', async () => {
    const sandbox = still();
    const { id, token, postIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const inSeconds = (seconds: number): string => String(start / 1000 + seconds);
    const made = await post(`/${id}/feed`, token, {
      message: 'a',
      published: 'false',
      scheduled_publish_time: inSeconds(900),
    });
    const path = `/${made.body.id}`;
    const moved = { message: 'b', scheduled_publish_time: inSeconds(1800), is_hidden: 'true' };
    expect((await post(path, token, moved)).body).toEqual({ success: true });
    const fields = 'message,scheduled_publish_time,is_hidden,is_published';
    expect((await get(path, token, { fields })).body).toMatchObject({
      message: 'b',
      scheduled_publish_time: start / 1000 + 1800,
      is_hidden: true,
      is_published: false,
    });
    expect((await post(path, token, { is_published: 'true' })).body).toEqual({ success: true });
    expect((await get(`/${id}/published_posts`, token)).body.data[0].id).toBe(made.body.id);
    expect((await get(path, token, { fields })).body).not.toHaveProperty('scheduled_publish_time');

    expect(refusal(await post(path, token, { scheduled_publish_time: inSeconds(900) }))[1]).toBe(100);
    expect(refusal(await post(path, token, { is_published: 'false' }))[1]).toBe(100);
    expect(refusal(await post(path, token, { published: 'true' }))[1]).toBe(100);
    expect(refusal(await post(`/${postIds[0]}`, pageOf(sandbox, 1).token, { message: 'c' }))[1]).toBe(100);
    expect(sandbox.effects('post_update')).toHaveLength(2);
  });

  test.each([
    ['a time of a published post', { scheduled_publish_time: 900 }],
    ['a time too soon', { scheduled_publish_time: 500, published: 'false' }],
    ['a time that is over', { scheduled_publish_time: -1, published: 'false' }],
    ['a published draft', { unpublished_content_type: 'DRAFT' }],
    ['an unknown kind', { unpublished_content_type: 'LATER', published: 'false' }],
    ['SCHEDULED without a time', { unpublished_content_type: 'SCHEDULED', published: 'false' }],
    ['a button without a link', { call_to_action: '{"type":"SHOP_NOW"}' }],
    ['an audience that is no object', { targeting: 'DE' }],
  ])('are refused with %s', async (_, { scheduled_publish_time, ...form }: Loose) => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const time =
      scheduled_publish_time === undefined
        ? {}
        : { scheduled_publish_time: String(start / 1000 + scheduled_publish_time) };
    const reply = await caller(sandbox).post(`/${id}/feed`, token, { message: 'a', ...form, ...time });
    expect(refusal(reply)).toEqual([400, 100, undefined]);
    expect(sandbox.effects()).toEqual([]);
  });

  test('need something to say, and no unknown parameter', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    for (const form of [
      {},
      { text: 'x' },
      { message: 'x', link: 'nowhere' },
      { message: 'x', published: 'maybe' },
    ]) {
      expect(refusal(await post(`/${id}/feed`, token, form as Record<string, string>))).toEqual([
        400,
        100,
        undefined,
      ]);
    }
    expect(sandbox.effects()).toEqual([]);
  });

  test('are deleted once', async () => {
    const sandbox = still();
    const { token, postIds } = pageOf(sandbox);
    const { get, del } = caller(sandbox);
    expect((await del(`/${postIds[0]}`, token)).body).toEqual({ success: true });
    expect(refusal(await del(`/${postIds[0]}`, token))).toEqual([400, 100, 33]);
    expect(refusal(await get(`/${postIds[0]}`, token))).toEqual([400, 100, 33]);
    expect(sandbox.effects('delete')).toHaveLength(1);
  });
});

describe('posts of photos', () => {
  const url = 'https://img.example/a.jpg';

  test('show the photos, which are used up', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const upload = async (): Promise<string> =>
      (await post(`/${id}/photos`, token, { url, published: 'false' })).body.id;
    const ids = [await upload(), await upload()];
    const attached_media = JSON.stringify(ids.map((media_fbid) => ({ media_fbid })));
    const made = await post(`/${id}/feed`, token, { attached_media, message: 'Two' });
    const fields = 'status_type,attachments{type,subattachments{target}}';
    expect((await get(`/${made.body.id}`, token, { fields })).body).toMatchObject({
      status_type: 'added_photos',
      attachments: {
        data: [
          { type: 'album', subattachments: { data: ids.map((target) => ({ target: { id: target } })) } },
        ],
      },
    });
    expect(refusal(await post(`/${id}/feed`, token, { attached_media }))).toEqual([400, 100, 1_366_051]);
    expect(sandbox.effects('post')).toHaveLength(1);
  });

  test('that are scheduled say so twice', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    const { body } = await post(`/${id}/photos`, token, { url, published: 'false', temporary: 'true' });
    const form = {
      attached_media: `[{"media_fbid":"${body.id}"}]`,
      published: 'false',
      scheduled_publish_time: String(start / 1000 + 900),
    };
    expect(refusal(await post(`/${id}/feed`, token, form))).toEqual([400, 100, undefined]);
    const again = await post(`/${id}/feed`, token, { ...form, unpublished_content_type: 'SCHEDULED' });
    expect(again.status).toBe(200);
  });

  test.each(['[]', 'x', '[{"media_fbid":"1"}]', '{"media_fbid":"1"}'])(
    'take no %s',
    async (attached_media) => {
      const sandbox = still();
      const { id, token } = pageOf(sandbox);
      const reply = await caller(sandbox).post(`/${id}/feed`, token, { attached_media, message: 'a' });
      expect(refusal(reply)).toEqual([400, 100, undefined]);
    },
  );

  test('are made of single photos, published or scheduled, and deleted with them', async () => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { get, post, del } = caller(sandbox);
    const { body } = await post(`/${id}/photos`, token, { url, message: 'Now', alt_text_custom: 'A table' });
    const fields = 'message,attachments{target}';
    const { message, attachments } = (await get(`/${body.post_id}`, token, { fields })).body;
    const target = expect.objectContaining({ id: body.id });
    expect([message, attachments]).toEqual(['Now', { data: [{ target }] }]);
    // What every object has is no field of an attachment.
    const strange = { fields: 'attachments{constructor}' };
    expect(refusal(await get(`/${body.post_id}`, token, strange))).toEqual([400, 100, undefined]);
    const node = { fields: 'name,alt_text_custom,page_story_id' };
    expect((await get(`/${body.id}`, token, node)).body).toEqual({
      id: body.id,
      name: 'Now',
      alt_text_custom: 'A table',
      page_story_id: body.post_id,
    });
    const time = String(start / 1000 + 900);
    const later = await post(`/${id}/photos`, token, {
      url,
      published: 'false',
      scheduled_publish_time: time,
    });
    expect(Object.keys(later.body)).toEqual(['id']);
    expect((await get(`/${id}/scheduled_posts`, token)).body.data).toHaveLength(1);
    const asText = { url, published: 'false', scheduled_publish_time: '2030-01-01' };
    expect(refusal(await post(`/${id}/photos`, token, asText))).toEqual([400, 100, undefined]);
    expect((await del(`/${body.id}`, token)).body).toEqual({ success: true });
    expect(refusal(await get(`/${body.post_id}`, token))).toEqual([400, 100, 33]);
  });
});

describe('totals of a post', () => {
  const counts = 'reactions.limit(0).summary(total_count),comments.limit(0).summary(total_count),shares';

  test('are its summaries', async () => {
    const sandbox = still({ comments: 2 });
    const { token, postIds } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const { body } = await get(`/${postIds[0]}`, token, { fields: counts });
    expect(body.reactions).toEqual({ data: [], summary: { total_count: 0 } });
    expect(body.comments).toEqual({ data: [], summary: { total_count: 2 } });
    expect(body.shares).toEqual({ count: 2 });
  });

  test.each(['reactions', 'likes', 'comments'])(
    'refuse the whole read without the permission for what people write: %s',
    async (name) => {
      const sandbox = still();
      const { id, postIds } = pageOf(sandbox);
      const { get } = caller(sandbox);
      const scopes = ['pages_read_engagement', 'pages_show_list'];
      const few = sandbox.issueToken({ kind: 'page', pageId: id, scopes });
      const path = `/${postIds[0]}`;
      expect((await get(path, few, { fields: 'id,shares' })).status).toBe(200);
      expect(refusal(await get(path, few, { fields: `id,${name}` }))).toEqual([403, 10, undefined]);
    },
  );
});
