import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type RequestOptions,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Hono } from 'hono';
import nock from 'nock';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createSandbox, serveSandbox } from '../src/sandbox/index.ts';
import { createWebhookHandler } from '../src/webhooks/index.ts';
import { frameworks } from './frameworks/list.ts';
import { listener } from './frameworks/node.ts';
import { listen } from './support/server.ts';
import { sendRaw, strangers, unfinished, unsigned } from './support/strangers.ts';

// Real sockets: nock holds a request back until it is whole.
beforeAll(() => nock.restore());

interface App {
  readonly webhooks: (request: Request) => Promise<Response>;
  readonly logIn: (request: Request) => Response;
  readonly callback: (request: Request) => Promise<Response>;
}

const page = readFileSync('docs/frameworks.md', 'utf8');
/** The samples of the page in their order, but the last one: files of the apps that `npm run test:frameworks` runs. */
const files = [
  'app.ts',
  'node.ts',
  'node/server.ts',
  'express/server.ts',
  'fastify/server.ts',
  'koa/server.ts',
  'nestjs/server.ts',
  'functions-framework/function.ts',
  'hono/server.ts',
  'h3/server.ts',
  'bun/server.ts',
  'elysia/server.ts',
  'deno/server.ts',
  'next/app/webhooks/[[...path]]/route.ts',
  'sveltekit/src/routes/webhooks/[...path]/+server.ts',
  'sveltekit/vite.config.ts',
  'astro/src/pages/webhooks/[...path].ts',
  'astro/astro.config.mjs',
  'nuxt/server/middleware/platform.ts',
  'react-router/app/routes/platform.ts',
  'lambda/function.ts',
  'lambda-hono/function.ts',
  'azure/function.ts',
  'cloudflare/worker.ts',
];
const samples = [...page.matchAll(/```typescript\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const sampleWorker = samples.at(-1) ?? '';

test('the code of docs/frameworks.md is that which is run', () => {
  expect(samples.slice(0, -1)).toEqual(files.map((name) => readFileSync(`test/frameworks/${name}`, 'utf8')));
});

test('the table of docs/frameworks.md is of the versions that are installed', () => {
  const { packages } = JSON.parse(readFileSync('test/frameworks/package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const rows = [...page.matchAll(/^\| (?!Framework)(.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
  const versions = frameworks.map(({ title, package: from = '', version }) => [
    title,
    version ?? packages[`node_modules/${from}`]?.version ?? rows.find(([name]) => name === title)?.[1],
  ]);

  expect(rows.map(([title, version]) => [title, version])).toEqual(versions);
  for (const [title = '', , one, thousand, callbacks, set] of rows) {
    if (set) expect([thousand, callbacks], title).not.toEqual(['200', '200, 200']);
    else expect([one, thousand, callbacks], title).toEqual(['200', '200', '200, 200']);
  }
});

/** A sample, as a module. */
async function load(text: string): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'node_modules'));
  await symlink(resolve('.'), join(folder, 'node_modules/pagepics'));
  await writeFile(join(folder, 'sample.ts'), text);
  return import(join(folder, 'sample.ts'));
}

test('the functions of docs/frameworks.md log in in both modes, and receive webhooks', async () => {
  const sandbox = createSandbox();
  const server = await serveSandbox(sandbox);
  onTestFinished(() => server.close());
  onTestFinished(() => void vi.unstubAllEnvs());
  const { app, picsApp, pages, account } = sandbox;
  const origin = 'https://shop.example';
  const env = {
    ORIGIN: origin,
    VERIFY_TOKEN: 'verify',
    PAGE_APP_ID: app.id,
    PAGE_APP_SECRET: app.secret,
    PICS_APP_ID: picsApp.id,
    PICS_APP_SECRET: picsApp.secret,
    PAGEPICS_PLATFORM: JSON.stringify(server.platform),
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  // As the sample exports them.
  const { webhooks, logIn, callback } = (await load(samples[0] ?? '')) as App;
  const hono = new Hono();
  hono.all('/webhooks', (c) => webhooks(c.req.raw));
  hono.get('/login/:mode', (c) => logIn(c.req.raw));
  hono.get('/login/:mode/callback', (c) => callback(c.req.raw));

  async function logInAs(mode: string, as?: (back: URL) => URL): Promise<Response> {
    const begun = await hono.request(`${origin}/login/${mode}`);
    const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
    const back = await sandbox.authorize(begun.headers.get('location') ?? '');
    return hono.request((as?.(back) ?? back).href, { headers: { cookie } });
  }
  const stranger = (back: URL) => {
    back.searchParams.set('state', 'of a stranger');
    return back;
  };
  const unsure = (back: URL) => {
    back.searchParams.set('code', 'wrong');
    return back;
  };

  expect(await (await logInAs('page')).json()).toEqual(pages.map(({ id }) => id));
  expect(await (await logInAs('account')).json()).toEqual([account.userId]);
  expect((await logInAs('page', stranger)).status).toBe(400);
  expect((await logInAs('account', unsure)).status).toBe(502);
  const query = 'hub.mode=subscribe&hub.verify_token=verify&hub.challenge=1158201444';
  // As Next.js and SvelteKit call it.
  expect(await (await webhooks(new Request(`${origin}/webhooks?${query}`))).text()).toBe('1158201444');
  expect((await hono.request('/webhooks', { method: 'POST', body: '{}' })).status).toBe(401);
  expect(warn).toHaveBeenCalledWith(401, expect.stringContaining('no signature'));
});

test('the Worker of docs/frameworks.md publishes with the variables that it is given', async () => {
  const sandbox = createSandbox();
  const server = await serveSandbox(sandbox);
  onTestFinished(() => server.close());
  const [page] = sandbox.pages;
  const env = {
    API_KEY: 'key',
    PAGE_APP_ID: sandbox.app.id,
    PAGE_APP_SECRET: sandbox.app.secret,
    PAGE_ID: page?.id,
    PAGE_TOKEN: page?.token,
    PAGEPICS_PLATFORM: JSON.stringify(server.platform),
  };
  // As the sample exports it.
  const { default: worker } = (await load(sampleWorker)) as {
    readonly default: {
      readonly fetch: (
        request: Request,
        env: Readonly<Record<string, string | undefined>>,
      ) => Promise<Response>;
    };
  };
  const asked = (authorization = 'Bearer key'): Request =>
    new Request('https://worker.example/', {
      method: 'POST',
      body: 'Open until nine.',
      headers: { authorization },
    });

  for (const stranger of ['', 'Bearer', 'Bearer ', 'Bearer other', 'Bearer key2', 'key'])
    expect((await worker.fetch(asked(stranger), env)).status).toBe(401);
  // Nobody has set a key.
  for (const API_KEY of [undefined, ''])
    for (const authorization of ['Bearer undefined', 'Bearer ', ''])
      expect((await worker.fetch(asked(authorization), { ...env, API_KEY })).status).toBe(401);
  expect(sandbox.effects('post')).toEqual([]);
  const published = await worker.fetch(asked(), env);
  const refused = await worker.fetch(asked(), { ...env, PAGE_TOKEN: 'dead' });

  const [post] = sandbox.effects('post');
  expect([published.status, await published.json()]).toEqual([201, { id: post?.id }]);
  expect([refused.status, await refused.json()]).toMatchObject([502, { name: 'ApiError' }]);
  expect(post?.content['message']).toBe('Open until nine.');
});

test("the listener of docs/frameworks.md receives webhooks for Node's http", async () => {
  const sandbox = createSandbox();
  const { app, pages, platform, fetch: send } = sandbox;
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = {
    VERIFY_TOKEN: 'verify',
    PAGE_APP_ID: app.id,
    PAGE_APP_SECRET: app.secret,
    PICS_APP_ID: '7',
    PICS_APP_SECRET: 'x',
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  // As the sample exports it.
  const { webhooks } = (await load(samples[0] ?? '')) as App;
  const server = createServer(listener(webhooks) as RequestListener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => void server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const page = pages[0];
  const body = new URLSearchParams({ subscribed_fields: 'feed', access_token: page?.token ?? '' });
  const { secret } = app;
  const proof = createHmac('sha256', secret)
    .update(page?.token ?? '')
    .digest('hex');
  body.set('appsecret_proof', proof);
  const subscribed = await send(`${platform.graphUrl}/v26.0/${page?.id}/subscribed_apps`, {
    method: 'POST',
    body,
  });
  expect(subscribed.status).toBe(200);
  sandbox.happen({ kind: 'comment', on: page?.postIds[0] ?? '', message: 'Schön!' });

  const query = 'hub.mode=subscribe&hub.verify_token=verify&hub.challenge=1158201444';
  expect(await (await fetch(`${url}?${query}`)).text()).toBe('1158201444');
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  const large = { method: 'POST', body: new Uint8Array(5_000_000) };
  expect((await fetch(url, large)).status).toBe(401);
  const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
  expect((await fetch(url, { ...large, headers })).status).toBe(413);
  expect((await sandbox.deliver(url)).map(({ statuses }) => statuses)).toEqual([[200]]);
  expect(log).toHaveBeenCalledWith('feed', page?.id);
  expect(warn.mock.calls.map(([status]) => status)).toEqual([401, 401, 413]);
});

describe("the listener of docs/frameworks.md for Node's http", () => {
  async function serve(timeoutMs = 5000): Promise<number> {
    const onEvent = () => undefined;
    const webhooks = createWebhookHandler({ verifyToken: 'verify', secrets: 'x', onEvent, timeoutMs });
    const { port, close } = await listen(createServer(listener(webhooks) as RequestListener));
    onTestFinished(close);
    return port;
  }
  const challenge = async (port: number): Promise<string> => {
    const query = 'hub.mode=subscribe&hub.verify_token=verify&hub.challenge=1158201444';
    return await (await fetch(`http://127.0.0.1:${port}/webhooks?${query}`)).text();
  };

  // vitest fails for each rejection that nobody handles, which would end a server.
  for (const [what, text, status] of strangers) {
    test(`holds against a request that ${what}`, async () => {
      const port = await serve();

      expect(await sendRaw(port, text, what.includes('hangs up'))).toMatch(status);
      expect(await challenge(port)).toBe('1158201444');
    });
  }

  test('keeps nothing of a hundred bodies that are unsigned and come to no end', async () => {
    const port = await serve();
    const answers = await Promise.all(Array.from({ length: 100 }, () => sendRaw(port, unsigned)));

    expect(new Set(answers)).toEqual(new Set(['401']));
  });

  test.each([
    ['too large', { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }, 413],
    ['unsigned', {}, 401],
  ])(
    'a body that is %s does not stand in the way of the next request of its connection',
    async (_, headers, status) => {
      const port = await serve();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      onTestFinished(() => agent.destroy());
      // As proxies do, which keep a connection for the requests of many.
      const statusOf = async (options: RequestOptions, body = ''): Promise<number | undefined> => {
        const sent = request({ agent, port, host: '127.0.0.1', path: '/webhooks', ...options }).end(body);
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        await response.resume().toArray();
        return response.statusCode;
      };

      expect(await statusOf({ method: 'POST', headers }, 'x'.repeat(5_000_000))).toBe(status);
      expect(await statusOf({ method: 'GET' })).toBe(403);
    },
  );

  test('waits for a body no longer than the handler does', async () => {
    const port = await serve(50);

    expect(await sendRaw(port, unfinished)).toBe('408');
    expect(await challenge(port)).toBe('1158201444');
  });
});
