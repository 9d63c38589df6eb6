import { Cluster } from 'ioredis';
// Journals in a real Redis Cluster, through both clients: a planned failover, and a replica that is promoted since its master
// was killed.
import { createCluster } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { publishPost } from '../../src/page/index.ts';
import { redisJournal } from '../../src/stores/index.ts';
import { createWorld } from '../core/writes/journal/support.ts';
import { keepsItsWord } from '../support/journalContract.ts';
import { has } from '../support/machine.ts';
import { startCluster, until } from './redisCluster.mjs';

const isInstalled = has('redis-server');
const here = isInstalled ? '' : ': skipped, there is no redis-server on the PATH';

const clients = {
  ioredis: async (ports) => {
    const client = new Cluster(
      ports.map((port) => ({ host: '127.0.0.1', port })),
      { lazyConnect: true },
    );
    client.on('error', () => undefined);
    await client.connect();
    return [client, () => client.disconnect()];
  },
  redis: async (ports) => {
    const client = createCluster({ rootNodes: ports.map((port) => ({ socket: { port } })) });
    client.on('error', () => undefined);
    await client.connect();
    return [client, () => client.destroy()];
  },
};

describe.skipIf(!isInstalled).each(Object.entries(clients))(
  `redisJournal in a cluster, over %s${here}`,
  (_, connect) => {
    let cluster;
    let one;
    let two;
    beforeAll(async () => {
      cluster = await startCluster();
      [one, two] = await Promise.all([connect(cluster.ports), connect(cluster.ports)]);
    });
    afterAll(async () => {
      one?.[1]();
      two?.[1]();
      await cluster?.stop();
    });

    let stores = 0;
    /** Sandboxes have equal ids: each test has keys of its own. Keys with one text in braces are on one master. */
    const open = (slot = '') => {
      const prefix = `${slot}${stores++} `;
      return [redisJournal(one[0], { prefix }), redisJournal(two[0], { prefix })];
    };
    keepsItsWord(open);

    test('a planned failover in the middle of 300 publishes and more: each has one post', async () => {
      const world = createWorld();
      const calls = open('{b}').map((journal) => publishing(world, journal));
      const { master, replica } = await cluster.ownersOf('{b}');
      const posts = new Map();
      let isOver = false;
      let keys = 0;
      const publishAll = async (_none, at) => {
        while (keys < 300 || !isOver) {
          const key = `${keys++}`;
          posts.set(key, await calls[at % 2](key));
        }
      };
      const publishes = Promise.all(Array.from({ length: 30 }, publishAll));
      try {
        await until(() => keys > 100);
        let askedAt = -Infinity;
        await until(async () => {
          if ((await cluster.ownersOf('{b}')).master === replica) return true;
          // Redis gives up one that takes more than five seconds, as on a busy machine.
          if (performance.now() - askedAt > 6000) {
            askedAt = performance.now();
            await replica.ask('CLUSTER', 'FAILOVER');
          }
          return false;
        });
      } finally {
        isOver = true;
      }
      await publishes;

      expect((await master.ask('ROLE'))[0]).toBe('slave');
      const failed = [...posts].filter(([, post]) => post.isErr());
      expect(failed.map(([key, post]) => [key, post.error.message])).toEqual([]);
      expect(world.sandbox.effects('post').length).toBe(posts.size);
      // The new master knows all of them.
      for (const [key, post] of posts) expect(await calls[0](key)).toEqual(post);
      expect(world.sandbox.effects('post').length).toBe(posts.size);
    });

    test('a master is killed: what its replica had not received is published again', async () => {
      const world = createWorld();
      const [journal] = open('{c}');
      const publish = publishing(world, journal);
      const { master, replica } = await cluster.ownersOf('{c}');
      const received = await publish('received');
      await master.ask('WAIT', '1', '5000');
      await cutOff(master, replica);
      const acknowledged = await publish('acknowledged');
      expect([received.isOk(), acknowledged.isOk()]).toEqual([true, true]);
      await promote(master, '{c}', replica);

      expect(await eventually(() => publish('received'))).toEqual(received);
      const second = await eventually(() => publish('acknowledged'));
      // As the docs say: such a cluster keeps no promise of a journal.
      expect(second._unsafeUnwrap().id).not.toBe(acknowledged._unsafeUnwrap().id);
      expect(world.sandbox.effects('post').length).toBe(3);
    });

    test('with min-replicas-to-write, a master whose replica receives nothing refuses: nothing is published', async () => {
      const world = createWorld();
      const [journal] = open('{a}');
      const publish = publishing(world, journal);
      const { master, replica } = await cluster.ownersOf('{a}');
      await master.ask('CONFIG', 'SET', 'min-replicas-to-write', '1');
      const received = await publish('received');
      await master.ask('WAIT', '1', '5000');
      await cutOff(master, replica);
      const refused = await publish('refused');
      expect(refused._unsafeUnwrapErr()).toMatchObject({
        reason: 'journal',
        outcome: 'rejected',
        message: expect.stringContaining('Redis refused (NOREPLICAS)'),
      });
      await promote(master, '{a}', replica);

      expect(await eventually(() => publish('received'))).toEqual(received);
      await eventually(() => publish('refused'));
      expect(world.sandbox.effects('post').length).toBe(2);
    });

    async function promote(master, slot, replica) {
      await master.kill();
      await until(async () => (await cluster.ownersOf(slot)).master === replica);
    }
  },
);

/** As a network does: the replica cannot connect to its master again, and receives nothing further. */
async function cutOff(master, replica) {
  await replica.ask('CONFIG', 'SET', 'masteruser', 'nobody', 'masterauth', 'wrong');
  await master.ask('CLIENT', 'KILL', 'TYPE', 'replica');
  await until(async () => (await master.ask('ROLE'))[2].length === 0);
}

/** Until the clients have found the new master. */
async function eventually(publish) {
  let post;
  await until(async () => {
    post = await publish();
    return post.isOk();
  });
  return post;
}

function publishing(world, journal) {
  const { id: pageId, token: pageToken } = world.page;
  const { context } = world.start(Infinity, { journal, clock: undefined });
  return (key) => publishPost(context, { pageId, pageToken, message: `Post ${key}`, idempotencyKey: key });
}
