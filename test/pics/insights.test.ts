import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { insights, type InsightsOptions } from '../../src/pics/insights.ts';
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
  return { result, asked: asked.map((params) => [Number(params.get('since')), Number(params.get('until'))]) };
}

describe('insights', () => {
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
      .reply(400, { error: { message: 'metric[0] must be one of …', code: 100 } });

    const error = (await insights(picsContext({ clock }), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'validation' });
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
