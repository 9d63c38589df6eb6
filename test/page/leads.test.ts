import nock from 'nock';
import { describe, expect, test } from 'vitest';

import type { Clock } from '../../src/core/options/clock.ts';
import { leads } from '../../src/page/leads.ts';
import { authenticated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { formId: '12345', pageToken: token };
const fields =
  'id,created_time,field_data,form_id,ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,is_organic,' +
  'platform,partner_name,retailer_item_id,custom_disclaimer_responses';
const nowMs = Date.UTC(2026, 0, 2);
const now = nowMs / 1000;
const clock: Clock = virtualClock(nowMs);

function form(query: Readonly<Record<string, string>> = {}): nock.Interceptor {
  return nock(graphBase)
    .get('/12345/leads')
    .query({ ...authenticated, fields, limit: '100', ...query });
}

function entries(count: number, from = 0): object[] {
  return Array.from({ length: count }, (_, at) => ({ id: `${from + at}` }));
}

describe('leads', () => {
  test('reads the leads of the form', async () => {
    form().reply(200, { data: [{ id: '1', field_data: [{ name: 'EMAIL', values: ['a@x'] }] }] });

    const [first, ...others] = (await leads(pageContext(), options))._unsafeUnwrap();

    expect(first).toMatchObject({ id: '1', fields: { email: 'a@x' } });
    expect(others).toEqual([]);
  });

  test.each([
    ['seconds', 1_767_225_600, 1_767_225_600],
    ['seconds with a fraction', 1_767_225_600.75, 1_767_225_600],
    ['a date', new Date(1_767_225_600_750), 1_767_225_600],
    ['this very second', now, now],
    ['the beginning', 0, 0],
  ])('asks only for those made after %s', async (_, since, value) => {
    form({ filtering: `[{"field":"time_created","operator":"GREATER_THAN","value":${value}}]` }).reply(200, {
      data: entries(1),
    });

    const found = (await leads(pageContext({ clock }), { ...options, since }))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(['0']);
  });

  test('walks the pages of the list, and stops at 200 by default', async () => {
    const next = `${graphBase}/12345/leads?access_token=${token}&fields=${fields}&limit=100`;
    form().reply(200, { data: entries(100), paging: { next: `${next}&after=a` } });
    form({ after: 'a' }).reply(200, { data: entries(60, 100), paging: { next: `${next}&after=b` } });
    form({ after: 'b' }).reply(200, { data: entries(60, 160), paging: { next: `${next}&after=c` } });

    const found = (await leads(pageContext(), options))._unsafeUnwrap();

    expect(found).toHaveLength(200);
    expect(found.at(-1)?.id).toBe('199');
  });

  test('fails with RateLimitError when the rate is limited to the last', async () => {
    form().times(3).reply(400, refusal(80005));

    const error = (await leads(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'RateLimitError', code: 80005 });
  });

  test('says where a response is of the wrong shape', async () => {
    form().reply(200, { data: [{ id: '1' }, { created_time: 'x' }] });

    const error = (await leads(pageContext(), options))._unsafeUnwrapErr();

    expect(error.message).toBe('unexpected response at data.1.id: expected string');
  });

  test.each([now + 1, new Date(nowMs + 60_000)])(
    'asks for those after %s, though the local clock is behind',
    async (since) => {
      const value = Math.floor(Number(since) / (since instanceof Date ? 1000 : 1));
      const filtering = JSON.stringify([{ field: 'time_created', operator: 'GREATER_THAN', value }]);
      form({ filtering }).reply(200, { data: [] });

      expect((await leads(pageContext({ clock }), { ...options, since }))._unsafeUnwrap()).toEqual([]);
    },
  );

  test.each([
    ['milliseconds', nowMs, 'since must be in seconds: it looks like milliseconds'],
    ['a date that is none', new Date(NaN), 'since must be unix seconds or a Date'],
    ['no number', NaN, 'since must be unix seconds or a Date'],
    ['before 1970', -1, 'since must be unix seconds or a Date'],
    ['without end', Infinity, 'since must be unix seconds or a Date'],
    ['text', '2026-01-01' as unknown as number, 'since must be unix seconds or a Date'],
  ])('refuses a time that is %s before anything is sent', async (_, since, message) => {
    const error = (await leads(pageContext({ clock }), { ...options, since }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'since', message });
  });
});
