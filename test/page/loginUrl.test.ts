import { describe, expect, test } from 'vitest';

import type { PageContext } from '../../src/page/context.ts';
import { loginUrl, type LoginUrlOptions } from '../../src/page/loginUrl.ts';
import { pageContext } from '../support/context.ts';

const redirectUri = 'https://app.example/back?from=login';

function queryOf(options: Partial<LoginUrlOptions>, context: PageContext = pageContext()): unknown {
  const address = loginUrl(context, { redirectUri, ...options })._unsafeUnwrap();
  return Object.fromEntries(new URL(address).searchParams);
}

describe('loginUrl', () => {
  test('leads to the dialog of the version, and asks for the scopes', () => {
    const address = new URL(
      loginUrl(pageContext(), {
        redirectUri,
        state: 'a&b',
        scopes: ['pages_show_list', 'email'],
      })._unsafeUnwrap(),
    );

    expect(`${address.origin}${address.pathname}`).toBe('https://dialog.test/v26.0/dialog/oauth');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'app-id',
      redirect_uri: redirectUri,
      state: 'a&b',
      response_type: 'code',
      scope: 'pages_show_list,email',
    });
  });

  test('asks for what the page functions need when no scopes are given', () => {
    expect(queryOf({})).toEqual({
      client_id: 'app-id',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope:
        'email,pages_show_list,pages_read_engagement,pages_read_user_content,pages_manage_posts,pages_manage_engagement,' +
        'pages_manage_metadata,pages_messaging,read_insights,leads_retrieval,pages_manage_ads,ads_management,' +
        'instagram_basic',
    });
  });

  test('asks for scopes in the words of the platform', () => {
    expect(
      queryOf({ scopes: ['pics_basic', 'pics_content_publish', 'pages_show_list', 'epics_x'] }),
    ).toMatchObject({
      scope: 'instagram_basic,instagram_content_publish,pages_show_list,epics_x',
    });
  });

  test('turns to the business login with a configuration, without any scope', () => {
    expect(queryOf({ configId: '77', scopes: ['email'] })).toEqual({
      client_id: 'app-id',
      redirect_uri: redirectUri,
      response_type: 'code',
      config_id: '77',
    });
  });

  test('takes the configuration of the context, unless the call has its own', () => {
    const context = pageContext({ configId: '88' });

    expect(queryOf({ scopes: ['email'] }, context)).toMatchObject({ config_id: '88' });
    expect(queryOf({ scopes: ['email'] }, context)).not.toHaveProperty('scope');
    expect(queryOf({ configId: '77' }, context)).toMatchObject({ config_id: '77' });
  });

  test('bears a slash at the end of the address of the dialog', () => {
    const context = pageContext({ platform: { dialogUrl: 'https://dialog.test/' }, graphVersion: 'v25.0' });

    expect(loginUrl(context, { redirectUri })._unsafeUnwrap()).toMatch(
      /^https:\/\/dialog\.test\/v25\.0\/dialog\/oauth\?/,
    );
  });
});
