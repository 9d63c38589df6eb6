import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { blockUser, type BlockUserOptions } from '../../src/page/blockUser.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };

function block(user: string): nock.Interceptor {
  return nock(graphBase).post('/42/blocked', { user }).query(authenticated);
}

describe('blockUser', () => {
  test('blocks one person, again after a lost response', async () => {
    block('["8"]').reply(502, 'Bad Gateway');
    block('["8"]').reply(200, { 8: true });

    const blocked = await blockUser(pageContext(), { ...options, userId: '8' });

    expect(blocked._unsafeUnwrap()).toEqual({ 8: true });
  });

  test('reports each of several people, named once', async () => {
    block('["8","10200000000000000001"]').reply(200, '{"8":true,"10200000000000000001":false}');

    const userIds = ['8', '10200000000000000001', '8'];
    const blocked = await blockUser(pageContext(), { ...options, userIds });

    expect(blocked._unsafeUnwrap()).toEqual({ 8: true, '10200000000000000001': false });
  });

  test.each([{}, { 8: 'yes' }, { 9: true }])('says where a response misses a person: %j', async (body) => {
    block('["8"]').reply(200, body);

    const error = (await blockUser(pageContext(), { ...options, userId: '8' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'unknown' });
    expect(error.message).toMatch(/^unexpected response at 8: /);
  });

  test('fails with what the platform says when it refuses', async () => {
    block('["8"]').reply(403, refusal(200));

    const error = (await blockUser(pageContext(), { ...options, userId: '8' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', outcome: 'rejected' });
  });

  test.each([
    ['userId', {}],
    ['userId', { userId: '8', userIds: ['9'] }],
    ['userIds', { userIds: [] }],
    ['userIds', { userIds: ['8', ''] }],
  ])('refuses a bad %s before anything is sent: %j', async (option, own) => {
    const bad = { ...options, ...own } as BlockUserOptions;

    expect((await blockUser(pageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });
});
