import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  pageInsights,
  type PageInsightsOptions,
  postInsights,
  videoInsights,
} from '../../src/page/insights.ts';
import { authenticated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

describe('pageInsights', () => {
  const now = Date.UTC(2026, 2, 10, 12);

  const context = () => pageContext({ clock: virtualClock(now) });

  const options = { pageId: '42', pageToken: token };

  const seconds = (date: string): string => `${Date.parse(date) / 1000}`;

  function ask(metric: string, query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/42/insights')
      .query({ ...authenticated, metric, period: 'day', ...query });
  }

  const week = { since: seconds('2026-03-02'), until: seconds('2026-03-09T12:00Z') };

  const ofWeek = { ...options, since: '2026-03-02', until: '2026-03-08' };

  function series(name: string, ...values: readonly [string | null, unknown][]): object {
    return { name, period: 'day', values: values.map(([end_time, value]) => ({ end_time, value })) };
  }

  test('reads series with dates, of the days asked for only', async () => {
    ask('page_follows,page_media_view', week).reply(200, {
      data: [
        series(
          'page_follows',
          ['2026-03-02T08:00:00+0000', 1],
          ['2026-03-03T08:00:00+0000', 2],
          ['2026-03-09T07:00:00+0000', 3],
        ),
        series('page_media_view', ['2026-03-05T08:00:00+0000', { ads: 4, other: 0 }]),
      ],
      paging: { next: 'https://elsewhere.test', previous: 'https://elsewhere.test' },
    });

    const found = await pageInsights(context(), { ...ofWeek, metrics: ['page_follows', 'page_media_view'] });

    expect(found._unsafeUnwrap()).toEqual({
      metrics: {
        page_follows: [
          { end_time: new Date('2026-03-03T08:00:00Z'), day: '2026-03-02', value: 2 },
          { end_time: new Date('2026-03-09T07:00:00Z'), day: '2026-03-08', value: 3 },
        ],
        page_media_view: [
          { end_time: new Date('2026-03-05T08:00:00Z'), day: '2026-03-04', value: { ads: 4, other: 0 } },
        ],
      },
      refused: {},
    });
  });

  test('loses no metric of a text that names several', async () => {
    ask('page_follows,page_media_view', week).reply(200, {
      data: [
        series('page_follows', ['2026-03-05T08:00:00+0000', 1]),
        series('page_media_view', ['2026-03-05T08:00:00+0000', 2]),
      ],
    });

    const found = await pageInsights(context(), { ...ofWeek, metrics: ['page_follows, page_media_view'] });

    expect(found._unsafeUnwrap().metrics).toMatchObject({
      page_follows: [{ value: 1 }],
      page_media_view: [{ value: 2 }],
    });
  });

  test('asks by default for living metrics of the last 30 days, up to now', async () => {
    const asked: URLSearchParams[] = [];
    nock(graphBase)
      .get('/42/insights')
      .query(true)
      .reply(200, (request: Request) => {
        asked.push(new URL(request.url).searchParams);
        return { data: [] };
      });

    const found = (await pageInsights(context(), options))._unsafeUnwrap();

    expect(asked[0]?.get('since')).toBe(seconds('2026-02-09'));
    expect(asked[0]?.get('until')).toBe(`${now / 1000}`);
    expect(asked[0]?.get('metric')).not.toMatch(/impressions|fans/);
    // A live metric without values is an empty series.
    expect(Object.keys(found.metrics)).toEqual(asked[0]?.get('metric')?.split(','));
    expect(Object.values(found.metrics).flat()).toEqual([]);
  });

  test('one dead metric affects no other, and is reported by name', async () => {
    ask('page_fans,page_follows,__proto__', week).reply(400, refusal(100));
    ask('page_fans', week).reply(400, refusal(100));
    ask('page_follows', week).reply(200, { data: [series('page_follows', ['2026-03-03T08:00:00+0000', 2])] });
    ask('__proto__', week).reply(400, refusal(100));

    const { metrics, refused } = (
      await pageInsights(context(), { ...ofWeek, metrics: ['page_fans', 'page_follows', '__proto__'] })
    )._unsafeUnwrap();

    // Each metric has a list, as those of an account do.
    expect(Object.entries(metrics)).toEqual([
      ['page_fans', []],
      ['page_follows', [{ end_time: expect.any(Date), day: expect.any(String), value: 2 }]],
      ['__proto__', []],
    ]);
    expect(Object.entries(metrics)[0]?.[1]).toMatchObject({
      available: false,
      reason: refused['page_fans']?.message,
      failedDays: [],
      lateDays: [],
      emptyDays: [],
    });
    expect(Object.entries(refused)).toMatchObject([
      ['page_fans', { code: 100 }],
      ['__proto__', { code: 100 }],
    ]);
  });

  test('asks for a long range in parts, joins them, and asks for a dead metric once', async () => {
    const requests: string[] = [];
    nock(graphBase)
      .get('/42/insights')
      .query(true)
      .times(5)
      .reply((request: Request) => {
        const { searchParams } = new URL(request.url);
        const metric = searchParams.get('metric') ?? '';
        const since = Number(searchParams.get('since')) * 1000;
        const until = Number(searchParams.get('until')) * 1000;
        requests.push(
          `${metric} ${new Date(since).toISOString().slice(0, 10)} ${(until - since) / 86_400_000}`,
        );
        if (metric.includes('dead')) return [400, refusal(100)];
        const days = Array.from(
          { length: Math.floor((until - since - 28_800_000) / 86_400_000) + 1 },
          (_, at) => [
            new Date(since + at * 86_400_000 + 28_800_000).toISOString().replace('.000Z', '+0000'),
            at,
          ],
        );
        return [200, { data: [series('live', ...(days as [string, number][]))] }];
      });

    const found = (
      await pageInsights(context(), {
        ...options,
        metrics: ['live', 'dead'],
        since: '2025-07-01',
        until: new Date(now),
      })
    )._unsafeUnwrap();

    expect(requests.toSorted()).toEqual([
      'dead 2025-07-01 88.5',
      'live 2025-07-01 88.5',
      'live 2025-09-27 88.5',
      'live 2025-12-24 76.5',
      'live,dead 2025-07-01 88.5',
    ]);
    const days = (found.metrics['live'] ?? []).map(({ end_time }) => end_time?.getTime() ?? 0);
    expect(days).toEqual([...new Set(days)].toSorted((a, b) => a - b));
    // The first value bears the end of the first day; the last day is not over.
    expect(new Date(days[0] ?? 0).toISOString()).toBe('2025-07-02T08:00:00.000Z');
    expect(new Date(days.at(-1) ?? 0).toISOString()).toBe('2026-03-10T08:00:00.000Z');
    expect(days).toHaveLength(252);
    expect(Object.keys(found.refused)).toEqual(['dead']);
  });

  test('names each day without a value: late for 48 hours after it ended in Pacific time, then empty', async () => {
    // Of 9 March, a day of summer time, the 48 hours end on the 12th at 07:00 UTC; by the latest end of a day, at 08:00.
    nock(graphBase)
      .get('/42/insights')
      .query(true)
      .times(3)
      .reply(200, {
        data: [series('a', ['2026-03-08T08:00:00+0000', 1], ['2026-03-11T07:00:00+0000', 2])],
      });
    const range = { ...options, metrics: ['a'], since: '2026-03-06', until: '2026-03-20' };
    const at = async (time: string) =>
      (await pageInsights(pageContext({ clock: virtualClock(Date.parse(time)) }), range))._unsafeUnwrap()
        .metrics['a'];

    expect(await at('2026-03-12T07:59:00Z')).toMatchObject({
      length: 2,
      available: true,
      reason: undefined,
      failedDays: [],
      lateDays: ['2026-03-09', '2026-03-11', '2026-03-12'],
      emptyDays: ['2026-03-06', '2026-03-08'],
    });
    expect(await at('2026-03-12T08:00:00Z')).toMatchObject({
      lateDays: ['2026-03-11', '2026-03-12'],
      emptyDays: ['2026-03-06', '2026-03-08', '2026-03-09'],
    });
    expect(JSON.stringify(await at('2026-03-12T08:00:00Z'))).not.toContain('lateDays');
  });

  test('says nothing of why a list is empty whose numbers may still come', async () => {
    nock(graphBase).get('/42/insights').query(true).reply(200, { data: [] });

    const late = { ...options, since: '2026-03-09', until: '2026-03-10', metrics: ['a'] };
    const found = (await pageInsights(context(), late))._unsafeUnwrap();

    expect(found.metrics['a']).toMatchObject({ length: 0, available: false, reason: undefined });
    expect(found.metrics['a']).toMatchObject({ lateDays: [late.since, late.until], emptyDays: [] });
    expect(found.refused).toEqual({});
  });

  test.each([
    [options, /48 hours; otherwise .*100 likes/],
    [{ ...options, since: '2026-03-01', until: '2026-03-07' }, /^the platform gave no numbers.*100 likes/],
    [{ ...options, period: 'lifetime' } as const, /^the platform gave no numbers/],
  ])('says why a list is empty: %j', async (asked, reason) => {
    nock(graphBase).get('/42/insights').query(true).reply(200, { data: [] });

    const found = (await pageInsights(context(), { ...asked, metrics: ['a'] }))._unsafeUnwrap();

    expect(found.metrics['a']).toMatchObject({ length: 0, available: false });
    expect(found.metrics['a']?.reason).toMatch(reason);
  });

  test.each([
    ['is down', 500, { error: { message: 'Down', code: 2 } }],
    ['refuses one metric alone', 400, refusal(100)],
    ['refuses the rate', 400, refusal(80_001)],
  ])(
    'names the days of a later part in which the platform %s, and keeps the others',
    async (_, status, body) => {
      nock(graphBase)
        .get('/42/insights')
        .query(true)
        .times(20)
        .reply((request: Request) => {
          const { searchParams } = new URL(request.url);
          if (searchParams.get('since') === seconds('2025-09-27')) return [status, body];
          return [200, { data: [series('a', ['2025-07-02T07:00:00+0000', 1])] }];
        });

      const found = await pageInsights(pageContext({ clock: virtualClock(now), retry: { attempts: 1 } }), {
        ...options,
        metrics: ['a'],
        since: '2025-07-01',
        until: '2025-12-31',
      });

      const days = found._unsafeUnwrap().metrics['a'];
      expect(days).toMatchObject({ length: 1, available: true, lateDays: [] });
      expect(days?.reason).toEqual(expect.any(String));
      expect(days?.failedDays).toHaveLength(88);
      expect([days?.failedDays[0], days?.failedDays.at(-1)]).toEqual(['2025-09-27', '2025-12-23']);
      // Every other day but the first one.
      expect(days?.emptyDays).toHaveLength(184 - 88 - 1);
      nock.cleanAll();
    },
  );

  test('is an error when it is ended in a later part', async () => {
    const ending = new AbortController();
    nock(graphBase)
      .get('/42/insights')
      .query(true)
      .times(3)
      .reply((request: Request) => {
        if (!request.url.includes(seconds('2025-07-01'))) ending.abort();
        return [200, { data: [] }];
      });

    const found = await pageInsights(context(), {
      ...options,
      metrics: ['a'],
      since: '2025-07-01',
      signal: ending.signal,
    });

    expect(found._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason: 'aborted' });
    nock.cleanAll();
  });

  test('reads lifetime values without a range, and a total to the end of its last day', async () => {
    ask('page_follows', { period: 'lifetime' }).reply(200, { data: [series('page_follows', [null, 9])] });
    ask('page_follows', { period: 'total_over_range', ...week, until: seconds('2026-03-09') }).reply(200, {
      data: [series('page_follows', ['2026-03-20T08:00:00+0000', 5])],
    });
    const metrics = ['page_follows'];

    const life = await pageInsights(context(), { ...options, metrics, period: 'lifetime' });
    const total = await pageInsights(context(), { ...ofWeek, metrics, period: 'total_over_range' });

    expect(life._unsafeUnwrap().metrics).toEqual({
      page_follows: [{ end_time: undefined, day: undefined, value: 9 }],
    });
    expect(total._unsafeUnwrap().metrics).toMatchObject({ page_follows: [{ value: 5 }] });
  });

  test.each([
    ['a permission is missing', 403, refusal(200), { name: 'PermissionError' }],
    ['the token is dead', 400, refusal(190), { category: 'auth' }],
    ['the response is no list', 200, { data: 1 }, { name: 'ApiError', status: 200 }],
  ])('fails when %s', async (_, status, body, expected) => {
    ask('a,b', week).reply(status, body);

    const error = (await pageInsights(context(), { ...ofWeek, metrics: ['a', 'b'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject(expected);
  });

  test('fails when the network does for one metric', async () => {
    ask('a,b', week).reply(400, refusal(100));
    ask('a', week).reply(200, { data: [] });
    ask('b', week).times(3).replyWithError(new Error('lost'));

    const error = (await pageInsights(context(), { ...ofWeek, metrics: ['a', 'b'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
  });

  test.each<[string, Partial<Record<keyof PageInsightsOptions, unknown>>]>([
    ['since', { since: '2026-02-30' }],
    ['since', { since: '2026-03-09', until: '2026-03-08' }],
    ['since', { since: '2020-01-01' }],
    ['since', { since: '2025-10-01', period: 'total_over_range' }],
  ])('refuses a wrong %s before anything is sent: %j', async (option, wrong) => {
    const error = (
      await pageInsights(context(), { ...options, ...wrong } as PageInsightsOptions)
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});

describe('postInsights', () => {
  const options = { postId: '42_1', pageToken: token };

  const defaults = [
    'post_media_view',
    'post_total_media_view_unique',
    'post_clicks',
    'post_reactions_by_type_total',
  ];

  function insights(metric: string): nock.Interceptor {
    return nock(graphBase)
      .get('/42_1/insights')
      .query({ ...authenticated, metric, period: 'lifetime' });
  }

  function entry(name: string, value: unknown): object {
    return { name, period: 'lifetime', values: [{ value }], id: `42_1/insights/${name}/lifetime` };
  }

  async function read(metrics?: readonly string[]): Promise<unknown> {
    return (await postInsights(pageContext(), { ...options, metrics }))._unsafeUnwrap();
  }

  test('reads the metrics of the post at once, and does not follow their paging', async () => {
    insights(defaults.join(',')).reply(200, {
      data: [entry('post_clicks', 7), entry('post_reactions_by_type_total', { like: 3, love: 1 })],
      paging: { next: `${graphBase}/42_1/insights?since=2`, previous: `${graphBase}/42_1/insights?since=1` },
    });

    expect(await read()).toEqual({ post_clicks: 7, post_reactions_by_type_total: { like: 3, love: 1 } });
  });

  test('reads the metrics that it is given, each once', async () => {
    insights('a,b').reply(200, { data: [entry('a', 0), entry('b', null)] });

    expect(await read(['a', 'b', 'a'])).toEqual({ a: 0, b: null });
  });

  test('returns the living metrics when a dead one fails the batch', async () => {
    insights(defaults.join(',')).reply(400, refusal(100, { message: 'must be a valid insights metric' }));
    for (const dead of defaults.slice(0, 2)) insights(dead).reply(400, refusal(100));
    insights('post_clicks').reply(200, { data: [entry('post_clicks', 7)] });
    insights('post_reactions_by_type_total').reply(200, {
      data: [entry('post_reactions_by_type_total', { like: 3 })],
    });

    expect(await read()).toEqual({ post_clicks: 7, post_reactions_by_type_total: { like: 3 } });
  });

  test('is empty when no metric lives', async () => {
    insights('a,b').reply(400, refusal(100));
    insights('a').reply(400, refusal(100));
    insights('b').reply(403, refusal(10));

    expect(await read(['a', 'b'])).toEqual({});
  });

  test('does not ask twice for a single metric', async () => {
    insights('a').reply(400, refusal(100));

    expect(await read(['a'])).toEqual({});
  });

  test.each([
    ['the token is dead', 1, 400, refusal(190)],
    ['there is no such post', 1, 400, refusal(100, { error_subcode: 33 })],
    ['the rate is limited', 3, 403, refusal(80001)],
    ['the platform is down', 3, 500, refusal(2)],
    ['the response is no JSON', 1, 200, '<html>'],
    ['the response has no list', 1, 200, { data: {} }],
    ['the response has an entry without name', 1, 200, { data: [{ values: [{ value: 1 }] }] }],
    ['the refusal cannot be read', 1, 501, '<html>'],
  ])('is empty, and does not ask for each metric, when %s', async (_, times, status, body) => {
    insights('a,b').times(times).reply(status, body);

    expect(await read(['a', 'b'])).toEqual({});
  });

  test('leaves out a metric without a value', async () => {
    insights('a,b,c').reply(200, {
      data: [{ name: 'a', values: [] }, { name: 'b', values: [{}] }, entry('c', 1)],
    });

    expect(await read(['a', 'b', 'c'])).toEqual({ c: 1 });
  });

  test('is not led astray by the name of a metric', async () => {
    insights('a').reply(200, '{"data":[{"name":"__proto__","values":[{"value":{"polluted":true}}]}]}');

    const found = await read(['a']);

    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect(found).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });

  test('fails when the network does', async () => {
    insights('a,b').times(3).replyWithError(new Error('socket hang up'));

    const error = (await postInsights(pageContext(), { ...options, metrics: ['a', 'b'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
  });

  test('fails when the network does for one of the metrics', async () => {
    insights('a,b').reply(400, refusal(100));
    insights('a').reply(200, { data: [entry('a', 1)] });
    insights('b').times(3).replyWithError(new Error('socket hang up'));

    const error = (await postInsights(pageContext(), { ...options, metrics: ['a', 'b'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
  });
});

describe('videoInsights', () => {
  const options = { videoId: '77', pageToken: token };
  const dead = refusal(100, { message: '(#100) The value must be a valid insights metric' });

  function insights(query: Readonly<Record<string, string>>): nock.Interceptor {
    return nock(graphBase)
      .get('/77/video_insights')
      .query({ ...authenticated, ...query });
  }

  function entry(name: string, value: unknown, period = 'lifetime'): object {
    return { name, period, values: [{ value }], id: `77/video_insights/${name}/${period}` };
  }

  test('reads what the platform gives without a choice, in one request', async () => {
    insights({}).reply(200, {
      data: [
        entry('total_video_views', 120),
        entry('total_video_views', 0, 'day'),
        entry('post_video_social_actions', { COMMENT: 5, SHARE: '2', odd: null }),
        entry('post_impressions_unique', '180'),
        entry('none', null),
        { name: 'empty', period: 'lifetime', values: [] },
      ],
      paging: { next: `${graphBase}/77/video_insights?since=2` },
    });

    expect((await videoInsights(pageContext(), options))._unsafeUnwrap()).toEqual({
      total_video_views: 120,
      post_video_social_actions: { COMMENT: 5, SHARE: 2 },
      post_impressions_unique: 180,
    });
  });

  test('names the metrics with their period', async () => {
    insights({ metric: 'a,b', period: 'lifetime' }).reply(200, { data: [entry('a', 1), entry('b', 2)] });

    const found = await videoInsights(pageContext(), { ...options, metrics: ['a', 'b', 'a'] });

    expect(found._unsafeUnwrap()).toEqual({ a: 1, b: 2 });
  });

  test('a dead metric costs only itself', async () => {
    insights({ metric: 'a,b,c', period: 'lifetime' }).reply(400, dead);
    insights({ metric: 'a', period: 'lifetime' }).reply(200, { data: [entry('a', 1)] });
    insights({ metric: 'b', period: 'lifetime' }).reply(400, dead);
    insights({ metric: 'c', period: 'lifetime' }).reply(200, { data: [] });

    const found = await videoInsights(pageContext(), { ...options, metrics: ['a', 'b', 'c'] });

    expect(found._unsafeUnwrap()).toEqual({ a: 1 });
  });

  test('fails when all metrics are dead, and when one of them is refused for another reason', async () => {
    insights({ metric: 'a,b', period: 'lifetime' }).twice().reply(400, dead);
    insights({ metric: 'a', period: 'lifetime' }).twice().reply(400, dead);
    insights({ metric: 'b', period: 'lifetime' }).reply(400, dead);
    insights({ metric: 'b', period: 'lifetime' }).reply(403, refusal(10));
    const read = async () => videoInsights(pageContext(), { ...options, metrics: ['a', 'b'] });

    expect((await read())._unsafeUnwrapErr()).toMatchObject({ name: 'ApiError', code: 100 });
    expect((await read())._unsafeUnwrapErr()).toMatchObject({ name: 'PermissionError', code: 10 });
  });

  test.each([
    ['the permission is missing', 403, refusal(10), { name: 'PermissionError', code: 10 }],
    ['there is no such video', 400, refusal(100, { error_subcode: 33 }), { name: 'ApiError', subcode: 33 }],
  ])('fails, and does not ask for each metric, when %s', async (_, status, body, error) => {
    insights({ metric: 'a,b', period: 'lifetime' }).reply(status, body);

    const found = await videoInsights(pageContext(), { ...options, metrics: ['a', 'b'] });

    expect(found._unsafeUnwrapErr()).toMatchObject(error);
  });

  test('is not led astray by the name of a metric', async () => {
    insights({}).reply(200, '{"data":[{"name":"__proto__","values":[{"value":{"polluted":1}}]}]}');

    const found = (await videoInsights(pageContext(), options))._unsafeUnwrap();

    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });
});
