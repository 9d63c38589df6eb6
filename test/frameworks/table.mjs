// Makes the table of docs/frameworks.md: builds and starts an app on each framework as its users do, with the code of that
// page, and sends it signed requests over HTTP: with what the last column sets, where all are answered by 200, and
// without it. It fails where something is other than that page says.
//
//   npm run test:frameworks                             all frameworks
//   npm run test:frameworks -- --only next --only koa   some of them
//   npm run test:frameworks -- --write                  writes the rows into the docs
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { createPageClient } from '../../src/index.ts';
import { createSandbox, serveSandbox } from '../../src/sandbox/index.ts';
import { frameworks } from './list.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, write: { type: 'boolean', default: false } },
});
const run = promisify(execFile);
const here = import.meta.dirname;
const modules = join(here, 'node_modules');
const verifyToken = 'a+b%20c&d=/?#~';

await installOwn();
let docs = readFileSync('docs/frameworks.md', 'utf8');
let differ = 0;
for (const framework of frameworks.filter(({ name }) => values.only?.includes(name) ?? true)) {
  const { title, set: settings = '' } = framework;
  const set = await tryOut(framework);
  const bare = framework.bare && (await tryOut(framework, 'bare'));
  const row = `| ${[title, versionOf(framework), ...(bare ?? set).cells, settings].join(' | ')} |`;
  console.log(row);
  if (set.cells.join() !== '200,200,200, 200') {
    console.error(
      `With all that is set: ${set.cells.join(' | ')}\n${set.said.replaceAll(/^feed .*\n/gm, '').replaceAll(/^/gm, '    ')}`,
    );
    differ++;
  }
  const parsed = framework.parsed && (await tryOut(framework, 'parsed'));
  if (parsed && (parsed.cells[0] !== '400' || !/^400 .*read before/m.test(parsed.said))) {
    console.error(`After a parser: ${parsed.cells.join(' | ')}\n${parsed.said}`);
    differ++;
  }
  const told = docs.split('\n').find((line) => line.startsWith(`| ${title} |`));
  if (told === row) continue;
  if (values.write && told) docs = docs.replace(told, () => row);
  else console.error(`docs/frameworks.md says: ${told}`);
  differ += Number(!values.write || !told);
}
if (values.write) writeFileSync('docs/frameworks.md', docs);
process.exitCode = differ > 0 ? 1 : 0;

/** This package, as it is packed. */
async function installOwn() {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-frameworks-'));
  const { npm_execpath: npm } = process.env;
  const { stdout } = await run(process.execPath, [
    npm,
    'pack',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ]);
  const own = join(modules, 'pagepics');
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own);
  await run('tar', [
    '-xzf',
    join(folder, stdout.trim().split('\n').at(-1)),
    '--strip-components=1',
    '-C',
    own,
  ]);
  rmSync(folder, { recursive: true });
}

function versionOf({ package: from, version }) {
  return version ?? JSON.parse(readFileSync(join(modules, from, 'package.json'), 'utf8')).version;
}

/** Builds and starts an app, and sends it all there is to send. */
async function tryOut(
  { name, folder = name, own = '.', dependencies, build = [], start, env: more = {}, ...edited },
  variant = 'set',
) {
  const app = join(here, '.run', `${name}-${variant}`);
  rmSync(app, { recursive: true, force: true });
  cpSync(join(here, folder), app, { recursive: true, filter: (path) => !path.includes('node_modules') });
  for (const file of ['app.ts', 'node.ts']) cpSync(join(here, file), join(app, own, file));
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ name: 'app', type: 'module', main: 'function.ts', dependencies }),
  );
  for (const [file, from, to] of edited[variant]?.edits ?? []) {
    const text = readFileSync(join(app, file), 'utf8');
    if (!text.includes(from)) throw new Error(`${folder}/${file} has no ${from}`);
    writeFileSync(
      join(app, file),
      text.replace(from, () => to),
    );
  }

  const sandbox = createSandbox();
  const platform = await serveSandbox(sandbox);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const system = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    CI: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
  };
  const env = {
    ...system,
    PORT: `${port}`,
    HOST: '127.0.0.1',
    ORIGIN: origin,
    VERIFY_TOKEN: verifyToken,
    PAGE_APP_ID: sandbox.app.id,
    PAGE_APP_SECRET: sandbox.app.secret,
    PICS_APP_ID: sandbox.picsApp.id,
    PICS_APP_SECRET: sandbox.picsApp.secret,
    PAGEPICS_PLATFORM: JSON.stringify(platform.platform),
    ...(variant === 'bare' ? {} : more),
  };
  for (const [command, ...args] of build) {
    try {
      await run(program(command), args, { cwd: app, env: system, maxBuffer: 64_000_000 });
    } catch (failed) {
      await platform.close();
      return { cells: ['build failed'], said: `${failed.stdout}\n${failed.stderr}` };
    }
  }
  const [command, ...args] = start;
  // A group of its own: some start others.
  const server = spawn(program(command), args, { cwd: app, env, detached: true });
  let said = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (said += text));
  try {
    const cells = await sendAll(sandbox, platform.platform, origin, server, () => said);
    return { cells, said };
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      process.kill(-Number(server.pid), 'SIGKILL');
      await once(server, 'exit');
    }
    await platform.close();
  }
}

