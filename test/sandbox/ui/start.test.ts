import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';

import nock from 'nock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  createPageClient,
  createPageClientFromEnv,
  createPicsClient,
  createPicsClientFromEnv,
  createPicsClientViaPagesFromEnv,
} from '../../../src/index.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { callParts } from '../../../src/sandbox/ui/start.ts';
import { listen } from '../../support/server.ts';
import { start } from '../support/caller.ts';
import { visited, type Visitor } from './support.ts';

// Real sockets, since a browser has them too.
beforeAll(() => {
  nock.restore();
});
afterAll(() => {
  nock.activate();
});

// Sandboxes of the same seed have the same ids.
const same: Sandbox = createSandbox();
const { app, pages, account } = same;
const [first] = pages;
if (first === undefined) throw new Error('the sandbox has Pages');
const [postId = ''] = first.postIds;
const [formId = ''] = first.formIds;

function clientOf(at: Visitor): ReturnType<typeof createPageClient> {
  return createPageClient({ appId: app.id, appSecret: app.secret, platform: at.platform });
}

/** The content of an element without elements of its name in it, its white space as a browser shows it. */
function textOf(page: string, id: string): string {
  const [, content = ''] = new RegExp(`id="${id}"[^>]*>([^]*?)</(?:div|pre)>`).exec(page) ?? [];
  return id === 'variables' ? content : content.replaceAll(/\s+/g, ' ');
}

function idOf(id: string): string {
  return `<code class="id" title="${id}">${id}</code>`;
}

function shownAs(name: string, id: string): string {
  return `${name} <span class="soft">${idOf(id)}</span>`;
}

