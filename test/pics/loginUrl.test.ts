import { describe, expect, test } from 'vitest';

import { loginUrl } from '../../src/pics/loginUrl.ts';
import { picsContext, picsPageContext, platform } from '../support/context.ts';

const redirectUri = 'https://example.com/callback?from=pics';

function parse(address: string): { base: string; query: Record<string, string> } {
  const { origin, pathname, searchParams } = new URL(address);
  return { base: `${origin}${pathname}`, query: Object.fromEntries(searchParams) };
}

describe('loginUrl', () => {
  test('leads to the authorize dialog with all the default scopes', () => {
    const address = loginUrl(picsContext(), { redirectUri, state: 'random' })._unsafeUnwrap();

    expect(parse(address)).toEqual({
      base: platform.picsAuthUrl,
      query: {
        client_id: 'pics-app-id',
        redirect_uri: redirectUri,
        response_type: 'code',
        scope:
          'instagram_business_basic,instagram_business_manage_messages,instagram_business_manage_comments,' +
          'instagram_business_content_publish,instagram_business_manage_insights',
        state: 'random',
      },
    });
  });

  test('asks for the scopes given, in the words of the platform, and sends no state of its own', () => {
    const scopes = ['pics_business_basic', 'instagram_business_content_publish'];

    const { query } = parse(loginUrl(picsContext(), { redirectUri, scopes })._unsafeUnwrap());

    expect(query['scope']).toBe('instagram_business_basic,instagram_business_content_publish');
    expect(query).not.toHaveProperty('state');
  });

  test('holds no secret', () => {
    expect(loginUrl(picsContext(), { redirectUri })._unsafeUnwrap()).not.toContain('app-secret');
  });

  test.each([
    ['appId', picsContext({ appId: '' }), { redirectUri }],
    ['context', picsPageContext(), { redirectUri }],
  ])('refuses a bad %s', (option, context, options) => {
    expect(loginUrl(context, options)._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });
});
