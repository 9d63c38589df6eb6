import { describe, expect, test } from 'vitest';

import { refusal, start, still } from '../support/caller.ts';
import { as, hour, modes, type Mode } from './support.ts';

const five = 'reach,profile_views,website_clicks,accounts_engaged,total_interactions';
const until = start / 1000;
const total = { period: 'day', metric_type: 'total_value', until: String(until) };

const read = (mode: Mode, params: Record<string, string>) => mode.get(`${mode.account}/insights`, params);
const names = (body: { data: { name: string }[] }): string[] => body.data.map((one) => one.name);

describe.each(modes)('account insights in %s mode', (name) => {
  test('give the five totals of up to 30 days', async () => {
    const mode = as(name, still());
    const month = { ...total, metric: five, since: String(until - 30 * 86_400) };
    const { body } = await read(mode, month);
    expect(names(body)).toEqual(five.split(','));
    expect(body.data[0]).toMatchObject({ name: 'reach', period: 'day', total_value: { value: 12_600 } });
    expect(Object.keys(body.paging)).toEqual(['previous', 'next']);
    expect(refusal(await read(mode, { ...month, since: String(until - 30 * 86_400 - 1) }))).toEqual([
      400,
      100,
      undefined,
    ]);
    const dates = await read(mode, { ...total, metric: 'reach', since: '2026-10-01', until: '2026-10-03' });
    expect(dates.body.data[0].total_value.value).toBe(840);
  });

  test('lack days that are missing, and those whose numbers are late', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    const of = (since: string, to: string) => ({ ...total, metric: 'views', since, until: to });
    const totals = async (since: string, to: string) =>
      (await read(mode, of(since, to))).body.data.map(
        (one: { total_value: { value: number } }) => one.total_value.value,
      );
    sandbox.tune({ metrics: { missingDays: ['2026-10-02'] } });
    expect(await totals('2026-10-02', '2026-10-03')).toEqual([]);
    expect(await totals('2026-10-01', '2026-10-03')).toEqual([960]);
    sandbox.tune({ metrics: { missingDays: [], lagMs: 48 * 3_600_000 } });
    expect(await totals('2026-10-02', '2026-10-03')).toEqual([960]);
    expect(await totals('2026-10-04', '2026-10-05')).toEqual([]);
    const series = { metric: 'reach', period: 'day', since: '2026-10-01', until: String(until) };
    const { body } = await read(mode, series);
    expect(body.data[0].values.map((one: { end_time: string }) => one.end_time.slice(0, 10))).toEqual([
      '2026-10-01',
      '2026-10-02',
      '2026-10-03',
    ]);
  });

  test('fail as a whole for a metric that is dead or unknown, naming the living', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    for (const metric of ['reach,impressions', 'email_contacts', 'nonsense']) {
      const found = await read(mode, { ...total, metric });
      expect(refusal(found)).toEqual([400, 100, undefined]);
      expect(found.body.error.message).toMatch(/must be one of the following values: .*profile_views/);
    }
    sandbox.tune({ pics: { retiredMetrics: ['profile_views'] } });
    expect(refusal(await read(mode, { ...total, metric: five }))).toEqual([400, 100, undefined]);
    expect((await read(mode, { ...total, metric: 'reach' })).status).toBe(200);
  });

  test('want metric_type and period as the metric has them', async () => {
    const mode = as(name, still());
    const refused: Record<string, string>[] = [
      { metric: 'profile_views', period: 'day' },
      { metric: 'reach', period: 'week', metric_type: 'total_value' },
      { metric: 'follower_count', period: 'day', metric_type: 'total_value' },
      { metric: 'reach' },
      { period: 'day' },
      { ...total, metric: 'reach', since: String(until + 1) },
      { ...total, metric: 'reach', metric_type: 'sum' },
    ];
    for (const params of refused) expect(refusal(await read(mode, params))).toEqual([400, 100, undefined]);
    const { body } = await read(mode, { metric: 'reach', period: 'day', until: String(until) });
    expect(body.data[0].values).toEqual([{ value: 420, end_time: '2026-10-05T07:00:00+0000' }]);
    expect(refusal(await read(mode, { metric: 'online_followers', period: 'day' }))).toEqual([
      400,
      100,
      undefined,
    ]);
    const hours = { metric: 'online_followers', period: 'lifetime', until: String(until) };
    const online = (await read(mode, hours)).body.data[0].values;
    expect(online).toEqual([{ value: expect.any(Object), end_time: '2026-10-05T07:00:00+0000' }]);
    expect(Object.keys(online[0].value)).toHaveLength(24);
    const odd = await read(mode, { ...total, metric: 'follows_and_unfollows' });
    expect(odd.body.data[0]).not.toHaveProperty('total_value');
  });
});

