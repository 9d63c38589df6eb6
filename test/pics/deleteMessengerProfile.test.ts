import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { deleteMessengerProfile } from '../../src/pics/deleteMessengerProfile.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

describe('deleteMessengerProfile', () => {
  test.each([
    ['login', picsGraphBase, picsContext, {}, 'me', {}],
    ['page', graphBase, picsPageContext, { pageId: '42' }, '42', { platform: 'instagram' }],
  ] as const)('names the properties in %s mode', async (_mode, base, contextOf, own, node, more) => {
    nock(base)
      .delete(`/${node}/messenger_profile`, '')
      .query({ ...authenticated, ...more, fields: '["persistent_menu"]' })
      .reply(200, { success: true });

    const deleted = await deleteMessengerProfile(contextOf(), { token, ...own, fields: ['persistent_menu'] });

    expect(deleted._unsafeUnwrap()).toEqual({ success: true });
  });

  test.each([{ success: 'true' }, { result: 'success' }])(
    'is done also where the platform says so as %j, and sent again after a lost response',
    async (body) => {
      nock(picsGraphBase).delete('/me/messenger_profile').query(true).reply(502, 'Bad Gateway');
      nock(picsGraphBase).delete('/me/messenger_profile').query(true).reply(200, body);

      const deleted = await deleteMessengerProfile(picsContext(), { token, fields: ['ice_breakers'] });

      expect(deleted._unsafeUnwrap()).toEqual({ success: true });
    },
  );

  test.each([
    [[], 'fields must be a list of 1 or more'],
    [['get_started'], 'fields[0] must be one of ice_breakers, persistent_menu'],
  ])('refuses properties that an account lacks before anything is sent: %j', async (fields, message) => {
    const bad = { token, fields: fields as ['ice_breakers'] };

    expect((await deleteMessengerProfile(picsContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'fields',
      message,
    });
  });
});
