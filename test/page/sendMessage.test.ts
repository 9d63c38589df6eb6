import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { sendMessage } from '../../src/page/sendMessage.ts';
import { authenticated, dated, graphBase, pageContext, token, wireNow } from '../support/context.ts';

const options = { pageId: '42', pageToken: token, recipientId: '91', text: 'Hello' };
const body = { recipient: { id: '91' }, message: { text: 'Hello' } };
const sent = { recipient_id: '91', message_id: 'm_1' };
const shop = { id: '42', name: 'Shop' };
const ann = { id: '91', name: 'Ann' };

/** A message of the Page, as its conversation shows it. */
function shown(id: string, message: string): object {
  return { id, message, created_time: wireNow(), from: shop, to: { data: [ann] } };
}

function lose(): void {
  nock(graphBase).post('/42/messages').query(true).replyWithError(new Error('reset'));
}

describe('sendMessage of a Page', () => {
  test('sends the text as JSON', async () => {
    nock(graphBase, { reqheaders: { 'content-type': 'application/json' } })
      .post('/42/messages', body)
      .query(authenticated)
      .reply(200, sent);

    expect((await sendMessage(pageContext(), options))._unsafeUnwrap()).toEqual(sent);
  });

  test.each([
    ['letters', 'a'],
    ['two-byte signs', 'é'],
    ['signs of two code units', '😀'],
  ])('sends 2000 %s, and not one more', async (_what, sign) => {
    const text = sign.repeat(2000);
    nock(graphBase)
      .post('/42/messages', { ...body, message: { text } })
      .query(true)
      .reply(200, sent);

    const fitting = await sendMessage(pageContext(), { ...options, text });
    const error = (await sendMessage(pageContext(), { ...options, text: `${text}a` }))._unsafeUnwrapErr();

    expect(fitting.isOk()).toBe(true);
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      option: 'text',
      message: 'text must have at most 2000 characters, not 2001',
    });
  });

  test('returns the message that a lost response had sent, found in the conversation', async () => {
    const text = 'Lost by the Page';
    lose();
    nock(graphBase)
      .get('/42/conversations')
      .query({
        ...authenticated,
        platform: 'messenger',
        user_id: '91',
        fields: 'messages.limit(20){id,created_time,from,to,message}',
      })
      .reply(
        200,
        () => {
          const theirs = { ...shown('theirs', text), from: ann, to: { data: [shop] } };
          const data = [shown('other', 'Else'), theirs, shown('own', `${text} `)];
          return { data: [{ id: 't_1', messages: { data } }] };
        },
        dated(),
      );

    const message = await sendMessage(pageContext(), { ...options, text });

    expect(message._unsafeUnwrap()).toEqual({ recipient_id: '91', message_id: 'own' });
  });

  test('does not send again what it does not find, and says that it may have happened', async () => {
    lose();
    nock(graphBase).get('/42/conversations').query(true).times(4).reply(200, { data: [] });

    const error = (await sendMessage(pageContext(), { ...options, text: 'Unfound' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
  });

  test.each([403, 500])('fails with PermissionError outside the window (HTTP %i)', async (status) => {
    nock(graphBase)
      .post('/42/messages')
      .query(true)
      .reply(status, { error: { message: 'Outside of allowed window', code: 10, error_subcode: 2018278 } });

    const error = (await sendMessage(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', category: 'window', outcome: 'rejected' });
  });
});