describe('the start page', () => {
  test('shows Pages, posts, stories, forms, media and the inbox', async () => {
    await using at = await visited();
    const { status, headers, text } = await at.visit('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const { id, name, token } of pages) {
      expect(text).toContain(`token ${idOf(token)}`);
      expect(text).toContain(idOf(id));
      expect(text).toContain(`<summary><h3>${name.replace('&', '&amp;')}</h3></summary>`);
    }
    for (const id of [...first.postIds, ...first.formIds, ...account.mediaIds, ...account.storyIds]) {
      expect(text).toContain(idOf(id));
    }
    for (const { id, username: name } of account.contacts) expect(text).toContain(shownAs(name, id));
    for (const { id, name } of first.contacts) expect(text).toContain(shownAs(name, id));
  });

  test('has the variables for a .env, of which a context works', async () => {
    await using at = await visited();
    const text = textOf((await at.visit('/')).text, 'variables')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'");
    const variables = parseEnv(text);
    expect(parseEnv((await at.visit('/.env')).text)).toEqual(variables);
    expect(variables).toMatchObject({
      PAGE_CONFIG_ID: same.app.configId,
      PAGE_CONTACT_ID: first.contacts[0]?.id,
      PICS_CONTACT_ID: account.contacts[0]?.id,
    });
    const client = createPageClientFromEnv({ env: variables });
    const profile = await client.pageProfile({
      pageId: variables['PAGE_ID'] ?? '',
      pageToken: variables['PAGE_TOKEN'] ?? '',
    });
    expect(profile.name).toBe(first.name);
    // Its configuration decides instead of scopes, which the same variables without it send.
    const login = { redirectUri: 'https://app.test/back', scopes: ['pages_show_list'] };
    const business = new URL(client.loginUrl(login)).searchParams;
    expect([business.get('config_id'), business.get('scope')]).toEqual([same.app.configId, null]);
    const { PAGE_CONFIG_ID: _, ...others } = variables;
    await using plain = createPageClientFromEnv({ env: others });
    expect(new URL(plain.loginUrl(login)).searchParams.get('scope')).toBe('pages_show_list');
    await client.close();
    await using pics = createPicsClientFromEnv({ env: variables });
    expect((await pics.profile({ token: variables['PICS_TOKEN'] ?? '' })).id).toBe(variables['PICS_ID']);
    await using viaPages = createPicsClientViaPagesFromEnv({ env: variables });
    const [token = '', picsUserId = ''] = [variables['PAGE_TOKEN'], variables['PICS_USER_ID']];
    expect(await viaPages.profile({ token, picsUserId })).toMatchObject({ id: picsUserId });
  });

  test('shows what the SDK published, and the call without its secrets', async () => {
    await using at = await visited();
    const client = clientOf(at);
    const before = (await at.visit('/ui/version')).text;
    const post = await client.publishPost({
      pageId: first.id,
      pageToken: first.token,
      message: 'Open until nine.',
    });
    await client.close();
    const { text } = await at.visit('/');
    expect(textOf(text, `posts-${first.id}`)).toContain(post.id);
    const row = /<tr>\s*<td>\s*<time[^]*?<\/tr>/.exec(text)?.[0] ?? '';
    expect(row).toMatch(new RegExp(`POST /${first.id}/feed`));
    expect(row).toContain('message=Open until nine.');
    expect(row).not.toMatch(/access_token|appsecret_proof/);
    const after = (await at.visit('/ui/version')).text;
    expect(after).not.toBe(before);
    expect(text).toContain(`data-version="${after}"`);
  });

  test('shows calls without tokens, secrets and codes', async () => {
    await using at = await visited();
    const client = clientOf(at);
    const given = { redirectUri: 'https://app.example/', code: 'the-code' };
    await expect(client.exchangeCode(given)).rejects.toThrow('verification code');
    await client.inspectToken({ token: first.token });
    await client.close();
    const body = JSON.stringify({
      access_token: first.token,
      message: 'By JSON',
      targeting: { age_min: 20 },
    });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${at.platform.graphUrl}/v26.0/${first.id}/feed`, { method: 'POST', headers, body });
    const shown = textOf((await at.visit('/')).text, 'rows');
    expect(shown).toMatch(/\/oauth\/access_token[^]*redirect_uri=https:\/\/app.example\//);
    expect(shown).toContain('message=By JSON targeting={&quot;age_min&quot;:20}');
    for (const secret of ['the-code', app.secret, first.token]) expect(shown).not.toContain(secret);
  });

  test('shows scheduled posts apart, with their times in one form, and photos and Reels as such', async () => {
    await using at = await visited();
    const { id, token } = first;
    const send = async (edge: string, fields: Readonly<Record<string, string>>) => {
      const body = new URLSearchParams({ ...fields, access_token: token });
      return (
        await fetch(`${at.platform.graphUrl}/v26.0/${id}/${edge}`, { method: 'POST', body })
      ).json() as Promise<Readonly<Record<string, string>>>;
    };
    const later = { published: 'false', scheduled_publish_time: String(start / 1000 + 86_400) };
    const planned = await send('feed', { message: 'Tomorrow', ...later });
    const photo = await send('photos', { message: 'A cup', url: 'https://cdn.test/a.jpg' });
    const reel = await send('video_reels', { upload_phase: 'start' });
    const headers = { authorization: `OAuth ${token}`, offset: '0', file_size: '4' };
    await fetch(reel['upload_url'] ?? '', { method: 'POST', headers, body: new Uint8Array(4) });
    const finish = { upload_phase: 'finish', video_id: reel['video_id'] ?? '', video_state: 'PUBLISHED' };
    await send('video_reels', { ...finish, title: 'Steam' });

    const { text } = await at.visit('/');
    const posts = textOf(text, `posts-${id}`);
    const others = textOf(text, `scheduled-${id}`);

    const kindOf = (text: string, shown: string) =>
      /^[^]*<svg class="kind (\w+)"/.exec(text.split(shown)[0] ?? '')?.[1];
    expect([kindOf(posts, 'A cup</p>'), kindOf(posts, 'Steam</p>')]).toEqual(['image', 'reel']);
    expect(kindOf(others, 'Tomorrow</p>')).toBe('text');
    expect(kindOf(text, `>${account.mediaIds[1]}</code>`)).toBe('carousel');
    expect(kindOf(text, `>${account.storyIds[0]}</code>`)).toBe('story');
    expect(posts).not.toContain(planned['id']);
    expect(others).toContain(planned['id']);
    expect(others).toMatch(
      /scheduled for <time datetime="2026-10-06T12:00:00.000Z">2026-10-06 12:00<\/time>/,
    );
    expect(others).not.toContain('<form');
    expect(posts).toMatch(new RegExp(`1 photo, <code[^>]*>${photo['post_id']}<`));
    expect(posts).toMatch(new RegExp(`Steam</p>.*, Reel, <code[^>]*>${reel['video_id']}<`));
  });

  test('escapes what comes from the API', async () => {
    await using at = await visited();
    const client = clientOf(at);
    const message = `</p><script>alert("1")</script><img src=x onerror='alert(1)'>`;
    await client.publishPost({ pageId: first.id, pageToken: first.token, message });
    await client.close();
    await at.submit('/ui/comment', { on: postId, message });
    await at.submit('/ui/message', { contactId: account.contacts[0]?.id ?? '', text: message });
    await at.submit('/ui/lead', { formId, [`answer:${message}`]: message });
    const { text, headers } = await at.visit('/');
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/<img|onerror='|alert\("/);
    expect(text.match(/&lt;script&gt;alert\(&quot;1&quot;\)/g)?.length).toBeGreaterThan(5);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("script-src 'self'");
  });

  test('shows a call with a body of many levels', async () => {
    await using at = await visited();
    const deep = 20_000;
    for (const body of [
      `${'['.repeat(deep)}${']'.repeat(deep)}`,
      `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    ]) {
      const response = await fetch(`${at.platform.graphUrl}/v26.0/me`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect(response.status).toBe(400);
    }

    const { status, text } = await at.visit('/');
    expect([status, text.includes('POST /me')]).toEqual([200, true]);
  });

  test('has its style and its script, and no other page', async () => {
    await using at = await visited();
    const found = await Promise.all(
      ['/ui/style.css', '/ui/icon.svg', '/ui/live.js', '/ui/other', '/favicon.ico', '/ui/constructor'].map(
        async (path) => {
          const { status, headers } = await at.visit(path);
          return [status, headers['content-type']];
        },
      ),
    );
    expect(found).toEqual([
      [200, 'text/css; charset=utf-8'],
      [200, 'image/svg+xml; charset=utf-8'],
      [200, 'text/javascript; charset=utf-8'],
      [404, 'text/html; charset=utf-8'],
      [404, 'text/html; charset=utf-8'],
      [404, 'text/html; charset=utf-8'],
    ]);
  });
});

