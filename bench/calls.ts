// What a call costs next to a bare call of ky that sends and reads the same: over a stub of fetch, where nothing but code takes
// time, and over loopback, where the peers that bring their own network are measured, too.
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { request as octokit } from '@octokit/request';
import official from 'facebook-nodejs-business-sdk';
import { Client, PageField } from 'instagram-graph-api';
import ky from 'ky';

import { type Build, builds } from './builds.ts';
import {
  type Case,
  inMs,
  inTurn,
  median,
  processorTime,
  ratioOf,
  type Row,
  toRow,
  wallTime,
} from './rows.ts';

const token = 'EAAB0123456789abcdefghijklmnopqrstuvwxyz';
const query = `access_token=${token}&appsecret_proof=${'0'.repeat(64)}`;
const base = 'https://graph.test';
const node = { success: true, id: '42_1', name: 'Mara Bell' };
const list = {
  data: Array.from({ length: 25 }, (_, at) => ({
    id: `12200000000000001_${1_220_000_000_000 + at}`,
    created_time: '2026-11-27T09:00:00+0000',
    updated_time: '2026-11-27T09:00:00+0000',
    message: `Open until nine. The ${at}th of many posts, with a text of the length that people write.`,
    permalink_url: `https://social.test/12200000000000001/posts/${1_220_000_000_000 + at}`,
    is_published: true,
  })),
  paging: { cursors: { before: 'QVFIUmx', after: 'QVFIUmy' } },
};
const refusal = {
  error: { message: 'Invalid parameter', type: 'OAuthException', code: 100, fbtrace_id: 'A1' },
};

