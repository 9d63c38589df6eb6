import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { recentHashtags } from '../../src/pics/recentHashtags.ts';
import { authenticated, graphBase, picsContext, picsPageContext, token } from '../support/context.ts';

const options = { token, picsUserId: '17' };

describe('recentHashtags', () => {
  test('asks for all that count in a week', async () => {
    nock(graphBase)
      .get('/17/recently_searched_hashtags')
      .query({ ...authenticated, fields: 'id,name', limit: '30' })
      .reply(200, '{"data":[{"id":17843853986012965,"name":"coffee"}]}');

    const searched = await recentHashtags(picsPageContext(), options);

    expect(searched._unsafeUnwrap()).toEqual([{ id: '17843853986012965', name: 'coffee' }]);
  });

  test('asks for 30 at once at most, and follows the pages', async () => {
    nock(graphBase)
      .get('/17/recently_searched_hashtags')
      .query({ ...authenticated, fields: 'id', limit: '30' })
      .reply(200, {
        data: [{ id: '1' }],
        paging: { next: `${graphBase}/17/recently_searched_hashtags?after=b&access_token=${token}` },
      });
    nock(graphBase)
      .get('/17/recently_searched_hashtags')
      .query({ ...authenticated, after: 'b' })
      .reply(200, { data: [{ id: '2' }] });

    const searched = await recentHashtags(picsPageContext(), { ...options, limit: 40, fields: ['id'] });

    expect(searched._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('is refused in login mode, and nothing is sent', async () => {
    const error = (await recentHashtags(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'context' });
  });
});
