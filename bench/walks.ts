// A walk of 100,000 posts, next to a loop that follows the addresses of the next pages, and by how much the heap has grown at
// its end.

import ky from 'ky';

import { type Build, builds } from './builds.ts';
import { collectGarbage, inTurn, processorTime, type Row, toRow } from './rows.ts';

const token = 'EAAB0123456789abcdefghijklmnopqrstuvwxyz';
const graphUrl = 'https://graph.test';
const pages = 1000;
const perPage = 100;

/** Each page as text, so that a response costs the same, whoever reads it. */
const texts = Array.from({ length: pages }, (_, page) =>
  JSON.stringify({
    data: Array.from({ length: perPage }, (_, at) => ({
      id: `12200000000000001_${1_220_000_000_000 + page * perPage + at}`,
      message: 'Open until nine, and on Sundays from ten.',
      created_time: '2026-11-27T09:00:00+0000',
    })),
    paging: page + 1 < pages ? { next: `${graphUrl}/v26.0/42/published_posts?after=${page + 1}` } : {},
  }),
);
const fetch = async (input: RequestInfo | URL): Promise<Response> => {
  const url = new URL(input instanceof Request ? input.url : input);
  return new Response(texts[Number(url.searchParams.get('after') ?? 0)], {
    headers: { 'content-type': 'application/json' },
  });
};

async function walk({ page }: Build, onPost: (count: number) => void = () => undefined): Promise<void> {
  const options = { appId: '1', appSecret: 'secret', fetch, platform: { graphUrl } };
  const context = page.createPageContext(options)._unsafeUnwrap();
  let count = 0;
  for await (const post of page.iteratePosts(context, {
    pageId: '42',
    pageToken: token,
  })) {
    post._unsafeUnwrap();
    onPost(++count);
  }
  if (count !== pages * perPage) throw new Error(`${count} posts`);
}

interface Listed {
  readonly data: readonly object[];
  readonly paging: { readonly next?: string };
}

async function loop(): Promise<void> {
  let count = 0;
  let url: string | undefined = `${graphUrl}/v26.0/42/published_posts?access_token=${token}`;
  while (url !== undefined) {
    const { data, paging }: Listed = await ky.get(url, { fetch }).json<Listed>();
    for (const _ of data) count++;
    url = paging.next;
  }
  if (count !== pages * perPage) throw new Error(`${count} posts`);
}

/** Bytes for each post of a walk after its first tenth that are still in memory at its end. */
async function growthOf(build: Build): Promise<number> {
  const total = pages * perPage;
  const heap: number[] = [];
  await walk(build, (count) => {
    if (count !== total / 10 && count !== total) return;
    collectGarbage();
    heap.push(process.memoryUsage().heapUsed);
  });
  const [start = NaN, end = NaN] = heap;
  return (end - start) / (0.9 * total);
}

export async function walks(): Promise<readonly Row[]> {
  const cases = Object.fromEntries(builds.map((build) => [build.name, () => walk(build)]));
  const times = await inTurn({ peer: loop, ...cases }, 7, 1, collectGarbage, processorTime);
  const growth: number[] = [];
  for (const build of builds) growth.push(await growthOf(build));
  const inBytes = (bytes: number | undefined): string => `${bytes?.toFixed(1)} bytes a post`;
  return [
    toRow('a walk of 100,000 posts', 'a loop of ky.get(next).json()', times, 2.5),
    {
      figure: 'by how much the heap grows in such a walk',
      own: inBytes(growth[0]),
      ...(growth.length > 1 && { before: inBytes(growth[1]) }),
      aim: 'flat',
    },
  ];
}
