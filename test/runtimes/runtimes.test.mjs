// The packed package on every runtime that it names: one smoke suite, the same report everywhere.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { EdgeRuntime } from 'edge-runtime';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { chromium } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';

import { chromiumPath, has } from '../support/machine.ts';

const execute = promisify(execFile);
/** The path of a file of a package installed in a folder; `undefined` if there is none for this machine. */
function found(folder, path) {
  try {
    return createRequire(new URL(`${folder}/`, import.meta.url)).resolve(path);
  } catch {
    return undefined;
  }
}

const apps = inject('apps');
const modules = ['page', 'sandbox'].map(
  (name) => import(join(apps.newest, `node_modules/pagepics/dist/${name}/index.js`)),
);
const sdk = Object.assign({}, ...(await Promise.all(modules)));

/** Runs the smoke suite on its own platform, and returns its effects there. */
async function tried(smoke, lost = { drop: true }) {
  const { createSandbox, serveSandbox } = sdk;
  const sandbox = createSandbox();
  const [page] = sandbox.pages;
  const delivery = await deliveryOf(createSandbox());
  await using server = await serveSandbox(sandbox);
  // How a lost response fails is what differs most between runtimes.
  sandbox.fault({ method: 'GET', path: '/me/accounts', when: 'after', drop: true });
  sandbox.fault({ method: 'POST', path: '/feed', when: 'after', ...lost });
  sandbox.fault({ method: 'POST', path: '/messages', when: 'after', ...lost });
  const setting = {
    platform: server.platform,
    redirectUri: `${server.url}/callback`,
    app: sandbox.app,
    user: sandbox.user,
    page: { ...page, contactId: page.contacts.find(({ inWindow }) => inWindow).id },
    delivery,
    closedUrl: await closedUrl(),
  };
  const { runtime, report } = await smoke(JSON.parse(JSON.stringify(setting)), server.url);
  const posts = sandbox.effects('post').map(({ content }) => content.message);
  expect(posts).toEqual(['Open until nine. Ünïcode 🎈', 'Under a key']);
  expect(sandbox.effects('message')).toHaveLength(1);
  return { runtime, report };
}

/** What the platform sends of a lead: the body, and its signature. */
async function deliveryOf({ app, pages: [page], ...sandbox }) {
  const { createPageContext, subscribePage } = sdk;
  const options = { appId: app.id, appSecret: app.secret };
  const context = createPageContext({ ...options, fetch: sandbox.fetch, platform: sandbox.platform });
  const fields = ['leadgen'];
  const subscribed = await subscribePage(context.value, { pageId: page.id, pageToken: page.token, fields });
  if (subscribed.isErr()) throw subscribed.error;
  sandbox.happen({ kind: 'lead', formId: page.formIds[0] });
  const [delivery] = await sandbox.deliver(async () => new Response());
  return delivery;
}

/** An address of this machine at which nothing listens. */
async function closedUrl() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

/** Runs the suite in a process of its own. */
const inProcess =
  (command, args = [], app = 'newest') =>
  async (setting) => {
    const { stdout, stderr } = await execute(command, [...args, 'command.mjs', JSON.stringify(setting)], {
      cwd: apps[app],
      // Colors and warnings of this process are not its own.
      env: { PATH: process.env.PATH, HOME: process.env.HOME },
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };

/** The suite as one script without imports. */
async function bundle(code) {
  const { outputFiles, warnings } = await build({
    stdin: { contents: `import { runtime, smoke } from './smoke.mjs'; ${code}`, resolveDir: apps.newest },
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'silent',
  });
  expect(warnings).toEqual([]);
  return outputFiles[0].text;
}

/** What workers of both kinds do with a request: its body is the setting. */
const worker = `
  addEventListener('fetch', (event) => event.respondWith(respond(event.request)));
  async function respond(request) {
    try {
      return Response.json({ runtime: runtime(), report: await smoke(await request.json()) });
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  }`;

async function dispatch(target, setting) {
  const response = await target.dispatchFetch('http://worker.example/', {
    method: 'POST',
    body: JSON.stringify(setting),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text);
}

async function inWorkerd(setting) {
  const miniflare = new Miniflare({
    script: await bundle(worker),
    compatibilityDate: '2026-10-01',
    // It reports that a script has no `process`, which the suite asks for.
    handleRuntimeStdio: () => undefined,
  });
  try {
    return await dispatch(miniflare, setting);
  } finally {
    await miniflare.dispose();
  }
}

async function inEdgeRuntime(setting) {
  const runtime = new EdgeRuntime({ initialCode: await bundle(worker) });
  return await dispatch(runtime, setting);
}

/** In a page of the sandbox itself: it allows no other. */
async function inChromium(setting, url) {
  const script = await bundle(
    'globalThis.tried = async (setting) => ({ runtime: runtime(), report: await smoke(setting) });',
  );
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ bypassCSP: true });
    await page.goto(url);
    await page.evaluate(script);
    return await page.evaluate((given) => globalThis.tried(given), setting);
  } finally {
    await browser.close();
  }
}

