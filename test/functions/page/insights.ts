import type { PageContext } from '../../../src/page/context.ts';
import * as page from '../../../src/page/index.ts';
import type * as subject from '../../../src/page/insights.ts';
import { at } from '../../hostile/kinds.ts';
import { idOf, isNotEmpty, onPage, onPost, videoUrl } from '../at.ts';
import { areNumbers, isRecord } from '../holds.ts';
import type { Table } from '../table.ts';
import { network, pageToken, paging } from '../values.ts';

export const insights: Table<PageContext, typeof subject> = {
  pageInsights: {
    kinds: {
      pageId: 'id',
      pageToken: 'token',
      metrics: 'names',
      period: 'choice',
      since: 'day',
      until: 'day',
    },
    variants: [
      {
        pageId: '42',
        pageToken,
        metrics: ['a', 'b'],
        period: 'day',
        since: '2026-01-01',
        until: '2026-01-31',
      },
    ],
    routes: {
      'GET 42/insights': {
        data: [{ name: 'a', period: 'day', values: [{ value: 3, end_time: '2026-01-05T08:00:00+0000' }] }],
        paging,
      },
    },
    holds: (value: object) => isRecord(at(value, 'metrics')) && isRecord(at(value, 'refused')),
    options: onPage,
    works: ({ metrics }: { metrics: object }) => isNotEmpty(metrics),
  },
  postInsights: {
    kinds: { postId: 'id', pageToken: 'token', metrics: 'names' },
    variants: [
      { postId: '42_1', pageToken },
      { postId: '42_1', pageToken, metrics: ['a', 'b'] },
    ],
    routes: {
      'GET 42_1/insights': { data: [{ name: 'a', period: 'lifetime', values: [{ value: 3 }] }], paging },
    },
    failures: network,
    holds: (value: object) => isRecord(value),
    options: onPost,
    works: isNotEmpty,
  },
  videoInsights: {
    kinds: { videoId: 'id', pageToken: 'token', metrics: 'names' },
    variants: [
      { videoId: '77', pageToken },
      { videoId: '77', pageToken, metrics: ['a', 'b'] },
    ],
    routes: {
      'GET 77/video_insights': {
        data: [
          { name: 'a', period: 'lifetime', values: [{ value: 3 }] },
          { name: 'b', period: 'lifetime', values: [{ value: { 0: 1, 3: 0.7 } }] },
        ],
        paging,
      },
    },
    holds: (value: object) =>
      isRecord(value) && Object.values(value).every((one) => typeof one === 'number' || areNumbers(one)),
    prepare: async ({ context, at }) =>
      idOf(page.publishVideoStory(context, { ...onPage(at), videoUrl }), 'video_id'),
    options: ({ prepared, pageToken }) => ({ videoId: prepared, pageToken }),
  },
};
