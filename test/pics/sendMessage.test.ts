import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { sendMessage } from '../../src/pics/sendMessage.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
  dated,
  wireNow,
} from '../support/context.ts';
import { fc, runs } from '../support/property.ts';

const options = { recipientId: '91', token, text: 'Hello' };
const body = { recipient: { id: '91' }, message: { text: 'Hello' } };
const sent = { recipient_id: '91', message_id: 'aWdf1' };
const fields = 'messages.limit(20){id,created_time,from,to,message}';

describe('sendMessage', () => {
  test.each([
    ['login mode', picsGraphBase, picsContext, {}, '/me/messages'],
    ['login mode with an id', picsGraphBase, picsContext, { picsUserId: '1784' }, '/1784/messages'],
    ['page mode', graphBase, picsPageContext, { pageId: '42', picsUserId: '1784' }, '/42/messages'],
  ] as const)('sends the text as JSON in %s', async (_mode, base, contextOf, ids, path) => {
    nock(base, { reqheaders: { 'content-type': 'application/json' } })
      .post(path, body)
      .query(authenticated)
      .reply(200, sent);

    const message = await sendMessage(contextOf(), { ...options, ...ids });

    expect(message._unsafeUnwrap()).toEqual(sent);
  });

  test.each([
    ['one-byte signs', 'a'.repeat(1000)],
    ['two-byte signs', 'é'.repeat(500)],
    ['four-byte signs', '😀'.repeat(250)],
  ])('sends 1000 bytes of %s, and not one more', async (_what, text) => {
    nock(picsGraphBase)
      .post('/me/messages', { ...body, message: { text } })
      .query(true)
      .reply(200, sent);

    const fitting = await sendMessage(picsContext(), { ...options, text });
    const error = (await sendMessage(picsContext(), { ...options, text: `${text}a` }))._unsafeUnwrapErr();

    expect(fitting.isOk()).toBe(true);
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      option: 'text',
      message: 'text must have at most 1000 bytes of UTF-8, not 1001',
    });
  });

  test('counts the bytes that are sent, whatever the text', async () => {
    let requests = 0;
    const fetch = async (input: RequestInfo | URL): Promise<Response> => {
      requests++;
      const { message } = (await (input as Request).json()) as { message: { text: string } };
      expect(Buffer.byteLength(message.text)).toBeLessThanOrEqual(1000);
      return Response.json(sent);
    };
    const context = picsContext({ fetch: fetch as typeof globalThis.fetch });
    const texts = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 700 })
      .filter((text) => text.trim() !== '');

    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const before = requests;
        const message = await sendMessage(context, { ...options, text });
        const fits = Buffer.byteLength(text) <= 1000;
        expect([message.isOk(), requests - before]).toEqual([fits, fits ? 1 : 0]);
      }),
      { numRuns: runs(100) },
    );
  });

  test.each([
    ['login mode', picsGraphBase, picsContext, { picsUserId: '1784' }, '/1784', '/me'],
    ['page mode', graphBase, picsPageContext, { pageId: '42' }, '/42', '/42'],
  ] as const)('returns the message that a lost response had sent, in %s', async (...args) => {
    const [mode, base, contextOf, ids, sender, inbox] = args;
    const text = `Lost in ${mode}`;
    const shop = { id: '1784' };
    const ann = { id: '91' };
    nock(base).post(`${sender}/messages`).query(true).replyWithError(new Error('reset'));
    nock(base)
      .get(`${inbox}/conversations`)
      .query({ ...authenticated, platform: 'instagram', user_id: '91', fields })
      .reply(
        200,
        () => ({
          data: [
            {
              id: 't1',
              messages: {
                data: [
                  { id: 'other', message: 'Else', created_time: wireNow(), from: shop, to: { data: [ann] } },
                  {
                    id: 'theirs',
                    message: text,
                    created_time: wireNow(),
                    from: ann,
                    to: { data: [shop, ann] },
                  },
                  { id: 'own', message: text, created_time: wireNow(), from: shop, to: { data: [ann] } },
                  { id: 'timeless', message: text, from: shop, to: { data: [ann] } },
                  {
                    id: 'older',
                    message: text,
                    created_time: '2020-01-02T03:04:05+0000',
                    from: shop,
                    to: { data: [ann] },
                  },
                ],
              },
            },
            {
              id: 't2',
              messages: {
                data: [
                  {
                    id: 'not-to-them',
                    message: text,
                    created_time: wireNow(),
                    from: shop,
                    to: { data: [{ id: '92' }] },
                  },
                  { id: 'to-no-one', message: text, created_time: wireNow(), from: shop },
                  { id: 'from-no-one', message: text, created_time: wireNow(), to: { data: [ann] } },
                ],
              },
            },
            { id: 't3' },
          ],
        }),
        dated(),
      );

    const message = await sendMessage(contextOf(), { ...options, ...ids, text });

    expect(message._unsafeUnwrap()).toEqual({ recipient_id: '91', message_id: 'own' });
  });

  test('does not send again what it does not find, and says that it may have happened', async () => {
    nock(picsGraphBase)
      .post('/me/messages')
      .query(true)
      .reply(500, { error: { message: 'Oops', code: 2 } });
    nock(picsGraphBase).get('/me/conversations').query(true).times(4).reply(200, { data: [] });

    const error = (await sendMessage(picsContext(), { ...options, text: 'Unfound' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'unknown' });
  });

  describe('after a lost response', () => {
    const shop = { id: '1784' };
    const sentMessage = (id: string, message?: string) => ({
      id,
      message,
      from: shop,
      to: { data: [{ id: '92' }, { id: '91' }] },
    });

    const context = picsContext();

    function lose(text: string): ReturnType<typeof sendMessage> {
      nock(picsGraphBase).post('/me/messages').query(true).reply(502, 'Bad Gateway');
      return sendMessage(context, { ...options, text });
    }

    /** Shows the messages as sent when they are asked for: in the second before, they would be too old. */
    function shows(...messages: readonly object[]): void {
      const data = () => messages.map((message) => ({ ...message, created_time: wireNow() }));
      nock(picsGraphBase)
        .get('/me/conversations')
        .query(true)
        .reply(200, () => ({ data: [{ id: 't1', messages: { data: data() } }] }), dated());
    }

    test('finds the message whatever blanks stand around its text', async () => {
      shows(sentMessage('image'), sentMessage('own', 'Blanks\n'));

      expect((await lose(' Blanks'))._unsafeUnwrap()).toEqual({ recipient_id: '91', message_id: 'own' });
    });

    test('takes no message for its own that an equal one has made', async () => {
      shows(sentMessage('first', 'Twice'));
      expect((await lose('Twice'))._unsafeUnwrap()).toMatchObject({ message_id: 'first' });

      shows(sentMessage('second', 'Twice'), sentMessage('first', 'Twice'));
      expect((await lose('Twice'))._unsafeUnwrap()).toMatchObject({ message_id: 'second' });
    });

    test('leaves a message to an equal one that may have made it, and not to any other', async () => {
      for (let look = 0; look < 4; look++) shows();
      expect((await lose(' Rival'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });

      shows(sentMessage('other', 'No rival'));
      expect((await lose('No rival'))._unsafeUnwrap()).toMatchObject({ message_id: 'other' });

      for (let look = 0; look < 4; look++) shows(sentMessage('either', 'Rival'));
      expect((await lose('Rival'))._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    });

    test('bears a response that lists no conversations', async () => {
      nock(picsGraphBase).get('/me/conversations').query(true).reply(200, {});
      shows(sentMessage('own', 'Borne'));

      expect((await lose('Borne'))._unsafeUnwrap()).toMatchObject({ message_id: 'own' });
    });
  });

  test.each([
    [2534022, 400],
    [2018278, 400],
    [2534022, 500],
  ])('fails with PermissionError outside the window (10/%i at HTTP %i)', async (subcode, status) => {
    nock(picsGraphBase)
      .post('/me/messages')
      .query(true)
      .reply(status, { error: { message: 'Outside of allowed window', code: 10, error_subcode: subcode } });

    const error = (await sendMessage(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'PermissionError',
      category: 'window',
      subcode,
      outcome: 'rejected',
    });
  });

  test('fails with the recipient as the cause where the platform knows none', async () => {
    nock(picsGraphBase)
      .post('/me/messages')
      .query(true)
      .reply(400, { error: { message: 'No matching user', code: 100, error_subcode: 2534014 } });

    const error = (await sendMessage(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'recipient' });
  });

  test.each([['text', { ...options, text: undefined as unknown as string }]])(
    'refuses a bad %s before anything is sent',
    async (option, bad) => {
      const error = (await sendMessage(picsContext(), bad))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    },
  );
});
