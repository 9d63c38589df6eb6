// A list of 200 posts with what belongs to them, next to ky and `JSON.parse` of the same bytes.
import ky from 'ky';

import { type Build, builds } from './builds.ts';
import { metrics, postsInside, token } from './responses.ts';
import { collectGarbage, inTurn, processorTime, type Row, toRow } from './rows.ts';

const graphUrl = 'https://graph.test';
const perPage = 25;
const pages = 8;

const bodies = Array.from({ length: pages }, (_, page) => {
  const after = page + 1;
  const next = after < pages ? `v26.0/42/published_posts?limit=${perPage}&after=${after}` : undefined;
  return JSON.stringify(postsInside(perPage, page * perPage, next));
});

const fetch = async (input: RequestInfo | URL): Promise<Response> => {
  const url = new URL(input instanceof Request ? input.url : input);
  return new Response(bodies[Number(url.searchParams.get('after') ?? 0)], {
    headers: { 'content-type': 'application/json' },
  });
};

async function listed({ page }: Build): Promise<void> {
  const context = page.createPageContext({ appId: '1', appSecret: 'secret', fetch, platform: { graphUrl } });
  const options = { totals: true, metrics, comments: { limit: 5, replies: true } };
  const found = await page.posts(context._unsafeUnwrap(), {
    pageId: '42',
    pageToken: token,
    limit: 200,
    ...options,
  });
  const all = found._unsafeUnwrap();
  if (all.length !== 200 || !all.every(({ insights, totals }) => insights && totals))
    throw new Error('not all');
}

async function parsed(): Promise<void> {
  let count = 0;
  let url: string | undefined = `${graphUrl}/v26.0/42/published_posts?access_token=${token}`;
  while (url !== undefined) {
    // An `any`, as `JSON.parse` gives it: the least that a caller does.
    const body = JSON.parse(await ky.get(url, { fetch }).text());
    count += body.data.length;
    url = body.paging.next;
  }
  if (count !== 200) throw new Error(`${count} posts`);
}

export async function inside(): Promise<readonly Row[]> {
  const cases = Object.fromEntries(
    builds.filter(readsInside).map((build) => [build.name, () => listed(build)]),
  );
  const times = await inTurn({ peer: parsed, ...cases }, 60, 5, collectGarbage, processorTime);
  return [toRow('200 posts with totals, 4 metrics and 5 comments each', 'ky and JSON.parse', times, 1.3)];
}

/** Versions before 2.0 ask for each number in a request of its own. */
function readsInside({ version }: Build): boolean {
  return Number.parseInt(version, 10) >= 2;
}
