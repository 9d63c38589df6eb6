import { describe, expect, test } from 'vitest';

import { readRetryAfter, readUsage } from '../../../src/core/http/usage.ts';

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
  ])('has nothing to say of %.20s', (value) => {
    expect(readUsage(new Headers({ 'x-app-usage': value }))).toBeUndefined();
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
    ['Fri, 02 Jan 2026 00:01:00 GMT', 60_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
  ])('reads %j', (value, expected) => {
    expect(readRetryAfter(new Headers({ 'retry-after': value }), now)).toBe(expected);
  });

  test('says nothing without a header', () => {
    expect(readRetryAfter(new Headers(), now)).toBeUndefined();
  });
});
