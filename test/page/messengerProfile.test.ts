import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  deleteMessengerProfile,
  messengerProfile,
  updateMessengerProfile,
  type UpdateMessengerProfileOptions,
} from '../../src/page/messengerProfile.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { partOf } from '../support/rules.ts';
import { refusal } from './support.ts';

describe('messengerProfile of a Page', () => {
  const options = { pageId: '42', pageToken: token };

  function profile(fields: string): nock.Interceptor {
    return nock(graphBase)
      .get('/42/messenger_profile')
      .query({ ...authenticated, fields });
  }

  test('reads all properties, without a platform', async () => {
    const read = {
      greeting: [{ locale: 'default', text: 'Hello!' }],
      get_started: { payload: 'START' },
      ice_breakers: [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'HOURS' }] }],
      persistent_menu: [
        { locale: 'default', call_to_actions: [{ type: 'postback', title: 'Help', payload: 'HELP' }] },
      ],
      whitelisted_domains: ['https://example.com'],
      account_linking_url: 'https://example.com/link',
    };
    profile(
      'greeting,get_started,ice_breakers,persistent_menu,whitelisted_domains,account_linking_url',
    ).reply(200, { data: [read] });

    expect((await messengerProfile(pageContext(), options))._unsafeUnwrap()).toEqual(read);
  });

  test('asks for the properties that it is given, and reads greetings without their name', async () => {
    const greeting = [{ locale: 'default', text: 'Hello!' }];
    profile('greeting').reply(200, { data: greeting });

    const found = await messengerProfile(pageContext(), { ...options, fields: ['greeting'] });

    expect(found._unsafeUnwrap()).toEqual({ greeting });
  });

  test('fails with what the platform says when it refuses', async () => {
    profile('get_started').reply(400, refusal(100));

    const error = await messengerProfile(pageContext(), { ...options, fields: ['get_started'] });

    expect(error._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', code: 100, category: 'validation' });
  });

  test('asks the platform for a property that is not documented', async () => {
    nock(graphBase)
      .get('/42/messenger_profile')
      .query(({ fields }) => fields === 'commands')
      .reply(200, { data: [{ commands: [{ locale: 'default', commands: [] }] }] });

    const read = await messengerProfile(pageContext(), { ...options, fields: ['commands'] });

    expect(read._unsafeUnwrap().raw['commands']).toEqual([{ locale: 'default', commands: [] }]);
  });
});

describe('updateMessengerProfile of a Page', () => {
  const options = { pageId: '42', pageToken: token };

  const greeting = [{ locale: 'default', text: 'Hello {{user_first_name}}!' }];

  const getStarted = { payload: 'START' };

  const iceBreakers = [{ locale: 'default', call_to_actions: [{ question: 'Open?', payload: 'HOURS' }] }];

  const persistentMenu = [
    {
      locale: 'default',
      composer_input_disabled: false,
      call_to_actions: [
        { type: 'web_url', title: 'The menu', url: 'https://example.com', webview_height_ratio: 'full' },
      ],
    },
  ];

  const whitelistedDomains = ['https://example.com'];

  test('sets the given properties, without a platform', async () => {
    nock(graphBase)
      .post('/42/messenger_profile', {
        greeting,
        get_started: getStarted,
        ice_breakers: iceBreakers,
        persistent_menu: persistentMenu,
        whitelisted_domains: whitelistedDomains,
      })
      .query(authenticated)
      .reply(200, { result: 'success' });
    const all = { greeting, getStarted, iceBreakers, persistentMenu, whitelistedDomains };

    const set = await updateMessengerProfile(pageContext(), { ...options, ...all });

    expect(set._unsafeUnwrap()).toEqual({ success: true });
  });

  test('leaves out other properties, and is sent again after a lost response', async () => {
    nock(graphBase).post('/42/messenger_profile', { get_started: getStarted }).query(true).reply(502, 'Bad');
    nock(graphBase)
      .post('/42/messenger_profile', { get_started: getStarted })
      .query(true)
      .reply(200, { success: 'true' });

    const set = await updateMessengerProfile(pageContext(), { ...options, getStarted });

    expect(set._unsafeUnwrap()).toEqual({ success: true });
  });

  test('says why the platform refuses a menu without Get Started', async () => {
    nock(graphBase)
      .post('/42/messenger_profile')
      .query(true)
      .reply(400, refusal(100, { error_subcode: 2_018_145 }));

    const error = await updateMessengerProfile(pageContext(), { ...options, persistentMenu });

    expect(error._unsafeUnwrapErr()).toMatchObject({ code: 100, subcode: 2_018_145, outcome: 'rejected' });
  });

  test.each<[string, string, object]>([
    [
      'greeting',
      'give at least one of greeting, getStarted, iceBreakers, persistentMenu, whitelistedDomains',
      {},
    ],
    ['greeting', 'greeting must be a list of 1 or more', { greeting: [] }],
    ['greeting', 'greeting[0].text must be a non-empty string', { greeting: [{ locale: 'default' }] }],
    ['getStarted', 'getStarted.payload must be a non-empty string', { getStarted: {} }],
    [
      'iceBreakers',
      'iceBreakers must have the locale default',
      { iceBreakers: [{ ...iceBreakers[0], locale: 'nl_NL' }] },
    ],
    ['persistentMenu', 'persistentMenu must be a list of 1 or more', { persistentMenu: [] }],
    [
      'whitelistedDomains',
      'whitelistedDomains[0] must be a web address',
      { whitelistedDomains: ['example.com'] },
    ],
    [
      'whitelistedDomains',
      'whitelistedDomains must be a list of 1 to 50',
      { whitelistedDomains: Array.from({ length: 51 }, () => 'https://example.com') },
    ],
  ])('refuses bad %s before anything is sent: %s', async (option, message, own) => {
    const bad = { ...options, ...own } as UpdateMessengerProfileOptions;

    expect((await updateMessengerProfile(pageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: partOf(option),
      message,
    });
  });
});

describe('deleteMessengerProfile of a Page', () => {
  const options = { pageId: '42', pageToken: token };

  test.each([{ success: 'true' }, { result: 'success' }])(
    'names the properties, without a platform, again after a lost response: %j',
    async (body) => {
      const deletion = (): nock.Interceptor =>
        nock(graphBase)
          .delete('/42/messenger_profile', '')
          .query({ ...authenticated, fields: '["get_started","persistent_menu"]' });
      deletion().replyWithError(new Error('socket hang up'));
      deletion().reply(200, body);

      const deleted = await deleteMessengerProfile(pageContext(), {
        ...options,
        fields: ['get_started', 'persistent_menu'],
      });

      expect(deleted._unsafeUnwrap()).toEqual({ success: true });
    },
  );
});