test('a form that was sent to a page finds nothing, a HEAD its headers', async () => {
  await using at = await visited();
  const { status } = await at.submit('/', {});
  const head = await fetch(at.url, { method: 'HEAD' });
  expect([status, head.status, await head.text()]).toEqual([404, 200, '']);
});

test('a call without a response is shown', async () => {
  const { sandbox, world } = openSandbox();
  sandbox.fault({ drop: true });
  await expect(sandbox.fetch(`${sandbox.platform.graphUrl}/v26.0/me`)).rejects.toThrow('fetch failed');
  expect(callParts(world).html).toMatch(/GET \/me <[^]*no response/);
});

describe('a button', () => {
  test('makes a customer comment on a post and on a media', async () => {
    await using at = await visited();
    const onPost = await at.submit('/ui/comment', { on: postId, message: 'Open on Sunday?' });
    const onMedia = await at.submit('/ui/comment', {
      on: account.mediaIds[0] ?? '',
      message: 'What a light',
    });
    expect([onPost, onMedia].map(({ status, location }) => [status, location])).toEqual([
      [303, `/#on-${postId}`],
      [303, `/#on-${account.mediaIds[0]}`],
    ]);
    const { text } = await at.visit('/');
    expect(textOf(text, `posts-${first.id}`)).toContain('Wim Prins: Open on Sunday?');
    expect(textOf(text, `media-${account.userId}`)).toContain('wim: What a light');
    const client = clientOf(at);
    const comments = await client.comments({ postId, pageToken: first.token });
    expect(comments.map(({ message }) => message)).toContain('Open on Sunday?');
    await client.close();
  });

  test('makes a customer write, also one that never wrote', async () => {
    await using at = await visited();
    const contacts = [...account.contacts, ...first.contacts];
    for (const { id } of contacts) {
      const form = { contactId: id, text: `Hello from ${id}` };
      expect(await at.submit('/ui/message', form)).toMatchObject({ status: 303, location: `/#on-${id}` });
    }
    const { text } = await at.visit('/');
    for (const { id } of contacts) {
      expect(text).toContain(`Hello from ${id}`);
      expect(text).toContain(`id="on-${id}"`);
    }
  });

  test('makes a customer leave a lead', async () => {
    await using at = await visited();
    const answers = {
      'answer:full_name': 'Zoe Ray',
      'answer:email': 'zoe@sandbox.test',
      'answer:Favourite Drinks?': '',
    };
    expect(await at.submit('/ui/lead', { formId, ...answers })).toMatchObject({
      status: 303,
      location: `/#on-${formId}`,
    });
    expect(textOf((await at.visit('/')).text, `leads-${formId}`)).toContain(
      'full_name: Zoe Ray; email: zoe@sandbox.test',
    );
  });

  test.each([
    ['comment', { on: '1', message: 'x' }, 400, 'the sandbox has no post 1'],
    ['comment', { on: postId, message: ' ' }, 400, 'The form lacks a text: message'],
    ['message', { contactId: '1', text: 'x' }, 400, 'the sandbox has no contact 1'],
    ['lead', { formId }, 400, 'A lead needs an answer.'],
    ['subscribe', { id: '1' }, 400, 'the sandbox has no Page or account 1'],
    ['deliver', { to: 'https://example.com/' }, 400, 'addresses on this machine only'],
  ])('says what is wrong: %s %o', async (name, fields, status, message) => {
    await using at = await visited();
    const response = await at.submit(`/ui/${name}`, fields as Record<string, string>);
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(message)]);
  });

  test('works only for forms of its own pages', async () => {
    await using at = await visited();
    const form = { on: postId, message: 'forged' };
    const refused = await Promise.all([
      at.submit('/ui/comment', form, { origin: 'https://evil.example' }),
      at.submit('/ui/comment', form, { origin: 'null' }),
      at.submit('/ui/comment', form, { origin: `http://localhost:${at.port}` }),
      at.submit('/ui/comment', form, { 'content-type': 'text/plain' }),
      at.submit('/ui/comment', { on: postId, message: 'x'.repeat(70_000) }),
      at.visit('/ui/comment'),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 400, 400, 405]);
    expect((await at.visit('/')).text).not.toContain('forged');
    const { status } = await at.submit('/ui/comment', form, {
      host: `localhost:${at.port}`,
      origin: `http://localhost:${at.port}`,
    });
    expect(status).toBe(303);
  });
});

