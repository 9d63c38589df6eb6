import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { postInsights } from '../../src/page/postInsights.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { refusal } from './support.ts';

const options = { postId: '42_1', pageToken: token };
const defaults = [
  'post_impressions',
  'post_impressions_unique',
  'post_engaged_users',
  'post_clicks',
  'post_reactions_by_type_total',
];

function insights(metric: string): nock.Interceptor {
  return nock(graphBase)
    .get('/42_1/insights')
    .query({ ...authenticated, metric });
}

function entry(name: string, value: unknown): object {
  return { name, period: 'lifetime', values: [{ value }], id: `42_1/insights/${name}/lifetime` };
}

async function read(metrics?: readonly string[]): Promise<unknown> {
  return (await postInsights(pageContext(), { ...options, metrics }))._unsafeUnwrap();
}

describe('postInsights', () => {
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
    for (const dead of defaults.slice(0, 3)) insights(dead).reply(400, refusal(100));
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
    ['the refusal cannot be read', 1, 400, '<html>'],
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
