import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { searchPlaces } from '../../src/page/places.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asUser, refusal, userToken } from './support.ts';

describe('searchPlaces', () => {
  const options = { token: userToken, query: 'Coffee & Cake' };
  const fields = 'id,name,link,location,is_eligible_for_branded_content,is_unclaimed,verification_status';

  function search(more: Readonly<Record<string, string>> = {}): nock.Interceptor {
    return nock(graphBase)
      .get('/pages/search')
      .query({ ...asUser, q: 'Coffee & Cake', fields, limit: '25', ...more });
  }

  test('finds Pages with where they are', async () => {
    const place = {
      id: '43',
      name: 'Coffee & Cake',
      link: 'https://example.com/43',
      location: { city: 'Berlin', latitude: 52.49, longitude: 13.43 },
      is_eligible_for_branded_content: true,
      is_unclaimed: false,
      verification_status: 'not_verified',
    };
    search().reply(200, { data: [place, { id: 44, location: 'Berlin' }] });

    const found = (await searchPlaces(pageContext(), options))._unsafeUnwrap();

    expect(found).toEqual([place, { id: '44' }]);
    expect(found[0]).toHaveProperty('raw', place);
  });

  test('requests the fields and as many places as it is told', async () => {
    search({ fields: 'id,name', limit: '3' }).reply(200, { data: [{ id: '43' }] });

    const found = await searchPlaces(pageContext(), { ...options, limit: 3, fields: ['id', 'name'] });

    expect(found._unsafeUnwrap()).toHaveLength(1);
  });

  test('fails with PermissionError when the platform does not let the token search', async () => {
    search().reply(403, refusal(10));

    const error = (await searchPlaces(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });

  test('needs something to look for', async () => {
    const error = (await searchPlaces(pageContext(), { ...options, query: ' ' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'query' });
  });
});
