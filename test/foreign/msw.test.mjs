// The sandbox behind the request handlers of MSW, and its matcher in the `expect` of Jest.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

import { Facebook } from 'arctic';
import { build } from 'esbuild';
import { expect as jestExpect } from 'expect';
import facebook from 'fb';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  createPageClient,
  createPicsClient,
  createPicsClientViaPages,
  TransportError,
} from '../../src/index.ts';
import { createSandbox, sandboxHandlers, sandboxMatchers } from '../../src/sandbox/index.ts';
import { chromiumPath, has } from '../support/machine.ts';

expect.extend(sandboxMatchers);

const server = setupServer();
let seed = 1;
let sandbox;
let page;
let clients;

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  sandbox = createSandbox({ requireProof: false, seed: seed++ });
  [page] = sandbox.pages;
  server.resetHandlers(...sandboxHandlers(sandbox, http));
  // Nothing leads them to the sandbox but MSW.
  const { clock, app, picsApp } = sandbox;
  const own = { clock, appId: app.id, appSecret: app.secret };
  clients = {
    page: createPageClient(own),
    viaPages: createPicsClientViaPages(own),
    pics: createPicsClient({ clock, appId: picsApp.id, appSecret: picsApp.secret }),
  };
});
afterAll(() => server.close());

describe('a client of the live platform', () => {
  test('reads and publishes on Pages', async () => {
    const [first] = await clients.page.pages({ token: sandbox.user.token });
    const post = await clients.page.publishPost({
      pageId: first.id,
      pageToken: first.access_token,
      message: 'Open until nine.',
    });
    expect(sandbox).toHavePublished({ id: post.id, message: 'Open until nine.' });
    const posts = await clients.page.posts({ pageId: first.id, pageToken: first.access_token });
    expect(posts.map(({ id }) => id)).toContain(post.id);
  });

  test.each(['pics', 'viaPages'])('uploads a video to the upload host: %s', async (name) => {
    const access =
      name === 'pics' ? { token: sandbox.account.token } : { token: page.token, picsUserId: page.picsId };
    const video = new Blob([new Uint8Array(3_000_000).fill(7)]);

    const reel = await clients[name].publish({ ...access, video, caption: 'Tour' });

    expect(sandbox).toHavePublished({ kind: 'media', caption: 'Tour' });
    expect(sandbox.upload(reel.container_id)).toMatchObject({ bytes: 3_000_000 });
  });

  test('logs a person in, in both ways', async () => {
    const redirectUri = 'https://app.example/callback';
    const asked = clients.page.loginUrl({ redirectUri, state: 's', scopes: ['pages_show_list'] });
    const back = await sandbox.authorize(asked);
    const bundle = await clients.page.exchangeCode({ code: back.searchParams.get('code'), redirectUri });
    expect(await clients.page.me({ token: bundle.access_token })).toMatchObject({ id: sandbox.user.id });

    // The dialog itself, too: MSW follows no redirect that the client does not follow.
    const dialog = await fetch(asked, { redirect: 'manual' });
    expect([dialog.status, new URL(dialog.headers.get('location')).origin]).toEqual([
      302,
      'https://app.example',
    ]);

    const picsUrl = clients.pics.loginUrl({ redirectUri, state: 's', scopes: ['pics_business_basic'] });
    const picsBack = await sandbox.authorize(picsUrl);
    const token = await clients.pics.exchangeCode({ code: picsBack.searchParams.get('code'), redirectUri });
    expect((await clients.pics.profile({ token: token.access_token })).username).toBe('harbour');
  });

  test('finds a post whose response was lost', async () => {
    sandbox.fault({ method: 'POST', path: '/feed', when: 'after', drop: true });

    const post = await clients.page.publishPost({ pageId: page.id, pageToken: page.token, message: 'Once' });

    expect(sandbox).toHavePublished({ id: post.id });
  });

  test('sees lost, cut and garbled responses as what they are', async () => {
    const read = () => clients.page.posts({ pageId: page.id, pageToken: page.token });
    sandbox.fault({ drop: true, times: 3 });
    await expect(read()).rejects.toMatchObject({ name: 'TransportError', reason: 'network' });
    sandbox.fault({ truncate: 40, times: 3 });
    await expect(read()).rejects.toMatchObject({ name: 'TransportError', reason: 'network' });
    sandbox.fault({ status: 503, times: 3 });
    await expect(read()).rejects.toMatchObject({ name: 'ApiError', status: 503 });
    expect(await read()).not.toEqual([]);
  });

  test('can give up a request that hangs', async () => {
    sandbox.fault({ hang: true });
    const signal = AbortSignal.timeout(50);
    const pending = clients.page.posts({ pageId: page.id, pageToken: page.token, signal });
    await expect(pending).rejects.toBeInstanceOf(TransportError);
  });

  test('gets pictures', async () => {
    const [media] = await clients.pics.media({ token: sandbox.account.token });
    const picture = await fetch(media.media_url);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });
});

