// What an install brings, and what an app has of it on servers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, inject, test } from 'vitest';

import { sendRaw, strangers } from '../support/strangers.ts';

const require = createRequire(import.meta.url);
const { newest, tarball } = inject('apps');

async function bytesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('an install brings the three dependencies, and nothing else but what neverthrow asks for', async () => {
  const modules = join(newest, 'node_modules');
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const sizes = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await bytesIn(join(modules, name))])),
  );
  console.log({ ...sizes, tarball: (await stat(tarball)).size });

  // docs/dependencies.md names what it is, where, and how to do without.
  expect(names.filter((name) => name !== '@rollup')).toEqual(['ky', 'neverthrow', 'pagepics', 'valibot']);
  // All that is downloaded is then less than 3 MB, the native package included.
  expect((await stat(tarball)).size).toBeLessThan(1_640_000);
  expect(sizes.pagepics).toBeLessThan(7_000_000);
});

test('Express 5 logs in in both modes and receives webhooks, as docs/frameworks.md has it', async () => {
  const installed = join(newest, 'node_modules', 'pagepics');
  const { createSandbox, serveSandbox } = await import(join(installed, 'dist/sandbox/index.js'));
  const { createPageClient } = await import(join(installed, 'dist/index.js'));
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(installed, join(folder, 'node_modules', 'pagepics'));
  await symlink(dirname(require.resolve('express/package.json')), join(folder, 'node_modules', 'express'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const page = await readFile(join(installed, 'docs/frameworks.md'), 'utf8');
  const samples = [...page.matchAll(/```typescript\n([\s\S]*?)```/g)].map(([, text]) => text);
  const express = samples.find((text) => text.includes("from 'express'"));
  for (const [name, text] of Object.entries({
    'app.ts': samples[0],
    'node.ts': samples[1],
    'server.ts': express,
  }))
    await writeFile(join(folder, name), text);

  const sandbox = createSandbox();
  const platform = await serveSandbox(sandbox);
  const { app, picsApp, pages, account } = sandbox;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    PORT: `${port}`,
    ORIGIN: url,
    VERIFY_TOKEN: 'verify',
    PAGE_APP_ID: app.id,
    PAGE_APP_SECRET: app.secret,
    PICS_APP_ID: picsApp.id,
    PICS_APP_SECRET: picsApp.secret,
    PAGEPICS_PLATFORM: JSON.stringify(platform.platform),
  };
  const server = spawn(process.execPath, ['server.ts'], { cwd: folder, env });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (said += text));
  try {
    const query = 'hub.mode=subscribe&hub.verify_token=verify&hub.challenge=1158201444';
    const challenge = async () => (await fetch(`${url}/webhooks?${query}`)).text();
    await expect.poll(() => challenge().catch(() => said), { timeout: 20_000 }).toBe('1158201444');
    for (const [mode, ids] of [
      ['page', pages.map(({ id }) => id)],
      ['account', [account.userId]],
    ]) {
      const begun = await fetch(`${url}/login/${mode}`, { redirect: 'manual' });
      const [cookie] = begun.headers.get('set-cookie').split(';');
      const back = await sandbox.authorize(begun.headers.get('location'));
      expect(await (await fetch(back, { headers: { cookie } })).json()).toEqual(ids);
      expect((await fetch(back)).status).toBe(400);
    }
    const client = createPageClient({ appId: app.id, appSecret: app.secret, platform: platform.platform });
    await client.subscribePage({ pageId: pages[0].id, pageToken: pages[0].token, fields: ['leadgen'] });
    sandbox.happen({ kind: 'lead', formId: pages[0].formIds[0] });
    const [{ statuses }] = await sandbox.deliver(`${url}/webhooks`);
    expect(statuses).toEqual([200]);
    await expect.poll(() => said).toContain(`leadgen ${pages[0].id}`);
    const headers = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
    expect((await fetch(`${url}/webhooks`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    const before = said;
    for (const [what, text, status] of strangers)
      expect({ what, status: await sendRaw(port, text, what.includes('hangs up')) }).toMatchObject({
        status: expect.stringMatching(status),
      });
    expect(await challenge()).toBe('1158201444');
    // Nothing but why they were refused.
    const more = said.slice(before.length).trim().split('\n');
    expect(more.filter((line) => !/^4\d\d /.test(line))).toEqual([]);
  } finally {
    server.kill();
    await platform.close();
    await rm(folder, { recursive: true });
  }
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
