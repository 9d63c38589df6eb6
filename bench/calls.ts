// What a call costs next to a bare call of ky that sends and reads the same, over a stub of fetch, where nothing but code takes
// time. `loopback.ts` has a network.
import { request as octokit } from '@octokit/request';
import ky from 'ky';

import { type Build, builds } from './builds.ts';
import { me, posts, token } from './responses.ts';
import { type Case, inMs, inTurn, median, processorTime, ratioOf, type Row, toRow } from './rows.ts';

export const query = `access_token=${token}&appsecret_proof=${'0'.repeat(64)}`;
export const base = 'https://graph.test';
const list = posts(25);
const refusal = {
  error: { message: 'Invalid parameter', type: 'OAuthException', code: 100, fbtrace_id: 'A1' },
};

export function respond(body: unknown, status = 200): typeof fetch {
  const text = JSON.stringify(body);
  return async () => new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

/** A context of a build, whose `fetch` is given. */
export function contextOf(
  { page }: Build,
  { fetch, ...options }: { readonly fetch: typeof globalThis.fetch; readonly [option: string]: unknown },
  graphUrl = base,
) {
  return page
    .createPageContext({ appId: '1', appSecret: 'secret', fetch, platform: { graphUrl }, ...options })
    ._unsafeUnwrap();
}

export interface Comparison {
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

export async function compare({
  figure,
  name,
  peer,
  own,
  aim,
  rounds = 101,
  runs = 50,
}: Comparison): Promise<Row> {
  const cases = Object.fromEntries(builds.map((build) => [build.name, own(build)]));
  return toRow(figure, name, await inTurn({ peer, ...cases }, rounds, runs, undefined, processorTime), aim);
}

function comparisons(): readonly Comparison[] {
  const url = `${base}/v26.0/42?${query}`;
  const [plain, listed, refused] = [respond(me), respond(list), respond(refusal, 400)];
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
  ];
}

/** Other clients, next to ky. */
export async function others(
  over: string,
  cases: Readonly<Record<string, Case>>,
  runs: number,
): Promise<readonly Row[]> {
  const times = await inTurn(cases, 101, runs, undefined, processorTime);
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
  const stub = respond(me);
  const at = `${base}/v26.0/42?${query}`;
  rows.push(
    ...(await others(
      'a stub',
      {
        'ky.get(url).json()': () => ky.get(at, { fetch: stub }).json(),
        '@octokit/request': () => octokit(`GET ${at}`, { request: { fetch: stub } }),
        'fetch(url).json()': async () => (await stub(at)).json(),
      },
      50,
    )),
  );
  return rows;
}
