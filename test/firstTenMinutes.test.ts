import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { bareEnvironment } from './support/machine.ts';

/** The samples of the page, by the file that the page says each is. */
const page = await readFile('docs/first-ten-minutes.md', 'utf8');
const samples = new Map(
  [
    ...page.matchAll(/As `(\w+\.ts)`[^`]*```ts\n([\s\S]*?)```|, as `(\w+\.ts)`:\n\n```ts\n([\s\S]*?)```/g),
  ].map(([, name, text, otherName, otherText]) => [name ?? otherName ?? '', text ?? otherText ?? '']),
);

interface Started {
  readonly child: ChildProcess;
  readonly said: () => string;
}

function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, args, { cwd, env: { ...bareEnvironment, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => (said += text.toString()));
  onTestFinished(() => void child.kill());
  return { child, said: () => said };
}

async function ended({ child, said }: Started): Promise<readonly [code: unknown, said: string]> {
  const [code] = (await once(child, 'close')) as [number];
  return [code, said()];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

test('the first ten minutes go as the page says, up to an app of your own', async () => {
  expect([...samples.keys()]).toEqual(['post.ts', 'lost.ts', 'webhook.ts', 'pages.ts']);
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // What `npm install` does: the package, and what the page names beside it.
  await mkdir(join(folder, 'node_modules'));
  await symlink(resolve('.'), join(folder, 'node_modules', 'pagepics'));
  for (const name of ['@hono', 'hono'])
    await symlink(resolve('node_modules', name), join(folder, 'node_modules', name));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of samples) await writeFile(join(folder, name), text);

  const sandbox = start([resolve('bin/pagepics.js'), 'sandbox', '--port', '0'], folder);
  await expect.poll(sandbox.said).toMatch(/is at http/);
  const [url = ''] = /http:\S+/.exec(sandbox.said()) ?? [];
  await writeFile(join(folder, '.env'), await (await fetch(`${url}/.env`)).text());
  const env = Object.fromEntries(
    [...(await readFile(join(folder, '.env'), 'utf8')).matchAll(/^(\w+)='?(.*?)'?$/gm)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );
  const startPage = async () => (await fetch(url)).text();

  const [code, post] = await ended(start(['--env-file=.env', 'post.ts'], folder));
  expect([code, post]).toEqual([0, expect.stringMatching(/^\d+_\d+\n$/)]);
  expect(await startPage()).toContain('Open until nine.');

  expect(await ended(start(['--env-file=.env', 'lost.ts'], folder))).toEqual([
    0,
    expect.stringMatching(/^POST: the network failed.*\n(?:GET: 200, lookup\n)+\d+_\d+\n$/),
  ]);
  const shown = await startPage();
  expect(shown.split('<p>Live music on Friday.').length).toBeLessThanOrEqual(2);

  const port = String(await freePort());
  const receiver = start(['--env-file=.env', 'webhook.ts'], folder, { PORT: port });
  await expect.poll(receiver.said).toContain('receiving');
  const press = async (action: string, fields: Record<string, string>) => {
    const headers = { origin: url, 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams(fields);
    const { status } = await fetch(`${url}/ui/${action}`, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    expect(status).toBe(303);
  };
  await press('comment', { on: post.trim(), message: 'Do you have a table?' });
  // The Page is not subscribed to messages, so those that come are the account's: they are signed with another secret.
  const contacts = [...(await startPage()).matchAll(/name="contactId" value="(\d+)"/g)].map(
    ([, id = '']) => id,
  );
  expect(contacts.length).toBeGreaterThan(1);
  for (const contactId of contacts) await press('message', { contactId, text: 'Hello from a customer' });
  await press('deliver', { to: `http://127.0.0.1:${port}/webhooks` });
  await expect.poll(receiver.said).toMatch(/feed \{[\s\S]*Do you have a table\?/);
  await expect.poll(receiver.said).toContain('Hello from a customer');
  const forged = {
    method: 'POST',
    headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
    body: '{}',
  };
  expect((await fetch(`http://127.0.0.1:${port}/webhooks`, forged)).status).toBe(401);
  await expect.poll(receiver.said).toMatch(/\n401 \S+/);

  const [, listed] = await ended(start(['--env-file=.env', 'pages.ts'], folder));
  expect(listed).toContain(`PAGE_ID=${env['PAGE_ID']}\nPAGE_TOKEN=${env['PAGE_TOKEN']} # Harbour Coffee`);
  const doctor = ['doctor', '--client', 'page', '--functions', 'publishPost,subscribePage'];
  const [exit, told] = await ended(
    start([resolve('bin/pagepics.js'), ...doctor], folder, { ...env, PAGE_TOKEN: env['USER_TOKEN'] }),
  );
  expect([exit, told]).toEqual([0, expect.stringContaining('publishPost')]);
});