/** The program of a package, or a path. */
function program(command) {
  if (command === 'node') return process.execPath;
  const bin = join(modules, '.bin', command);
  return existsSync(bin) ? bin : join(modules, command);
}

async function sendAll(sandbox, platform, origin, server, said) {
  const { app, pages, account } = sandbox;
  const [page] = pages;
  const webhooks = `${origin}/webhooks`;
  const handshake = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': verifyToken,
    'hub.challenge': '1158201444',
  });
  const challenge = () => fetch(`${webhooks}?${handshake}`).then((response) => response.text());
  const until = Date.now() + 60_000;
  let first;
  while (first === undefined) {
    if (server.exitCode !== null || Date.now() > until) return ['not started'];
    first = await challenge().catch(() => undefined);
    if (first === undefined) await new Promise((resolve) => void setTimeout(resolve, 100));
  }
  if (first !== '1158201444') return [`handshake: ${first.slice(0, 200)}`];

  for (const [mode, ids] of [
    ['page', pages.map(({ id }) => id)],
    ['account', [account.userId]],
  ]) {
    const begun = await fetch(`${origin}/login/${mode}`, { redirect: 'manual' });
    const [cookie] = begun.headers.get('set-cookie')?.split(';') ?? [];
    const back = await sandbox.authorize(begun.headers.get('location'));
    const logged = await (await fetch(back, { headers: { cookie } })).text();
    if (logged !== JSON.stringify(ids)) return [`login: ${logged.slice(0, 200)}`];
    const stranger = await fetch(back);
    if (stranger.status !== 400) return [`login of a stranger: ${stranger.status}`];
  }

  const client = createPageClient({ appId: app.id, appSecret: app.secret, platform });
  await client.subscribePage({ pageId: page.id, pageToken: page.token, fields: ['feed'] });
  const seen = [];
  for (const count of [1, 1000]) {
    const before = said().length;
    // What the platform escapes: 1,300 bytes a comment.
    for (let at = 0; at < count; at++)
      sandbox.happen({
        kind: 'comment',
        on: page.postIds[0],
        message: `${'Прекрасно! '.repeat(16)}🎉 a/b "é" ${at}`,
      });
    const [{ statuses }, ...others] = await sandbox.deliver(webhooks, { attempts: 1 });
    if (others.length > 0) throw new Error('it is more than one delivery');
    // What was refused would come again.
    await sandbox.deliver(async () => new Response());
    const handled = () => said().slice(before).split(`feed ${page.id}`).length - 1;
    // The output of a busy server comes late.
    const until = Date.now() + (statuses[0] === 200 ? 10_000 : 0);
    while (handled() < count && Date.now() < until)
      await new Promise((resolve) => void setTimeout(resolve, 50));
    const [status = 'no response'] = statuses;
    seen.push(status === 200 && handled() !== count ? `200 for ${handled()}` : `${status}`);
  }
  const unsigned = await fetch(webhooks, { method: 'POST', body: '{}' });
  if (unsigned.status === 200) return ['unsigned: 200'];
  const called = [];
  for (const [kind, path] of [
    ['deauthorize', 'deauthorize'],
    ['deletion', 'delete'],
  ]) {
    const { status = 'no response', body } = await sandbox.callBack(kind, `${webhooks}/${path}`);
    const isRight =
      kind === 'deauthorize' ? said().includes('removed by') : body?.includes('"confirmation_code":"');
    called.push(status === 200 && !isRight ? `200: ${body}` : `${status}`);
  }
  return [...seen, called.join(', ')];
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
