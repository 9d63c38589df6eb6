// Makes the table of docs/engines.md: real workers of real engines are killed at three points of a call, with a key and
// without one, and the posts on the platform are counted. It fails where a figure is another than that of the docs.
//
//   npm run test:engines                                 all engines, two runs of each
//   npm run test:engines -- --engine pg-boss --runs 1    one of them, once
//   npm run test:engines -- --short                      what CI runs: those of this folder; the point at which a lost request
//                                                        has to time out only for three brokers: two minutes
//   npm run test:engines -- --write                      writes the rows into the docs
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import pg from 'pg';

import { startPostgres } from '../../examples/scheduler/startPostgres.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { listen } from '../../src/sandbox/serve.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', multiple: true },
    runs: { type: 'string' },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

/**
 * `name` is that of the adapter, `title` that of the row. `patienceMs`: how long a job that does not come back is waited for.
 * A worker that `isGroup` has processes of its own, which die with it. What `isBroker` is known by its client, and has all
 * points with a key in the short run if it `isThorough`.
 */
const engines = [
  { name: 'pg-boss', title: 'pg-boss', store: 'postgres', package: 'pg-boss' },
  { name: 'bullmq', title: 'BullMQ', store: 'redis', package: 'bullmq' },
  { name: 'graphile-worker', title: 'graphile-worker', store: 'postgres', package: 'graphile-worker' },
  {
    name: 'graphile-worker, left alone',
    title: 'graphile-worker without `force_unlock_workers`',
    store: 'postgres',
    package: 'graphile-worker',
    patienceMs: 30_000,
  },
  { name: 'bee-queue', title: 'bee-queue', store: 'redis', package: 'bee-queue', folder: './more' },
  {
    name: 'bee-queue, left alone',
    title: 'bee-queue without `checkStalledJobs`',
    store: 'redis',
    package: 'bee-queue',
    folder: './more',
    patienceMs: 30_000,
  },
  { name: 'agenda', title: 'agenda, on Redis', store: 'redis', package: 'agenda', folder: './more' },
  { name: 'dbos', title: 'DBOS', store: 'postgres', package: '@dbos-inc/dbos-sdk', folder: './more' },
  {
    name: 'restate',
    title: 'Restate',
    store: 'postgres',
    server: startRestate,
    package: '@restatedev/restate-server',
    folder: './more',
  },
  {
    name: 'workflow',
    title: 'Workflow SDK, Postgres world',
    store: 'postgres',
    prepare: buildWorkflow,
    package: 'workflow',
    folder: './workflow',
  },
  {
    name: 'cloudflare',
    title: 'Cloudflare Workflows, miniflare',
    store: 'folder',
    isGroup: true,
    package: 'miniflare',
    modules: '../..',
    folder: './cloudflare',
  },
  {
    name: 'cloudflare, left alone',
    title: 'Cloudflare Workflows, miniflare, without `restart()`',
    store: 'folder',
    isGroup: true,
    package: 'miniflare',
    modules: '../..',
    folder: './cloudflare',
    patienceMs: 30_000,
  },
  {
    name: 'rabbitmq, quorum',
    title: 'RabbitMQ, quorum queue',
    store: 'postgres',
    server: startRabbitMq,
    isBroker: true,
    isThorough: true,
    package: 'amqplib',
  },
  {
    name: 'rabbitmq, classic',
    title: 'RabbitMQ, classic queue',
    store: 'postgres',
    server: startRabbitMq,
    isBroker: true,
    package: 'amqplib',
  },
  {
    name: 'rabbitmq, without a delay',
    title: 'RabbitMQ, quorum queue, without a delay',
    store: 'postgres',
    server: startRabbitMq,
    isBroker: true,
    package: 'amqplib',
    patienceMs: 30_000,
  },
  {
    name: 'nats',
    title: 'NATS JetStream',
    store: 'postgres',
    server: startNats,
    isBroker: true,
    isThorough: true,
    package: '@nats-io/jetstream',
  },
  {
    name: 'nats, without a delay',
    title: 'NATS JetStream, `max_deliver` 5, without a delay',
    store: 'postgres',
    server: startNats,
    isBroker: true,
    package: '@nats-io/jetstream',
    patienceMs: 30_000,
  },
  {
    name: 'redis streams',
    title: 'Redis Streams',
    store: 'redis',
    isBroker: true,
    isThorough: true,
    package: 'ioredis',
  },
  {
    name: 'sqs',
    title: 'SQS, emulated',
    store: 'postgres',
    server: startSqs,
    isBroker: true,
    package: '@aws-sdk/client-sqs',
    folder: './more',
  },
  {
    name: 'sqs, without a delay',
    title: 'SQS, emulated, `maxReceiveCount` 3, without a delay',
    store: 'postgres',
    server: () => startSqs({ maxReceiveCount: 3 }),
    isBroker: true,
    package: '@aws-sdk/client-sqs',
    folder: './more',
    patienceMs: 30_000,
  },
  {
    name: 'skip locked',
    title: 'Postgres, `for update skip locked`',
    store: 'postgres',
    isBroker: true,
    package: 'pg',
  },
];
const points = ['before', 'after', 'ack'];

