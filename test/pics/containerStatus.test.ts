import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { containerStatus } from '../../src/pics/containerStatus.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const options = { containerId: '18', token };
const query = { ...authenticated, fields: 'status_code,status' };

describe('containerStatus', () => {
  test.each([
    ['login', picsContext(), picsGraphBase],
    ['page', picsPageContext(), graphBase],
  ])('reads the state in %s mode', async (_, context, base) => {
    nock(base)
      .get('/18')
      .query(query)
      .reply(200, { id: '18', status_code: 'IN_PROGRESS', status: 'In Progress: Media is being processed.' });

    expect((await containerStatus(context, options))._unsafeUnwrap()).toEqual({
      id: '18',
      status_code: 'IN_PROGRESS',
      status: 'In Progress: Media is being processed.',
    });
  });

  test.each([
    ['a list', []],
    ['an empty object', {}],
    ['another response', { success: false }],
  ])('takes %s for no state, and says where', async (_, body) => {
    nock(picsGraphBase).get('/18').query(query).reply(200, body);

    expect((await containerStatus(picsContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      outcome: 'rejected',
      message: expect.stringContaining('unexpected response at body: expected an object with status_code'),
    });
  });

  test.each([
    [{ status_code: '', status: 'Finished: Media is ready.' }, 'FINISHED', 'Finished: Media is ready.'],
    [{ status: 'In Progress: wait' }, 'IN_PROGRESS', 'In Progress: wait'],
    [{ status: 'in_progress' }, 'IN_PROGRESS', 'in_progress'],
    [{ status_code: null, status: 'Error: bad codec' }, 'ERROR', 'Error: bad codec'],
    [{ status_code: 'ERROR', status: 2_207_026 }, 'ERROR', '2207026'],
    [{ status: 'Errors are rare' }, undefined, 'Errors are rare'],
    [{ id: '18' }, undefined, undefined],
  ])('reads %j', async (body, status_code, status) => {
    nock(picsGraphBase).get('/18').query(query).reply(200, body);

    expect((await containerStatus(picsContext(), options))._unsafeUnwrap()).toEqual({
      id: '18',
      status_code,
      status,
    });
  });

  test('fails with what the platform said', async () => {
    nock(picsGraphBase)
      .get('/18')
      .query(query)
      .reply(400, { error: { message: 'Gone', code: 100, error_subcode: 33 } });

    expect((await containerStatus(picsContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'ApiError',
      category: 'not_found',
    });
  });
});
