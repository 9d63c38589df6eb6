import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { publishingLimit } from '../../src/pics/publishingLimit.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const query = { ...authenticated, fields: 'quota_usage,config' };

describe('publishingLimit', () => {
  test.each([
    ['login', picsContext(), { token }, `${picsGraphBase}/me`],
    ['page', picsPageContext(), { token, picsUserId: '17' }, `${graphBase}/17`],
  ])('reads the quota in %s mode', async (_, context, options, base) => {
    nock(base)
      .get('/content_publishing_limit')
      .query(query)
      .reply(200, { data: [{ quota_usage: 2, config: { quota_total: 50, quota_duration: 86_400 } }] });

    expect((await publishingLimit(context, options))._unsafeUnwrap()).toEqual({
      quota_usage: 2,
      quota_total: 50,
      quota_duration: 86_400,
    });
  });

  test('leaves out what the platform does not say', async () => {
    nock(picsGraphBase)
      .get('/me/content_publishing_limit')
      .query(query)
      .reply(200, { data: [{ quota_usage: 2 }] });

    expect((await publishingLimit(picsContext(), { token }))._unsafeUnwrap()).toEqual({
      quota_usage: 2,
      quota_total: undefined,
      quota_duration: undefined,
    });
  });

  test('fails with ApiError when the list is empty', async () => {
    nock(picsGraphBase).get('/me/content_publishing_limit').query(query).reply(200, { data: [] });

    const error = (await publishingLimit(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', payload: { data: [] } });
    expect(error.message).toContain('data.0');
  });
});
