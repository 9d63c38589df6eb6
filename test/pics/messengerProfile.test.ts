import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { updateMessengerProfile, type UpdateMessengerProfileOptions } from '../../src/pics/index.ts';
import { deleteMessengerProfile, messengerProfile } from '../../src/pics/messengerProfile.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';
import { partOf } from '../support/rules.ts';

describe('messengerProfile', () => {
  const call_to_actions = [{ question: 'When are you open?', payload: 'HOURS' }];

  const ice_breakers = [{ locale: 'default', call_to_actions }];

  const menuItem = { type: 'postback', title: 'Help', payload: 'HELP' };

  const persistent_menu = [{ locale: 'default', call_to_actions: [menuItem] }];

  /** Reads a profile from this list. */
  async function read(data: unknown, options: object = {}) {
    nock(picsGraphBase).get('/me/messenger_profile').query(true).reply(200, { data });
    return messengerProfile(picsContext(), { token, ...options });
  }

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

  test('leaves it to the platform which properties there are', async () => {
    nock(picsGraphBase)
      .get('/me/messenger_profile')
      .query(({ fields }) => fields === 'greeting')
      .reply(200, { data: [] });

    const read = await messengerProfile(picsContext(), { token, fields: ['greeting'] });

    expect(read._unsafeUnwrap()).toEqual({});
  });
});

describe('updateMessengerProfile', () => {
  function questions(count: number) {
    return Array.from({ length: count }, (_, at) => ({ question: `Question ${at}?`, payload: `Q${at}` }));
  }

  const iceBreakers = [{ locale: 'default', call_to_actions: questions(4) }];

  const persistentMenu = [
    {
      locale: 'default',
      call_to_actions: [{ type: 'web_url', title: 'The menu', url: 'https://example.com/menu' }],
    },
  ];

  test('sets what is given in login mode, with the platform in the body', async () => {
    nock(picsGraphBase)
      .post('/me/messenger_profile', { ice_breakers: iceBreakers, platform: 'instagram' })
      .query(authenticated)
      .reply(200, { success: true });

    const set = await updateMessengerProfile(picsContext(), { token, iceBreakers });

    expect(set._unsafeUnwrap()).toEqual({ success: true });
  });

  test('sets what is given in page mode, with the platform in the query', async () => {
    nock(graphBase)
      .post('/42/messenger_profile', { ice_breakers: iceBreakers, persistent_menu: persistentMenu })
      .query({ ...authenticated, platform: 'instagram' })
      .reply(200, { result: 'success' });

    const set = await updateMessengerProfile(picsPageContext(), {
      token,
      pageId: '42',
      iceBreakers,
      persistentMenu,
    });

    expect(set._unsafeUnwrap()).toEqual({ success: true });
  });

  test('is sent again when the response was lost, since that does no harm', async () => {
    nock(picsGraphBase).post('/me/messenger_profile').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).post('/me/messenger_profile').query(true).reply(200, { success: 'true' });

    expect((await updateMessengerProfile(picsContext(), { token, persistentMenu })).isOk()).toBe(true);
  });

  test.each([
    [400, { error: { message: 'No', code: 200 } }, 'rejected'],
    [200, { success: false }, 'rejected'],
    [200, { result: 'failure' }, 'unknown'],
    [200, null, 'unknown'],
  ])('fails where the platform does not do it', async (status, body, outcome) => {
    nock(picsGraphBase)
      .post('/me/messenger_profile')
      .query(true)
      .times(3)
      .reply(status, JSON.stringify(body));

    const error = (await updateMessengerProfile(picsContext(), { token, iceBreakers }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ outcome });
    nock.cleanAll();
  });

  const [local] = iceBreakers;
  test.each<[string, string, object]>([
    ['iceBreakers', 'give at least one of iceBreakers, persistentMenu', {}],
    ['iceBreakers', 'iceBreakers must be a list of 1 or more', { iceBreakers: [] }],
    [
      'iceBreakers',
      'iceBreakers[0].call_to_actions must be a list of 1 to 4',
      { iceBreakers: [{ ...local, call_to_actions: questions(5) }] },
    ],
    [
      'iceBreakers',
      'iceBreakers must have the locale default',
      { iceBreakers: [{ ...local, locale: 'nl_NL' }] },
    ],
    ['iceBreakers', 'iceBreakers[0].locale must be a non-empty string', { iceBreakers: questions(2) }],
    [
      'persistentMenu',
      'persistentMenu[0].call_to_actions[0].title must be a non-empty string',
      { persistentMenu: [{ locale: 'default', call_to_actions: [{ type: 'postback' }] }] },
    ],
  ])('refuses bad %s before anything is sent: %s', async (option, message, own) => {
    const bad = { token, ...own } as UpdateMessengerProfileOptions;

    expect((await updateMessengerProfile(picsContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: partOf(option),
      message,
    });
  });
});

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
      option: partOf('fields'),
      message,
    });
  });
});
