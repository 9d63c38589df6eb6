import type { InsightDays } from '../../../src/models/insights.ts';
import type { PicsContext } from '../../../src/pics/context.ts';
import type * as subject from '../../../src/pics/insights.ts';
import { at } from '../../hostile/kinds.ts';
import { isNotEmpty, onMedium } from '../at.ts';
import { areNumbers, isCut } from '../holds.ts';
import type { Table } from '../table.ts';
import { network, token } from '../values.ts';
import { account, medium } from './shared.ts';

const totals = {
  data: [
    { name: 'reach', period: 'day', total_value: { value: 3 } },
    { name: 'views', period: 'lifetime', values: [{ value: 4 }, null] },
  ],
};

export const insights: Table<PicsContext, typeof subject> = {
  insights: {
    kinds: { token: 'token', picsUserId: 'account', since: 'day', until: 'day', metrics: 'names' },
    variants: [{ token, ...account, since: '2025-12-01', until: new Date('2025-12-24'), metrics: ['reach'] }],
    routes: { 'GET 17/insights': totals },
    holds: (value: { metrics: object }) => areNumbers(value.metrics),
    options: ({ own }) => own,
  },
  insightSeries: {
    kinds: {
      token: 'token',
      picsUserId: 'account',
      metrics: 'names',
      since: 'day',
      until: 'day',
      breakdown: 'choice',
    },
    variants: [
      { token, ...account, metrics: ['reach'], since: '2025-12-20', until: new Date('2025-12-24') },
      { token, ...account, metrics: ['reach', 'views'], since: '2025-12-23', until: '2025-12-24' },
      {
        token,
        ...account,
        metrics: ['views'],
        since: '2025-12-24',
        until: '2025-12-24',
        breakdown: 'follow_type',
      },
    ],
    routes: {
      'GET 17/insights': {
        data: [
          {
            name: 'reach',
            period: 'day',
            values: [{ value: 3, end_time: '2025-12-24T08:00:00+0000' }, null],
          },
          {
            name: 'views',
            period: 'day',
            total_value: {
              value: 4,
              breakdowns: [
                { dimension_keys: ['follow_type'], results: [{ dimension_values: ['FOLLOWER'], value: 4 }] },
              ],
            },
          },
        ],
      },
    },
    holds: (value: object) =>
      Object.values(value).every(
        (days: InsightDays) =>
          typeof days.available === 'boolean' &&
          days.every(
            ({ day, value: number }) =>
              /^\d{4}-\d\d-\d\d$/.test(day) && (number === undefined || typeof number === 'number'),
          ),
      ),
    options: ({ own }) => ({ ...own, metrics: ['reach'] }),
  },
  mediaInsights: {
    kinds: { mediaId: 'id', token: 'token', metrics: 'names' },
    variants: [
      { mediaId: '901', token },
      { mediaId: '901', token, metrics: ['reach', 'views'] },
    ],
    routes: { 'GET 901': medium, 'GET 901/insights': totals },
    failures: network,
    holds: areNumbers,
    options: onMedium,
    works: isNotEmpty,
  },
  demographics: {
    kinds: { token: 'token', picsUserId: 'account' },
    variants: [{ token, ...account }],
    routes: {
      'GET 17/insights': {
        data: [
          {
            name: 'follower_demographics',
            total_value: {
              breakdowns: [{ dimension_keys: ['age'], results: [{ dimension_values: ['25-34'], value: 3 }] }],
            },
          },
        ],
      },
    },
    failures: [],
    holds: (value: object) => ['age', 'gender', 'city', 'country'].every((cut) => isCut(at(value, cut))),
    options: ({ own }) => own,
    works: ({ age }: { age: { available: boolean; values?: object } }) =>
      age.available && isNotEmpty(age.values ?? {}),
  },
};
