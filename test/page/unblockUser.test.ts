import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { unblockUser, type UnblockUserOptions } from '../../src/page/unblockUser.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };

function unblock(user: string): nock.Interceptor {
  return nock(graphBase)
    .delete('/42/blocked', '')
    .query({ ...authenticated, user });
}

describe('unblockUser', () => {
  test('unblocks one person, again after a lost response', async () => {
    unblock('8').replyWithError(new Error('socket hang up'));
    unblock('8').reply(200, { success: true });

    const unblocked = await unblockUser(pageContext(), { ...options, userId: '8' });

    expect(unblocked._unsafeUnwrap()).toEqual({ success: true });
  });

  test('sends a request for each of several people', async () => {
    unblock('8').reply(200, { success: 'true' });
    unblock('9').reply(200, { success: true });

    const unblocked = await unblockUser(pageContext(), { ...options, userIds: ['8', '9', '8'] });

    expect(unblocked._unsafeUnwrap()).toEqual({ success: true });
    expect(nock.isDone()).toBe(true);
  });

  test('fails where the platform refuses one of them', async () => {
    unblock('8').reply(200, { success: true });
    unblock('9').reply(400, refusal(100));

    const error = await unblockUser(pageContext(), { ...options, userIds: ['8', '9'] });

    expect(error._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', code: 100 });
  });

  test('takes one person or several, not both', async () => {
    const bad = { ...options, userId: '8', userIds: ['9'] } as unknown as UnblockUserOptions;

    expect((await unblockUser(pageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'userId',
      message: 'give exactly one of userId and userIds',
    });
  });
});
