import nock from 'nock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createPageClient, createPicsClient } from '../../../src/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { visited, type Visitor } from './support.ts';

beforeAll(() => {
  nock.restore();
});
afterAll(() => {
  nock.activate();
});

const { app, picsApp, user, account } = createSandbox();
const redirectUri = 'http://127.0.0.1:3000/callback';

function clientsOf({ platform }: Visitor): {
  page: ReturnType<typeof createPageClient>;
  pics: ReturnType<typeof createPicsClient>;
} {
  return {
    page: createPageClient({ appId: app.id, appSecret: app.secret, platform }),
    pics: createPicsClient({ appId: picsApp.id, appSecret: picsApp.secret, platform }),
  };
}

/** The boxes of a page that a person can tick. */
function boxesOf(text: string): readonly string[] {
  return [...text.matchAll(/type="checkbox" name="scope" value="(\w+)" checked/g)].map(
    ([, scope = '']) => scope,
  );
}

describe('the login dialog for Pages', () => {
  const scopes = ['public_profile', 'pages_show_list', 'pages_manage_posts'];

  test('says who logs in, and to what', async () => {
    await using at = await visited();
    const url = clientsOf(at).page.loginUrl({ redirectUri, state: 'abc', scopes });
    const { status, text } = await at.visit(url);
    expect(status).toBe(200);
    expect(text).toContain(`<h1>Log in as ${user.name}</h1>`);
    expect(text).toContain(`<code>${redirectUri}</code>`);
    expect(text).toContain('public_profile (always granted)');
    expect(boxesOf(text)).toEqual(['pages_show_list', 'pages_manage_posts']);
  });

  test('grants what is ticked', async () => {
    await using at = await visited();
    const { page } = clientsOf(at);
    const url = page.loginUrl({ redirectUri, state: 'abc', scopes });
    const { status, location } = await at.submit(url, { decision: 'continue', scope: 'pages_show_list' });
    expect(status).toBe(303);
    const back = new URL(location ?? '');
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([redirectUri, 'abc']);
    const { access_token: token } = await page.exchangeCode({
      code: back.searchParams.get('code') ?? '',
      redirectUri,
    });
    expect((await page.inspectToken({ token })).scopes).toEqual(['public_profile', 'pages_show_list']);
  });

  test('can be cancelled', async () => {
    await using at = await visited();
    const url = clientsOf(at).page.loginUrl({ redirectUri, state: 'abc', scopes });
    const { location } = await at.submit(url, { decision: 'cancel', scope: 'pages_show_list' });
    const { searchParams } = new URL(location ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'The user denied your request.',
      state: 'abc',
    });
  });

  test('shows an error as the platform does', async () => {
    await using at = await visited();
    const url = clientsOf(at).page.loginUrl({ redirectUri, state: 'abc', scopes }).replace(app.id, '<b>1');
    expect(await at.visit(url)).toMatchObject({
      status: 400,
      text: expect.stringContaining('Invalid App ID'),
    });
  });

  test('escapes what the app says', async () => {
    await using at = await visited();
    const hostile = 'https://app.example/"><script>alert(1)</script>';
    const query = new URLSearchParams({
      client_id: app.id,
      redirect_uri: hostile,
      response_type: 'code',
      state: 's',
    });
    const { text } = await at.visit(`/dialog/v26.0/dialog/oauth?${query}`);
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
    expect(text).not.toContain('<script');
  });

  test('leads a client that wants no page back at once', async () => {
    await using at = await visited();
    const url = clientsOf(at).page.loginUrl({ redirectUri, state: 'abc', scopes });
    const { status, location } = await at.visit(url, { accept: '*/*' });
    expect([status, location]).toEqual([302, expect.stringMatching(/\?code=\w+&state=abc/)]);
  });

  test('takes its own forms only, with a decision', async () => {
    await using at = await visited();
    const url = clientsOf(at).page.loginUrl({ redirectUri, state: 'abc', scopes });
    const refused = await Promise.all([
      at.submit(url, { decision: 'continue' }, { origin: 'https://evil.example' }),
      at.submit(url, { decision: 'continue' }, { origin: 'null' }),
      at.submit(url, { decision: 'maybe' }),
    ]);
    expect(refused.map(({ status, location }) => [status, location])).toEqual([
      [403, undefined],
      [403, undefined],
      [400, undefined],
    ]);
  });
});

describe('the login dialog for photo-sharing accounts', () => {
  const scopes = ['pics_business_basic', 'pics_business_content_publish'];

  test('says which account logs in, and grants what is ticked', async () => {
    await using at = await visited();
    const { pics } = clientsOf(at);
    const url = pics.loginUrl({ redirectUri, state: 'abc', scopes });
    const { text } = await at.visit(url);
    expect(text).toContain(`<h1>Log in as ${account.username}</h1>`);
    const [basic = '', publish = ''] = boxesOf(text);
    expect([basic, publish].map((scope) => scope.replace(/^[a-z]+/, 'pics'))).toEqual(scopes);
    const { location } = await at.submit(url, { decision: 'continue', scope: basic });
    const bundle = await pics.exchangeCode({
      code: new URL(location ?? '').searchParams.get('code') ?? '',
      redirectUri,
    });
    expect((await pics.profile({ token: bundle.access_token })).username).toBe(account.username);
  });
});
