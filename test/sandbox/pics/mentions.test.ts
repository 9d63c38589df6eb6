import { describe, expect, test } from 'vitest';

import type { Sandbox } from '../../../src/sandbox/index.ts';
import { pageOf, refusal, still, type Loose } from '../support/caller.ts';
import { as, hour, idsOf, jpeg, modes } from './support.ts';

/** The events about mentions, oldest first. */
async function mentionsTold(sandbox: Sandbox): Promise<Loose[]> {
  const deliveries = await sandbox.deliver(async () => new Response());
  return deliveries
    .flatMap(({ body }) => JSON.parse(body).entry)
    .flatMap((entry: Loose) => entry.changes ?? [])
    .filter((change: Loose) => change.field === 'mentions')
    .map((change: Loose) => change.value);
}

async function subscribed(): Promise<Sandbox> {
  const sandbox = still();
  await as('login', sandbox).post('/me/subscribed_apps', { subscribed_fields: 'mentions' });
  return sandbox;
}

describe('tagged media', () => {
  test.each(modes)('are filtered by type and time (%s)', async (name) => {
    const sandbox = still();
    const { get, account } = as(name, sandbox);
    const at = (age: number) => sandbox.now() - age * hour;
    const [old, recent] = [3, 1].map((age) =>
      sandbox.addMedia({ by: 'mara', tags: ['harbour'], at: at(age) }),
    );
    const found = async (query: Record<string, string>) => idsOf(await get(`${account}/tags`, query));
    const middle = String(at(2) / 1000);

    expect(await found({ media_type: 'IMAGE' })).toEqual([recent, old]);
    expect(await found({ media_type: 'VIDEO' })).toEqual([]);
    expect(await found({ posted_after: middle })).toEqual([recent]);
    expect(await found({ posted_before: middle })).toEqual([old]);
    expect((await get(`${account}/tags`, { media_type: 'REEL' })).status).toBe(400);
  });

  test.each(modes)('are listed with cursors and without next (%s)', async (name) => {
    const sandbox = still();
    const { get, account } = as(name, sandbox);
    const [first, second, third] = [3, 2, 1].map((age) =>
      sandbox.addMedia({ by: 'mara', tags: ['harbour'], caption: `no. ${age}`, at: sandbox.now() - age }),
    );
    sandbox.happen({ kind: 'media', caption: 'nobody is tagged' });
    const path = `${account}/tags`;

    const page = await get(path, { limit: '2', fields: 'id,caption,username,media_type' });

    expect(page.body.data).toEqual([
      { id: third, caption: 'no. 1', username: 'mara', media_type: 'IMAGE' },
      { id: second, caption: 'no. 2', username: 'mara', media_type: 'IMAGE' },
    ]);
    expect(Object.keys(page.body.paging)).toEqual(['cursors']);
    const { after } = page.body.paging.cursors;
    const rest = await get(path, { limit: '2', after });
    expect(rest.body.data).toEqual([{ id: first }]);
    expect((await get(path, { after: rest.body.paging.cursors.after })).body.data).toEqual([]);
    expect(refusal(await get(`/${first}`))).toEqual([400, 100, 33]);
  });

  test('are also those of other accounts of the sandbox', async () => {
    const sandbox = still();
    const fern = pageOf(sandbox, 2);
    const mode = as('page', sandbox, fern.token);
    const { body } = await mode.post(`/${fern.picsId}/media`, {
      image_url: jpeg,
      user_tags: JSON.stringify([{ username: 'harbour', x: 0.5, y: 0.5 }]),
    });
    const media = await mode.post(`/${fern.picsId}/media_publish`, { creation_id: body.id });
    const { get, account } = as('login', sandbox);

    expect(idsOf(await get(`${account}/tags`))).toEqual([media.body.id]);
  });
});