describe('clients that others wrote', () => {
  test('read and publish, over fetch and over https', async () => {
    const { app, user } = sandbox;
    const login = new Facebook(app.id, app.secret, 'https://app.example/callback');
    const back = await sandbox.authorize(login.createAuthorizationURL('state', ['pages_show_list']).href);
    const tokens = await login.validateAuthorizationCode(back.searchParams.get('code'));
    const me = await fetch('https://graph.facebook.com/me?fields=id,name', {
      headers: { authorization: `Bearer ${tokens.accessToken()}` },
    });
    expect(await me.json()).toEqual({ id: user.id, name: user.name });

    const graph = new facebook.Facebook({ accessToken: page.token });
    await graph.api(`${page.id}/feed`, 'post', { message: 'From another client' });
    expect(sandbox).toHavePublished({ message: 'From another client', parentId: page.id });
  });
});

test('what is no address of the platform is left to other handlers', async () => {
  await expect(fetch('https://www.facebook.com/harbour')).rejects.toThrow();
  server.use(http.get('https://example.com/', () => HttpResponse.text('mine')));
  expect(await (await fetch('https://example.com/')).text()).toBe('mine');
  server.use(http.get('https://graph.facebook.com/*/me', () => HttpResponse.json({ id: '7', name: 'Mine' })));
  expect(await clients.page.me({ token: sandbox.user.token })).toMatchObject({ id: '7' });
});

