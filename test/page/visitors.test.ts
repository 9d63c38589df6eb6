import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  blockedUsers,
  blockUser,
  type BlockUserOptions,
  taggedPosts,
  unblockUser,
  type UnblockUserOptions,
  visitorPosts,
} from '../../src/page/visitors.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { partOf } from '../support/rules.ts';
import { refusal } from './support.ts';

describe('visitorPosts', () => {
  const options = { pageId: '42', pageToken: token };

  const fields =
    'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,from,shares';

  function posts(query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/42/visitor_posts')
      .query({ ...authenticated, ...query });
  }

  test('reads what visitors posted, over the pages of the list', async () => {
    const next = `${graphBase}/42/visitor_posts?access_token=${token}&fields=${fields}&limit=25&after=b`;
    const first = { id: '8_2', message: 'Great coffee', from: { id: '8', name: 'Ada' } };
    posts({ fields, limit: '25' }).reply(200, { data: [first], paging: { next } });
    posts({ fields, limit: '25', after: 'b' }).reply(200, { data: [{ id: '9_1', message: null }] });

    expect((await visitorPosts(pageContext(), options))._unsafeUnwrap()).toEqual([first, { id: '9_1' }]);
  });

  test('asks for the fields and the number that it is given', async () => {
    posts({ fields: 'id', limit: '1' }).reply(200, { data: [{ id: '8_2' }, { id: '8_1' }] });

    const found = await visitorPosts(pageContext(), { ...options, fields: ['id'], limit: 1 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '8_2' }]);
  });

  test('fails with what the platform says when it refuses', async () => {
    posts({ fields: 'id', limit: '25' }).reply(403, refusal(10));

    const error = (await visitorPosts(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });
});

describe('taggedPosts', () => {
  const options = { pageId: '42', pageToken: token };

  const fields =
    'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,from,shares';

  function posts(query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/42/tagged')
      .query({ ...authenticated, ...query });
  }

  test('reads posts that tag the Page, over the pages of the list', async () => {
    const next = `${graphBase}/42/tagged?access_token=${token}&fields=${fields}&limit=25&after=b`;
    const first = { id: '8_2', message: 'Great coffee', from: { id: '8', name: 'Ada' } };
    posts({ fields, limit: '25' }).reply(200, { data: [first], paging: { next } });
    posts({ fields, limit: '25', after: 'b' }).reply(200, { data: [{ id: '9_1', message: null }] });

    expect((await taggedPosts(pageContext(), options))._unsafeUnwrap()).toEqual([first, { id: '9_1' }]);
  });

  test('asks for the fields and the number that it is given', async () => {
    posts({ fields: 'id', limit: '1' }).reply(200, { data: [{ id: '8_2' }, { id: '8_1' }] });

    const found = await taggedPosts(pageContext(), { ...options, fields: ['id'], limit: 1 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '8_2' }]);
  });

  test('fails with what the platform says when it refuses', async () => {
    posts({ fields: 'id', limit: '25' }).reply(403, refusal(10));

    const error = (await taggedPosts(pageContext(), { ...options, fields: ['id'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });
});

describe('blockedUsers', () => {
  const options = { pageId: '42', pageToken: token };

  function blocked(query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/42/blocked')
      .query({ ...authenticated, ...query });
  }

  test('lists people with their names, over the pages of the list', async () => {
    const next = `${graphBase}/42/blocked?access_token=${token}&fields=id%2Cname&limit=25&after=b`;
    const ada = { id: '8', name: 'Ada' };
    blocked({ fields: 'id,name', limit: '25' }).reply(200, { data: [ada], paging: { next } });
    blocked({ fields: 'id,name', limit: '25', after: 'b' }).reply(200, { data: [{ id: 9, name: null }] });

    const found = (await blockedUsers(pageContext(), options))._unsafeUnwrap();

    expect(found).toEqual([ada, { id: '9' }]);
    expect(found[0]?.raw).toEqual(ada);
  });

  test('asks for the fields and the number that it is given', async () => {
    blocked({ fields: 'id,link', limit: '1' }).reply(200, {
      data: [{ id: '8', link: 'https://example.com' }, { id: '9' }],
    });

    const found = await blockedUsers(pageContext(), { ...options, fields: ['id', 'link'], limit: 1 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '8', link: 'https://example.com' }]);
  });

  test('says where a response is of the wrong shape', async () => {
    blocked({ fields: 'id,name', limit: '25' }).reply(200, { data: [{ name: 'Ada' }] });

    const error = (await blockedUsers(pageContext(), options))._unsafeUnwrapErr();

    expect(error.message).toMatch(/^unexpected response at data\.0\.id: /);
  });
});

describe('blockUser', () => {
  const options = { pageId: '42', pageToken: token };

  function block(user: string): nock.Interceptor {
    return nock(graphBase).post('/42/blocked', { user }).query(authenticated);
  }

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
      option: partOf(option),
    });
  });
});

describe('unblockUser', () => {
  const options = { pageId: '42', pageToken: token };

  function unblock(user: string): nock.Interceptor {
    return nock(graphBase)
      .delete('/42/blocked', '')
      .query({ ...authenticated, user });
  }

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
