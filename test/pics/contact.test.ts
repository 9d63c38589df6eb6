import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { contact } from '../../src/pics/contact.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const fields =
  'name,username,profile_pic,follower_count,is_user_follow_business,is_business_follow_user,is_verified_user';
const options = { igsid: '99', token };

describe('contact', () => {
  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('reads the profile in %s mode', async (_mode, base, contextOf) => {
    const profile = {
      username: 'p',
      profile_pic: 'https://x.test/p',
      follower_count: 12,
      id: '99',
    };
    nock(base)
      .get('/99')
      .query({ ...authenticated, fields })
      .reply(200, { ...profile, name: null, extra: true });

    const found = await contact(contextOf(), options);

    expect(found._unsafeUnwrap()).toEqual({ ...profile, extra: true, available: true });
  });

  test('keeps the id that was asked for when the response has none', async () => {
    nock(picsGraphBase).get('/99').query(true).reply(200, { username: 'p' });

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap()).toEqual({ id: '99', username: 'p', available: true });
  });

  test('says why a profile is closed', async () => {
    nock(picsGraphBase)
      .get('/99')
      .query(true)
      .reply(400, { error: { message: 'User consent is required to access user profile', code: 230 } });

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap()).toEqual({
      id: '99',
      available: false,
      reason: 'User consent is required to access user profile',
    });
  });

  test.each([
    ['HTML', 200, '<html>'],
    ['an empty body', 200, ''],
    ['an empty object', 200, '{}'],
    ['a list', 200, '[]'],
    ['null', 200, 'null'],
    ['a profile of another shape', 200, '{"username":{"a":1}}'],
    ['a server error', 500, 'down'],
  ])('does not fail on %s', async (_what, status, body) => {
    nock(picsGraphBase)
      .get('/99')
      .query(true)
      .times(status === 500 ? 3 : 1)
      .reply(status, body);

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap()).toEqual({
      id: '99',
      available: false,
      reason: expect.stringMatching(/\w/),
    });
  });

  test('does not fail when the network does', async () => {
    nock(picsGraphBase).get('/99').query(true).times(3).replyWithError(new Error('no route'));

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap()).toMatchObject({
      available: false,
      reason: expect.stringContaining('network'),
    });
  });

  test('shows no token in the reason', async () => {
    nock(picsGraphBase)
      .get('/99')
      .query(true)
      .reply(400, { error: { message: `Bad token ${token}`, code: 190 } });

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap().reason).toBe('Bad token [secret]');
  });

  test.each([
    ['', { ...options, igsid: '' }, 'igsid must be a non-empty string'],
    ['..', { ...options, igsid: '..' }, 'igsid must be an id'],
    ['', { token } as never, 'igsid must be a non-empty string'],
    ['99', { ...options, token: '' }, 'token must be a non-empty string'],
    ['', undefined as never, 'options must be an object'],
  ])('resolves for bad options, without a request', async (id, bad, reason) => {
    const found = await contact(picsContext(), bad);

    expect(found._unsafeUnwrap()).toEqual({ id, available: false, reason });
  });
});
