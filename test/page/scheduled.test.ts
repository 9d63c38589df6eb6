import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  publishScheduledPost,
  scheduledPosts,
  updatePost,
  type UpdatePostOptions,
} from '../../src/page/scheduled.ts';
import { authenticated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

describe('scheduledPosts', () => {
  const options = { pageId: '42', pageToken: token };

  function scheduled(query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/42/scheduled_posts')
      .query({ ...authenticated, ...query });
  }

  test('reads all of them, over all pages, with the time of each', async () => {
    const fields = 'id,message,story,created_time,scheduled_publish_time,is_published,permalink_url';
    const next = `${graphBase}/42/scheduled_posts?access_token=${token}&fields=${fields}&limit=100&after=b`;
    const first = { id: '42_2', message: 'Later', scheduled_publish_time: 1_800_000_000.5 };
    scheduled({ fields, limit: '100' }).reply(200, { data: [first], paging: { next } });
    scheduled({ fields, limit: '100', after: 'b' }).reply(200, {
      data: [{ id: '42_1', scheduled_publish_time: '1800000600', story: null }, null],
    });

    expect((await scheduledPosts(pageContext(), options))._unsafeUnwrap()).toEqual([
      first,
      { id: '42_1', scheduled_publish_time: 1_800_000_600 },
    ]);
  });

  test('asks for the fields and the number that it is given', async () => {
    scheduled({ fields: 'id', limit: '2' }).reply(200, {
      data: [{ id: '42_1' }, { id: '42_2' }, { id: '42_3' }],
    });

    const found = await scheduledPosts(pageContext(), { ...options, fields: ['id'], limit: 2 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '42_1' }, { id: '42_2' }]);
  });

  test('says where a response is of the wrong shape', async () => {
    scheduled({ fields: 'id', limit: '100' }).reply(200, {
      data: [{ scheduled_publish_time: 1_800_000_000 }],
    });

    const error = (await scheduledPosts(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error.message).toMatch(/^unexpected response at data\.0\.id: /);
  });
});

describe('updatePost', () => {
  const now = Date.UTC(2026, 0, 2);

  const options = { postId: '42_1', pageToken: token };

  function update(form: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase).post('/42_1', form).query(authenticated);
  }

  function change(changes: Partial<UpdatePostOptions>) {
    return updatePost(pageContext({ clock: virtualClock(now) }), { ...options, ...changes });
  }

  test.each<[string, Partial<UpdatePostOptions>, Readonly<Record<string, string>>]>([
    ['the text', { message: 'New' }, { message: 'New' }],
    ['the time', { scheduledAt: 1_800_000_000 }, { scheduled_publish_time: '1800000000' }],
    ['whether it is shown', { hidden: false }, { is_hidden: 'false' }],
    ['whether it is pinned', { pinned: false }, { is_pinned: 'false' }],
    [
      'all of it',
      { message: 'New', scheduledAt: new Date(1_800_000_000_000), hidden: true, pinned: true },
      { message: 'New', scheduled_publish_time: '1800000000', is_hidden: 'true', is_pinned: 'true' },
    ],
  ])('changes %s, and sends nothing else', async (_, changes, form) => {
    update(form).reply(200, { success: true });

    expect((await change(changes))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('asks again when the response was lost: to set it twice does no harm', async () => {
    update({ message: 'New' }).replyWithError(new Error('socket hang up'));
    update({ message: 'New' }).reply(200, { success: true });

    expect((await change({ message: 'New' })).isOk()).toBe(true);
  });

  test.each([
    ['it is of another app', 403, refusal(200), { name: 'PermissionError', outcome: 'rejected' }],
    ['it did not', 200, { success: false }, { name: 'ApiError', outcome: 'rejected' }],
  ])('fails when the platform says that %s', async (_, status, body, expected) => {
    update({ message: 'New' }).reply(status, body);

    expect((await change({ message: 'New' }))._unsafeUnwrapErr()).toMatchObject(expected);
  });

  test.each([['message', {}]])('refuses a bad %s before anything is sent', async (option, bad) => {
    expect((await change(bad))._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
  });
});

describe('publishScheduledPost', () => {
  const options = { postId: '42_1', pageToken: token };

  function publish(): nock.Interceptor {
    return nock(graphBase).post('/42_1', { is_published: 'true' }).query(authenticated);
  }

  test('publishes it', async () => {
    publish().reply(200, { success: true });

    expect((await publishScheduledPost(pageContext(), options))._unsafeUnwrap()).toEqual({ success: true });
  });

  test('asks again when the response was lost: one post is published once', async () => {
    publish().replyWithError(new Error('socket hang up'));
    publish().reply(200, { success: 'true' });

    expect((await publishScheduledPost(pageContext(), options)).isOk()).toBe(true);
  });

  test('fails with what the platform says when it refuses', async () => {
    publish().reply(400, refusal(100, { error_subcode: 33 }));

    const error = (await publishScheduledPost(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'rejected' });
  });
});
