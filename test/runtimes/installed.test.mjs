// What an install brings, and what an app has of it on servers.
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import express from 'express';
import { expect, inject, test } from 'vitest';

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
  // All that is downloaded is then less than 2.5 MB, the native package included.
  expect((await stat(tarball)).size).toBeLessThan(1_190_000);
  expect(sizes.pagepics).toBeLessThan(4_950_000);
});

test('Express 5 receives webhooks, as docs/webhooks.md has it', async () => {
  const [{ createSandbox }, { createPageContext, subscribePage }, { createWebhookHandler }] =
    await Promise.all(
      ['sandbox', 'page', 'webhooks'].map(
        (name) => import(join(newest, `node_modules/pagepics/dist/${name}/index.js`)),
      ),
    );
  const sandbox = createSandbox();
  const { app, fetch, platform } = sandbox;
  const [page] = sandbox.pages;
  const context = createPageContext({ appId: app.id, appSecret: app.secret, fetch, platform });
  const options = { pageId: page.id, pageToken: page.token, fields: ['leadgen'] };
  expect((await subscribePage(context.value, options)).isOk()).toBe(true);
  const seen = [];
  const handler = createWebhookHandler({
    verifyToken: 'verify',
    secrets: app.secret,
    onEvent: ({ type }) => void seen.push(type),
  });

  const server = express()
    .all('/webhooks', express.raw({ type: () => true, limit: '4mb' }), async (request, response) => {
      const { method, body } = request;
      const signature = request.get('x-hub-signature-256') ?? '';
      const handled = await handler(
        new Request(new URL(request.originalUrl, 'https://localhost'), {
          method,
          headers: { 'x-hub-signature-256': signature },
          body: body instanceof Uint8Array && method === 'POST' ? new Uint8Array(body) : null,
        }),
      );
      response.status(handled.status).send(await handled.text());
    })
    .use(express.json())
    .listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${server.address().port}/webhooks`;
    const query = 'hub.mode=subscribe&hub.verify_token=verify&hub.challenge=1158201444';
    expect(await (await globalThis.fetch(`${url}?${query}`)).text()).toBe('1158201444');
    sandbox.happen({ kind: 'lead', formId: page.formIds[0] });
    const [{ statuses }] = await sandbox.deliver(url);
    expect(statuses).toEqual([200]);
    expect(seen).toEqual(['leadgen']);
    const forged = {
      method: 'POST',
      headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
      body: '{}',
    };
    expect((await globalThis.fetch(url, forged)).status).toBe(401);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
