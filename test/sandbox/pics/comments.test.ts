import { describe, expect, test } from 'vitest';

import { refusal, still } from '../support/caller.ts';
import { as, idsOf, modes } from './support.ts';

describe.each(modes)('comments in %s mode', (name) => {
  test('come newest first, top level only, at most 50 a page', async () => {
    const sandbox = still();
    const { mediaIds, commentIds } = sandbox.account;
    const { get } = as(name, sandbox);
    const path = `/${mediaIds[0]}/comments`;
    const { body } = await get(path);
    expect(body.data.map((one: object) => Object.keys(one).toSorted())[0]).toEqual([
      'id',
      'text',
      'timestamp',
    ]);
    expect(idsOf({ body })).toEqual(commentIds);
    expect((await get(path, { limit: '50' })).status).toBe(200);
    expect(refusal(await get(path, { limit: '51' }))).toEqual([400, 100, undefined]);
    for (const params of [{ order: 'reverse_chronological' }, { since: '0' }, { filter: 'stream' }]) {
      expect(refusal(await get(path, params))).toEqual([400, 100, undefined]);
    }
    const first = await get(path, { limit: '3' });
    const { after } = first.body.paging.cursors;
    expect(idsOf(await get(path, { limit: '3', after }))).toEqual(commentIds.slice(3));
  });

  test('tell author, media and replies', async () => {
    const sandbox = still();
    const { account } = sandbox;
    const { get } = as(name, sandbox);
    const fields = 'text,username,from,hidden,like_count,parent_id,media,replies{id,text,parent_id,user}';
    const { body } = await get(`/${account.commentIds[3]}`, { fields });
    const [first] = account.contacts.slice(3);
    expect(body).toMatchObject({
      text: 'First!',
      username: first?.username,
      from: { id: first?.id, username: first?.username },
      hidden: false,
      media: { id: account.mediaIds[0], media_product_type: 'FEED' },
      replies: {
        data: [
          {
            id: account.replyId,
            text: 'Thanks',
            parent_id: account.commentIds[3],
            user: { id: account.userId },
          },
        ],
      },
    });
    expect(body).not.toHaveProperty('parent_id');
    expect(idsOf(await get(`/${account.commentIds[3]}/replies`))).toEqual([account.replyId]);
  });

  test('are written by the account, unless the media is closed for them', async () => {
    const sandbox = still();
    const { account } = sandbox;
    const { get, post } = as(name, sandbox);
    const [newest = ''] = account.mediaIds;
    const path = `/${newest}/comments`;
    const { body } = await post(path, { message: 'Come in' });
    const { data } = (await get(path, { fields: 'id,text,user,username', limit: '1' })).body;
    expect(data).toEqual([
      { id: body.id, text: 'Come in', user: { id: account.userId }, username: account.username },
    ]);
    expect(sandbox.effects('comment').map((one) => [one.id, one.parentId, one.content])).toEqual([
      [body.id, newest, { message: 'Come in' }],
    ]);
    expect(refusal(await post(path, { message: '' }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(path, { text: 'x' }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(`/${account.carouselItemIds[0]}/comments`, { message: 'x' }))).toEqual([
      400, 100, 33,
    ]);

    const isOpen = async (): Promise<unknown> =>
      (await get(`/${newest}`, { fields: 'is_comment_enabled' })).body.is_comment_enabled;
    expect((await post(`/${newest}`, {}, { comment_enabled: 'false' })).body).toEqual({ success: true });
    expect(await isOpen()).toBe(false);
    expect(refusal(await post(path, { message: 'x' }))).toEqual([400, 100, undefined]);
    expect((await post(`/${newest}`, { comment_enabled: 'true' })).body).toEqual({ success: true });
    expect(await isOpen()).toBe(true);
    expect(refusal(await post(`/${newest}`))).toEqual([400, 100, undefined]);
    expect(refusal(await post(`/${newest}`, { comment_enabled: 'maybe' }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(`/${account.storyIds[0]}`, { comment_enabled: 'true' }))).toEqual([
      400,
      100,
      undefined,
    ]);
  });

  test('are replied to', async () => {
    const sandbox = still();
    const { account } = sandbox;
    const { get, post } = as(name, sandbox);
    const [newest = ''] = account.commentIds;
    const { body } = await post(`/${newest}/replies`, { message: 'Thank you \u{1f64f}' });
    expect(idsOf(await get(`/${newest}/replies`))).toEqual([body.id]);
    const below = await post(`/${account.replyId}/replies`, { message: 'again' });
    expect(idsOf(await get(`/${account.commentIds[3]}/replies`))).toEqual([below.body.id, account.replyId]);
    expect(idsOf(await get(`/${account.mediaIds[0]}/comments`))).toEqual(account.commentIds);
    expect(sandbox.effects('reply').map((one) => [one.id, one.parentId, one.content])).toEqual([
      [body.id, newest, { message: 'Thank you \u{1f64f}' }],
      [below.body.id, account.replyId, { message: 'again' }],
    ]);
    expect(refusal(await post(`/${newest}/replies`, { message: '' }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(`/${newest}/replies`, { text: 'x' }))).toEqual([400, 100, undefined]);
  });

  test('are hidden by the query only', async () => {
    const sandbox = still();
    const [newest = ''] = sandbox.account.commentIds;
    const { get, post } = as(name, sandbox);
    const hidden = async (id = newest): Promise<boolean> =>
      (await get(`/${id}`, { fields: 'hidden' })).body.hidden;
    expect((await post(`/${newest}`, { hide: 'true' })).body).toEqual({ success: true });
    expect(await hidden()).toBe(false);
    expect(sandbox.effects()).toEqual([]);
    expect((await post(`/${newest}`, {}, { hide: 'true' })).body).toEqual({ success: true });
    expect(await hidden()).toBe(true);
    await post(`/${newest}`, {}, { hide: 'false' });
    expect(await hidden()).toBe(false);
    expect(sandbox.effects('hide').map((one) => [one.id, one.content])).toEqual([
      [newest, { hidden: true }],
      [newest, { hidden: false }],
    ]);
    const { replyId } = sandbox.account;
    expect((await post(`/${replyId}`, {}, { hide: 'true' })).body).toEqual({ success: true });
    expect(await hidden(replyId)).toBe(false);
    expect(refusal(await post(`/${newest}`, { is_hidden: 'true' }))).toEqual([400, 100, undefined]);
    expect(refusal(await post(`/${newest}`))).toEqual([400, 100, undefined]);
  });

  test('are deleted with their replies', async () => {
    const sandbox = still();
    const { commentIds, mediaIds, replyId } = sandbox.account;
    const { get, del } = as(name, sandbox);
    const oldest = commentIds[3] ?? '';
    expect((await del(`/${oldest}`)).body).toEqual({ success: true });
    expect(idsOf(await get(`/${mediaIds[0]}/comments`))).toEqual(commentIds.slice(0, 3));
    expect(refusal(await get(`/${replyId}`))).toEqual([400, 100, 33]);
    expect(refusal(await del(`/${oldest}`))).toEqual([400, 100, 33]);
    expect(sandbox.effects('delete').map((one) => [one.id, one.parentId])).toEqual([[oldest, mediaIds[0]]]);
  });

  test('want their permission', async () => {
    const sandbox = still();
    const { picsScopePrefix } = sandbox.platform.words;
    const scopes = ['basic', 'business_basic'].map((one) => picsScopePrefix + one);
    const token = sandbox.issueToken({ kind: name === 'login' ? 'pics' : 'page', scopes });
    const { get, del } = as(name, sandbox, token);
    expect(refusal(await get(`/${sandbox.account.mediaIds[0]}/comments`))).toEqual([403, 10, undefined]);
    expect(refusal(await del(`/${sandbox.account.commentIds[0]}`))).toEqual([403, 200, undefined]);
  });
});