describe('a mention', () => {
  test('is reported by webhook, read, and answered below the media', async () => {
    const sandbox = await subscribed();
    const { get, post, account } = as('page', sandbox);
    const media_id = sandbox.happen({ kind: 'media', by: 'mara', caption: 'Coffee at @Harbour. @nobody' });
    sandbox.addMedia({ caption: 'Again @harbour' });
    const field = `mentioned_media.media_id(${media_id})`;

    expect(await mentionsTold(sandbox)).toEqual([{ media_id }]);
    const read = await get(account, { fields: `${field}{caption,username,like_count,comments_count,owner}` });
    expect(read.body).toEqual({
      id: sandbox.account.userId,
      mentioned_media: {
        id: media_id,
        caption: 'Coffee at @Harbour. @nobody',
        username: 'mara',
        like_count: 0,
        comments_count: 0,
        owner: { id: expect.any(String) },
      },
    });

    for (const name of modes) {
      const mode = as(name, sandbox);
      const { body } = await mode.post(`${mode.account}/mentions`, { media_id, message: `Thanks, ${name}` });
      expect(body).toEqual({ id: expect.any(String) });
    }
    const comments = await get(account, { fields: `${field}{comments{text,username}}` });
    expect(comments.body.mentioned_media.comments.data).toMatchObject([
      { text: 'Thanks, page', username: 'harbour' },
      { text: 'Thanks, login', username: 'harbour' },
    ]);
    expect(sandbox.effects('comment').map(({ parentId }) => parentId)).toEqual([media_id, media_id]);
    expect(refusal(await post(`${account}/mentions`, { media_id }))).toEqual([400, 100, undefined]);
  });

  test('in a comment is reported by webhook, read, and answered below the comment', async () => {
    const sandbox = await subscribed();
    const { get, post, account } = as('page', sandbox);
    const media_id = sandbox.addMedia({ by: 'mara' });
    const comment_id = sandbox.happen({ kind: 'comment', on: media_id, message: 'Ask @harbour', by: 'kim' });
    const field = `mentioned_comment.comment_id(${comment_id})`;

    expect(await mentionsTold(sandbox)).toEqual([{ media_id, comment_id }]);
    const { body } = await get(account, { fields: `${field}{text,like_count,media{id,media_url}}` });
    expect(body.mentioned_comment).toEqual({
      id: comment_id,
      text: 'Ask @harbour',
      like_count: 0,
      media: { id: media_id, media_url: expect.stringMatching(/^https:/) },
    });

    const made = await post(`${account}/mentions`, { media_id, comment_id, message: 'Open until nine' });
    expect(made.status).toBe(200);
    const replies = await get(account, { fields: `${field}{replies{text,username}}` });
    expect(replies.body.mentioned_comment.replies.data).toEqual([
      { id: made.body.id, text: 'Open until nine', username: 'harbour' },
    ]);
    expect(sandbox.effects('reply')).toMatchObject([{ id: made.body.id, parentId: comment_id }]);
  });

  test('that is none is refused', async () => {
    const sandbox = await subscribed();
    const { get, post, account } = as('page', sandbox);
    const media_id = sandbox.happen({ kind: 'media', caption: 'Coffee' });
    const comment_id = sandbox.happen({ kind: 'comment', on: media_id, message: 'Nice' });
    const [own = ''] = sandbox.account.mediaIds;
    sandbox.happen({ kind: 'comment', on: own, message: 'Hello @harbour' });

    expect(await mentionsTold(sandbox)).toEqual([]);
    const media = await get(account, { fields: `mentioned_media.media_id(${media_id}){caption}` });
    const comment = await get(account, { fields: `mentioned_comment.comment_id(${comment_id}){text}` });
    expect([refusal(media), refusal(comment)]).toEqual([
      [400, 100, 33],
      [400, 100, 33],
    ]);
    expect(refusal(await get(account, { fields: 'mentioned_media{caption}' }))[1]).toBe(100);
    for (const form of [
      { media_id },
      { media_id, comment_id },
      { media_id: '404' },
      { media_id: own, comment_id },
    ]) {
      expect(refusal(await post(`${account}/mentions`, { ...form, message: 'x' }))[1]).toBe(100);
    }
    expect([...sandbox.effects('comment'), ...sandbox.effects('reply')]).toEqual([]);
  });
});

describe('likes', () => {
  test('are set and taken back, once each', async () => {
    const sandbox = still();
    const { get, post, del, account } = as('page', sandbox);
    const path = `${account}/likes`;
    const [media_id = ''] = sandbox.account.mediaIds;
    const [comment_id = ''] = sandbox.account.commentIds;
    const count = async (id: string) => (await get(`/${id}`, { fields: 'like_count' })).body.like_count;
    const before = await count(media_id);

    for (const form of [{ media_id }, { media_id }, { comment_id }]) {
      expect((await post(path, form)).body).toEqual({ success: true });
    }
    expect([await count(media_id), await count(comment_id)]).toEqual([before + 1, 1]);
    for (let time = 0; time < 2; time += 1) {
      expect((await del(path, { media_id })).body).toEqual({ success: true });
    }
    expect(await count(media_id)).toBe(before);
    expect(sandbox.effects('like').map(({ id, content }) => [id, content['liked']])).toEqual([
      [media_id, true],
      [comment_id, true],
      [media_id, false],
    ]);

    const [story = ''] = sandbox.account.storyIds;
    for (const form of [{}, { media_id, comment_id }, { media_id: story }, { comment_id: media_id }]) {
      expect(refusal(await post(path, form as Record<string, string>))[1]).toBe(100);
    }
  });

  test('lock the account for an hour after 50 calls in five seconds', async () => {
    const sandbox = still();
    const { post, account } = as('page', sandbox);
    const like = async () =>
      refusal(await post(`${account}/likes`, { media_id: sandbox.account.mediaIds[0] ?? '' })).slice(0, 2);
    for (let at = 0; at < 50; at += 1) expect(await like()).toEqual([200, undefined]);

    expect(await like()).toEqual([400, 613]);
    sandbox.advance(hour - 1);
    expect(await like()).toEqual([400, 613]);
    sandbox.advance(1);
    expect(await like()).toEqual([200, undefined]);
  });
});

describe('what login mode lacks', () => {
  test('is a matter of page mode', async () => {
    const sandbox = still();
    const { get, post } = as('login', sandbox);
    const [media_id = ''] = sandbox.account.mediaIds;

    expect((await post('/me/likes', { media_id })).status).toBe(400);
    expect((await get('/me/collaboration_invites')).status).toBe(400);
    expect((await get(`/${media_id}/collaborators`)).status).toBe(400);
    expect((await get('/me', { fields: `mentioned_media.media_id(${media_id}){id}` })).status).toBe(400);
    expect(sandbox.effects('like')).toEqual([]);
  });

  test.each([
    ['likes', 'manage_engagement'],
    ['mentions', 'manage_comments'],
  ])('%s need their permission', async (edge, scope) => {
    const sandbox = still();
    const token = sandbox.issueToken({ kind: 'page', scopes: ['instagram_basic', 'pages_read_engagement'] });
    const { post, account } = as('page', sandbox, token);

    const refused = await post(`${account}/${edge}`, { media_id: '1', message: 'x' });

    expect(refusal(refused)).toEqual([403, 200, undefined]);
    expect(refused.body.error.message).toContain(scope);
  });
});
