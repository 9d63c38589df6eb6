import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { sendAction } from '../../src/page/sendAction.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { pageId: '42', pageToken: token, recipientId: '91', action: 'typing_on' } as const;
const done = { recipient_id: '91' };

describe('sendAction of a Page', () => {
  test.each(['typing_on', 'typing_off', 'mark_seen'] as const)(
    'sends %s, and nothing else',
    async (action) => {
      nock(graphBase)
        .post('/42/messages', { recipient: { id: '91' }, sender_action: action })
        .query(authenticated)
        .reply(200, done);

      expect((await sendAction(pageContext(), { ...options, action }))._unsafeUnwrap()).toEqual(done);
    },
  );

  test('is sent again after a lost response', async () => {
    nock(graphBase).post('/42/messages').query(true).replyWithError(new Error('reset'));
    nock(graphBase).post('/42/messages').query(true).reply(200, done);

    expect((await sendAction(pageContext(), options)).isOk()).toBe(true);
  });
});