test('a name of someone else that leads to this machine gets nothing', async () => {
  await using at = await visited();
  const query = `access_token=${first.token}`;
  for (const path of ['/', '/ui/version', `/graph/v26.0/me?${query}`, '/dialog/v26.0/dialog/oauth']) {
    for (const host of ['evil.example', `evil.example:${at.port}`, '127.0.0.1:1', '127.0.0.1']) {
      const { status, text } = await at.visit(path, { host });
      expect([status, text]).toEqual([
        403,
        expect.stringContaining(`The sandbox responds at ${at.url} only.`),
      ]);
    }
  }
  expect((await at.visit(`/graph/v26.0/me?${query}`, { host: `localhost:${at.port}` })).status).toBe(200);
});

test('a page of another site gets nothing of the platform, and has the sandbox call nobody', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls++;
    response.end('SSH-2.0');
  });
  await using local = await listen(server);
  await using at = await visited();
  const query = { access_token: first.token };
  const callback = { object: 'page', callback_url: `${local.origin}/`, verify_token: 'v', fields: 'feed' };
  const asApp = { access_token: `${app.id}|${app.secret}` };
  const subscribe = (headers: Readonly<Record<string, string>>) =>
    at.submit(`/graph/v26.0/${app.id}/subscriptions`, { ...callback, ...asApp }, headers);
  const readAs = (headers: Readonly<Record<string, string>>) =>
    at.visit(`/graph/v26.0/me?${new URLSearchParams(query)}`, headers);

  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: local.origin },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    const both = await Promise.all([subscribe(headers), readAs(headers)]);
    expect(both.map(({ status }) => status)).toEqual([403, 403]);
  }
  expect(calls).toBe(0);

  expect((await readAs({ 'sec-fetch-site': 'none' })).status).toBe(200);
  expect((await readAs({})).status).toBe(200);
  await subscribe({});
  expect(calls).toBe(1);
});

