import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { me } from '../../src/page/me.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asUser, refusal, userToken } from './support.ts';

const options = { token: userToken };

function user(): nock.Interceptor {
  return nock(graphBase)
    .get('/me')
    .query({ ...asUser, fields: 'id,name,email,picture.type(large)' });
}

describe('me', () => {
  test('reads the profile, with the address of the picture', async () => {
    const body = {
      id: '4',
      name: 'Ann',
      email: 'ann@example.com',
      picture: { data: { height: 50, is_silhouette: false, url: 'https://cdn.example/4.jpg', width: 50 } },
    };
    user().reply(200, body);

    const profile = await me(pageContext(), options);

    expect(profile._unsafeUnwrap()).toEqual({
      id: '4',
      name: 'Ann',
      email: 'ann@example.com',
      picture: 'https://cdn.example/4.jpg',
      raw: body,
    });
  });

  test('has neither email nor picture where the platform gives none', async () => {
    user().reply(200, { id: '4', name: 'Ann', picture: {} });

    const { email, picture } = (await me(pageContext(), options))._unsafeUnwrap();

    expect({ email, picture }).toEqual({ email: undefined, picture: undefined });
  });

  test('hands out an id of 17 digits to the last one', async () => {
    user().reply(200, '{"id":17841400000000001,"name":"Ann"}');

    expect((await me(pageContext(), options))._unsafeUnwrap().id).toBe('17841400000000001');
  });

  test('fails for a page token as the platform says', async () => {
    user().reply(
      400,
      refusal(100, { message: 'Tried accessing nonexisting field (email) on node type (Page)' }),
    );

    const error = (await me(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 100, category: 'validation' });
  });

  test('says where a response is of the wrong shape', async () => {
    user().reply(200, { id: true, name: 'Ada' });

    const error = (await me(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'unexpected response at id: expected string',
    });
  });
});
