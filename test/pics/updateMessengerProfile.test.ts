import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { updateMessengerProfile, type UpdateMessengerProfileOptions } from '../../src/pics/index.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

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

describe('updateMessengerProfile', () => {
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
    ['greeting', 'greeting is for Pages only', { iceBreakers, greeting: [] }],
    ['getStarted', 'getStarted is for Pages only', { iceBreakers, getStarted: { payload: 'START' } }],
    ['whitelistedDomains', 'whitelistedDomains is for Pages only', { iceBreakers, whitelistedDomains: [] }],
  ])('refuses bad %s before anything is sent: %s', async (option, message, own) => {
    const bad = { token, ...own } as UpdateMessengerProfileOptions;

    expect((await updateMessengerProfile(picsContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
      message,
    });
  });
});
