// One call next to its peers, over a stub of fetch and over loopback.
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { request as octokit } from '@octokit/request';
import ky from 'ky';

import { createPageContext, deletePost, me } from '../dist/page/index.js';
import { type Case, inMs, inTurn, median, ratioOf, type Row } from './rows.ts';

const token = 'EAAB0123456789abcdefghijklmnopqrstuvwxyz';
const query = `access_token=${token}&appsecret_proof=${'0'.repeat(64)}`;
const peer = 'ky.get(url).json()';

function casesOf(base: string, fetch: typeof globalThis.fetch): Record<string, Case> {
  const url = `${base}/v26.0/42?${query}`;
  const context = createPageContext({
    appId: '1',
    appSecret: 'secret',
    fetch,
    platform: { graphUrl: base },
  })._unsafeUnwrap();
  return {
    [peer]: () => ky.get(url, { fetch }).json(),
    deletePost: () => deletePost(context, { postId: '42', pageToken: token }),
    me: () => me(context, { token }),
    '@octokit/request': () => octokit(`GET ${url}`, { request: { fetch } }),
    'fetch(url).json()': async () => (await fetch(url)).json(),
  };
}

async function compare(over: string, cases: Record<string, Case>, aim: number, rounds: number, runs: number) {
  const times = await inTurn(cases, rounds, runs);
  return [...times].slice(1).map(([name, own]): Row => ({
    figure: `${name} over ${over}`,
    own: inMs(median(own)),
    peer: `${peer}: ${inMs(median(times.get(peer)))}`,
    ratio: ratioOf(own, times.get(peer)),
    ...(['deletePost', 'me'].includes(name) && { aim }),
  }));
}

export async function calls(): Promise<readonly Row[]> {
  const body = JSON.stringify({ success: true, id: '42_1', name: 'Mara Bell' });
  const stub = async (): Promise<Response> =>
    new Response(body, { headers: { 'content-type': 'application/json' } });
  const rows = await compare('a stub', casesOf('https://graph.test', stub), 1.25, 201, 50);

  const server = fork(new URL('./server.mjs', import.meta.url));
  const [port] = await once(server, 'message');
  rows.push(...(await compare('loopback', casesOf(`http://127.0.0.1:${port}`, fetch), 1.05, 101, 20)));
  server.disconnect();
  return rows;
}
