import nock from 'nock';
import { expect, test } from 'vitest';

import { passThreadControl, releaseThreadControl } from '../../src/pics/threadControl.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const done = { success: true };

test.each([
  ['login', picsGraphBase, picsContext, { picsUserId: '17' }, '/17'],
  ['login, without an id', picsGraphBase, picsContext, {}, '/me'],
  ['page', graphBase, picsPageContext, { pageId: '42' }, '/42'],
] as const)('control is passed and released in %s mode', async (_, base, contextOf, ids, node) => {
  const options = { ...ids, token, recipientId: '8' };
  nock(base)
    .post(`${node}/pass_thread_control`, {
      recipient: { id: '8' },
      target_app_id: '1217981644879628',
      metadata: 'x',
    })
    .query(authenticated)
    .reply(200, done);
  nock(base)
    .post(`${node}/release_thread_control`, { recipient: { id: '8' } })
    .query(authenticated)
    .reply(200, done);

  const more = { targetAppId: '1217981644879628', metadata: 'x' };
  expect((await passThreadControl(contextOf(), { ...options, ...more }))._unsafeUnwrap()).toEqual(done);
  expect((await releaseThreadControl(contextOf(), options))._unsafeUnwrap()).toEqual(done);
});

test.each([passThreadControl, releaseThreadControl])('needs a pageId in page mode', async (change) => {
  const error = (await change(picsPageContext(), { token, recipientId: '8' }))._unsafeUnwrapErr();

  expect(error).toMatchObject({ name: 'ConfigurationError', option: 'pageId' });
});
