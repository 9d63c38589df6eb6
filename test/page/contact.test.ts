import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { contact } from '../../src/page/contact.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const fields = 'first_name,last_name,name,profile_pic';
const options = { psid: '99', pageToken: token };

describe('contact of a Page', () => {
  test('reads the profile', async () => {
    const profile = { id: '99', first_name: 'Ann', last_name: 'Lee', profile_pic: 'https://x.test/p' };
    nock(graphBase)
      .get('/99')
      .query({ ...authenticated, fields })
      .reply(200, { ...profile, name: null });

    const found = await contact(pageContext(), options);

    expect(found._unsafeUnwrap()).toEqual({ ...profile, available: true });
  });

  test('takes a profile that has a first name alone', async () => {
    nock(graphBase).get('/99').query(true).reply(200, { first_name: 'Ann' });

    const found = await contact(pageContext(), options);

    expect(found._unsafeUnwrap()).toEqual({ id: '99', first_name: 'Ann', available: true });
  });

  test.each([
    ['a refusal', 400, '{"error":{"message":"No matching user","code":100,"error_subcode":2018218}}'],
    ['an empty object', 200, '{}'],
    ['a profile of another shape', 200, '{"first_name":{"a":1}}'],
  ])('does not fail on %s', async (_what, status, body) => {
    nock(graphBase).get('/99').query(true).reply(status, body);

    const found = await contact(pageContext(), options);

    expect(found._unsafeUnwrap()).toEqual({
      id: '99',
      available: false,
      reason: expect.stringMatching(/\w/),
    });
  });

  test.each([
    ['', { ...options, psid: '' }, 'psid must be a non-empty string'],
    ['99', { ...options, pageToken: '' }, 'pageToken must be a non-empty string'],
    ['', undefined as never, 'options must be an object'],
  ])('resolves for bad options, without a request', async (id, bad, reason) => {
    const found = await contact(pageContext(), bad);

    expect(found._unsafeUnwrap()).toEqual({ id, available: false, reason });
  });
});
