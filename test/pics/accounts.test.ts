import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { businessDiscovery, type BusinessDiscoveryOptions, profile } from '../../src/pics/accounts.ts';
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

const options = { token, picsUserId: '17', username: 'bluebottle' };
const account =
  'id,username,name,biography,website,followers_count,follows_count,media_count,profile_picture_url';
const documented = 'id,caption,media_type,media_url,permalink,timestamp,like_count,comments_count,view_count';

/** Mocks the account, whose field is asked for with this expression. */
function discovered(media: string, body: unknown, status = 200): void {
  const fields = `business_discovery.username(bluebottle){${account},${media}}`;
  nock(graphBase)
    .get('/17')
    .query({ ...authenticated, fields })
    .reply(status, JSON.stringify(body));
}

describe('businessDiscovery', () => {
  test('reads the account and its newest media', async () => {
    discovered(`media.limit(25){${documented}}`, {
      business_discovery: {
        id: '17841401441775531',
        username: 'bluebottle',
        followers_count: 267_793,
        media: { data: [{ id: '1', view_count: 7 }], paging: { cursors: { after: 'QVF' } } },
      },
      id: '17',
    });

    const found = (await businessDiscovery(picsPageContext(), options))._unsafeUnwrap();

    expect(found).toEqual({
      id: '17841401441775531',
      username: 'bluebottle',
      followers_count: 267_793,
      media: { data: [{ id: '1', view_count: 7 }], paging: { cursors: { after: 'QVF' } } },
    });
    expect(found.raw).toMatchObject({ username: 'bluebottle' });
    expect(Object.keys(found)).not.toContain('raw');
  });

  test('goes on behind a cursor, with the fields that the caller names', async () => {
    discovered('media.limit(50).after(QVF=){id,children{id}}', { business_discovery: { id: '9' } });

    const own = { ...options, mediaLimit: 50, after: 'QVF=', mediaFields: ['id', 'children{id}'] };

    expect((await businessDiscovery(picsPageContext(), own))._unsafeUnwrap()).toEqual({
      id: '9',
      username: '',
      media: { data: [], paging: undefined },
    });
  });

  test('leaves out what is not as documented', async () => {
    discovered(`media.limit(25){${documented}}`, {
      business_discovery: {
        id: '9',
        name: {},
        media_count: 'many',
        media: { data: [{}, { id: '1' }], paging: 7 },
      },
    });

    const { name, media_count, media } = (
      await businessDiscovery(picsPageContext(), options)
    )._unsafeUnwrap();

    expect([name, media_count, media]).toEqual([undefined, undefined, { data: [{ id: '1' }] }]);
  });

  test('says of an unknown name, as of a personal account, that it is not found', async () => {
    discovered(
      `media.limit(25){${documented}}`,
      { error: { message: 'Invalid user id', code: 110, error_subcode: 2_207_013 } },
      400,
    );

    const error = (await businessDiscovery(picsPageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', code: 110 });
  });

  test.each([{ id: '17' }, { business_discovery: null }, { business_discovery: {} }])(
    'says where a response is misshapen: %j',
    async (body) => {
      discovered(`media.limit(25){${documented}}`, body);

      const error = (await businessDiscovery(picsPageContext(), options))._unsafeUnwrapErr();

      expect(error).toMatchObject({
        name: 'ApiError',
        message: expect.stringContaining('business_discovery'),
      });
    },
  );

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await businessDiscovery(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });

  test.each<[string, object]>([
    ['username', { username: '@' }],
    ['username', { username: 'a){id},name' }],
    ['username', { username: '@@bluebottle' }],
    ['after', { after: 'A){id' }],
  ])('refuses a bad %s before anything is sent', async (option, own) => {
    const bad: BusinessDiscoveryOptions = { ...options, ...own };

    expect((await businessDiscovery(picsPageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });
});
