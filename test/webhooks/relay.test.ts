// The relay of docs/webhooks.md, between the sandbox and the servers of several environments.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import nock from 'nock';
import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { createPageClient } from '../../src/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { verifySignature } from '../../src/webhooks/index.ts';
import { listen } from '../support/server.ts';

// Real sockets: nock holds a request back until it is whole.
beforeAll(() => nock.restore());

type Relay = (request: Request, targets: readonly string[]) => Promise<Response>;

/** The sample, as a module. */
async function load(appSecret: string): Promise<Relay> {
  const page = readFileSync('docs/webhooks.md', 'utf8');
  const sample = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].find(([, text]) =>
    text?.includes('function relay('),
  );
  const folder = await mkdtemp(join(tmpdir(), 'pagepics-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'node_modules'));
  await symlink(resolve('.'), join(folder, 'node_modules/pagepics'));
  const module = `const appSecret = '${appSecret}';\n${sample?.[1]}\nexport { relay };\n`;
  await writeFile(join(folder, 'relay.ts'), module);
  // As the sample declares it.
  const { relay } = (await import(join(folder, 'relay.ts'))) as { readonly relay: Relay };
  return relay;
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

async function serve(
  status: number,
): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = [];
  const server = createServer((incoming, outgoing) => {
    void incoming.toArray().then((parts) => {
      received.push({ headers: incoming.headers, body: Buffer.concat(parts) });
      outgoing.writeHead(status).end();
    });
  });
  const { origin, close } = await listen(server);
  onTestFinished(close);
  return { url: `${origin}/webhooks`, received };
}

test('the relay of docs/webhooks.md hands on the bytes, their type and both signatures', async () => {
  const sandbox = createSandbox();
  const [page] = sandbox.pages;
  const { app, platform, fetch } = sandbox;
  const client = createPageClient({ appId: app.id, appSecret: app.secret, platform, fetch });
  await client.subscribePage({ pageId: page?.id ?? '', pageToken: page?.token ?? '', fields: ['feed'] });
  sandbox.happen({ kind: 'comment', on: page?.postIds[0] ?? '', message: 'Schön! 🎉 a/b' });
  const relay = await load(app.secret);
  const [staging, production] = [await serve(200), await serve(200)];

  const [sent] = await sandbox.deliver((request) => relay(request, [staging.url, production.url]));

  expect(sent?.statuses).toEqual([200]);
  for (const { received } of [staging, production]) {
    const [{ headers, body } = { headers: {}, body: new Uint8Array() }, ...others] = received;
    expect(others).toEqual([]);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['x-hub-signature']).toMatch(/^sha1=[\da-f]{40}$/);
    const signature = String(headers['x-hub-signature-256']);
    expect((await verifySignature(body, signature, app.secret)).isOk()).toBe(true);
    expect(new TextDecoder().decode(body)).toContain(String.raw`Sch\u00f6n! \ud83c\udf89 a\/b`);
  }
});

test('it hands on nothing of strangers, and asks for the delivery again if an environment fails', async () => {
  const relay = await load('secret');
  const [up, down] = [await serve(200), await serve(500)];
  const ask = (headers: HeadersInit) =>
    relay(new Request('https://app.test/', { method: 'POST', body: '{}', headers }), [up.url, down.url]);
  const signed = createHmac('sha256', 'secret').update('{}').digest('hex');

  expect((await ask({})).status).toBe(401);
  expect((await ask({ 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })).status).toBe(401);
  expect([...up.received, ...down.received]).toEqual([]);
  expect((await ask({ 'x-hub-signature-256': `sha256=${signed}` })).status).toBe(502);
  expect([up.received.length, down.received.length]).toEqual([1, 1]);
});
