import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { updatePost, type UpdatePostOptions } from '../../src/page/updatePost.ts';
import { authenticated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

const now = Date.UTC(2026, 0, 2);
const options = { postId: '42_1', pageToken: token };

function update(form: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(graphBase).post('/42_1', form).query(authenticated);
}

function change(changes: Partial<UpdatePostOptions>) {
  return updatePost(pageContext({ clock: virtualClock(now) }), { ...options, ...changes });
}

describe('updatePost', () => {
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