const chosen = engines.filter(({ name, folder, patienceMs }) =>
  values.engine
    ? values.engine.includes(name)
    : !values.short || (folder === undefined && patienceMs === undefined),
);
const runs = Number(values.runs ?? (values.short ? 1 : 2));
const cases = chosen
  .flatMap((engine) =>
    [true, false].flatMap((isKeyed) =>
      points.flatMap((point) => Array.from({ length: runs }, () => ({ engine, point, isKeyed }))),
    ),
  )
  .filter(({ engine, point, isKeyed }) => {
    if (!values.short) return true;
    return isKeyed ? point !== 'before' || engine.isThorough : point === 'after';
  })
  // The longest first.
  .toSorted((a, b) => lengthOf(b) - lengthOf(a));

function lengthOf({ point, isKeyed, engine }) {
  return Number(point === 'before' && isKeyed) + Number(engine.patienceMs !== undefined) / 2;
}

for (const { prepare } of chosen) prepare?.();
const postgres = chosen.some(({ store }) => store === 'postgres') ? await startPostgres() : undefined;
const admin = postgres && new pg.Pool({ connectionString: postgres.url, max: 1 });
const redis = chosen.some(({ store }) => store === 'redis') ? await startRedis() : undefined;
const folders = mkdtempSync(join(tmpdir(), 'pagepics-engines-'));
let stores = 0;
// One for all, with a queue for each.
let rabbitMq;
let queues = 0;

const results = new Map();
try {
  // They mostly wait.
  const left = cases.entries();
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (const [, one] of left) {
        const seen = await kill(one);
        const cell = `${one.engine.name} | ${one.point}, ${one.isKeyed ? 'key' : 'no key'}`;
        results.set(cell, [...(results.get(cell) ?? []), seen]);
        console.log(`${cell} | ${JSON.stringify(seen)}`);
      }
    }),
  );
} finally {
  await admin?.end();
  await postgres?.[Symbol.asyncDispose]();
  await redis?.stop();
  await stopRabbitMq();
  rmSync(folders, { recursive: true });
}

/** One job whose worker is killed once: the posts on the platform, and how often the handler was started. */
async function kill({ engine, point, isKeyed }) {
  const sandbox = createSandbox({ posts: 0 });
  const [page] = sandbox.pages;
  const seen = { posts: 0, starts: 0 };
  let worker;
  let wasKilled = false;
  let hasEnded;
  const ended = new Promise((resolve) => void (hasEnded = resolve));
  const server = await listen((platform) => {
    const respond = sandbox.serveAt(platform);
    return async (request) => {
      const isPost = request.method === 'POST' && new URL(request.url).pathname.endsWith('/feed');
      if (!isPost || wasKilled || point === 'ack') return respond(request);
      wasKilled = true;
      const response = point === 'after' ? await respond(request) : undefined;
      stop();
      return response ?? new Response(null, { status: 500 });
    };
  }, {});
  const ownServer = await engine.server?.();
  const store = { ...(await newStore(engine.store)), ...ownServer?.address };
  const stop = () => void process.kill(engine.isGroup ? -worker.pid : worker.pid, 'SIGKILL');
  const start = (isFirst) => {
    worker = fork(new URL('worker.mjs', import.meta.url), {
      detached: engine.isGroup,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        ENGINE: JSON.stringify({
          engine: engine.name,
          folder: engine.folder ?? '.',
          ...store,
          platform: server.platform,
          app: sandbox.app,
          onPage: { pageId: page.id, pageToken: page.token },
          isKeyed,
          isFirst,
          diesAtEnd: isFirst && point === 'ack',
        }),
      },
    });
    worker.on('message', ({ event }) => {
      if (event === 'start') seen.starts++;
      if (event === 'end') hasEnded(true);
    });
    worker.once('exit', (code, signal) => {
      if (isFirst && signal === 'SIGKILL') start(false);
      else hasEnded(false);
    });
  };
  const startedAt = Date.now();
  start(true);

  const patience = setTimeout(() => hasEnded(false), engine.patienceMs ?? 240_000);
  const isOver = await ended;
  clearTimeout(patience);
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  // Longer than each lock here: nothing starts it a further time.
  if (isOver) await new Promise((resolve) => void setTimeout(resolve, 6000));
  worker.removeAllListeners('exit');
  if (worker.exitCode === null) {
    stop();
    await once(worker, 'exit');
  }
  await ownServer?.stop();
  await server.close();
  return { ...seen, posts: sandbox.effects('post').length, seconds, ...(isOver ? {} : { isStuck: true }) };
}

