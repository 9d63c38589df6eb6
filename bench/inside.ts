// A list of 200 posts with what belongs to them, next to ky and `JSON.parse` of the same bodies.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import ky from 'ky';

import { createPageContext, posts } from '../dist/page/index.js';
import { inTurn, processorTime, type Row, toRow } from './rows.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const token = 'EAAB0123456789abcdefghijklmnopqrstuvwxyz';
const graphUrl = 'https://graph.test';
const metrics = [
  'post_media_view',
  'post_total_media_view_unique',
  'post_clicks',
  'post_reactions_by_type_total',
];
const perPage = 25;
const pages = 8;

/** Bodies as the platform sends them: with a description of nobody's interest, and addresses of other ranges of time. */
const bodies = Array.from({ length: pages }, (_, page) =>
  JSON.stringify({
    data: Array.from({ length: perPage }, (_, at) => postAt(`42_${1_220_000_000_000 + page * perPage + at}`)),
    paging:
      page + 1 < pages
        ? { next: `${graphUrl}/v26.0/42/published_posts?limit=${perPage}&after=${page + 1}` }
        : {},
  }),
);

function postAt(id: string) {
  const address = `${graphUrl}/v26.0/${id}/insights?access_token=${token}&metric=${metrics.join(',')}&since=1&until=2`;
  const summary = { order: 'chronological', total_count: 12, can_comment: true };
  const comments = Array.from({ length: 5 }, (_, nth) => ({
    id: `${id}_${nth}`,
    message: 'Are you open on Sundays, too?',
    created_time: '2026-11-27T09:00:00+0000',
    from: { id: '122000000000017', name: 'Mara Lind' },
    like_count: 2,
    comment_count: 0,
    is_hidden: false,
    can_hide: true,
    can_remove: true,
    permalink_url: `https://page.test/${id}?comment_id=${nth}`,
  }));
  return {
    id,
    message: 'Open until nine, and on Sundays from ten.',
    created_time: '2026-11-27T09:00:00+0000',
    updated_time: '2026-11-27T09:00:00+0000',
    permalink_url: `https://page.test/${id}`,
    status_type: 'mobile_status_update',
    is_published: true,
    is_hidden: false,
    from: { id: '42', name: 'Harbour Coffee' },
    shares: { count: 3 },
    reactions: { data: [], summary: { total_count: 40 } },
    comments: { data: comments, paging: { cursors: { before: 'QVF1', after: 'QVF2' } }, summary },
    insights: {
      data: metrics.map((name) => ({
        name,
        period: 'lifetime',
        values: [{ value: name.endsWith('total') ? { like: 30, love: 10 } : 460 }],
        id: `${id}/insights/${name}/lifetime`,
      })),
      paging: { previous: address, next: address },
    },
  };
}

const fetch = async (input: RequestInfo | URL): Promise<Response> => {
  const url = new URL(input instanceof Request ? input.url : input);
  return new Response(bodies[Number(url.searchParams.get('after') ?? 0)], {
    headers: { 'content-type': 'application/json' },
  });
};

const context = createPageContext({ appId: '1', appSecret: 'secret', fetch, platform: { graphUrl } });

async function listed(): Promise<void> {
  const options = { totals: true, metrics, comments: { limit: 5, replies: true } };
  const found = await posts(context._unsafeUnwrap(), {
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
  const times = await inTurn({ own: listed, peer: parsed }, 40, 5, collectGarbage, processorTime);
  return [toRow('200 posts with totals, 4 metrics and 5 comments each', 'ky and JSON.parse', times, 1.3)];
}
