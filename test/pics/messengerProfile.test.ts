import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { messengerProfile } from '../../src/pics/messengerProfile.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const call_to_actions = [{ question: 'When are you open?', payload: 'HOURS' }];
const ice_breakers = [{ locale: 'default', call_to_actions }];
const menuItem = { type: 'postback', title: 'Help', payload: 'HELP' };
const persistent_menu = [{ locale: 'default', call_to_actions: [menuItem] }];

/** Reads a profile from this list. */
async function read(data: unknown, options: object = {}) {
  nock(picsGraphBase).get('/me/messenger_profile').query(true).reply(200, { data });
  return messengerProfile(picsContext(), { token, ...options });
}

describe('messengerProfile', () => {
  test.each([
    ['login', picsGraphBase, picsContext, {}, 'me', {}],
    ['login', picsGraphBase, picsContext, { picsUserId: '17' }, '17', {}],
    ['page', graphBase, picsPageContext, { pageId: '42' }, '42', { platform: 'instagram' }],
  ] as const)('asks for both properties in %s mode', async (_mode, base, contextOf, own, node, more) => {
    nock(base)
      .get(`/${node}/messenger_profile`)
      .query({ ...authenticated, ...more, fields: 'ice_breakers,persistent_menu' })
      .reply(200, { data: [{ ice_breakers, persistent_menu }] });

    const profile = await messengerProfile(contextOf(), { token, ...own });

    expect(profile._unsafeUnwrap()).toEqual({ ice_breakers, persistent_menu });
  });

  test('asks for the property that the caller names', async () => {
    nock(picsGraphBase)
      .get('/me/messenger_profile')
      .query({ ...authenticated, fields: 'ice_breakers' })
      .reply(200, { data: [] });

    const profile = await messengerProfile(picsContext(), { token, fields: ['ice_breakers'] });

    expect(profile._unsafeUnwrap()).toEqual({});
  });

  test.each([
    ['under their name', [{ ice_breakers }], ['ice_breakers'], { ice_breakers }],
    ['without their name', ice_breakers, ['ice_breakers'], { ice_breakers }],
    ['without languages', [{ ice_breakers: call_to_actions }], ['ice_breakers'], { ice_breakers }],
    ['a menu under its name', [{ persistent_menu }], ['persistent_menu'], { persistent_menu }],
    ['a menu without its name', persistent_menu, ['persistent_menu'], { persistent_menu }],
    [
      'both without names',
      [...persistent_menu, ...ice_breakers],
      undefined,
      { ice_breakers, persistent_menu },
    ],
    [
      'each in an entry',
      [{ persistent_menu }, { ice_breakers }],
      undefined,
      { ice_breakers, persistent_menu },
    ],
  ])('reads ice breakers and menus in each form of the platform: %s', async (_, data, fields, expected) => {
    expect((await read(data, { fields }))._unsafeUnwrap()).toEqual(expected);
  });

  test('reads all languages of a property that comes without its name', async () => {
    const dutch = { locale: 'nl_NL', call_to_actions: [{ question: 'Open?', payload: 'HOURS' }] };

    const profile = await read([...ice_breakers, dutch]);

    expect(profile._unsafeUnwrap().ice_breakers).toEqual([...ice_breakers, dutch]);
  });

  test('leaves out what is not as documented, and keeps it in raw', async () => {
    const odd = [
      { ice_breakers: 'none', persistent_menu: [7, { locale: 'default', call_to_actions: [{}] }] },
    ];

    const profile = (await read(odd))._unsafeUnwrap();

    expect(profile).toEqual({ persistent_menu: [{ locale: 'default', call_to_actions: [] }] });
    expect(profile.raw).toEqual(odd[0]);
  });

  test.each([
    [{}, 'data'],
    [{ data: 'none' }, 'data'],
    [{ data: [7] }, 'data.0'],
  ])('says where a response is misshapen', async (body, where) => {
    nock(picsGraphBase).get('/me/messenger_profile').query(true).reply(200, body);

    const error = (await messengerProfile(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: expect.stringContaining(where) });
  });

  test('refuses properties that only Pages have before anything is sent', async () => {
    const bad = { token, fields: ['greeting'] as unknown as ['ice_breakers'] };

    expect((await messengerProfile(picsContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'fields',
      message: 'fields[0] must be one of ice_breakers, persistent_menu',
    });
  });
});
