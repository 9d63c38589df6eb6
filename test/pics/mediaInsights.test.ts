import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { mediaInsights } from '../../src/pics/mediaInsights.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

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

describe('mediaInsights', () => {
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
    ['HTML of a gateway', 400, '<html>'],
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
