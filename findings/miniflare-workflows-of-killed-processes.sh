#!/usr/bin/env bash
# miniflare 4.20260730.0 and 5.20261117.0-beta (which wrangler 4.164.0 brings): a Workflow instance whose process was killed
# stays `running`, and does nothing more, when miniflare is started again over the same state, also one that only slept.
# `resume()` succeeds and changes nothing. `create()` with the same id, which Cloudflare documents as an error, makes it go on
# after its last step in 4, and throws `instance.already_exists` in 5. In both, `restart()` runs it again from its first step.
#
# It matters for whoever tries with `wrangler dev` what a crash does to a durable workflow: it looks as if the work went on, and
# no part of it ever does. What makes it go on runs steps again whose effect may be there.
#
# Seen:
#   miniflare 4.20260730.0
#   killed in step second: running, starts: first second
#   resume: running, starts: first second
#   create: complete, starts: first second second
#   killed in a sleep of half a second: running, starts: first
#   restart: complete, starts: first first second
#   miniflare 5.20261117.0-beta
#   killed in step second: running, starts: first second
#   resume: running, starts: first second
#   create: instance.already_exists, running, starts: first second
#   killed in a sleep of half a second: running, starts: first
#   restart: complete, starts: first first second
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >run.mjs <<'JS'
// One process of miniflare over the folder `state`; it answers over its channel.
import * as miniflare from 'miniflare';

const convert = miniflare.convertV4MiniflareOptions ?? ((options) => options);
const contents = `
  import { WorkflowEntrypoint } from 'cloudflare:workers';
  export class Two extends WorkflowEntrypoint {
    async run({ payload }, step) {
      const start = (name) => fetch(this.env.REPORT + name);
      await step.do('first', async () => void (await start('first')));
      if (payload.sleeps) await step.sleep('nap', 500);
      // Its response comes after the kill, the first time.
      await step.do('second', async () => void (await start('second')));
    }
  }
  export default {
    async fetch(request, { TWO }) {
      const { how, params } = await request.json();
      let threw = '';
      if (how === 'create')
        await TWO.create({ id: 'one', params }).catch(({ message }) => {
          threw = /instance.already_exists/.exec(message)?.[0] + ', ';
        });
      const instance = await TWO.get('one');
      if (how === 'resume' || how === 'restart') await instance[how]();
      return Response.json({ threw, ...(await instance.status()) });
    },
  };`;
const instance = new miniflare.Miniflare(
  convert({
    modules: [{ type: 'ESModule', path: 'worker.js', contents }],
    compatibilityDate: '2026-07-01',
    bindings: { REPORT: process.argv[2] },
    workflows: { TWO: { name: 'two', className: 'Two' } },
    ...(miniflare.convertV4MiniflareOptions
      ? { resourcePersistencePath: process.argv[3] }
      : { defaultPersistRoot: process.argv[3] }),
  }),
);
const url = await instance.ready;
process.on('message', async (body) => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  process.send(await response.json());
});
process.send('ready');
JS
cat >check.mjs <<'JS'
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function killed(sleeps, hows) {
  const starts = [];
  let isKilled = false;
  let child;
  const kill = async () => {
    isKilled = true;
    const ended = once(child, 'exit');
    // With the process of workerd.
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    starts.push(name);
    if (isKilled || name === 'first') response.end();
    else void kill();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const start = async () => {
    const options = [`http://127.0.0.1:${server.address().port}/`, join(process.cwd(), `state-${sleeps}`)];
    child = fork('run.mjs', options, { detached: true });
    await once(child, 'message');
  };
  const ask = async (how) => {
    child.send({ how, params: { sleeps } });
    const [{ threw, status }] = await once(child, 'message');
    return { threw, status };
  };

  await start();
  child.send({ how: 'create', params: { sleeps } });
  if (sleeps) {
    await once(child, 'message');
    while (starts.length === 0) await wait(20);
    await wait(200);
    await kill();
  } else await once(child, 'exit');
  await start();
  await ask('status');
  await wait(5000);
  const where = sleeps ? 'a sleep of half a second' : 'step second';
  const seen = [`killed in ${where}: ${(await ask('status')).status}, starts: ${starts.join(' ')}`];
  for (const how of hows) {
    const { threw } = await ask(how);
    let status;
    // Long enough for two steps and the sleep.
    for (let looks = 0; looks < 25 && status !== 'complete'; looks++) {
      await wait(200);
      ({ status } = await ask('status'));
    }
    seen.push(`${how}: ${threw}${status}, starts: ${starts.join(' ')}`);
  }
  process.kill(-child.pid, 'SIGKILL');
  server.close();
  return seen;
}

for (const sleeps of [false, true])
  for (const line of await killed(sleeps, sleeps ? ['restart'] : ['resume', 'create'])) console.log(line);
JS
for version in 4.20260730.0 5.20261117.0-beta; do
  mkdir "$version"
  cp run.mjs check.mjs "$version"
  (
    cd "$version"
    npm init --yes >/dev/null
    npm install --silent --no-audit --no-fund --ignore-scripts "miniflare@$version"
    echo "miniflare $version"
    node check.mjs
  )
done | tee seen.txt
cat >stated.txt <<'TXT'
miniflare 4.20260730.0
killed in step second: running, starts: first second
resume: running, starts: first second
create: complete, starts: first second second
killed in a sleep of half a second: running, starts: first
restart: complete, starts: first first second
miniflare 5.20261117.0-beta
killed in step second: running, starts: first second
resume: running, starts: first second
create: instance.already_exists, running, starts: first second
killed in a sleep of half a second: running, starts: first
restart: complete, starts: first first second
TXT
diff seen.txt stated.txt
