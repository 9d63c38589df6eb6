import { describe, expect, test } from 'vitest';

import { caller, pageOf, refusal, start, still, type Loose } from '../support/caller.ts';

const idsOf = (body: Loose): string[] => body.data.map((one: { id: string }) => one.id);

describe('comments', () => {
  test('come oldest first by default, top level only', async () => {
    const sandbox = still();
    const { token, postIds, commentIds } = pageOf(sandbox);
    const { get } = caller(sandbox);
    const path = `/${postIds[0]}/comments`;
    expect(idsOf((await get(path, token)).body)).toEqual(commentIds.toReversed());
    const newest = await get(path, token, { order: 'reverse_chronological' });
    expect(idsOf(newest.body)).toEqual(commentIds);
    const stream = await get(path, token, { filter: 'stream' });
    expect(stream.body.data).toHaveLength(commentIds.length + 2);
    expect(refusal(await get(path, token, { order: 'newest' }))).toEqual([400, 100, undefined]);
  });

  test('tell author, counts and parent', async () => {
    const sandbox = still();
    const { token, postIds } = pageOf(sandbox);
    const fields = 'id,message,created_time,from,like_count,comment_count,is_hidden,parent';
    const { body } = await caller(sandbox).get(`/${postIds[0]}/comments`, token, {
      fields,
      order: 'reverse_chronological',
      filter: 'stream',
      limit: '2',
    });
    const [reply, comment] = body.data;
    expect(comment).toMatchObject({
      message: 'Comment 1',
      from: { name: 'Mara Lind' },
      comment_count: 1,
      is_hidden: false,
    });
    expect(reply.parent).toMatchObject({ id: comment.id, message: 'Comment 1' });
    expect(comment.parent).toBeUndefined();
  });

  test('are hidden and shown again', async () => {
    const sandbox = still();
    const { token, commentIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const path = `/${commentIds[0]}`;
    expect((await post(path, token, { is_hidden: 'true' })).body).toEqual({ success: true });
    expect((await get(path, token, { fields: 'is_hidden' })).body.is_hidden).toBe(true);
    await post(path, token, { is_hidden: 'false' });
    expect((await get(path, token, { fields: 'is_hidden' })).body.is_hidden).toBe(false);
    expect(refusal(await post(path, token))).toEqual([400, 100, undefined]);
    expect(refusal(await post(path, token, { hide: 'true' }))).toEqual([400, 100, undefined]);
    expect(sandbox.effects('comment_hide').map(({ content }) => content)).toEqual([
      { hidden: true },
      { hidden: false },
    ]);
  });

  test('of the Page itself cannot be hidden, as their can_hide says', async () => {
    const sandbox = still();
    const { token, postIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const { body } = await post(`/${postIds[0]}/comments`, token, { message: 'Open until nine.' });
    const fields = 'can_hide,is_hidden';
    expect((await get(`/${body.id}`, token, { fields })).body).toMatchObject({ can_hide: false });
    expect(refusal(await post(`/${body.id}`, token, { is_hidden: 'true' }))).toEqual([400, 100, undefined]);
    expect((await get(`/${body.id}`, token, { fields })).body).toMatchObject({ is_hidden: false });
    expect(sandbox.effects('comment_hide')).toEqual([]);
  });

  test('are replied to by the Page', async () => {
    const sandbox = still();
    const { id, name, token, commentIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const path = `/${commentIds[1]}/comments`;
    const first = await post(path, token, { message: 'Thanks' });
    await post(path, token, { message: 'Thanks' });
    const { body } = await get(path, token, { order: 'reverse_chronological', fields: 'from,message' });
    expect(body.data).toHaveLength(2);
    expect(body.data[1]).toEqual({ from: { id, name }, message: 'Thanks', id: first.body.id });
    expect(sandbox.effects('reply').map(({ at, parentId, content }) => [at, parentId, content])).toEqual([
      [start, commentIds[1], { message: 'Thanks' }],
      [start, commentIds[1], { message: 'Thanks' }],
    ]);
    expect(refusal(await post(path, token))).toEqual([400, 100, undefined]);
    expect(refusal(await post('/999/comments', token, { message: 'x' }))).toEqual([400, 100, 33]);
  });

  test('hang on the top-level comment when they reply to a reply', async () => {
    const sandbox = still();
    const { token, commentIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const first = await post(`/${commentIds[0]}/comments`, token, { message: 'a' });
    const second = await post(`/${first.body.id}/comments`, token, { message: 'b' });
    const { body } = await get(`/${second.body.id}`, token, { fields: 'parent' });
    expect(body.parent.id).toBe(commentIds[0]);
  });

  test('nest in a post, with arguments', async () => {
    const sandbox = still();
    const { token, postIds, commentIds } = pageOf(sandbox);
    const fields = 'comments.limit(2){message}';
    const { body } = await caller(sandbox).get(`/${postIds[0]}`, token, { fields });
    expect(body.comments.data).toEqual([
      { message: 'Comment 1', id: commentIds[0] },
      { message: 'Comment 2', id: commentIds[1] },
    ]);
    expect(body.comments.paging.next).toContain(`/${postIds[0]}/comments?`);
    expect(body.comments.paging.next).not.toContain('appsecret_proof');
  });

  test('take one image: an address, or an unpublished photo of the Page, once', async () => {
    const sandbox = still();
    const { id, token, postIds } = pageOf(sandbox);
    const { get, post } = caller(sandbox);
    const path = `/${postIds[0]}/comments`;
    const url = 'https://img.example/a.jpg';
    const { body: photo } = await post(`/${id}/photos`, token, { url, published: 'false' });
    const { body: posted } = await post(`/${id}/photos`, token, { url });
    const made = await post(path, token, { attachment_id: photo.id });
    expect((await get(`/${made.body.id}`, token, { fields: 'message,attachment' })).body).toEqual({
      id: made.body.id,
      attachment: { type: 'photo', media: { image: { src: url } }, url, target: { id: photo.id, url } },
    });
    for (const form of [
      {},
      { attachment_id: photo.id },
      { attachment_id: posted.id },
      { attachment_id: '1' },
      { attachment_url: 'a.jpg' },
      { attachment_id: photo.id, attachment_url: url },
    ]) {
      expect(refusal(await post(path, token, form as Record<string, string>))).toEqual([400, 100, undefined]);
    }
    expect((await post(`/${photo.id}/comments`, token, { message: 'On a photo' })).status).toBe(200);
    expect(idsOf((await get(`/${photo.id}/comments`, token)).body)).toHaveLength(1);
  });

  test('and posts are liked, and no longer', async () => {
    const sandbox = still();
    const { id, token, postIds, commentIds } = pageOf(sandbox);
    const { get, post, del } = caller(sandbox);
    const path = `/${commentIds[0]}`;
    expect((await post(`${path}/likes`, token)).body).toEqual({ success: true });
    expect((await get(path, token, { fields: 'user_likes,like_count' })).body).toMatchObject({
      user_likes: true,
      like_count: 1,
    });
    expect((await del(`${path}/likes`, token)).body).toEqual({ success: true });
    expect((await get(path, token, { fields: 'user_likes' })).body.user_likes).toBe(false);
    expect((await get(`${path}/reactions`, token)).body.data).toEqual([]);
    expect((await post(`/${postIds[0]}/likes`, token)).status).toBe(200);
    const { data } = (await get(`/${postIds[0]}/reactions`, token, { fields: 'id,type' })).body;
    expect(data).toEqual([{ id, type: 'LIKE' }]);
    expect((await get(`/${postIds[0]}/reactions`, token, { type: 'LOVE' })).body.data).toEqual([]);
    expect(refusal(await post(`/${postIds[0]}/likes`, token, { type: 'LOVE' }))[1]).toBe(100);
  });

  test.each([
    ['post', 'feed', { message: 'Later' }],
    ['photo', 'photos', { url: 'https://cdn.test/a.jpg' }],
    ['video', 'videos', { file_url: 'https://cdn.test/a.mp4' }],
  ])('are refused on a scheduled %s until its time has come', async (_, edge, fields) => {
    const sandbox = still();
    const { id, token } = pageOf(sandbox);
    const { post } = caller(sandbox);
    const later = { published: 'false', scheduled_publish_time: String(start / 1000 + 900) };
    const made = (await post(`/${id}/${edge}`, token, { ...fields, ...later })).body.id;
    const comment = () => post(`/${made}/comments`, token, { message: 'First!' });

    expect(refusal(await comment())).toEqual([400, 100, 33]);
    expect(sandbox.effects('comment')).toEqual([]);
    expect(() => sandbox.happen({ kind: 'comment', on: made, message: 'First!' })).toThrow();

    sandbox.advance(900_000);
    expect((await comment()).status).toBe(200);
  });
});
