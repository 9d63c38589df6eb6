import { describe, expect, test } from 'vitest';

import { readRetryAfter, readUsage } from '../../../src/core/http/response.ts';

const business = 'x-business-use-case-usage';

describe('readUsage', () => {
  test.each([
    ['x-app-usage', '{"call_count":28,"total_time":25,"total_cputime":30}', { percent: 30 }],
    ['X-Page-Usage', '{"call_count":28,"total_time":25,"total_cputime":5}', { percent: 28 }],
    ['x-page-usage', '{"call_volume":12,"cpu_time":40}', { percent: 40 }],
    ['x-page-usage', '97', { percent: 97 }],
    [
      'x-ad-account-usage',
      '{"acc_id_util_pct":9.67,"reset_time_duration":100,"ads_api_access_tier":"standard_access"}',
      { percent: 9.67, regainMs: 100_000 },
    ],
    [
      business,
      '{"17":[{"type":"pages","call_count":97,"total_cputime":23,"total_time":23,"estimated_time_to_regain_access":19,"ads_api_access_tier":"standard_access"}]}',
      { percent: 97, regainMs: 19 * 60_000 },
    ],
    [
      business,
      '{"17":[{"type":"pages","call_count":3,"estimated_time_to_regain_access":0}]}',
      { percent: 3 },
    ],
    [
      business,
      '{"17":[{"type":"pages","call_count":3}],"18":[{"type":"messenger","call_count":5},{"type":"leadgen","total_time":100,"estimated_time_to_regain_access":2}]}',
      { percent: 100, regainMs: 120_000 },
    ],
    [business, '{"17":[{"estimated_time_to_regain_access":2}]}', { percent: 0, regainMs: 120_000 }],
    ['x-app-usage', '{"call_count":0}', { percent: 0 }],
  ])('reads %s: %s', (name, value, usage) => {
    expect(readUsage(new Headers({ [name]: value }))).toEqual(usage);
  });

  test.each([
    ['17', 300_000],
    ['18', 10_800_000],
    // It is of neither.
    ['19', 10_800_000],
    [undefined, 10_800_000],
  ])('of a call to %s, the time is its own, if it is told', (object, regainMs) => {
    const of = (minutes: number) => [{ type: 'pages', estimated_time_to_regain_access: minutes }];
    const headers = new Headers({ [business]: JSON.stringify({ 17: of(5), 18: of(180) }) });

    expect(readUsage(headers, 80001, object)?.regainMs).toBe(regainMs);
  });

  test('takes the highest of all headers', () => {
    const headers = new Headers({
      'x-app-usage': '{"call_count":10}',
      'x-page-usage': '{"call_count":20}',
      [business]: '{"17":[{"call_count":15,"estimated_time_to_regain_access":1}]}',
      'x-ad-account-usage': '{"acc_id_util_pct":5,"reset_time_duration":90}',
    });

    expect(readUsage(headers)).toEqual({ percent: 20, regainMs: 90_000 });
  });

  test.each([
    '',
    'x',
    '{',
    'null',
    '[]',
    '{}',
    '{"17":[]}',
    '"high"',
    '{"call_count":null}',
    `${'['.repeat(7000)}`,
    `${'['.repeat(7000)}${']'.repeat(7000)}`,
    `{"call_count":${'9'.repeat(400)}}`,
    '{"call_count":6e304}',
    '{"estimated_time_to_regain_access":6e304}',
    `{"reset_time_duration":${'9'.repeat(400)}}`,
    `${'9'.repeat(400)}`,
  ])('has nothing to say of %.20s', (value) => {
    expect(readUsage(new Headers({ 'x-app-usage': value }))).toBeUndefined();
  });

  test.each([
    [80001, 60_000],
    [80002, 120_000],
    [80005, 240_000],
    [80006, 180_000],
    [80000, 300_000],
    [80003, 360_000],
    [80004, 420_000],
    [4, 120_000],
    [613, 240_000],
    [undefined, 420_000],
  ])('with the code %s of a limit, waits only for the kind of use that it is about', (code, regainMs) => {
    const times = {
      pages: 1,
      instagram: 2,
      messenger: 3,
      leadgen: 4,
      ads_insights: 5,
      custom_audience: 6,
      ads_management: 7,
    };
    const entries = Object.entries(times).map(([type, minutes]) => ({
      type,
      call_count: 100,
      estimated_time_to_regain_access: minutes,
    }));
    const headers = new Headers({
      [business]: JSON.stringify({ 17: entries.slice(0, 3), 18: entries.slice(3) }),
    });
    expect(readUsage(headers, code)).toEqual({ percent: 100, regainMs });
  });

  test('has nothing to say without a header', () => {
    expect(readUsage(new Headers())).toBeUndefined();
  });
});

describe('readRetryAfter', () => {
  const now = Date.UTC(2026, 0, 2);

  test.each([
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['1.5', 1500],
    ['0.0001', 1],
    ['9'.repeat(400), undefined],
    ['9'.repeat(20), undefined],
    [`${'9'.repeat(400)}, 5`, 5000],
    ['Fri, 02 Jan 2026 00:01:00 GMT', 60_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['60, 60', 60_000],
    ['5,60', 60_000],
    ['soon, 60', 60_000],
    ['Fri, 02 Jan 2026 00:01:00 GMT, Fri, 02 Jan 2026 00:02:00 GMT', 120_000],
    ['30, Fri, 02 Jan 2026 00:01:00 GMT', 60_000],
  ])('reads %j', (value, expected) => {
    expect(readRetryAfter(new Headers({ 'retry-after': value }), now)).toBe(expected);
  });

  test("compares a date with the platform's own clock, where it tells it", () => {
    const headers = { 'retry-after': 'Fri, 02 Jan 2026 05:01:00 GMT', date: 'Fri, 02 Jan 2026 05:00:00 GMT' };
    expect(readRetryAfter(new Headers(headers), now)).toBe(60_000);
  });

  test('says nothing without a header', () => {
    expect(readRetryAfter(new Headers(), now)).toBeUndefined();
  });
});
