import nock from 'nock';
import { describe, expect, test } from 'vitest';

import type { PicsContextOptions } from '../../src/pics/context.ts';
import {
  demographics,
  insights,
  insightSeries,
  type InsightSeriesOptions,
  type InsightsOptions,
  mediaInsights,
} from '../../src/pics/insights.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  virtualClock,
} from '../support/context.ts';
import { fc } from '../support/property.ts';

describe('insights', () => {
  const noon = Date.UTC(2026, 2, 31, 12);

  const clock = virtualClock(noon);

  const query = {
    ...authenticated,
    metric: 'reach,profile_views,website_clicks,accounts_engaged,total_interactions',
    period: 'day',
    metric_type: 'total_value',
  };

  const seconds = (date: string): number => Date.parse(`${date}Z`) / 1000;

  /** The query that a call sends, and what it returns for an empty response. */
  async function ask(options: Partial<InsightsOptions>, now = noon) {
    const asked: URLSearchParams[] = [];
    const fetch = async (input: RequestInfo | URL): Promise<Response> => {
      asked.push(new URL((input as Request).url).searchParams);
      return Response.json({ data: [] });
    };
    const context = picsContext({ fetch: fetch as typeof globalThis.fetch, clock: virtualClock(now) });
    const result = await insights(context, { token, ...options });
    return {
      result,
      asked: asked.map((params) => [Number(params.get('since')), Number(params.get('until'))]),
    };
  }

  test.each([
    ['login', picsGraphBase, picsContext, undefined, '/me/insights'],
    ['page', graphBase, picsPageContext, '1784', '/1784/insights'],
  ] as const)('reads the last 30 days in %s mode', async (_mode, base, contextOf, picsUserId, path) => {
    nock(base)
      .get(path)
      .query({ ...query, since: String(seconds('2026-03-02T00:00')), until: String(noon / 1000) })
      .reply(200, {
        data: [
          { name: 'reach', period: 'day', total_value: { value: 14516 }, id: '1' },
          { name: 'profile_views', total_value: { value: 0 } },
          { name: 'website_clicks', period: 'day' },
          { name: 'accounts_engaged', total_value: {} },
          { name: 'total_interactions', values: [{ value: 7 }] },
        ],
        paging: { next: `${base}${path}?since=1` },
      });

    const month = await insights(contextOf({ clock }), { token, picsUserId });

    expect(month._unsafeUnwrap()).toEqual({
      since: '2026-03-02',
      until: '2026-03-31',
      metrics: { reach: 14516, profile_views: 0, total_interactions: 7 },
    });
  });

  test('asks for other metrics', async () => {
    nock(picsGraphBase)
      .get('/me/insights')
      .query((asked) => asked['metric'] === 'views,likes')
      .reply(200, { data: [{ name: 'views', total_value: { value: 3 } }] });

    const found = await insights(picsContext({ clock }), { token, metrics: ['views', 'likes'] });

    expect(found._unsafeUnwrap().metrics).toEqual({ views: 3 });
  });

  test('takes a metric by the name of __proto__ as any other', async () => {
    nock(picsGraphBase)
      .get('/me/insights')
      .query(true)
      .reply(200, '{"data":[{"name":"__proto__","total_value":{"value":3}}]}');

    const { metrics } = (await insights(picsContext({ clock }), { token }))._unsafeUnwrap();

    expect(Object.entries(metrics)).toEqual([['__proto__', 3]]);
    expect(Object.getPrototypeOf(metrics)).toBe(Object.prototype);
  });

  test.each([
    ['both days are counted in', { since: '2026-03-02', until: '2026-03-08' }, '2026-03-02', '2026-03-08'],
    ['a single day', { since: '2026-03-02', until: '2026-03-02' }, '2026-03-02', '2026-03-02'],
    ['30 days', { since: '2026-02-01', until: '2026-03-02' }, '2026-02-01', '2026-03-02'],
    ['31 days lose the first', { since: '2026-01-31', until: '2026-03-01' }, '2026-01-31', '2026-03-01'],
    ['a year keeps its end', { since: '2025-03-02', until: '2026-03-02' }, '2026-02-01', '2026-03-02'],
    ['only until', { until: '2026-03-02' }, '2026-02-01', '2026-03-02'],
    [
      'a Date by its UTC day',
      { since: new Date('2026-03-02T23:59:59.999Z'), until: new Date('2026-03-03T01:00+02:00') },
      '2026-03-02',
      '2026-03-02',
    ],
    ['the leap day', { since: '2024-02-29', until: '2024-02-29' }, '2024-02-29', '2024-02-29'],
  ])('%s', async (_what, options, since, until) => {
    const { result, asked } = await ask(options);

    expect(result._unsafeUnwrap()).toMatchObject({ since, until });
    expect(asked).toEqual([[seconds(`${since}T00:00`), seconds(`${until}T23:59:59`)]]);
  });

  test.each([
    ['a future day becomes today', { since: '2026-03-30', until: '2027-01-01' }, noon, noon / 1000],
    ['the end of time becomes today', { since: '2026-03-30', until: new Date(8.64e15) }, noon, noon / 1000],
    ['today ends now', { since: '2026-03-30', until: '2026-03-31' }, noon, noon / 1000],
    [
      'today has a second at least',
      { since: '2026-03-30' },
      seconds('2026-03-31T00:00') * 1000,
      seconds('2026-03-31T00:00:01'),
    ],
  ])('%s', async (_what, options, now, end) => {
    const { result, asked } = await ask(options, now);

    expect(result._unsafeUnwrap()).toMatchObject({ since: '2026-03-30', until: '2026-03-31' });
    expect(asked).toEqual([[seconds('2026-03-30T00:00'), end]]);
  });

  test('never asks for more than 30 days, nor for the future, whatever the days', async () => {
    const day = fc.date({ min: new Date('2025-01-01'), max: new Date('2027-12-31'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(day, day, day, async (since, until, today) => {
        const { result, asked } = await ask({ since, until }, today.getTime());
        const name = (date: Date): string => date.toISOString().slice(0, 10);
        const last = name(until) < name(today) ? name(until) : name(today);
        expect(result.isOk()).toBe(name(since) <= last);
        for (const [from = 0, to = 0] of asked) {
          const found = result._unsafeUnwrap();
          expect(found.until).toBe(last);
          expect(found.since >= name(since)).toBe(true);
          expect(to - from).toBeGreaterThan(0);
          expect(to - from).toBeLessThanOrEqual(30 * 86_400);
          // A day that has just begun has a second at least.
          expect(to * 1000).toBeLessThanOrEqual(Math.max(today.getTime(), Date.parse(name(today)) + 1000));
          expect(from % 86_400).toBe(0);
        }
        expect(asked.length).toBe(result.isOk() ? 1 : 0);
      }),
    );
  });

  test.each([
    ['since', { since: '2026-02-30' }],
    ['since', { since: '2026-3-2' }],
    ['since', { since: '2026-03-02T00:00:00Z' }],
    ['since', { since: new Date(NaN) }],
    ['since', { since: new Date(8.64e15) }],
    ['until', { until: '2025-02-29' }],
    ['until', { until: '0000-01-01' }],
    ['until', { until: new Date('-000001-01-01T00:00:00Z') }],
    ['since', { since: '2026-03-03', until: '2026-03-02' }],
    ['since', { since: '2026-04-01' }],
  ])('refuses a bad %s before anything is sent (%j)', async (option, bad) => {
    const { result, asked } = await ask(bad);

    expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
    expect(asked).toEqual([]);
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .get('/me/insights')
      .query(true)
      .times(3)
      .reply(400, { error: { message: 'metric[0] must be one of …', code: 100 } });

    const error = (await insights(picsContext({ clock }), { token, metrics: ['a', 'b'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'validation' });
    expect(nock.isDone()).toBe(true);
  });

  test('a refused metric costs only itself', async () => {
    const mock = (metric: string, status: number, body: object): void => {
      nock(picsGraphBase)
        .get('/me/insights')
        .query((asked) => asked['metric'] === metric)
        .reply(status, body);
    };
    const refused = { error: { message: 'metric[1] must be one of …', code: 100 } };
    mock('views,impressions', 400, refused);
    mock('views', 200, { data: [{ name: 'views', total_value: { value: 3 } }] });
    mock('impressions', 400, refused);

    const found = await insights(picsContext({ clock }), { token, metrics: ['views', 'impressions'] });

    expect(found._unsafeUnwrap().metrics).toEqual({ views: 3 });
  });

  test('fails when one of the metrics that are asked for alone meets another refusal', async () => {
    const mock = (metric: string, code: number): void => {
      nock(picsGraphBase)
        .get('/me/insights')
        .query((asked) => asked['metric'] === metric)
        .reply(400, { error: { message: 'metric', code } });
    };
    mock('a,b', 100);
    mock('a', 100);
    mock('b', 190);

    const error = (await insights(picsContext({ clock }), { token, metrics: ['a', 'b'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category: 'auth' });
  });

  test('says where a response is of another shape', async () => {
    nock(picsGraphBase)
      .get('/me/insights')
      .query(true)
      .reply(200, { data: [{ total_value: { value: 3 } }] });

    const error = (await insights(picsContext({ clock }), { token }))._unsafeUnwrapErr();

    expect(error.message).toContain('data.0.name');
  });
});

describe('insightSeries', () => {
  const noon = Date.UTC(2026, 2, 31, 12);

  type Answer = readonly [number, unknown];
  const refused = (message: string, code = 100): Answer => [400, { error: { message, code } }];
  const notSupported = refused('The following metric (x) is incompatible with the metric type (total_value)');

  const dayName = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

  /** Days of a series, and the number of the month's day as the total of a day. */
  function numbers(query: URLSearchParams): Answer {
    const [since, until] = [Number(query.get('since')), Number(query.get('until'))];
    const data = (query.get('metric') ?? '').split(',').map((name) => {
      if (query.get('metric_type') === 'total_value')
        return { name, total_value: { value: Number(dayName(since).slice(8)) } };
      const ends = Array.from(
        { length: Math.floor((until - since) / 86_400) + 1 },
        (_, at) => since + at * 86_400,
      );
      return {
        name,
        values: ends.map((end) => ({ value: 5, end_time: `${dayName(end)}T07:00:00+0000` })),
      };
    });
    return [200, { data }];
  }

  /** Calls with a platform that answers each query, and tells the queries and how many ran at once. */
  async function call(
    options: Omit<InsightSeriesOptions, 'token'>,
    answer: (query: URLSearchParams) => Answer = numbers,
    more: PicsContextOptions = {},
  ) {
    const queries: URLSearchParams[] = [];
    let open = 0;
    let most = 0;
    const fetch = async (input: RequestInfo | URL): Promise<Response> => {
      const query = new URL((input as Request).url).searchParams;
      queries.push(query);
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      const [status, body] = answer(query);
      return Response.json(body, { status });
    };
    const context = picsContext({
      fetch: fetch as typeof globalThis.fetch,
      clock: virtualClock(noon),
      retry: { attempts: 1 },
      ...more,
    });
    const result = await insightSeries(context, { token, ...options });
    return { result, queries, most: () => most };
  }

  const ninety = { since: '2026-01-01', until: '2026-03-31' };
  const six = ['reach', 'follower_count', 'views', 'likes', 'comments', 'total_interactions'];
  const isOn = (query: URLSearchParams, day: string): boolean =>
    query.get('metric_type') !== null && dayName(Number(query.get('since'))) === day;

  test.each(Array.from({ length: 96 }, (_, at) => at / 4 - 10))(
    'dates the days of an account at UTC%d by its own calendar',
    async (hours) => {
      const { result } = await call(
        { metrics: ['reach'], since: '2026-03-01', until: '2026-03-10' },
        (query) => {
          const [since, until] = [Number(query.get('since')), Number(query.get('until'))];
          // The value of each day is its date.
          const values = Array.from({ length: 31 }, (_, at) => {
            const midnight = Date.UTC(2026, 1, 20 + at) / 1000;
            return { value: Number(dayName(midnight).slice(8)), end: midnight + 86_400 - hours * 3600 };
          }).filter(({ end }) => end >= since && end <= until);
          return [
            200,
            {
              data: [
                {
                  name: 'reach',
                  values: values.map(({ value, end }) => ({
                    value,
                    end_time: new Date(end * 1000).toISOString().replace('.000Z', '+0000'),
                  })),
                },
              ],
            },
          ];
        },
      );
      expect(result._unsafeUnwrap()['reach']?.map(({ day, value }) => [day, value])).toEqual(
        Array.from({ length: 10 }, (_, at) => [`2026-03-${String(at + 1).padStart(2, '0')}`, at + 1]),
      );
    },
  );

  test('reads a series and the totals of single days with exact requests', async () => {
    nock(picsGraphBase)
      .get('/me/insights')
      .query({ ...authenticated, metric: 'reach', period: 'day', since: '1774742400', until: '1774958400' })
      .reply(200, {
        data: [
          {
            name: 'reach',
            period: 'day',
            values: [
              { value: 1, end_time: '2026-03-29T07:00:00+0000' },
              { value: 2, end_time: '2026-03-30T07:00:00+0000' },
              { value: 3, end_time: '2026-03-31T07:00:00+0000' },
            ],
          },
        ],
      });
    for (const [since, until, value] of [
      ['1774742400', '1774828799', 7],
      ['1774828800', '1774915199', 0],
    ] as const) {
      nock(picsGraphBase)
        .get('/me/insights')
        .query({ ...authenticated, metric: 'views', period: 'day', metric_type: 'total_value', since, until })
        .reply(200, { data: [{ name: 'views', total_value: { value } }] });
    }

    const found = await insightSeries(picsContext({ clock: virtualClock(noon) }), {
      token,
      metrics: ['reach', 'views'],
      since: '2026-03-29',
      until: '2026-03-30',
    });

    expect(found._unsafeUnwrap()).toEqual({
      reach: [
        { day: '2026-03-29', value: 2 },
        { day: '2026-03-30', value: 3 },
      ],
      views: [
        { day: '2026-03-29', value: 7 },
        { day: '2026-03-30', value: 0 },
      ],
    });
    expect(Object.keys(found._unsafeUnwrap()['views'] ?? [])).toEqual(['0', '1']);
  });

  test('six metrics over 90 days take 98 requests, four at a time', async () => {
    const { result, queries, most } = await call({ ...ninety, metrics: six });

    const series = result._unsafeUnwrap();
    expect(queries).toHaveLength(98);
    expect(most()).toBe(4);
    for (const name of ['views', 'likes', 'comments', 'total_interactions'])
      expect(series[name]).toHaveLength(90);
    // The present day is not over.
    for (const name of ['reach', 'follower_count']) expect(series[name]).toHaveLength(89);
    for (const days of Object.values(series)) {
      expect(days).toMatchObject({ available: true, reason: undefined, failedDays: [] });
      expect(days.map(({ day }) => day)).toEqual([...new Set(days.map(({ day }) => day))].toSorted());
    }
    for (const query of queries) {
      expect(Number(query.get('until')) - Number(query.get('since'))).toBeLessThanOrEqual(30 * 86_400);
    }
  });

  test('of six metrics, four of which the platform lacks, at most 102 requests are sent', async () => {
    const { result, queries } = await call({ ...ninety, metrics: six }, (query) =>
      /likes|comments|total_interactions/.test(query.get('metric') ?? '') ? notSupported : numbers(query),
    );

    const series = result._unsafeUnwrap();
    expect(queries).toHaveLength(102);
    expect(series['views']).toHaveLength(90);
    expect(series['likes']).toMatchObject({
      length: 0,
      available: false,
      reason: expect.stringContaining('metric'),
    });
    expect(JSON.stringify(series['likes'])).toBe('[]');
    expect(Object.keys(series.refused)).toEqual(['likes', 'comments', 'total_interactions']);
    expect(series.refused['likes']).toMatchObject({ name: 'ApiError', operation: 'insightSeries' });
    expect(Object.keys(series)).toEqual(six);
  });

  test.each([
    ['2026-03-31', 'is down', [500, { error: { message: 'down', code: 2 } }]],
    ['2026-03-31', 'refuses it for another reason', refused('Param since is wrong')],
    ['2026-02-10', 'answers nonsense', [200, '<html>']],
    ['2026-01-01', 'refuses the metrics', notSupported],
  ] as const)('a failure of %s, when the platform %s, loses no other day', async (day, _, answer) => {
    const { result } = await call({ ...ninety, metrics: six }, (query) =>
      isOn(query, day) ? answer : numbers(query),
    );

    const series = result._unsafeUnwrap();
    expect(series['reach']).toMatchObject({ length: 89, failedDays: [] });
    for (const name of ['views', 'likes', 'comments', 'total_interactions']) {
      expect(series[name]).toMatchObject({ length: 89, available: true, failedDays: [day] });
      expect(series[name]?.reason).toEqual(expect.any(String));
    }
  });

  test('loses no day of other metrics when a failing day is the first to name a dead one', async () => {
    const { result } = await call({ ...ninety, metrics: ['views', 'dead'] }, (query) =>
      isOn(query, '2026-03-31')
        ? [500, { error: { message: 'down', code: 2 } }]
        : /dead/.test(query.get('metric') ?? '')
          ? notSupported
          : numbers(query),
    );

    const series = result._unsafeUnwrap();
    expect(series['views']).toMatchObject({ length: 89, failedDays: ['2026-03-31'] });
    expect(series['dead']).toMatchObject({ length: 0, available: false });
  });

  test('divides by a breakdown, and does not ask for metrics that have none', async () => {
    const { result, queries } = await call(
      {
        metrics: ['reach', 'profile_views', 'follows_and_unfollows'],
        since: '2026-03-30',
        until: '2026-03-30',
        breakdown: 'follow_type',
      },
      () => {
        const results = [{ dimension_values: ['FOLLOWER'], value: 3 }];
        const breakdowns = [{ dimension_keys: ['follow_type'], results }];
        return [
          200,
          {
            data: [
              { name: 'reach', total_value: { value: 4, breakdowns } },
              { name: 'follows_and_unfollows', total_value: { breakdowns } },
            ],
          },
        ];
      },
    );

    expect(queries.map((query) => [query.get('metric'), query.get('breakdown')])).toEqual([
      ['reach,follows_and_unfollows', 'follow_type'],
    ]);
    const series = result._unsafeUnwrap();
    expect(series).toEqual({
      reach: [{ day: '2026-03-30', value: 4, breakdown: { FOLLOWER: 3 } }],
      profile_views: [],
      follows_and_unfollows: [{ day: '2026-03-30', value: undefined, breakdown: { FOLLOWER: 3 } }],
    });
    expect(series['profile_views']).toMatchObject({
      available: false,
      reason: expect.stringContaining('does not divide'),
    });
  });

  test('a metric without numbers is not available', async () => {
    const { result } = await call({ ...ninety, metrics: ['follower_count'] }, () => [200, { data: [] }]);

    expect(result._unsafeUnwrap()['follower_count']).toMatchObject({
      length: 0,
      available: false,
      reason: expect.stringContaining('100 followers'),
    });
  });

  test.each([
    ['2026-03-31', undefined],
    ['2026-03-29', undefined],
    ['2026-03-28', expect.stringMatching(/^the platform gave no numbers/)],
  ])('%s, read alone, has a reason only if its numbers cannot come any more', async (day, reason) => {
    const options = { since: day, until: day, metrics: ['follower_count', 'views'] };
    const { result } = await call(options, () => [200, { data: [] }]);

    const series = result._unsafeUnwrap();
    expect(series['follower_count']).toMatchObject({ available: false, reason });
    if (reason === undefined) expect(series['views']).toMatchObject({ reason, lateDays: [day] });
    expect(series.refused).toEqual({});
  });

  test('hours come as a series of lifetime: a day without them is absent', async () => {
    const hours = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [`${hour}`, hour * 2]));
    const options = { since: '2026-03-26', until: '2026-03-28', metrics: ['online_followers'] };
    const { result, queries } = await call(options, () => [
      200,
      {
        data: [
          {
            name: 'online_followers',
            period: 'lifetime',
            values: [
              { value: hours, end_time: '2026-03-27T07:00:00+0000' },
              { value: {}, end_time: '2026-03-28T07:00:00+0000' },
              { value: { ...hours, 5: 'odd' }, end_time: '2026-03-29T07:00:00+0000' },
            ],
          },
        ],
      },
    ]);

    expect(
      queries.map((query) => [query.get('metric'), query.get('period'), query.get('metric_type')]),
    ).toEqual([['online_followers', 'lifetime', null]]);
    const found = result._unsafeUnwrap()['online_followers'];
    const { 5: _, ...others } = hours;
    expect([...(found ?? [])]).toEqual([
      { day: '2026-03-26', value: undefined, breakdown: hours },
      { day: '2026-03-28', value: undefined, breakdown: others },
    ]);
    expect(found).toMatchObject({ available: true, reason: undefined, emptyDays: ['2026-03-27'] });
  });

  test.each([
    [
      ['timeframe', 'media_product_type'],
      ['LAST_90_DAYS', 'REEL'],
    ],
    [
      ['media_product_type', 'timeframe'],
      ['REEL', 'LAST_90_DAYS'],
    ],
    [
      ['media_product_type', 'surface'],
      ['REEL', 'FEED'],
    ],
    [['media_product_type'], ['REEL']],
    [undefined, ['REEL']],
  ])(
    'the keys of a breakdown are those that were asked for, of %j',
    async (dimension_keys, dimension_values) => {
      const breakdowns = [{ dimension_keys, results: [{ dimension_values, value: 3 }] }];
      const { result } = await call(
        { metrics: ['reach'], since: '2026-03-28', until: '2026-03-28', breakdown: 'media_product_type' },
        () => [200, { data: [{ name: 'reach', total_value: { value: 4, breakdowns } }] }],
      );
      expect(result._unsafeUnwrap()['reach']).toEqual([
        { day: '2026-03-28', value: 4, breakdown: { REEL: 3 } },
      ]);
    },
  );

  test.each([[{ dimension_keys: ['media_product_type'] }], [{ dimension_keys: [], results: [] }], [{}]])(
    'a breakdown without results is no value: %j',
    async (breakdown) => {
      const { result } = await call(
        { metrics: ['reach'], since: '2026-03-28', until: '2026-03-28', breakdown: 'media_product_type' },
        () => [200, { data: [{ name: 'reach', total_value: { breakdowns: [breakdown] } }] }],
      );
      const series = result._unsafeUnwrap()['reach'];
      expect(series).toEqual([]);
      expect(series).toMatchObject({ available: false, emptyDays: ['2026-03-28'] });
    },
  );

  test('names each day without a value: late, empty or failed', async () => {
    // Noon of the 31st. The 28th ended 60 hours ago in UTC, and 50 hours ago in the westernmost zone.
    const { result } = await call(
      { since: '2026-03-25', until: '2026-03-31', metrics: ['reach', 'views', 'dead'] },
      (query) => {
        if (/dead/.test(query.get('metric') ?? '')) return notSupported;
        if (query.get('metric') === 'reach')
          return [
            200,
            { data: [{ name: 'reach', values: [{ value: 1, end_time: '2026-03-28T07:00:00+0000' }] }] },
          ];
        if (isOn(query, '2026-03-26')) return [500, { error: { message: 'down', code: 2 } }];
        return isOn(query, '2026-03-31') ? numbers(query) : [200, { data: [] }];
      },
    );

    const series = result._unsafeUnwrap();
    expect(series['reach']).toMatchObject({
      available: true,
      reason: undefined,
      failedDays: [],
      lateDays: ['2026-03-29', '2026-03-30', '2026-03-31'],
      emptyDays: ['2026-03-25', '2026-03-26', '2026-03-28'],
    });
    expect(series['views']).toMatchObject({
      available: true,
      reason: 'down',
      failedDays: ['2026-03-26'],
      lateDays: ['2026-03-29', '2026-03-30'],
      emptyDays: ['2026-03-25', '2026-03-27', '2026-03-28'],
    });
    expect(series['dead']).toMatchObject({ available: false, failedDays: [], lateDays: [], emptyDays: [] });
    expect(Object.keys(series['views'] ?? [])).toEqual(['0']);
  });

  test.each([
    ['the token', 190, 'auth'],
    ['the permission', 10, 'permission'],
  ])('asks for no further day once %s is refused', async (_, code, category) => {
    const { result, queries } = await call({ ...ninety, metrics: six }, () => refused('No', code));

    expect(queries).toHaveLength(1);
    expect(result._unsafeUnwrapErr()).toMatchObject({ category });
  });

  test('keeps what it has when the token ends midway', async () => {
    let left = 20;
    const { result, queries } = await call({ ...ninety, metrics: ['views'] }, (query) =>
      left-- > 0 ? numbers(query) : refused('Expired', 190),
    );

    const { views } = result._unsafeUnwrap();
    expect(queries.length).toBeLessThanOrEqual(24);
    expect(views).toMatchObject({ length: 20, available: true, reason: expect.stringContaining('Expired') });
    expect(views?.failedDays).toHaveLength(70);
  });

  test('fails when nothing could be read', async () => {
    const { result } = await call({ ...ninety, metrics: ['views'] }, () => [200, '<html>']);

    expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError' });
  });

  test('fails when its signal ends it', async () => {
    const controller = new AbortController();
    const { result, queries } = await call(
      { ...ninety, metrics: ['views'], signal: controller.signal },
      (query) => {
        if (isOn(query, '2026-03-20')) controller.abort();
        return numbers(query);
      },
    );

    expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'aborted' });
    expect(queries.length).toBeLessThan(90);
  });

  test('reads one day of a series as a series', async () => {
    const day = { since: '2026-03-30', until: '2026-03-30' };
    const { result, queries } = await call({ ...day, metrics: ['follower_count, follower_count'] });

    expect(queries.map((query) => query.get('metric_type'))).toEqual([null]);
    expect(result._unsafeUnwrap()).toEqual({ follower_count: [{ day: '2026-03-30', value: 5 }] });
  });

  test('takes a metric by the name of __proto__ as any other', async () => {
    const day = { since: '2026-03-30', until: '2026-03-30' };
    const series = (await call({ ...day, metrics: ['__proto__'] })).result._unsafeUnwrap();

    expect(Object.entries(series)).toEqual([['__proto__', [{ day: '2026-03-30', value: 30 }]]]);
    expect(Object.getPrototypeOf(series)).toBe(Object.prototype);
  });

  test.each([
    ['since', { since: '2025-03-30', until: '2026-03-31' }],
    ['since', { since: '2026-04-01' }],
    ['until', { until: '2026-02-30' }],
  ])('refuses a bad %s before anything is sent: %j', async (option, wrong) => {
    const { result, queries } = await call({ metrics: ['reach'], ...wrong });

    expect(result._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
    expect(queries).toEqual([]);
  });
});

describe('mediaInsights', () => {
  const options = { mediaId: '17', token };

  const common = 'reach,likes,comments,saved,shares,total_interactions';

  const dead = { error: { message: 'metric is not supported', code: 100 } };

  function mockType(
    status: number,
    body: unknown,
    fields = 'media_product_type,media_type',
    base = picsGraphBase,
  ): void {
    nock(base)
      .get('/17')
      .query({ ...authenticated, fields })
      .reply(status, body as string);
  }

  function mockMetrics(metric: string, status: number, body: unknown, base = picsGraphBase): void {
    nock(base)
      .get('/17/insights')
      .query({ ...authenticated, metric })
      .reply(status, body as string);
  }

  function values(...entries: readonly (readonly [string, unknown])[]): unknown {
    return { data: entries.map(([name, value]) => ({ name, period: 'lifetime', values: [{ value }] })) };
  }

  test.each([
    ['an image', 'FEED', 'IMAGE', `${common},profile_visits`],
    ['a carousel', 'FEED', 'CAROUSEL_ALBUM', `${common},profile_visits`],
    ['a video', 'FEED', 'VIDEO', `${common},views`],
    ['a Reel', 'REELS', 'VIDEO', `${common},views`],
    ['a Reel of an unsaid type', 'REELS', undefined, `${common},views`],
    ['an image story', 'STORY', 'IMAGE', 'reach,replies,navigation,total_interactions'],
    ['a video story', 'STORY', 'VIDEO', 'reach,replies,navigation,total_interactions'],
    ['an image of an unsaid product', undefined, 'IMAGE', `${common},profile_visits`],
    ['a video of an unsaid product', undefined, 'VIDEO', `${common},views`],
    ['a medium that says nothing', undefined, undefined, common],
  ])('asks for the metrics of %s', async (_what, product, type, metric) => {
    mockType(200, { media_product_type: product, media_type: type, id: '17' });
    mockMetrics(metric, 200, values(['reach', 4], ['shares', 0]));

    const found = await mediaInsights(picsContext(), options);

    expect(found._unsafeUnwrap()).toEqual({ reach: 4, shares: 0 });
  });

  test('goes to the page graph in page mode', async () => {
    mockType(200, { media_product_type: 'REELS', media_type: 'VIDEO' }, undefined, graphBase);
    mockMetrics(`${common},views`, 200, values(['views', 9]), graphBase);

    expect((await mediaInsights(picsPageContext(), options))._unsafeUnwrap()).toEqual({ views: 9 });
  });

  test('asks for given metrics without a look at the type', async () => {
    mockMetrics('reposts,follows', 200, {
      data: [{ name: 'reposts', total_value: { value: 2 } }, { name: 'follows' }],
    });

    const found = await mediaInsights(picsContext(), { ...options, metrics: ['reposts', 'follows'] });

    expect(found._unsafeUnwrap()).toEqual({ reposts: 2 });
  });

  test('chooses by the media type where the product type is not known', async () => {
    mockType(400, { error: { message: 'Tried accessing nonexisting field', code: 100 } });
    mockType(200, { media_type: 'VIDEO' }, 'media_type');
    mockMetrics(`${common},views`, 200, values(['views', 9]));

    expect((await mediaInsights(picsContext(), options))._unsafeUnwrap()).toEqual({ views: 9 });
  });

  test.each([
    ['refused', 400, { error: { message: 'No', code: 10 } }],
    ['of another shape', 200, { media_type: {} }],
  ])('asks for what most types have where the look at the type is %s', async (_what, status, body) => {
    mockType(status, body);
    mockMetrics(common, 200, values(['likes', 1]));

    expect((await mediaInsights(picsContext(), options))._unsafeUnwrap()).toEqual({ likes: 1 });
  });

  test('asks for each metric alone when the batch is refused, and returns the living', async () => {
    mockType(200, { media_product_type: 'STORY' });
    mockMetrics('reach,replies,navigation,total_interactions', 400, dead);
    mockMetrics('reach', 200, values(['reach', 4]));
    mockMetrics('replies', 400, dead);
    mockMetrics('navigation', 200, '<html>');
    mockMetrics('total_interactions', 200, values(['total_interactions', 6]));

    expect((await mediaInsights(picsContext(), options))._unsafeUnwrap()).toEqual({
      reach: 4,
      total_interactions: 6,
    });
  });

  test('is empty when no metric lives', async () => {
    const metrics = ['a', 'b'];
    for (const metric of ['a,b', ...metrics]) mockMetrics(metric, 400, dead);

    expect((await mediaInsights(picsContext(), { ...options, metrics }))._unsafeUnwrap()).toEqual({});
  });

  test.each([
    ['a dead token', 401, { error: { message: 'Expired', code: 190 } }],
    ['a medium that is gone', 400, { error: { message: 'Gone', code: 100, error_subcode: 33 } }],
    ['HTML', 200, '<html>'],
    ['HTML of a gateway', 501, '<html>'],
    ['another shape', 200, { data: [{ name: 'a', values: [{ value: 'x' }] }] }],
  ])('is empty on %s, without asking for each metric', async (_what, status, body) => {
    mockMetrics('a,b', status, body);

    expect((await mediaInsights(picsContext(), { ...options, metrics: ['a', 'b'] }))._unsafeUnwrap()).toEqual(
      {},
    );
  });

  test('asks for one metric once only', async () => {
    mockMetrics('a', 400, dead);

    expect((await mediaInsights(picsContext(), { ...options, metrics: ['a'] }))._unsafeUnwrap()).toEqual({});
  });

  test.each([
    ['at the look at the type', undefined],
    ['at the batch', ['a', 'b']],
  ])('fails when the network does %s', async (_what, metrics) => {
    nock(picsGraphBase)
      .get(metrics === undefined ? '/17' : '/17/insights')
      .query(true)
      .times(3)
      .replyWithError(new Error('no route'));

    const error = (await mediaInsights(picsContext(), { ...options, metrics }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
  });

  test('fails when the network does at one of the metrics', async () => {
    mockMetrics('a,b', 400, dead);
    mockMetrics('a', 200, values(['a', 1]));
    nock(picsGraphBase)
      .get('/17/insights')
      .query({ ...authenticated, metric: 'b' })
      .times(3)
      .replyWithError(new Error('no route'));

    const error = (
      await mediaInsights(picsContext(), { ...options, metrics: ['a', 'b'] })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
  });

  test('takes a metric by the name of __proto__ as any other', async () => {
    mockMetrics('a,b', 400, dead);
    mockMetrics('a', 200, values(['__proto__', 4]));
    mockMetrics('b', 200, values(['b', 1]));

    const found = (await mediaInsights(picsContext(), { ...options, metrics: ['a', 'b'] }))._unsafeUnwrap();

    expect(Object.entries(found)).toEqual([
      ['__proto__', 4],
      ['b', 1],
    ]);
  });
});

describe('demographics', () => {
  const query = {
    ...authenticated,
    metric: 'follower_demographics',
    period: 'lifetime',
    metric_type: 'total_value',
    timeframe: 'this_month',
  };

  function mock(
    cut: string,
    status: number,
    body: unknown,
    times = 1,
    base = picsGraphBase,
    id = 'me',
  ): void {
    nock(base)
      .get(`/${id}/insights`)
      .query({ ...query, breakdown: cut })
      .times(times)
      .reply(status, body as string);
  }

  function rows(...results: readonly unknown[]): unknown {
    return { data: [{ name: 'follower_demographics', total_value: { breakdowns: [{ results }] } }] };
  }

  test.each([
    ['login', picsGraphBase, picsContext, undefined],
    ['page', graphBase, picsPageContext, '1784'],
  ] as const)('asks for each cut alone in %s mode', async (_mode, base, contextOf, picsUserId) => {
    const at = [1, base, picsUserId ?? 'me'] as const;
    mock(
      'age',
      200,
      rows({ dimension_values: ['25-34'], value: 3 }, { dimension_values: ['65+'], value: 1 }),
      ...at,
    );
    mock('gender', 200, rows({ dimension_values: ['25-34', 'F'], value: 5 }), ...at);
    mock('city', 200, rows({ dimension_values: ['Lisbon, Lisbon District'], value: 7 }), ...at);
    mock('country', 200, rows({ dimension_values: ['PT'], value: 8 }), ...at);

    const found = await demographics(contextOf(), { token, picsUserId });

    expect(found._unsafeUnwrap()).toEqual({
      age: { available: true, values: { '25-34': 3, '65+': 1 } },
      gender: { available: true, values: { '25-34 / F': 5 } },
      city: { available: true, values: { 'Lisbon, Lisbon District': 7 } },
      country: { available: true, values: { PT: 8 } },
    });
  });

  test('goes by the dimension that was asked for, whatever others the platform names', async () => {
    const of = (dimension_keys: readonly string[], ...results: readonly object[]) => ({
      data: [{ name: 'follower_demographics', total_value: { breakdowns: [{ dimension_keys, results }] } }],
    });
    const value = 5;
    mock('age', 200, of(['age'], { dimension_values: ['25-34'], value }));
    mock('gender', 200, of(['gender', 'timeframe'], { dimension_values: ['F', 'THIS_MONTH'], value }));
    mock('city', 200, of(['timeframe', 'other'], { dimension_values: ['THIS_MONTH', 'Lisbon'], value }));
    mock('country', 200, of(['timeframe', 'country'], { dimension_values: ['LAST_90_DAYS', 'US'], value }));

    const found = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(Object.values(found).map(({ values }) => values)).toEqual([
      { '25-34': 5 },
      { F: 5 },
      { Lisbon: 5 },
      { US: 5 },
    ]);
  });

  test('adds up over another dimension, but not over several timeframes', async () => {
    const of = (dimension_keys: readonly unknown[], ...rows: readonly (readonly unknown[])[]) => {
      const results = rows.map(([value, ...dimension_values]) => ({ dimension_values, value }));
      return {
        data: [{ name: 'follower_demographics', total_value: { breakdowns: [{ dimension_keys, results }] } }],
      };
    };
    mock('age', 200, of(['age', 'gender'], [5, '25-34', 'F'], [0, '25-34', 'U'], [2, '25-34', 'M']));
    mock(
      'gender',
      200,
      of(['timeframe', 'gender'], [5, 'THIS_MONTH', 'F'], [9, 'LAST_90_DAYS', 'F'], [0, 'THIS_MONTH', 'M']),
    );
    // What is no text keeps its place.
    mock('city', 200, of(['timeframe', 'city'], [5, null, 'Lisbon'], [3, null, null], [2, null, 7]));
    mock('country', 200, of([null, 'country'], [5, 'x', 'US'], [1, 'y']));

    const found = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(Object.values(found).map(({ values }) => values)).toEqual([
      { '25-34': 7 },
      { F: 5, M: 0 },
      { '7': 2, Lisbon: 5 },
      { US: 5 },
    ]);
  });

  test('a cut that fails does not take the others with it', async () => {
    mock('age', 400, { error: { message: 'Bad breakdown', code: 100 } });
    mock('gender', 200, '<html>');
    mock('city', 503, 'down', 3);
    mock('country', 200, rows({ dimension_values: ['PT'], value: 8 }));

    const found = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(found.age).toEqual({ available: false, values: {}, reason: 'Bad breakdown' });
    expect(found.gender).toMatchObject({ available: false, reason: expect.stringContaining('not JSON') });
    expect(found.city).toMatchObject({ available: false, reason: expect.stringContaining('503') });
    expect(found.country).toEqual({ available: true, values: { PT: 8 } });
  });

  test.each([
    ['an empty list', { data: [] }],
    ['no total', { data: [{ name: 'follower_demographics' }] }],
    ['no breakdowns', { data: [{ name: 'follower_demographics', total_value: {} }] }],
    ['no results', { data: [{ name: 'follower_demographics', total_value: { breakdowns: [{}] } }] }],
  ])('takes %s for numbers that are not given', async (_what, body) => {
    for (const cut of ['age', 'gender', 'city', 'country']) mock(cut, 200, body);

    const found = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(found.city).toEqual({
      available: false,
      values: {},
      reason: 'the platform gave no numbers, as for accounts with fewer than 100 followers',
    });
  });

  test('does not fail when the network does', async () => {
    nock(picsGraphBase).get('/me/insights').query(true).times(12).replyWithError(new Error('no route'));

    const found = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(Object.values(found)).toEqual(
      Array.from({ length: 4 }, () => ({
        available: false,
        values: {},
        reason: expect.stringContaining('network'),
      })),
    );
  });

  test('takes a place by the name of __proto__ as any other', async () => {
    for (const cut of ['age', 'gender', 'city', 'country']) {
      mock(cut, 200, rows({ dimension_values: ['__proto__'], value: 4 }));
    }

    const { city } = (await demographics(picsContext(), { token }))._unsafeUnwrap();

    expect(Object.entries(city.values)).toEqual([['__proto__', 4]]);
  });
});
