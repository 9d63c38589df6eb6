// What a call costs over loopback, next to ky and other clients, in processor time of all threads of this process: the server
// is another one, and answers as the platform does.
import { fork } from 'node:child_process';
import { once } from 'node:events';

import { request as octokit } from '@octokit/request';
import official from 'facebook-nodejs-business-sdk';
import { Client, PageField } from 'instagram-graph-api';
import ky from 'ky';

import { type Comparison, compare, contextOf, others, query } from './calls.ts';
import { metrics, token } from './responses.ts';
import type { Row } from './rows.ts';

/** A server, which ends with `close`. */
export async function startServer() {
  const server = fork(new URL('./server.ts', import.meta.url), { execArgv: [] });
  const [ports] = await once(server, 'message');
  // The message of `server.ts`.
  const { gzip, plain } = ports as Readonly<Record<'gzip' | 'plain', number>>;
  const addressOf = (port: number): string => `http://127.0.0.1:${port}`;
  return { gzip: addressOf(gzip), plain: addressOf(plain), close: () => server.disconnect() };
}

const aims = { me: { gzip: 1.1, plain: 1.2 }, posts: { gzip: 1.3, plain: 1.75 } };

function comparisons(graph: string, encoding: 'gzip' | 'plain'): readonly Comparison[] {
  const parse = (edge: string) => async (): Promise<unknown> =>
    JSON.parse(await ky.get(`${graph}/v26.0/42/${edge}?${query}`).text());
  const list = { pageId: '42', pageToken: token, limit: 100 };
  const inside = { totals: true, metrics, comments: { limit: 5, replies: true } };
  const name = 'ky and JSON.parse';
  const all: readonly Comparison[] = [
    {
      figure: 'me',
      name: 'ky.get(url).json()',
      peer: () => ky.get(`${graph}/v26.0/me?${query}`).json(),
      own: (one) => {
        const context = contextOf(one, { fetch }, graph);
        return () => one.page.me(context, { token });
      },
      aim: aims.me[encoding],
      runs: 20,
    },
    {
      figure: 'posts, of which there are 100',
      name,
      peer: parse('published_posts'),
      own: (one) => {
        const context = contextOf(one, { fetch }, graph);
        return () => one.page.posts(context, list);
      },
      aim: aims.posts[encoding],
      runs: 20,
    },
    {
      figure: '100 posts with totals, 4 metrics and 5 comments each',
      name,
      peer: parse('inside'),
      own: (one) => {
        const context = contextOf(one, { fetch: toInside }, graph);
        return () => one.page.posts(context, { ...list, ...inside });
      },
      aim: 1.3,
      runs: 5,
    },
  ];
  return all.map((comparison) => ({
    ...comparison,
    figure: `${comparison.figure}, over loopback, ${encoding}`,
  }));
}

/** The same list has more where more is asked for within its entries; one of an earlier version asks for that separately. */
const toInside: typeof fetch = async (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  return fetch(address.replace('/published_posts', '/inside'), init);
};

export async function loopback(): Promise<readonly Row[]> {
  const { gzip, plain, close } = await startServer();
  const rows: Row[] = [];
  for (const comparison of [...comparisons(gzip, 'gzip'), ...comparisons(plain, 'plain')])
    rows.push(await compare(comparison));
  const url = `${gzip}/v26.0/me?${query}`;
  // Both peers name the host themselves.
  Object.defineProperty(official.FacebookAdsApi, 'GRAPH', { get: () => gzip });
  const readByClient = (): unknown => {
    const request = client.newGetPageInfoRequest(PageField.NAME);
    const config = request.config();
    request.config = () => ({ ...config, baseURL: gzip });
    return request.execute();
  };
  official.FacebookAdsApi.init(token, 'en_US', false);
  const client = new Client(token, '42');
  rows.push(
    ...(await others(
      'loopback, gzip',
      {
        'ky.get(url).json()': () => ky.get(url).json(),
        'fetch(url).json()': async () => (await fetch(url)).json(),
        '@octokit/request': () => octokit(`GET ${url}`),
        'the official SDK': () => new official.User('42').get(['id', 'name']),
        'instagram-graph-api': readByClient,
      },
      20,
    )),
  );
  close();
  return rows;
}