describe.each(modes)('breakdowns of account insights in %s mode', (name) => {
  const half = { ...total, since: String(until - 86_400) };

  test('divide the total by kind', async () => {
    const mode = as(name, still());
    const { body } = await read(mode, { ...half, metric: 'views', breakdown: 'follow_type' });
    expect(body.data[0].total_value).toEqual({
      value: 960,
      breakdowns: [
        {
          dimension_keys: ['follow_type'],
          results: [
            { dimension_values: ['FOLLOWER'], value: 480 },
            { dimension_values: ['NON_FOLLOWER'], value: 480 },
            { dimension_values: ['UNKNOWN'], value: 0 },
          ],
        },
      ],
    });
    const follows = await read(mode, { ...half, metric: 'follows_and_unfollows', breakdown: 'follow_type' });
    expect(Object.keys(follows.body.data[0].total_value)).toEqual(['breakdowns']);
  });

  test('are refused with code 1 where one metric has none, and without metric_type', async () => {
    const mode = as(name, still());
    const mixed = { ...half, metric: 'views,profile_views', breakdown: 'follow_type' };
    expect(refusal(await read(mode, mixed))[1]).toBe(1);
    const bare = { metric: 'reach', period: 'day', breakdown: 'follow_type' };
    expect(refusal(await read(mode, bare))).toEqual([400, 100, undefined]);
  });
});

test('fewer than 100 followers take away the series of followers, not of reach', async () => {
  const sandbox = still();
  const mode = as('login', sandbox);
  sandbox.tune({ pics: { followers: 99 } });
  const { body } = await read(mode, { metric: 'reach,follower_count', period: 'day', until: String(until) });
  expect(names(body)).toEqual(['reach']);
});

describe.each(modes)('demographics in %s mode', (name) => {
  const cut = {
    metric: 'follower_demographics',
    period: 'lifetime',
    metric_type: 'total_value',
    timeframe: 'this_month',
  };

  test('give each breakdown, and several joined', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    for (const breakdown of ['age', 'gender', 'city', 'country']) {
      const { body } = await read(mode, { ...cut, breakdown });
      const [{ dimension_keys, results }] = body.data[0].total_value.breakdowns;
      expect(dimension_keys).toEqual([breakdown]);
      expect(results[0]).toEqual({ dimension_values: [expect.any(String)], value: expect.any(Number) });
    }
    const joined = await read(mode, { ...cut, breakdown: 'age,gender' });
    const [{ results }] = joined.body.data[0].total_value.breakdowns;
    expect(results).toHaveLength(21);
    expect(results[0]).toEqual({ dimension_values: ['25-34', 'F'], value: 226 });
  });

  test('need 100 followers', async () => {
    const sandbox = still();
    const mode = as(name, sandbox);
    sandbox.tune({ pics: { followers: 99 } });
    expect((await read(mode, { ...cut, breakdown: 'age' })).body.data).toEqual([]);
    sandbox.tune({ pics: { followers: 100 } });
    expect((await read(mode, { ...cut, breakdown: 'age' })).body.data).toHaveLength(1);
  });

  test('are refused without breakdown, timeframe or the right period', async () => {
    const mode = as(name, still());
    const { timeframe, ...rest } = cut;
    const refused: Record<string, string>[] = [
      cut,
      { ...rest, breakdown: 'age' },
      { ...cut, breakdown: 'age', timeframe: 'ever' },
      { ...cut, breakdown: 'shoe_size' },
      // What every object has is no breakdown.
      { ...cut, breakdown: 'constructor' },
      { ...cut, breakdown: 'age', period: 'day' },
      { ...cut, breakdown: 'age', metric: 'reached_audience_demographics', timeframe: 'last_30_days' },
    ];
    expect(timeframe).toBe('this_month');
    for (const params of refused) expect(refusal(await read(mode, params))).toEqual([400, 100, undefined]);
  });
});