describe('webhooks', () => {
  interface Received {
    readonly url: string;
    readonly body: string;
    readonly signature: unknown;
  }

  /** A webhook on this machine. */
  async function receiver(
    statuses: number[],
    location?: string,
  ): Promise<{ url: string; got: Received[] } & AsyncDisposable> {
    const got: Received[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        got.push({ url: request.url ?? '', body, signature: request.headers['x-hub-signature-256'] });
        response.writeHead(statuses.shift() ?? 200, location === undefined ? {} : { location }).end();
      });
    });
    const { origin, close } = await listen(server);
    return { url: `${origin}/webhooks`, got, [Symbol.asyncDispose]: close };
  }

  test('are delivered, signed, and the result is shown', async () => {
    await using at = await visited();
    await using hook = await receiver([]);
    await at.submit('/ui/subscribe', { id: first.id });
    await at.submit('/ui/comment', { on: postId, message: 'Open on Sunday?' });
    expect(textOf((await at.visit('/')).text, 'waiting')).toContain('1 event waits for delivery.');
    expect(await at.submit('/ui/deliver', { to: hook.url })).toMatchObject({
      status: 303,
      location: '/#webhooks',
    });
    const [got] = hook.got;
    expect(hook.got).toHaveLength(1);
    expect(got?.url).toBe('/webhooks');
    expect(got?.signature).toBe(
      `sha256=${createHmac('sha256', app.secret)
        .update(got?.body ?? '')
        .digest('hex')}`,
    );
    expect(JSON.parse(got?.body ?? '')).toMatchObject({
      object: 'page',
      entry: [{ id: first.id, changes: [{ value: { message: 'Open on Sunday?' } }] }],
    });
    const { text } = await at.visit('/');
    expect(text).toMatch(/1 event of\s+<code>page<\/code>: response\s+<strong class="good">200<\/strong>/);
    expect(text).toContain(`value="${hook.url}"`);
    expect(textOf(text, 'waiting')).toContain('0 events wait for delivery.');
  });

  test('that were not taken wait for the next delivery', async () => {
    await using at = await visited();
    await using hook = await receiver([500]);
    await at.submit('/ui/subscribe', { id: first.id });
    await at.submit('/ui/subscribe', { id: account.userId });
    await at.submit('/ui/comment', { on: postId, message: 'One' });
    await at.submit('/ui/comment', { on: account.mediaIds[0] ?? '', message: 'Two' });
    await at.submit('/ui/deliver', { to: hook.url });
    const { text } = await at.visit('/');
    expect(text).toContain('Webhooks were not delivered: see the result.');
    expect(text).toContain('<strong class="bad">500</strong>');
    expect(text).toContain('The events wait for another delivery.');
    expect(textOf(text, 'waiting')).toContain('1 event waits');
    await at.submit('/ui/deliver', { to: hook.url });
    expect(hook.got.map(({ body }) => /One|Two/.exec(body)?.[0])).toEqual(['One', 'Two', 'One']);
  });

  test('of an address where nothing listens say so', async () => {
    await using at = await visited();
    await at.submit('/ui/subscribe', { id: first.id });
    await at.submit('/ui/comment', { on: postId, message: 'One' });
    const gone = await receiver([]);
    await gone[Symbol.asyncDispose]();
    await at.submit('/ui/deliver', { to: gone.url });
    const { text } = await at.visit('/');
    expect(text).toContain(`<p>Sent to <code>${gone.url}</code>:</p>`);
    expect(text).toContain('<strong class="bad">no response</strong>. The events wait for another delivery.');
    expect(text).not.toContain('Delivered to');
  });

  test('do not follow a redirect', async () => {
    await using at = await visited();
    await using other = await receiver([]);
    await using hook = await receiver([302], other.url);
    await at.submit('/ui/subscribe', { id: first.id });
    await at.submit('/ui/comment', { on: postId, message: 'One' });
    await at.submit('/ui/deliver', { to: hook.url });
    expect([hook.got.length, other.got.length]).toEqual([1, 0]);
    expect((await at.visit('/')).text).toContain('<strong class="bad">302</strong>');
  });

  test('without a subscription are shown, and not delivered', async () => {
    await using at = await visited();
    await at.submit('/ui/comment', { on: postId, message: 'One' });
    expect(textOf((await at.visit('/')).text, 'waiting')).toContain(
      '1 more belongs to a Page, account or field without a subscription, and will be dropped.',
    );
    await at.submit('/ui/deliver', { to: 'http://localhost:1/webhooks' });
    expect((await at.visit('/')).text).toContain('There was nothing to deliver.');
  });

  test.each([
    'http://example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://user@10.0.0.1/',
    'http://169.254.169.254/',
    'http://[::ffff:10.0.0.1]/',
    'http://0.0.0.0:80/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'webhooks',
  ])('do not go to %s', async (to) => {
    await using at = await visited();
    const { status, text } = await at.submit('/ui/deliver', { to });
    expect([status, text]).toEqual([400, expect.stringContaining('on this machine only')]);
  });
});