function respond(body: unknown, status = 200): typeof fetch {
  const text = JSON.stringify(body);
  return async () => new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

/** A context of a build, whose `fetch` is given. */
function contextOf(
  { page }: Build,
  { fetch, ...options }: { readonly fetch: typeof globalThis.fetch; readonly [option: string]: unknown },
  graphUrl = base,
) {
  return page
    .createPageContext({ appId: '1', appSecret: 'secret', fetch, platform: { graphUrl }, ...options })
    ._unsafeUnwrap();
}

interface Comparison {
  readonly figure: string;
  /** The name of what it is compared with. */
  readonly name: string;
  readonly peer: Case;
  readonly own: (build: Build) => Case;
  readonly aim?: number;
  /** Rounds, and runs in each. */
  readonly rounds?: number;
  readonly runs?: number;
}

async function compare({ figure, name, peer, own, aim, rounds = 101, runs = 50 }: Comparison): Promise<Row> {
  const cases = Object.fromEntries(builds.map((build) => [build.name, own(build)]));
  return toRow(figure, name, await inTurn({ peer, ...cases }, rounds, runs, undefined, processorTime), aim);
}

function comparisons(): readonly Comparison[] {
  const url = `${base}/v26.0/42?${query}`;
  const [plain, listed, refused] = [respond(node), respond(list), respond(refusal, 400)];
  const form = (): URLSearchParams =>
    new URLSearchParams({ message: 'Open until nine', access_token: token, appsecret_proof: '0'.repeat(64) });
  const get = (): Case => () => ky.get(url, { fetch: plain }).json();
  const readMe = (build: Build, options: object = {}): Case => {
    const context = contextOf(build, { fetch: plain, ...options });
    return () => build.page.me(context, { token });
  };
  const [build] = builds as readonly [Build];
  const ignored = (): void => undefined;
  const hooks = { onRequest: ignored, onResponse: ignored, onRetry: ignored, onFailure: ignored };
  const atOnce = 10_000;
  const all =
    (one: Case): Case =>
    () =>
      Promise.all(Array.from({ length: atOnce }, () => one()));
  return [
    { figure: 'me', name: 'ky.get(url).json()', peer: get(), own: (one) => readMe(one), aim: 1.25 },
    {
      figure: 'deletePost',
      name: 'ky.get(url).json()',
      peer: get(),
      own: (one) => {
        const context = contextOf(one, { fetch: plain });
        return () => one.page.deletePost(context, { postId: '42', pageToken: token });
      },
      aim: 1.25,
    },
    {
      figure: 'posts, of which there are 25',
      name: 'ky.get(url).json()',
      peer: () => ky.get(url, { fetch: listed }).json(),
      own: (one) => {
        const context = contextOf(one, { fetch: listed });
        return () => one.page.posts(context, { pageId: '42', pageToken: token });
      },
      aim: 2.3,
    },
    {
      figure: 'publishPost',
      name: 'ky.post(url, { body }).json()',
      peer: () => ky.post(url, { fetch: plain, body: form() }).json(),
      own: (one) => {
        const context = contextOf(one, { fetch: plain });
        return () =>
          one.page.publishPost(context, { pageId: '42', pageToken: token, message: 'Open until nine' });
      },
      aim: 2,
    },
    {
      figure: 'me, refused',
      name: 'ky.get(url).json(), and the data of its HTTPError',
      peer: () =>
        ky
          .get(url, { fetch: refused })
          .json()
          .catch((error: unknown) => Object(error).data),
      own: (one) => {
        const context = contextOf(one, { fetch: refused });
        return () => one.page.me(context, { token });
      },
    },
    {
      figure: 'me with a hook',
      name: 'me',
      peer: readMe(build),
      own: (one) => readMe(one, { onRequest: ignored }),
      aim: 1.3,
    },
    {
      figure: 'me with four hooks',
      name: 'me',
      peer: readMe(build),
      own: (one) => readMe(one, hooks),
      aim: 1.5,
    },
    {
      figure: 'me with one of 5,000 tokens, known',
      name: 'me with one token',
      peer: readMe(build),
      own: (one) => {
        const context = contextOf(one, { fetch: plain });
        let next = 0;
        return () => one.page.me(context, { token: `${token}${next++ % 5000}` });
      },
      aim: 1.15,
      rounds: 201,
    },
    {
      figure: 'me with a token that is new each time',
      name: 'me with one token',
      peer: readMe(build),
      own: (one) => {
        const context = contextOf(one, { fetch: plain });
        let next = 0;
        return () => one.page.me(context, { token: `${token}${next++}` });
      },
    },
    {
      figure: `${atOnce.toLocaleString('en')} me at once`,
      name: 'as many ky.get(url).json()',
      peer: all(get()),
      own: (one) => all(readMe(one)),
      aim: 1.05,
      rounds: 8,
      runs: 1,
    },
  ];
}

/** Other clients, next to ky. */
async function others(
  over: string,
  cases: Readonly<Record<string, Case>>,
  rounds: number,
  runs: number,
  timeNow = wallTime,
) {
  const times = await inTurn(cases, rounds, runs, undefined, timeNow);
  const [[peer, least] = ['', []]] = [...times];
  return [...times].slice(1).map(([name, own]): Row => ({
    figure: `${name} over ${over}`,
    own: inMs(median(own)),
    peer: `${peer}: ${inMs(median(least))}`,
    ratio: ratioOf(own, least),
  }));
}

export async function calls(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const comparison of comparisons()) {
    const row = await compare(comparison);
    rows.push({ ...row, figure: `${row.figure}, over a stub` });
  }
  const stub = respond(node);
  const at = `${base}/v26.0/42?${query}`;
  rows.push(
    ...(await others(
      'a stub',
      {
        'ky.get(url).json()': () => ky.get(at, { fetch: stub }).json(),
        '@octokit/request': () => octokit(`GET ${at}`, { request: { fetch: stub } }),
        'fetch(url).json()': async () => (await stub(at)).json(),
      },
      101,
      50,
      processorTime,
    )),
  );

  const server = fork(new URL('./server.mjs', import.meta.url));
  const [port] = await once(server, 'message');
  const graph = `http://127.0.0.1:${port}`;
  const url = `${graph}/v26.0/42?${query}`;
  const loopback = builds.map((one) => {
    const context = contextOf(one, { fetch }, graph);
    return [
      one.name === 'own' ? 'me' : 'me of the earlier build',
      () => one.page.me(context, { token }),
    ] as const;
  });
  // Both peers name the host themselves.
  Object.defineProperty(official.FacebookAdsApi, 'GRAPH', { get: () => graph });
  const readByClient = (): unknown => {
    const request = client.newGetPageInfoRequest(PageField.NAME);
    const config = request.config();
    request.config = () => ({ ...config, baseURL: graph });
    return request.execute();
  };
  official.FacebookAdsApi.init(token, 'en_US', false);
  const client = new Client(token, '42');
  rows.push(
    ...(await others(
      'loopback',
      {
        'ky.get(url).json()': () => ky.get(url).json(),
        ...Object.fromEntries(loopback),
        'fetch(url).json()': async () => (await fetch(url)).json(),
        '@octokit/request': () => octokit(`GET ${url}`),
        'the official SDK': () => new official.User('42').get(['id', 'name']),
        'instagram-graph-api': readByClient,
      },
      101,
      20,
    )),
  );
  server.disconnect();
  return rows;
}
