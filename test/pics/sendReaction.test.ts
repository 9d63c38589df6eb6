import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { sendReaction } from '../../src/pics/sendReaction.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const options = { token, recipientId: '91', messageId: 'aWdf1' };
const done = { recipient_id: '91' };

describe('sendReaction', () => {
  test.each([
    ['login mode', picsGraphBase, picsContext, {}, '/me/messages'],
    ['login mode with an id', picsGraphBase, picsContext, { picsUserId: '1784' }, '/1784/messages'],
    ['page mode', graphBase, picsPageContext, { pageId: '42' }, '/42/messages'],
  ] as const)('reacts, and takes it back, in %s', async (_mode, base, contextOf, ids, path) => {
    const recipient = { id: '91' };
    nock(base)
      .post(path, {
        recipient,
        sender_action: 'react',
        payload: { message_id: 'aWdf1', reaction: 'love' },
      })
      .query(authenticated)
      .reply(200, done);
    nock(base)
      .post(path, { recipient, sender_action: 'unreact', payload: { message_id: 'aWdf1' } })
      .query(authenticated)
      .reply(200, done);

    expect((await sendReaction(contextOf(), { ...options, ...ids }))._unsafeUnwrap()).toEqual(done);
    expect((await sendReaction(contextOf(), { ...options, ...ids, reaction: null })).isOk()).toBe(true);
  });

  test('is sent again after a lost response', async () => {
    nock(picsGraphBase).post('/me/messages').query(true).reply(502, 'Bad Gateway');
    nock(picsGraphBase).post('/me/messages').query(true).reply(200, done);

    expect((await sendReaction(picsContext(), options)).isOk()).toBe(true);
  });
});