describe.each(modes)('media insights in %s mode', (name) => {
  const always = ['reach', 'views', 'shares', 'total_interactions', 'reposts'];
  const sets = {
    FEED: [...always, 'likes', 'comments', 'saved', 'profile_visits', 'follows', 'profile_activity'],
    REELS: [...always, 'likes', 'comments', 'saved', 'ig_reels_avg_watch_time', 'reels_skip_rate'],
    STORY: [...always, 'replies', 'navigation', 'profile_visits', 'follows', 'profile_activity'],
  };

  test('have the metrics of their product type', async () => {
    const sandbox = still();
    const { mediaIds, storyIds } = sandbox.account;
    const { get } = as(name, sandbox);
    const ids = { FEED: mediaIds[0], REELS: mediaIds[2], STORY: storyIds[0] };
    for (const type of ['FEED', 'REELS', 'STORY'] as const) {
      const { body } = await get(`/${ids[type]}/insights`, { metric: sets[type].join(',') });
      expect(names(body)).toEqual(sets[type]);
      expect(body.data[0]).toMatchObject({ period: 'lifetime', values: [{ value: expect.any(Number) }] });
      expect(body.data[0].values[0].value).toBe({ FEED: 140, REELS: 900, STORY: 40 }[type]);
    }
    expect((await get(`/${mediaIds[1]}/insights`, { metric: 'profile_visits' })).status).toBe(200);
  });

  test('fail as a whole for a metric that is dead or of another type', async () => {
    const sandbox = still();
    const { mediaIds, storyIds } = sandbox.account;
    const { get } = as(name, sandbox);
    const bad: [string | undefined, string][] = [
      [mediaIds[0], 'reach,impressions'],
      [mediaIds[0], 'engagement'],
      [mediaIds[0], 'reach,replies'],
      [mediaIds[2], 'reach,profile_visits'],
      [mediaIds[2], 'plays'],
      [storyIds[0], 'reach,likes'],
      [mediaIds[0], ''],
    ];
    for (const [id, metric] of bad) {
      expect(refusal(await get(`/${id}/insights`, { metric }))).toEqual([400, 100, undefined]);
    }
    const wrong = await get(`/${mediaIds[2]}/insights`, { metric: 'profile_visits' });
    expect(wrong.body.error.message).toContain('media product type REELS');
    sandbox.tune({ pics: { retiredMetrics: ['views'] } });
    expect(refusal(await get(`/${mediaIds[0]}/insights`, { metric: 'views' }))).toEqual([
      400,
      100,
      undefined,
    ]);
  });

  test('need 5 viewers of a story, and the story itself', async () => {
    const sandbox = still();
    const { storyIds, carouselItemIds } = sandbox.account;
    const { get } = as(name, sandbox);
    const metric = 'reach,replies';
    expect(refusal(await get(`/${storyIds[1]}/insights`, { metric }))).toEqual([403, 10, undefined]);
    expect((await get(`/${carouselItemIds[0]}/insights`, { metric: 'reach' })).body).toEqual({ data: [] });
    sandbox.advance(21 * hour);
    expect(refusal(await get(`/${storyIds[0]}/insights`, { metric }))).toEqual([400, 100, 33]);
  });

  test('have totals in page mode only', async () => {
    const sandbox = still();
    const { mediaIds, storyIds } = sandbox.account;
    const { get } = as(name, sandbox);
    const statuses = [
      await get(`/${mediaIds[0]}/insights`, { metric: 'total_views,total_likes,total_comments' }),
      await get(`/${storyIds[0]}/insights`, { metric: 'link_clicks' }),
    ].map((one) => one.status);
    expect(statuses).toEqual(name === 'page' ? [200, 200] : [400, 400]);
  });
});
