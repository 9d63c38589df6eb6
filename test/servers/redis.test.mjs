// Journals in Redis, through both clients, on a server of the machine, where there is one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { publishPost } from '../../src/page/index.ts';
import { redisJournal } from '../../src/stores/index.ts';
import { createWorld, leaseMs } from '../core/writes/journal/support.ts';
import { keepsItsWord, publishesEqualOnes } from '../support/journalContract.ts';
import { has } from '../support/machine.ts';
import { freePorts, startNode, until } from './redisCluster.mjs';

const isInstalled = has('redis-server');
const here = isInstalled ? '' : ': skipped, there is no redis-server on the PATH';

const folder = mkdtempSync(join(tmpdir(), 'pagepics-redis-'));
let port;
let server;

async function start() {
  const flags = ['--port', `${port}`, '--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'];
  server = spawn('redis-server', [...flags, '--save', '', '--bind', '127.0.0.1']);
  for await (const text of server.stdout) if (`${text}`.includes('Ready to accept connections')) return;
}

async function stop(signal) {
  const ended = once(server, 'exit');
  server.kill(signal);
  await ended;
}

beforeAll(async () => {
  if (!isInstalled) return;
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  ({ port } = probe.address());
  probe.close();
  await once(probe, 'close');
  await start();
});
afterAll(async () => {
  if (server !== undefined) await stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** As the docs set them up: what cannot be sent at once fails. */
const clients = {
  ioredis: async () => {
    const client = new Redis({ port, maxRetriesPerRequest: 0, enableOfflineQueue: false, lazyConnect: true });
    client.on('error', () => undefined);
    await client.connect();
    return [client, () => client.disconnect()];
  },
  redis: async () => {
    const client = createClient({ socket: { port }, disableOfflineQueue: true });
    client.on('error', () => undefined);
    await client.connect();
    return [client, () => client.destroy()];
  },
};

async function command(client, ...values) {
  return 'call' in client ? client.call(...values) : client.sendCommand(values);
}

test.skipIf(!isInstalled)(`redisJournal lists under the keyPrefix of ioredis${here}`, async () => {
  const client = new Redis({ port, keyPrefix: 'acme*:', lazyConnect: true });
  await client.connect();
  try {
    const journal = redisJournal(client, { prefix: 'eu:' });
    expect(await journal.compareAndSet('pagepics a', undefined, '1', 60_000)).toBe(true);
    const listed = await Array.fromAsync(journal.list({ prefix: 'pagepics ', without: '#' }));
    expect(listed).toEqual([['pagepics a', '1']]);
  } finally {
    client.disconnect();
  }
});

test.skipIf(!isInstalled)(
  `behind a proxy of a cluster, texts are stored one after another${here}`,
  async () => {
    // To a client that knows no cluster, a node that has all slots is such a proxy: it refuses what has keys of two slots.
    const [only] = await freePorts(1);
    const node = await startNode(only, join(folder, 'cluster'));
    const client = new Redis({ port: only, lazyConnect: true });
    try {
      await node.ask('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
      await until(async () => (await node.ask('CLUSTER', 'INFO')).includes('cluster_state:ok'));
      await client.connect();
      const journal = redisJournal(client);
      const world = createWorld();
      const { sandbox, page } = world;
      const post = { pageId: page.id, pageToken: page.token, message: 'Hi', idempotencyKey: 'proxied' };
      const publish = () => publishPost(world.start(Infinity, { journal }).context, post);

      const first = await publish();

      expect(first.isOk()).toBe(true);
      expect(await publish()).toEqual(first);
      expect(sandbox.effects('post').length).toBe(1);
      expect(await client.dbsize()).toBe(3);
    } finally {
      client.disconnect();
      await node.kill();
    }
  },
);

describe.skipIf(!isInstalled).each(Object.entries(clients))(
  `redisJournal over %s${here}`,
  (name, connect) => {
    let one;
    let two;
    beforeAll(async () => {
      [one, two] = await Promise.all([connect(), connect()]);
    });
    afterAll(() => {
      one?.[1]();
      two?.[1]();
    });

    // Sandboxes of equal seeds have equal ids: each test has a store of its own.
    beforeEach(() => expect.poll(() => command(two[0], 'FLUSHALL').catch(String)).toBe('OK'));

    keepsItsWord(() => [redisJournal(one[0]), redisJournal(two[0])]);
    publishesEqualOnes(() => [redisJournal(one[0]), redisJournal(two[0])]);

    test('refuses a policy that evicts, until it is changed, and says where it may not ask', async () => {
      const journal = () => redisJournal(one[0]);
      try {
        await command(two[0], 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru');
        const refused = journal();
        await expect(refused.compareAndSet('k', undefined, '1', 60_000)).rejects.toMatchObject({
          reason: 'journal',
          message: expect.stringContaining('its maxmemory-policy is allkeys-lru and must be noeviction'),
        });
        await command(two[0], 'CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
        expect(await refused.compareAndSet('k', undefined, '1', 60_000)).toBe(true);

        await command(two[0], 'ACL', 'SETUSER', 'default', '-info');
        const asking = journal();
        expect(await asking.get('k')).toBe('1');
        expect(asking.takeWarning()).toBeUndefined();
        await command(two[0], 'ACL', 'SETUSER', 'default', '-config');
        const unsure = journal();
        expect(await unsure.get('k')).toBe('1');
        expect(unsure.takeWarning()).toContain('does not tell its maxmemory-policy');
      } finally {
        await command(two[0], 'ACL', 'SETUSER', 'default', '+@all');
        await command(two[0], 'CONFIG', 'SET', 'maxmemory-policy', 'noeviction');
      }
    });

    test('rejects while the server is down, keeps what it stored, and goes on when it is back', async () => {
      const journal = redisJournal(one[0]);
      const key = `stopped ${name}`;
      expect(await journal.compareAndSet(key, undefined, '1', 60_000)).toBe(true);
      await stop('SIGKILL');
      try {
        await expect(journal.get(key)).rejects.toBeInstanceOf(Error);
        await expect(journal.compareAndSet(key, '1', '2', 60_000)).rejects.toBeInstanceOf(Error);
      } finally {
        await start();
      }
      await expect.poll(() => journal.get(key).catch(() => 'down')).toBe('1');
      expect(await journal.compareAndSet(key, '1', '2', 60_000)).toBe(true);
    });

    test('ends a call that the store keeps waiting: nothing is sent', async () => {
      const journal = redisJournal(one[0]);
      const world = createWorld();
      const { sandbox, page } = world;
      const hasty = world.start(Infinity, { journal, timeoutMs: 300 });
      const options = {
        pageId: page.id,
        pageToken: page.token,
        message: 'Hi',
        idempotencyKey: `paused ${name}`,
      };
      await command(two[0], 'CLIENT', 'PAUSE', '3000');

      const post = await publishPost(hasty.context, options);

      expect(post._unsafeUnwrapErr()).toMatchObject({ reason: 'journal', outcome: 'rejected' });
      expect(sandbox.requests).toEqual([]);
      await command(two[0], 'PING');
      // The claim came late, and its call has ended: it blocks others for a lease.
      const publish = () => publishPost(world.start(Infinity, { journal }).context, options);
      expect((await publish())._unsafeUnwrapErr()).toMatchObject({ reason: 'busy' });
      sandbox.advance(leaseMs);
      expect((await publish()).isOk()).toBe(true);
      expect(sandbox.effects('post').length).toBe(1);
    });
  },
);
