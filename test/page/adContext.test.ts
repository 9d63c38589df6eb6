import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { adContext } from '../../src/page/adContext.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asUser, refusal, userToken } from './support.ts';

const options = { adId: '1', token: userToken };

function ad(): nock.Interceptor {
  return nock(graphBase)
    .get('/1')
    .query({
      ...asUser,
      fields: 'id,name,adset{id,name,optimization_goal,targeting},campaign{id,name,objective}',
    });
}

describe('adContext', () => {
  test('reads ad, ad set and campaign into one', async () => {
    ad().reply(200, {
      id: '1',
      name: 'Ad',
      adset: { id: '2', name: 'Set', optimization_goal: 'LEAD_GENERATION', targeting: { age_min: 18 } },
      campaign: { id: '3', name: 'Campaign', objective: 'OUTCOME_LEADS' },
    });

    expect((await adContext(pageContext(), options))._unsafeUnwrap()).toEqual({
      ad_id: '1',
      ad_name: 'Ad',
      adset_id: '2',
      adset_name: 'Set',
      campaign_id: '3',
      campaign_name: 'Campaign',
      objective: 'OUTCOME_LEADS',
      optimization_goal: 'LEAD_GENERATION',
      targeting: { age_min: 18 },
    });
  });

  test('leaves out what the platform does not give', async () => {
    ad().reply(200, { id: '1', campaign: { id: '3' } });

    const found = (await adContext(pageContext(), options))._unsafeUnwrap();

    expect(Object.entries(found)).toEqual([
      ['ad_id', '1'],
      ['campaign_id', '3'],
    ]);
  });

  test.each(['', null, undefined])('is empty without an ad, and sends nothing: %j', async (adId) => {
    expect((await adContext(pageContext(), { ...options, adId }))._unsafeUnwrap()).toEqual({});
  });

  test.each([
    ['refuses', 1, 403, refusal(200)],
    ['knows no such ad', 1, 400, refusal(100, { error_subcode: 33 })],
    ['limits the rate to the last', 3, 400, refusal(80004)],
    ['is down to the last', 3, 503, 'busy'],
    ['responds with no JSON', 1, 200, '<html>'],
    ['responds without id', 1, 200, { name: 'Ad' }],
    ['responds with something else', 1, 200, { name: 'Ad' }],
  ])('is empty when the platform %s', async (_, times, status, body) => {
    ad().times(times).reply(status, body);

    expect((await adContext(pageContext(), options))._unsafeUnwrap()).toEqual({});
  });

  test('fails when the network does', async () => {
    ad().times(3).replyWithError(new Error('socket hang up'));

    const error = (await adContext(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network' });
  });
});
