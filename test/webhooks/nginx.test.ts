// Deliveries through a real nginx, with the configuration of docs/webhooks.md and with that of Debian.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import nock from 'nock';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { createPageClient } from '../../src/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { listener } from '../frameworks/node.ts';
import { has } from '../support/machine.ts';
import { listen } from '../support/server.ts';

// Real sockets: nock holds a request back until it is whole.
beforeAll(() => nock.restore());

/** Starts an nginx with one location, and resolves to its address. */
async function startNginx(location: string): Promise<string> {
  const probe = await listen(createServer());
  await probe.close();
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-nginx-'));
  // The workers of a root are another user.
  chmodSync(folder, 0o755);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log stderr notice; worker_processes 1;
    events {}
    http { access_log off; ${temporary.join(' ')} server { listen ${probe.port}; ${location} } }`,
  );
  const nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    const ended = once(nginx, 'exit');
    nginx.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });
  for await (const text of nginx.stderr.iterator({ destroyOnReturn: false }))
    if (String(text).includes('start worker process ')) break;
  nginx.stderr.resume();
  return `${probe.origin}/webhooks`;
}

/** A Page to which 1,000 people wrote, and the server of an app that receives its events. */
async function startApp() {
  const sandbox = createSandbox({ comments: 0 });
  const { app, platform, fetch } = sandbox;
  const [page] = sandbox.pages;
  const on = page?.postIds[0] ?? '';
  const client = createPageClient({ appId: app.id, appSecret: app.secret, platform, fetch });
  await client.subscribePage({ pageId: page?.id ?? '', pageToken: page?.token ?? '', fields: ['feed'] });
  // Long ones, as those of 1,000 events in 1.2 MB are.
  for (let number = 1; number <= 1000; number++)
    sandbox.happen({
      kind: 'comment',
      on,
      message: `Comment ${number}, in München. ${'Thank you! '.repeat(70)}`,
    });

  const seen = { bytes: 0, requests: 0, texts: new Set<string | undefined>() };
  const handler = createWebhookHandler({
    verifyToken: 'any',
    secrets: app.secret,
    onEvent: ({ type, data }) => void (type === 'feed' && seen.texts.add(data.message)),
  });
  const server = await listen(
    createServer((incoming, outgoing) => {
      seen.requests++;
      seen.bytes += Number(incoming.headers['content-length']);
      void listener(handler)(incoming, outgoing);
    }),
  );
  onTestFinished(server.close);
  return { sandbox, seen, server };
}

describe.skipIf(!has('nginx'))('behind nginx', () => {
  test('1,000 events come through the configuration of docs/webhooks.md', async () => {
    const { sandbox, seen, server } = await startApp();
    const [, documented = ''] =
      /```nginx\n([\s\S]*?)```/.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? [];
    const address = 'http://127.0.0.1:3000';
    expect(documented).toContain(address);
    const url = await startNginx(documented.replace(address, server.origin));

    const sent = await sandbox.deliver(url);
    expect(sent).toMatchObject([{ statuses: [200] }]);
    expect(seen).toMatchObject({ requests: 1, texts: { size: 1000 } });
    // What comes through by default is less.
    expect(seen.bytes).toBeGreaterThan(1024 ** 2);
  });

  test('by default, none of them does: nginx answers 413, and the handler hears of nothing', async () => {
    const { sandbox, seen, server } = await startApp();
    const url = await startNginx(`location /webhooks { proxy_pass ${server.origin}; }`);

    const sent = await sandbox.deliver(url, { attempts: 2 });
    expect(sent).toMatchObject([{ statuses: [413, 413] }]);
    expect(seen).toMatchObject({ requests: 0, texts: { size: 0 } });
  });
});
