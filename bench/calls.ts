// Measures one call beside its peers, over a stub fetch and over loopback. It prints ratios within one run; absolute
// times would depend on the machine.
import { fork } from 'node:child_process';

import { request as octokit } from '@octokit/request';
import ky from 'ky';

import { createPageContext, deletePost } from '../dist/page/index.js';

type Case = () => PromiseLike<unknown>;

const rounds = 31;
const token = 'EAAB0123456789abcdefghijklmnopqrstuvwxyz';
const query = `access_token=${token}&appsecret_proof=${'0'.repeat(64)}`;

function cases(base: string, fetch: typeof globalThis.fetch): Record<string, Case> {
  const url = `${base}/v26.0/42?${query}`;
  const context = createPageContext({
    appId: '1',
    appSecret: 'secret',
    fetch,
    platform: { graphUrl: base },
  })._unsafeUnwrap();
  return {
    'raw fetch(url).json()': async () => (await fetch(url)).json(),
    'ky.get(url).json()': () => ky.get(url, { fetch }).json(),
    '@octokit/request': () => octokit(`GET ${url}`, { request: { fetch } }),
    'pagepics deletePost': () => deletePost(context, { postId: '42', pageToken: token }),
  };
}

/** Runs the cases in turn, in another order each round, and prints medians and the ratios within a round. */
async function compare(title: string, all: Record<string, Case>, calls: number): Promise<void> {
  const names = Object.keys(all);
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] as string;
      const run = all[name] as Case;
      const started = performance.now();
      for (let call = 0; call < calls; call++) await run();
      times.get(name)?.push(((performance.now() - started) / calls) * 1000);
    }
  }
  const base = times.get('ky.get(url).json()') ?? [];
  console.log(`\n${title}: ${calls} calls x ${rounds} rounds, medians`);
  for (const [name, own] of times) {
    const ratio = median(own.map((time, round) => time / (base[round] ?? Number.NaN)));
    console.log(`  ${name.padEnd(24)} ${median(own).toFixed(1).padStart(8)} us   ${ratio.toFixed(2)} x ky`);
  }
}

function median(values: readonly number[]): number {
  // The first rounds are left out, since they warm up the engine.
  return values.slice(5).sort((a, b) => a - b)[Math.floor((values.length - 5) / 2)] ?? Number.NaN;
}

const body = JSON.stringify({ success: true, id: '42_1' });
const stub = async (): Promise<Response> =>
  new Response(body, { headers: { 'content-type': 'application/json' } });

const server = fork(new URL('./server.mjs', import.meta.url));
const port = await new Promise<number>((resolve) => {
  server.once('message', resolve);
});

console.log(`node ${process.version}`);
await compare('stub fetch', cases('https://graph.test', stub), 1000);
await compare('loopback', cases(`http://127.0.0.1:${port}`, fetch), 200);
server.disconnect();
