import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { sendReaction } from '../../src/page/sendReaction.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { pageId: '42', pageToken: token, recipientId: '91', messageId: 'm_1' };
const done = { recipient_id: '91' };

describe('sendReaction of a Page', () => {
  test.each([
    [undefined, { sender_action: 'react', payload: { message_id: 'm_1', reaction: 'love' } }],
    ['smile', { sender_action: 'react', payload: { message_id: 'm_1', reaction: 'smile' } }],
    [null, { sender_action: 'unreact', payload: { message_id: 'm_1' } }],
  ])('sends %j', async (reaction, body) => {
    nock(graphBase)
      .post('/42/messages', { recipient: { id: '91' }, ...body })
      .query(authenticated)
      .reply(200, done);

    expect((await sendReaction(pageContext(), { ...options, reaction }))._unsafeUnwrap()).toEqual(done);
  });
});
