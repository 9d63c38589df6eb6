import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  updateMessengerProfile,
  type UpdateMessengerProfileOptions,
} from '../../src/page/updateMessengerProfile.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

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

describe('updateMessengerProfile of a Page', () => {
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
      option,
      message,
    });
  });
});