describe('without a browser', () => {
  test('a form moves the clock ahead', async () => {
    await using at = await visited();
    const dayMs = 86_400_000;
    expect(await at.submit('/ui/advance', { ms: String(dayMs) })).toMatchObject({ status: 303 });
    const client = clientOf(at);
    const { id } = await client.publishPost({
      pageId: first.id,
      pageToken: first.token,
      message: 'A day later',
    });
    const posts = await client.posts({ pageId: first.id, pageToken: first.token });
    expect(Date.parse(posts.find((post) => post.id === id)?.created_time ?? '')).toBe(start + dayMs);
    expect((await at.submit('/ui/advance', { ms: 'soon' })).status).toBe(400);
    await client.close();
  });

  test.each([
    ['USER', {}],
    ['PAGE', { pageId: first.id }],
  ])('a form issues a %s token with few permissions', async (type, of) => {
    await using at = await visited();
    const { status, text } = await at.submit('/ui/token', { scope: 'pages_show_list', ...of });
    expect(status).toBe(200);
    const client = clientOf(at);
    expect(await client.inspectToken({ token: text })).toMatchObject({ type, scopes: ['pages_show_list'] });
    await client.close();
  });
});

test('the token of login mode is old enough to be renewed, and the renewal is among the calls', async () => {
  await using at = await visited();
  const { id: appId, secret: appSecret } = same.picsApp;
  const client = createPicsClient({ appId, appSecret, platform: at.platform });

  const renewed = await client.refreshToken({ token: account.token });

  expect(renewed.access_token).not.toBe(account.token);
  expect(textOf((await at.visit('/')).text, 'rows')).toContain('/refresh_access_token');
});

test('a form issues a token of login mode that ends soon, and can be renewed at once', async () => {
  await using at = await visited();
  const { id: appId, secret: appSecret } = same.picsApp;
  const { text: token } = await at.submit('/ui/token', { kind: 'pics', expiresInMs: '86400000' });
  await using client = createPicsClient({ appId, appSecret, platform: at.platform });

  const renewed = await client.refreshToken({ token });
  expect(renewed.access_token).not.toBe(token);
  expect((await client.profile({ token: renewed.access_token })).username).toBe(account.username);
});
