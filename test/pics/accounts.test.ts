import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { businessDiscovery, type BusinessDiscoveryOptions } from '../../src/pics/accounts.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

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
    ['username', { username: '@bluebottle' }],
    ['username', { username: 'a){id},name' }],
    ['after', { after: 'A){id' }],
  ])('refuses a bad %s before anything is sent', async (option, own) => {
    const bad: BusinessDiscoveryOptions = { ...options, ...own };

    expect((await businessDiscovery(picsPageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });
});
