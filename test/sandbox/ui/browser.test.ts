import { createServer, type IncomingMessage } from 'node:http';

import nock from 'nock';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createPageClient, createPicsClient } from '../../../src/index.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { chromiumPath, has } from '../../support/machine.ts';
import { listen } from '../../support/server.ts';
import { visited } from './support.ts';

const { app, picsApp, pages, user } = createSandbox();

/** An app on this machine: a login callback and a webhook. */
interface App extends AsyncDisposable {
  readonly url: string;
  /** Addresses that browsers visited. */
  readonly visits: readonly URL[];
  /** Texts of the comments that webhooks reported. */
  readonly comments: readonly string[];
}

async function serveApp(): Promise<App> {
  const [visits, comments]: [URL[], string[]] = [[], []];
  const webhook = createWebhookHandler({
    verifyToken: 'any',
    secrets: app.secret,
    onEvent: (event) => {
      if (event.type === 'feed') comments.push(event.data.message ?? '');
    },
  });
  async function respond(request: IncomingMessage, url: URL): Promise<number> {
    if (request.method !== 'POST') {
      visits.push(url);
      return 200;
    }
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part as Uint8Array);
    const { 'x-hub-signature-256': signature = '' } = request.headers;
    const headers = { 'x-hub-signature-256': String(signature) };
    return (await webhook(new Request(url, { method: 'POST', headers, body: Buffer.concat(parts) }))).status;
  }
  const server = createServer((request, response) => {
    void respond(request, new URL(request.url ?? '', url)).then((status) =>
      response.writeHead(status, { 'content-type': 'text/plain' }).end('The app.'),
    );
  });
  const { origin: url, close } = await listen(server);
  return { url, visits, comments, [Symbol.asyncDispose]: close };
}