const [node22, node26] = ['node-22', 'node-26'].map((name) => found('nodes', `${name}/bin/node`));
const noNode = '`npm run test:runtimes` installs it, on Linux';
const bun = found('.', `@oven/bun-${process.platform}-${process.arch.replace('arm64', 'aarch64')}/bin/bun`);
const denoFlags = ['run', '--allow-net=127.0.0.1', '--node-modules-dir=manual', '--no-lock', '--quiet'];
const deno = [found('../servers', 'deno/bin.cjs'), ...denoFlags];

const expected = {
  login: { isOurs: true, isHidden: true },
  pages: [
    { id: '12200000000001495', name: 'Harbour Coffee' },
    { id: '12200000000023149', name: 'Northside Books' },
    { id: '12200000000041169', name: 'Fern & Field' },
  ],
  lowLevel: { id: '12200000000001495', schema: 'valibot' },
  post: [true],
  carousel: { type: 'CAROUSEL_ALBUM', children: 2 },
  video: { hasId: true, isUploaded: true },
  messages: { hasRead: true, hasSent: true },
  webhook: { challenge: '1158201444', statuses: [200, 200, 401], seen: ['leadgen'] },
  key: { isOne: true, other: ['ConfigurationError', 'idempotencyKey'] },
  errors: {
    missing: 'ConfigurationError',
    noFile: ['ConfigurationError', 'video'],
    noVariable: 'PAGE_APP_ID is not set',
    denied: 'ApiError',
    lost: ['TransportError', 'network'],
    aborted: ['TransportError', 'aborted'],
    thrown: ['ApiError', true, true],
  },
  connection: true,
};

const runtimes = [
  { name: 'Node 22', calls: /^Node\.js\/22$/, smoke: inProcess(node22), lacks: !node22 && noNode },
  { name: 'Node 24', calls: /^Node\.js\/24$/, smoke: inProcess(process.execPath) },
  { name: 'Node 26', calls: /^Node\.js\/26$/, smoke: inProcess(node26), lacks: !node26 && noNode },
  {
    name: 'Bun',
    calls: /^Bun 1\./,
    smoke: inProcess(bun),
    lacks: !bun && 'it has no package for this machine',
  },
  { name: 'Deno', calls: /^Deno 2\./, smoke: inProcess(process.execPath, deno) },
  { name: 'workerd', calls: /^Cloudflare-Workers$/, smoke: inWorkerd },
  { name: "Vercel's edge runtime", calls: /^edge-runtime$/, smoke: inEdgeRuntime },
  {
    name: 'Chromium',
    calls: / HeadlessChrome\//,
    smoke: inChromium,
    // Browsers re-send a POST whose connection is lost before the response begins: see docs/retries.md.
    lost: { truncate: 20 },
    lacks: !has('chromium') && `there is no ${chromiumPath}`,
  },
  {
    name: 'Node 24, with the lowest versions of the dependencies',
    calls: /^Node\.js\/24$/,
    smoke: inProcess(process.execPath, [], 'lowest'),
  },
];

describe('the packed package works on', () => {
  for (const { name, calls, smoke, lost, lacks } of runtimes)
    test.skipIf(lacks)(`${name}${lacks ? `: skipped, ${lacks}` : ''}`, async () => {
      const { runtime, report } = await tried(smoke, lost);

      expect(runtime).toMatch(calls);
      expect(report).toEqual(expected);
    });
});

test.skipIf(!node22).each(['quickstart', 'first-comment'])(
  'Node 22 runs the example %s as it stands',
  async (name) => {
    const command = [join('node_modules', 'pagepics', 'bin', 'pagepics.js'), 'example', name];

    const { stdout, stderr } = await execute(node22, command, {
      cwd: apps.newest,
      env: { PATH: process.env.PATH },
    });

    // Node 22 says of each program with `node:sqlite` that it is experimental.
    expect(
      stderr.replace(/^\(node:\d+\) ExperimentalWarning: SQLite .*\n\(Use `node --trace-warnings .*\n/, ''),
    ).toBe('');
    expect(stdout).toContain(`The example is in pagepics-examples/${name}.ts.`);
  },
);