test('the handlers and the matcher have the types of MSW and Jest', () => {
  const folder = 'test/foreign/.types';
  const usage = `
    import { http } from 'msw';
    import { setupServer } from 'msw/node';
    import { setupWorker } from 'msw/browser';
    import { createSandbox, sandboxHandlers } from '../../../src/sandbox/index.ts';
    const handlers = sandboxHandlers(createSandbox(), http);
    setupServer(...handlers);
    export const worker = setupWorker(...handlers);
    // @ts-expect-error -- a handler is no number
    export const none: number[] = handlers;
    import { expect } from 'expect';
    import { sandboxMatchers, type SandboxMatchers } from '../../../src/sandbox/index.ts';
    declare module 'expect' {
      interface Matchers<R, T> extends SandboxMatchers<R> {}
    }
    expect.extend(sandboxMatchers);
    expect(createSandbox()).not.toHavePublished({ message: 'Hi', times: 2 });
    // @ts-expect-error -- a count is a number
    expect(createSandbox()).toHavePublished({ times: 'twice' });
  `;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(`${folder}/usage.ts`, usage);
  const compilerOptions = { skipLibCheck: true };
  const config = { extends: '../../../tsconfig.json', compilerOptions, include: ['usage.ts'] };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
  try {
    expect(outputOf('node_modules/.bin/tsc', ['-p', folder])).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// Needs a browser, as the pages of the sandbox do.
test.skipIf(!has('chromium'))('the handlers work in a browser, in the worker of MSW', async () => {
  const contents = `
    import { http } from 'msw';
    import { setupWorker } from 'msw/browser';
    import { createPageClient } from '../../src/index.ts';
    import { createSandbox, sandboxHandlers } from '../../src/sandbox/index.ts';
    const sandbox = createSandbox();
    await setupWorker(...sandboxHandlers(sandbox, http)).start({ quiet: true });
    const { app, pages: [page], account } = sandbox;
    const client = createPageClient({ appId: app.id, appSecret: app.secret });
    const post = await client.publishPost({ pageId: page.id, pageToken: page.token, message: 'Hi' });
    const picture = new Image();
    picture.src = 'https://cdn.sandbox.test/' + account.username + '/0.jpg';
    await picture.decode();
    document.body.textContent = JSON.stringify({
      isFound: sandbox.effects('post')[0]?.id === post.id,
      width: picture.naturalWidth,
    });`;
  const built = await build({
    stdin: { contents, resolveDir: 'test/foreign' },
    bundle: true,
    write: false,
    format: 'esm',
  });
  const files = {
    '/': ['text/html', '<body><script type="module" src="/app.js"></script></body>'],
    '/app.js': ['text/javascript', built.outputFiles[0].text],
    '/mockServiceWorker.js': [
      'text/javascript',
      readFileSync('test/foreign/node_modules/msw/lib/mockServiceWorker.js', 'utf8'),
    ],
  };
  const app = createServer((request, response) => {
    const [type, text] = files[request.url] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  const browser = await chromium.launch({ executablePath: chromiumPath });
  server.close();
  try {
    await new Promise((resolve) => app.listen(0, '127.0.0.1', resolve));
    const shown = await browser.newPage();
    await shown.goto(`http://127.0.0.1:${app.address().port}/`);
    await expect.poll(() => shown.textContent('body'), { timeout: 20_000 }).toContain('{');
    expect(JSON.parse(await shown.textContent('body'))).toEqual({ isFound: true, width: 1 });
  } finally {
    await browser.close();
    app.close();
    server.listen({ onUnhandledRequest: 'error' });
  }
});

/** What a command prints, whether it succeeds or not. */
function outputOf(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8' });
  } catch (failed) {
    return failed.stdout;
  }
}

// It needs MSW, so it is not compiled with the other samples.
test('the sample of docs/testing.md publishes', async () => {
  server.close();
  try {
    const [, sample = ''] =
      /```typescript\n([\s\S]*?)```/.exec(readFileSync('docs/testing.md', 'utf8')) ?? [];
    const body = sample.replaceAll(/^import .*\n/gm, '');
    expect(sample).toContain('sandboxHandlers(sandbox, http)');
    const AsyncFunction = (async () => {}).constructor;
    const given = { createPageClient, createSandbox, sandboxHandlers, http, setupServer };
    const run = new AsyncFunction(...Object.keys(given), `${body}\nreturn sandbox;`);
    const shown = await run(...Object.values(given));
    expect(shown).toHavePublished({ message: 'Open until nine.' });
  } finally {
    server.listen({ onUnhandledRequest: 'error' });
  }
});

test('the matcher works in the expect of Jest', async () => {
  jestExpect.extend(sandboxMatchers);
  jestExpect(sandbox).not.toHavePublished();

  await clients.page.publishPost({ pageId: page.id, pageToken: page.token, message: 'Hi there' });

  jestExpect(sandbox).toHavePublished({ message: jestExpect.stringContaining('Hi') });
  const fails = () => jestExpect(sandbox).not.toHavePublished({ message: jestExpect.stringContaining('Hi') });
  expect(fails).toThrow(
    /not to have published \{"message":"StringContaining\(Hi\)"\}\nit has published 1, of which 1 fits/,
  );
});