describe.skipIf(!has('chromium'))('in Chromium', () => {
  let browser: Browser;

  beforeAll(async () => {
    nock.restore();
    browser = await chromium.launch({ executablePath: chromiumPath });
  });
  afterAll(async () => {
    await browser.close();
    nock.activate();
  });

  test('a person logs in, sees a post of the SDK, comments on it, and delivers the webhook', async () => {
    await using at = await visited({ now: Date.now });
    await using own = await serveApp();
    await using tab = await browser.newPage();
    const faults: string[] = [];
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (said) => said.type() === 'error' && faults.push(said.text()));
    const client = createPageClient({ appId: app.id, appSecret: app.secret, platform: at.platform });

    const redirectUri = `${own.url}/callback`;
    const wanted = [
      'public_profile',
      'pages_show_list',
      'pages_manage_posts',
      'pages_read_engagement',
      'pages_manage_metadata',
      'read_insights',
    ];
    await tab.goto(client.loginUrl({ redirectUri, state: 'abc', scopes: wanted }));
    await tab.getByLabel('read_insights').uncheck();
    await tab.getByRole('button', { name: `Continue as ${user.name}` }).click();
    await tab.waitForURL(`${redirectUri}**`);
    const code = own.visits[0]?.searchParams.get('code') ?? '';
    const { access_token: token } = await client.exchangeCode({ code, redirectUri });
    expect((await client.inspectToken({ token })).scopes).toEqual(
      wanted.filter((scope) => scope !== 'read_insights'),
    );

    await tab.goto(at.url);
    const [page] = await client.pages({ token });
    if (page === undefined) throw new Error('the sandbox has Pages');
    const { id: pageId, access_token: pageToken } = page;
    await client.subscribePage({ pageId, pageToken, fields: ['feed'] });
    const message = `Open until <b>nine</b>.<img src=x onerror="document.title='taken over'">`;
    const post = await client.publishPost({ pageId, pageToken, message });
    const shown = tab.getByRole('listitem').filter({ hasText: post.id });
    await shown.waitFor();
    expect(await shown.getByRole('paragraph').first().textContent()).toBe(message);
    await tab
      .getByRole('row')
      .filter({ hasText: `POST /${pageId}/feed` })
      .waitFor();
    expect(await tab.title()).toBe('pagepics sandbox');

    await shown.getByRole('textbox').fill('Until nine on Sunday, too?');
    await shown.getByRole('button', { name: 'Comment' }).click();
    await tab
      .getByRole('listitem')
      .filter({ hasText: 'Wim Prins: Until nine on Sunday, too?' })
      .last()
      .waitFor();

    await tab.getByLabel('Address of your webhook').fill(`${own.url}/webhooks`);
    await tab.getByRole('button', { name: 'Deliver' }).click();
    await tab.getByRole('status').filter({ hasText: 'response 200' }).waitFor();
    expect(own.comments).toEqual([message, 'Until nine on Sunday, too?']);
    expect(faults).toEqual([]);
    await client.close();
  });

  test('a person cancels the dialog of the photo-sharing platform', async () => {
    await using at = await visited();
    await using own = await serveApp();
    await using tab = await browser.newPage();
    const { platform } = at;
    const client = createPicsClient({ appId: picsApp.id, appSecret: picsApp.secret, platform });
    const redirectUri = `${own.url}/callback`;
    await tab.goto(client.loginUrl({ redirectUri, state: 'abc', scopes: ['pics_business_basic'] }));
    await tab.getByRole('button', { name: 'Cancel' }).click();
    await tab.waitForURL(`${redirectUri}**`);
    expect(own.visits[0]?.searchParams.get('error')).toBe('access_denied');
  });

  test('buttons work without JavaScript, and every field has a name', async () => {
    await using at = await visited();
    await using tab = await browser.newPage({ javaScriptEnabled: false });
    await tab.goto(at.url);
    const [postId = ''] = pages[0]?.postIds ?? [];
    const shown = tab.getByRole('listitem').filter({ hasText: postId });
    await shown.getByRole('button', { name: 'Comment' }).click();
    await tab
      .getByRole('listitem')
      .filter({ hasText: 'Wim Prins: Are you open on Sunday?' })
      .last()
      .waitFor();
    expect(await tab.getByRole('status').first().textContent()).toContain('A customer commented');
    const [fields, named] = await Promise.all([
      tab.locator('input:not([type=hidden]):visible').count(),
      tab.locator('label:visible').getByRole('textbox').count(),
    ]);
    expect([fields > 10, named]).toEqual([true, fields]);
    expect(await tab.getByRole('button', { name: 'Copy' }).count()).toBe(0);
  });

  test('a comment on the post of a Page further down leads back to it', async () => {
    await using at = await visited();
    await using tab = await browser.newPage();
    await tab.goto(at.url);
    const [, second] = pages;
    if (second === undefined) throw new Error('the sandbox has Pages');
    const { name, postIds } = second;
    const shown = tab.getByRole('listitem').filter({ hasText: postIds[3] ?? '' });
    expect(await shown.isVisible()).toBe(false);
    await tab.getByText(name, { exact: true }).first().click();
    await shown.getByRole('button', { name: 'Comment' }).click();
    await shown.getByText('Wim Prins: Are you open on Sunday?').waitFor();
    await expect.poll(() => shown.evaluate((item) => item.getBoundingClientRect().top)).toBeLessThan(100);
  });

  test('what a person is typing stays when the page renews itself', async () => {
    await using at = await visited({ now: Date.now });
    await using tab = await browser.newPage();
    await tab.goto(at.url);
    const [page] = pages;
    if (page === undefined) throw new Error('the sandbox has Pages');
    const first = tab.getByRole('listitem').filter({ hasText: page.postIds[0] ?? '' });
    await first.getByRole('textbox').fill('Half a sent');
    const client = createPageClient({ appId: app.id, appSecret: app.secret, platform: at.platform });
    await client.publishPost({ pageId: page.id, pageToken: page.token, message: 'News' });
    await tab.getByRole('row').filter({ hasText: 'message=News' }).waitFor();
    expect(await first.getByRole('textbox').inputValue()).toBe('Half a sent');
    await client.close();
  });
});
