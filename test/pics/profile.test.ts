import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { profile } from '../../src/pics/profile.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const fields =
  'id,username,name,profile_picture_url,biography,website,followers_count,follows_count,media_count';

describe('profile', () => {
  test('reads the own account in login mode, ids exact', async () => {
    const sent =
      '{"id":29876543210987654,"user_id":17841400000000001,"username":"cafe","name":"Café","biography":"Open",' +
      '"profile_picture_url":"https://cdn.test/a.jpg","website":"https://cafe.test","followers_count":10,' +
      '"follows_count":2,"media_count":3,"account_type":"BUSINESS"}';
    nock(picsGraphBase)
      .get('/me')
      .query({ ...authenticated, fields: `${fields},user_id,account_type` })
      .reply(200, sent);

    const account = await profile(picsContext(), { token });

    expect(account._unsafeUnwrap()).toEqual({
      id: '29876543210987654',
      user_id: '17841400000000001',
      username: 'cafe',
      name: 'Café',
      picture: 'https://cdn.test/a.jpg',
      bio: 'Open',
      website: 'https://cafe.test',
      followers_count: 10,
      follows_count: 2,
      media_count: 3,
      account_type: 'BUSINESS',
      raw: {
        ...(JSON.parse(sent) as object),
        id: '29876543210987654',
        user_id: '17841400000000001',
      },
    });
  });

  test('reads an account that comes in a list', async () => {
    nock(picsGraphBase)
      .get('/7')
      .query(true)
      .reply(200, { data: [{ id: '7', user_id: '17', username: 'cafe' }] });

    const account = await profile(picsContext(), { token, picsUserId: '7' });

    expect(account._unsafeUnwrap()).toMatchObject({
      id: '7',
      user_id: '17',
      username: 'cafe',
      raw: { id: '7' },
    });
  });

  test('asks the page graph for no login-mode fields in page mode', async () => {
    nock(graphBase)
      .get('/17')
      .query({ ...authenticated, fields })
      .reply(200, { id: '17', username: 'cafe', followers_count: 10 });

    const account = (await profile(picsPageContext(), { token, picsUserId: '17' }))._unsafeUnwrap();

    expect(account).toMatchObject({ id: '17', username: 'cafe', followers_count: 10 });
    expect(account.account_type).toBeUndefined();
    expect(account.user_id).toBeUndefined();
  });

  test('says where a response is misshapen', async () => {
    nock(picsGraphBase).get('/me').query(true).reply(200, { username: 'shop' });

    const error = (await profile(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', payload: { username: 'shop' } });
    expect(error.message).toContain('id: expected a value');
  });

  test('fails with what the platform said of the token', async () => {
    nock(picsGraphBase)
      .get('/me')
      .query(true)
      .reply(401, { error: { message: 'Expired', code: 190, error_subcode: 463 } });

    expect((await profile(picsContext(), { token }))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      category: 'auth',
      subcode: 463,
    });
  });
});
