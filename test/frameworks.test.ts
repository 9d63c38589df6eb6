import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Hono } from 'hono';
import { expect, onTestFinished, test, vi } from 'vitest';

import { createSandbox, serveSandbox } from '../src/sandbox/index.ts';

interface App {
  readonly webhooks: (request: Request) => Promise<Response>;
  readonly logIn: (request: Request) => Response;
  readonly callback: (request: Request) => Promise<Response>;
}

/** The first sample of the page, as a module. */
async function load(): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'node_modules'));
  await symlink(resolve('.'), join(folder, 'node_modules/pagepics'));
  const [, text = ''] =
    /```typescript\n([\s\S]*?)```/.exec(await readFile('docs/frameworks.md', 'utf8')) ?? [];
  await writeFile(join(folder, 'app.ts'), text);
  return (await import(join(folder, 'app.ts'))) as App;
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
  const { webhooks, logIn, callback } = await load();
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
});
