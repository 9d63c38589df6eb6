// A Redis Cluster of this machine: six nodes, three of them with the keys and one replica of each.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClient } from 'redis';

const slots = 16_384;

export async function startCluster() {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-cluster-'));
  const nodes = [];
  try {
    for (const port of await freePorts(6)) nodes.push(await startNode(port, join(folder, `${port}`)));
    const [first] = nodes;
    for (const [at, { ask }] of nodes.slice(0, 3).entries()) {
      const from = Math.ceil((slots * at) / 3);
      await ask('CLUSTER', 'ADDSLOTSRANGE', `${from}`, `${Math.ceil((slots * (at + 1)) / 3) - 1}`);
      await ask('CLUSTER', 'SET-CONFIG-EPOCH', `${at + 1}`);
    }
    for (const { ask } of nodes.slice(1))
      await ask('CLUSTER', 'MEET', '127.0.0.1', `${first.port}`, `${first.port + nodes.length}`);
    // Each node knows all the others.
    await until(async () => (await all(nodes, knows)).every((known) => known === 6));
    for (const [at, { ask }] of nodes.slice(3).entries())
      await ask('CLUSTER', 'REPLICATE', await nodes[at].ask('CLUSTER', 'MYID'));
    await until(async () => (await all(nodes, stateOf)).every((state) => state === 'ok'));
    await until(async () =>
      (await all(nodes.slice(3), linkOf)).every((link) => link === 'master_link_status:up'),
    );
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  async function stop() {
    await Promise.all(nodes.map((node) => node.kill()));
    rmSync(folder, { recursive: true, force: true });
  }

  async function ownersNow(key) {
    const alive = nodes.filter(({ isAlive }) => isAlive());
    for (const master of alive) {
      // All other nodes refuse, and name the one that has it.
      const isRefused = await master.ask('GET', key).then(
        () => false,
        () => true,
      );
      if (isRefused) continue;
      // It may have become a replica meanwhile.
      const [role, , replicas] = await master.ask('ROLE');
      if (role !== 'master') continue;
      const [[, port] = []] = replicas;
      return { master, replica: alive.find((node) => node.port === Number(port)) };
    }
    return undefined;
  }

  return {
    ports: nodes.map(({ port }) => port),
    /** The node that has a key now, and its replica. While the nodes agree on another one, nobody has it. */
    async ownersOf(key) {
      let owners;
      await until(async () => {
        owners = await ownersNow(key);
        return owners !== undefined;
      });
      return owners;
    },
    all: (work) =>
      all(
        nodes.filter(({ isAlive }) => isAlive()),
        work,
      ),
    stop,
  };
}

export async function startNode(port, folder) {
  mkdirSync(folder);
  const flags = ['--port', port, '--dir', folder, '--save', '', '--bind', '127.0.0.1'];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  // How soon a node that does not respond counts as dead: 15 seconds by default.
  const cluster = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '500', '--cluster-port', port + 6];
  const server = spawn('redis-server', [...flags, ...durable, ...cluster].map(String), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of server.stdout.iterator({ destroyOnReturn: false }))
    if (`${text}`.includes('Ready to accept connections')) break;
  server.stdout.resume();
  const client = createClient({ socket: { port, reconnectStrategy: false } });
  client.on('error', () => undefined);
  await client.connect();
  const isAlive = () => server.exitCode === null && server.signalCode === null;
  return {
    port,
    isAlive,
    ask: (...command) => client.sendCommand(command),
    async kill() {
      if (!isAlive()) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}

/** Twice as many in a row: the nodes talk to each other on ports of their own. */
export async function freePorts(count) {
  for (let from = 10_000 + Math.floor(Math.random() * 20_000); ; from += 2 * count) {
    const probes = Array.from({ length: 2 * count }, (_, at) =>
      createServer().listen(from + at, '127.0.0.1'),
    );
    const opened = await Promise.allSettled(probes.map((probe) => once(probe, 'listening')));
    await Promise.all(probes.map((probe) => new Promise((resolve) => void probe.close(resolve))));
    if (opened.every(({ status }) => status === 'fulfilled'))
      return Array.from({ length: count }, (_, at) => from + at);
  }
}

export async function until(isTrue) {
  const endsAt = Date.now() + 30_000;
  while (!(await isTrue())) {
    if (Date.now() > endsAt) throw new Error(`never came true: ${isTrue}`);
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
}

function all(nodes, work) {
  return Promise.all(nodes.map(work));
}

async function knows({ ask }) {
  return (await ask('CLUSTER', 'NODES')).trim().split('\n').length;
}

async function stateOf({ ask }) {
  return /cluster_state:(\w+)/.exec(await ask('CLUSTER', 'INFO'))?.[1];
}

async function linkOf({ ask }) {
  return /master_link_status:\w+/.exec(await ask('INFO', 'replication'))?.[0];
}