async function newStore(kind) {
  const number = stores++;
  if (kind === 'folder') return { persisted: join(folders, `${number}`) };
  if (kind === 'redis') return { redis: { host: '127.0.0.1', port: redis.port, db: number } };
  await admin.query(`create database engine${number}`);
  return { url: Object.assign(new URL(postgres.url), { pathname: `/engine${number}` }).href };
}

function buildWorkflow() {
  const cwd = new URL('workflow/', import.meta.url);
  const { status } = spawnSync('node_modules/.bin/workflow', ['build'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('workflow build has failed');
  // What it writes is CommonJS, also where the package is not.
  writeFileSync(new URL('.well-known/package.json', cwd), '{ "type": "commonjs" }');
}

/** A server of Restate, and the port of the worker that it calls. */
async function startRestate() {
  const [ingress, admin, node, port] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-restate-'));
  const bin = new URL('more/node_modules/.bin/restate-server', import.meta.url).pathname;
  const server = spawn(bin, ['--no-logo', '--listen-mode', 'tcp', '--base-dir', folder], {
    stdio: ['ignore', 'ignore', 'ignore'],
    // Its program is a child of the script that npm installs.
    detached: true,
    env: {
      ...process.env,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
      RESTATE_DISABLE_TELEMETRY: 'true',
    },
  });
  const isUp = async (address) => (await fetch(address).catch(() => undefined))?.ok;
  const healthy = [`http://127.0.0.1:${admin}/health`, `http://127.0.0.1:${ingress}/restate/health`];
  while (!(await Promise.all(healthy.map(isUp))).every(Boolean)) {
    if (server.exitCode !== null) throw new Error('the server of Restate has ended');
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  return {
    address: {
      restate: { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}`, port },
    },
    stop: async () => {
      const ended = once(server, 'exit');
      process.kill(-Number(server.pid), 'SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startRabbitMq() {
  rabbitMq ??= runRabbitMq();
  const { port } = await rabbitMq;
  return {
    address: { amqp: `amqp://127.0.0.1:${port}`, queue: `posts${queues++}` },
    stop: () => undefined,
  };
}

async function runRabbitMq() {
  const [port, dist, epmd] = await Promise.all([freePort(), freePort(), freePort()]);
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-rabbitmq-'));
  const env = {
    ...process.env,
    HOME: folder,
    RABBITMQ_NODENAME: 'engines@localhost',
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: `${port}`,
    RABBITMQ_DIST_PORT: `${dist}`,
    ERL_EPMD_PORT: `${epmd}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_MNESIA_BASE: folder,
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    // None of these files is there: the settings of the machine do not count.
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'environment'),
    RABBITMQ_CONFIG_FILE: join(folder, 'settings'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'more-settings'),
  };
  // The command of Debian becomes another user.
  const installed = '/usr/lib/rabbitmq/bin/rabbitmq-server';
  const server = spawn(existsSync(installed) ? installed : 'rabbitmq-server', {
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const ended = once(server, 'exit').catch(() => {
    console.error('This needs RabbitMQ.');
    process.exit(1);
  });
  for await (const text of server.stdout.iterator({ destroyOnReturn: false }))
    if (String(text).includes('startup complete')) break;
  server.stdout.resume();
  return {
    port,
    stop: async () => {
      server.kill();
      await ended;
      // It outlives what has started it.
      spawnSync('epmd', ['-kill'], { env, stdio: 'ignore' });
      rmSync(folder, { recursive: true });
    },
  };
}

async function stopRabbitMq() {
  await (await rabbitMq)?.stop();
}

async function startNats() {
  const natsPort = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-nats-'));
  const flags = ['--addr', '127.0.0.1', '--port', `${natsPort}`, '--jetstream', '--store_dir', folder];
  const server = spawn('nats-server', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
  server.once('error', () => {
    console.error('This needs a nats-server on the PATH.');
    process.exit(1);
  });
  for await (const text of server.stderr.iterator({ destroyOnReturn: false }))
    if (String(text).includes('Server is ready')) break;
  server.stderr.resume();
  return {
    address: { natsPort },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** An emulator in this process. All of them share their queues. */
async function startSqs({ maxReceiveCount } = {}) {
  const { createSqsServer } = await import('./more/sqsServer.mjs');
  const port = await freePort();
  const name = `posts${queues++}`;
  const deadLetterTargetArn = `arn:aws:sqs:us-east-1:123456789012:${name}-failed`;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount });
  const posts = { QueueName: name, ...(maxReceiveCount && { Attributes: { RedrivePolicy } }) };
  const made = [{ QueueName: `${name}-failed` }, posts];
  const server = await createSqsServer({ port, hostname: '127.0.0.1', queues: made });
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    address: { sqs: { endpoint, queueUrl: `${endpoint}/123456789012/${name}` } },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  await new Promise((resolve) => void probe.close(resolve));
  return port;
}

async function startRedis() {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-redis-'));
  const flags = ['--port', `${port}`, '--dir', folder, '--save', '', '--bind', '127.0.0.1'];
  const server = spawn('redis-server', [...flags, '--databases', '1000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server.once('error', () => {
    console.error('This needs a redis-server on the PATH.');
    process.exit(1);
  });
  for await (const text of server.stdout.iterator({ destroyOnReturn: false }))
    if (String(text).includes('Ready to accept connections')) break;
  server.stdout.resume();
  return {
    port,
    stop: async () => {
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

/** A cell of the table: posts, and in brackets the starts of the runs. */
function show(seen) {
  const distinct = (field) =>
    [...new Set(seen.map((one) => one[field]))].toSorted((a, b) => a - b).join(' or ');
  const posts = distinct('posts');
  const isStuck = seen.every((one) => one.isStuck);
  if (!isStuck && seen.some((one) => one.isStuck)) return 'not the same twice';
  return `${posts === '1' ? posts : `**${posts}**`} (${distinct('starts')})${isStuck ? ', stuck' : ''}`;
}

const columns = ['no key', 'key'].flatMap((key) => points.map((point) => `${point}, ${key}`));
let docs = readFileSync('docs/engines.md', 'utf8');
let differ = 0;
for (const { name, title, folder = '.', modules = folder, package: from, isBroker } of chosen) {
  const manifest = new URL(`${modules}/node_modules/${from}/package.json`, import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const runsOf = columns.map((column) => results.get(`${name} | ${column}`));
  const seconds = runsOf.flatMap((seen = []) => seen.flatMap((one) => (one.isStuck ? [] : [one.seconds])));
  const took = seconds.length > 0 ? `${Math.min(...seconds)} to ${Math.max(...seconds)}` : '-';
  const row = [
    title,
    isBroker ? `${from} ${version}` : version,
    ...runsOf.map((seen) => seen && show(seen)),
    took,
  ];
  console.log(`| ${row.join(' | ')} |`);
  const found = docs.split('\n').find((line) => line.startsWith(`| ${title} |`));
  if (values.write && found === undefined) throw new Error(`docs/engines.md has no row for ${title}`);
  if (values.write) {
    docs = docs.replace(found, `| ${row.join(' | ')} |`);
    continue;
  }
  const told = found?.slice(2, -2).split(' | ') ?? [];
  // How often a job is started and how long it takes depends on the machine, and without a key so does how often it is
  // published.
  const withoutStarts = (cell) => cell?.replace(/ \(.*?\)/, '').replace(/^\*\*[1-9].*?\*\*/, 'more than one');
  for (const [at, cell] of row.slice(0, -1).entries()) {
    if (cell === undefined || withoutStarts(told[at]) === withoutStarts(cell)) continue;
    console.error(`${title}: ${cell}, and docs/engines.md says ${told[at]}`);
    differ++;
  }
}
if (values.write) writeFileSync('docs/engines.md', docs);
process.exitCode = differ > 0 ? 1 : 0;
