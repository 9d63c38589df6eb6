import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { messengerProfile } from '../../src/page/messengerProfile.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { pageId: '42', pageToken: token };

function profile(fields: string): nock.Interceptor {
  return nock(graphBase)
    .get('/42/messenger_profile')
    .query({ ...authenticated, fields });
}

describe('messengerProfile of a Page', () => {
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

  test('refuses an unknown property before anything is sent', async () => {
    const bad = { ...options, fields: ['commands'] as unknown as ['greeting'] };

    expect((await messengerProfile(pageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'fields',
      message: expect.stringMatching(/^fields\[0\] must be one of greeting, get_started, /),
    });
  });
});
