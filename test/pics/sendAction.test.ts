import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { sendAction } from '../../src/pics/sendAction.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const options = { token, recipientId: '91', action: 'mark_seen' } as const;
const done = { recipient_id: '91' };

describe('sendAction', () => {
  test.each([
    ['login mode', picsGraphBase, picsContext, {}, '/me/messages'],
    ['login mode with an id', picsGraphBase, picsContext, { picsUserId: '1784' }, '/1784/messages'],
    ['page mode', graphBase, picsPageContext, { pageId: '42', picsUserId: '1784' }, '/42/messages'],
  ] as const)('sends the action, and nothing else, in %s', async (_mode, base, contextOf, ids, path) => {
    nock(base)
      .post(path, { recipient: { id: '91' }, sender_action: 'mark_seen' })
      .query(authenticated)
      .reply(200, done);

    expect((await sendAction(contextOf(), { ...options, ...ids }))._unsafeUnwrap()).toEqual(done);
  });

  test('says where a response is of another shape', async () => {
    nock(picsGraphBase).post('/me/messages').query(true).reply(200, { success: true });

    const error = (await sendAction(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: expect.stringContaining('recipient_id') });
  });
});
