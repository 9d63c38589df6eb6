import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import nock from 'nock';
import { describe, expect, onTestFinished, test } from 'vitest';

import { close } from '../../src/core/client.ts';
import { createWriteMemory } from '../../src/core/writes/memory.ts';
import {
  contact,
  conversations,
  iterateConversations,
  iterateMessages,
  messageDetails,
  messages,
  privateReply,
  sendAction,
  sendMessage,
  sendReaction,
  uploadAttachment,
} from '../../src/page/inbox.ts';
import {
  authenticated,
  dated,
  graphBase,
  pageContext,
  proof,
  token,
  virtualClock,
  wireNow,
} from '../support/context.ts';

describe('conversations of a Page', () => {
  const fields =
    'id,updated_time,unread_count,participants,messages.limit(1){id,created_time,from,to,message}';

  const query = { ...authenticated, platform: 'messenger', fields, limit: '25' };

  const profileFields = 'first_name,last_name,name,profile_pic';

  const options = { pageId: '42', pageToken: token };

  const shop = { id: '42', name: 'Shop' };

  const ann = { id: '91', name: 'Ann Lee', email: '91@mail.test' };

  const hi = { id: 'm_1', created_time: '2026-01-02T03:04:05+0000', from: ann, message: 'hi' };

  function thread(id: string, ...participants: readonly object[]): object {
    return {
      id,
      updated_time: '2026-01-02T03:04:05+0000',
      unread_count: 2,
      participants: { data: participants },
      messages: { data: [hi] },
    };
  }

  test('reads a page of them, each with its customer, whose profile has no photo-sharing fields', async () => {
    nock(graphBase)
      .get('/42/conversations')
      .query(query)
      .reply(200, { data: [thread('t_1', ann, shop)], paging: { cursors: { after: 'A' } } });
    nock(graphBase)
      .get('/91')
      .query({ ...authenticated, fields: profileFields })
      .reply(200, { id: '91', first_name: 'Ann', last_name: 'Lee', profile_pic: null });

    const page = await conversations(pageContext(), options);

    const contact = { ...ann, first_name: 'Ann', last_name: 'Lee', available: true };
    expect(page._unsafeUnwrap()).toEqual({
      data: [{ ...thread('t_1', ann, shop), contact, contacts: [contact], last_message: hi }],
      paging: { cursors: { after: 'A' } },
    });
  });

  test('reads the page after a cursor, of one person, without profiles', async () => {
    nock(graphBase)
      .get('/42/conversations')
      .query({ ...query, limit: '3', after: 'A', user_id: '91' })
      .reply(200, {
        data: [thread('t_1', shop, ann)],
        paging: { next: `${graphBase}/42/conversations?access_token=${token}&after=B` },
      });

    const page = await conversations(pageContext(), {
      ...options,
      limit: 3,
      after: 'A',
      userId: '91',
      enrich: false,
    });

    const { data, paging } = page._unsafeUnwrap();
    expect(data.map(({ contact }) => contact)).toEqual([ann]);
    expect(paging).toEqual({ next: `${graphBase}/42/conversations?after=B` });
  });

  test('leaves out an entry that is null, and takes a paging that is null for none', async () => {
    nock(graphBase)
      .get('/42/conversations')
      .query(query)
      .reply(200, { data: [null, thread('t_1', ann, shop)], paging: null });

    const page = (await conversations(pageContext(), { ...options, enrich: false }))._unsafeUnwrap();

    expect(page.data.map(({ id }) => id)).toEqual(['t_1']);
    expect(page.paging).toEqual({});
  });

  test('keeps going where a profile is closed', async () => {
    nock(graphBase)
      .get('/42/conversations')
      .query(true)
      .reply(200, { data: [thread('t_1', shop, ann), 7] });
    nock(graphBase)
      .get('/42/conversations')
      .query(true)
      .reply(200, { data: [thread('t_1', shop, ann)] });
    nock(graphBase)
      .get('/91')
      .query(true)
      .reply(400, { error: { message: 'User consent is required', code: 230 } });

    const odd = await conversations(pageContext(), options);
    const page = await conversations(pageContext(), options);

    expect(odd._unsafeUnwrapErr().message).toContain('data.1');
    expect(page._unsafeUnwrap().data[0]?.contact).toEqual({
      ...ann,
      available: false,
      reason: 'User consent is required',
    });
  });

  test.each([
    ['aborted', {}],
    ['closed', {}],
    ['timeout', { deadlineMs: 5000 }],
  ] as const)('fails where the call is over while it reads people: %s', async (reason, settings) => {
    const clock = virtualClock();
    const abort = new AbortController();
    const people = Array.from({ length: 20 }, (_, at) => thread(`t_${at}`, shop, { ...ann, id: `9${at}` }));
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if ((input as Request).url.includes('/conversations')) return Response.json({ data: people });
      if (reason === 'timeout') {
        clock.advance(2000);
        return Response.json({ id: '91', name: 'Ann' });
      }
      setImmediate(() => (reason === 'aborted' ? abort.abort() : close(context)));
      return new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new Error('over'))),
      );
    };
    const context = pageContext({ fetch, clock, ...settings });

    const page = await conversations(context, { ...options, signal: abort.signal });
    expect(page._unsafeUnwrapErr()).toMatchObject({ name: 'TransportError', reason });
  });

  test('ends a walk over conversations that is aborted while it reads people', async () => {
    const abort = new AbortController();
    const fetch: typeof globalThis.fetch = async (input) => {
      if ((input as Request).url.includes('/conversations')) {
        return Response.json({
          data: [thread('t_1', shop, ann)],
          paging: { next: `${graphBase}/42/conversations?after=B` },
        });
      }
      abort.abort();
      throw new TypeError('fetch failed');
    };
    const seen: unknown[] = [];
    for await (const one of iterateConversations(pageContext({ fetch }), {
      ...options,
      signal: abort.signal,
    })) {
      seen.push(one.isOk() ? 'ok' : one.error);
    }

    expect(seen).toMatchObject([{ name: 'TransportError', reason: 'aborted' }]);
  });

  test('keeps going where one profile takes too long', async () => {
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if ((input as Request).url.includes('/conversations'))
        return Response.json({ data: [thread('t_1', shop, ann)] });
      return new Promise((_, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new Error('over'))),
      );
    };
    const page = await conversations(pageContext({ fetch, timeoutMs: 20, retry: { attempts: 1 } }), options);

    expect(page._unsafeUnwrap().data[0]?.contact).toMatchObject({ available: false });
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(graphBase)
      .get('/42/conversations')
      .query(true)
      .reply(403, { error: { message: 'No', code: 200 } });

    const error = (await conversations(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', category: 'permission' });
  });
});

describe('messages of a Page', () => {
  const fields = 'id,created_time,from,to,message,attachments,shares,sticker,reactions';

  const options = { conversationId: 't_1', pageToken: token };

  test('reads one page, a field that is null counting as absent', async () => {
    const message = {
      id: 'm_1',
      created_time: '2026-01-02T03:04:05+0000',
      from: { id: '9', name: 'Ann' },
      to: { data: [{ id: '42', name: 'Shop' }] },
      attachments: { data: [{ id: 'a', image_data: { url: 'https://cdn.test/a' } }] },
      sticker: 'https://cdn.test/thumb.png',
    };
    nock(graphBase)
      .get('/t_1/messages')
      .query({ ...authenticated, fields, limit: '50' })
      .reply(200, { data: [{ ...message, message: null }], paging: { cursors: { after: 'x' } } });

    const page = await messages(pageContext(), options);

    expect(page._unsafeUnwrap()).toEqual({ data: [message], paging: { cursors: { after: 'x' } } });
  });

  test('asks for the page after a cursor, and returns links without token and proof', async () => {
    nock(graphBase)
      .get('/t_1/messages')
      .query({ ...authenticated, fields, limit: '5', after: 'x' })
      .reply(200, {
        data: [],
        paging: {
          next: `${graphBase}/t_1/messages?access_token=${token}&appsecret_proof=${proof}&after=z`,
        },
      });

    const page = await messages(pageContext(), { ...options, limit: 5, after: 'x' });

    expect(page._unsafeUnwrap()).toEqual({
      data: [],
      paging: { next: `${graphBase}/t_1/messages?after=z` },
    });
  });
});

describe('iterateConversations of a Page', () => {
  const fields =
    'id,updated_time,unread_count,participants,messages.limit(1){id,created_time,from,to,message}';

  const options = { pageId: '42', pageToken: token };

  const shop = { id: '42', name: 'Shop' };

  const ann = { id: '91', name: 'Ann' };

  const bob = { id: '92', name: 'Bob' };

  function thread(id: string, ...participants: readonly object[]): object {
    return { id, participants: { data: participants } };
  }

  test('walks all pages to the last, each conversation and each profile once', async () => {
    nock(graphBase)
      .get('/42/conversations')
      .query({ ...authenticated, platform: 'messenger', fields, limit: '2' })
      .reply(200, {
        data: [thread('t_1', shop, ann), thread('t_2', shop, bob)],
        paging: { next: `${graphBase}/42/conversations?access_token=${token}&after=B` },
      });
    nock(graphBase)
      .get('/42/conversations')
      .query({ ...authenticated, after: 'B' })
      .reply(200, {
        data: [thread('t_2', shop, bob), thread('t_3', ann, shop)],
        paging: { cursors: { after: 'C' } },
      });
    for (const id of ['91', '92']) {
      nock(graphBase)
        .get(`/${id}`)
        .query({ ...authenticated, fields: 'first_name,last_name,name,profile_pic' })
        .reply(200, { id, first_name: `First of ${id}` });
    }
    const seen: unknown[] = [];

    for await (const found of iterateConversations(pageContext(), { ...options, pageSize: 2 })) {
      const { id, contact } = found._unsafeUnwrap();
      seen.push([id, contact?.first_name]);
    }

    expect(seen).toEqual([
      ['t_1', 'First of 91'],
      ['t_2', 'First of 92'],
      ['t_3', 'First of 91'],
    ]);
    expect(nock.isDone()).toBe(true);
  });

  test('ends with the failure, and at its limit', async () => {
    nock(graphBase)
      .get('/42/conversations')
      .query({ ...authenticated, platform: 'messenger', fields, limit: '1' })
      .reply(200, { data: [thread('t_1', shop, ann), thread('t_2', shop, bob)] });
    nock(graphBase)
      .get('/42/conversations')
      .query(true)
      .reply(400, { error: { message: 'No', code: 190 } });
    const seen: unknown[] = [];

    for await (const found of iterateConversations(pageContext(), { ...options, limit: 1, enrich: false }))
      seen.push(found._unsafeUnwrap().id);
    for await (const found of iterateConversations(pageContext(), options))
      seen.push(found._unsafeUnwrapErr());

    expect(seen).toMatchObject(['t_1', { name: 'ApiError', category: 'auth' }]);
  });
});

describe('iterateMessages of a Page', () => {
  const fields = 'id,created_time,from,to,message,attachments,shares,sticker,reactions';

  const options = { conversationId: 't_1', pageToken: token };

  test('walks the pages, each message once, until the platform has no more', async () => {
    nock(graphBase)
      .get('/t_1/messages')
      .query({ ...authenticated, fields, limit: '50' })
      .reply(200, {
        data: [{ id: 'm_1' }, { id: 'm_2' }],
        paging: { next: `${graphBase}/t_1/messages?access_token=${token}&after=z` },
      });
    nock(graphBase)
      .get('/t_1/messages')
      .query({ ...authenticated, after: 'z' })
      .reply(200, { data: [{ id: 'm_2' }, { id: 'm_3' }] });
    const seen: unknown[] = [];

    for await (const message of iterateMessages(pageContext(), options))
      seen.push(message._unsafeUnwrap().id);

    expect(seen).toEqual(['m_1', 'm_2', 'm_3']);
  });

  test('ends with the failure for messages that are too old', async () => {
    nock(graphBase)
      .get('/t_1/messages')
      .query({ ...authenticated, fields, limit: '3' })
      .reply(400, { error: { message: 'This message was deleted', code: 100 } });
    const seen: unknown[] = [];

    for await (const message of iterateMessages(pageContext(), { ...options, limit: 5, pageSize: 3 }))
      seen.push(message._unsafeUnwrapErr().message);

    expect(seen).toEqual(['This message was deleted']);
  });
});

describe('contact of a Page', () => {
  const fields = 'first_name,last_name,name,profile_pic';

  const options = { psid: '99', pageToken: token };

  test('reads the profile', async () => {
    const profile = { id: '99', first_name: 'Ann', last_name: 'Lee', profile_pic: 'https://x.test/p' };
    nock(graphBase)
      .get('/99')
      .query({ ...authenticated, fields })
      .reply(200, { ...profile, name: null });

    const found = await contact(pageContext(), options);

    expect(found._unsafeUnwrap()).toEqual({ ...profile, available: true });
  });

  test('takes a profile that has a first name alone', async () => {
    nock(graphBase).get('/99').query(true).reply(200, { first_name: 'Ann' });

    const found = await contact(pageContext(), options);

    expect(found._unsafeUnwrap()).toEqual({ id: '99', first_name: 'Ann', available: true });
  });

  test.each([
    ['a refusal', 400, '{"error":{"message":"No matching user","code":100,"error_subcode":2018218}}'],
    ['an empty object', 200, '{}'],
    ['a profile of another shape', 200, '{"first_name":{"a":1}}'],
  ])('does not fail on %s', async (_what, status, body) => {
    nock(graphBase).get('/99').query(true).reply(status, body);

    const found = await contact(pageContext(), options);

    expect(found._unsafeUnwrap()).toEqual({
      id: '99',
      available: false,
      reason: expect.stringMatching(/\w/),
    });
  });

  test.each([
    ['', { ...options, psid: '' }, 'psid must be a non-empty string'],
    ['99', { ...options, pageToken: '' }, 'pageToken must be a non-empty string'],
    ['', undefined as never, 'options must be an object'],
    ['99', { psid: '99', page_token: token } as never, 'page_token is not an option: pageToken is'],
    ['', { PSID: '99', pageToken: token } as never, 'PSID is not an option: psid is'],
  ])('resolves for bad options, without a request', async (id, bad, reason) => {
    const found = await contact(pageContext(), bad);

    expect(found._unsafeUnwrap()).toEqual({ id, available: false, reason });
  });
});

describe('sendMessage of a Page', () => {
  const options = { pageId: '42', pageToken: token, recipientId: '91', text: 'Hello' };

  const body = { recipient: { id: '91' }, message: { text: 'Hello' }, messaging_type: 'RESPONSE' };

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

  test.each(['REGULAR', 'SILENT_PUSH', 'NO_PUSH'] as const)(
    'says how the device tells of it: %s',
    async (type) => {
      nock(graphBase)
        .post('/42/messages', { ...body, notification_type: type })
        .query(authenticated)
        .reply(200, sent);

      expect((await sendMessage(pageContext(), { ...options, notificationType: type })).isOk()).toBe(true);
    },
  );

  describe('to a person who agreed in the checkbox plugin', () => {
    const { recipientId: _, ...rest } = options;
    const toRef = { ...rest, userRef: 'checkbox 7' };
    const place = () =>
      nock(graphBase)
        .post('/42/messages', { ...body, recipient: { user_ref: 'checkbox 7' } })
        .query(authenticated);

    test.each([
      [{ message_id: 'm_1' }, { recipient_id: '', message_id: 'm_1' }],
      [sent, sent],
    ])('has the id of whoever the platform says: %j', async (response, value) => {
      place().reply(200, response);

      expect((await sendMessage(pageContext(), toRef))._unsafeUnwrap()).toEqual(value);
    });

    test('is not looked up where its response was lost, since nothing shows whose conversation it is in', async () => {
      place().replyWithError(new Error('reset'));
      const error = (await sendMessage(pageContext(), toRef))._unsafeUnwrapErr();

      expect(error).toMatchObject({ outcome: 'unknown', retryAfterMs: undefined });
    });

    test.each([
      ['recipientId', { ...options, userRef: 'checkbox 7' }],
      ['recipientId', rest],
      ['userRef', { ...rest, userRef: '' }],
      ['notificationType', { ...options, notificationType: 'SILENT' }],
    ])('needs exactly one recipient: %s', async (option, wrong) => {
      // A JavaScript caller may pass anything.
      const error = (await sendMessage(pageContext(), wrong as typeof options))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    });
  });

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

  test('sends metadata with the message, and the persona beside it', async () => {
    nock(graphBase)
      .post('/42/messages', { ...body, message: { text: 'Hello', metadata: 'order 7' }, persona_id: '55' })
      .query(authenticated)
      .reply(200, sent);

    const message = await sendMessage(pageContext(), { ...options, metadata: 'order 7', personaId: '55' });

    expect(message._unsafeUnwrap()).toEqual(sent);
  });

  const { text: _, ...to } = options;
  const parameters = [{ type: 'text', text: '1001', parameter_name: 'order' }] as const;
  const utility = { name: 'order_sent', language: 'en_US', components: [{ type: 'body', parameters }] };

  test.each([
    ['with parameters', utility, { components: utility.components }],
    ['without', { name: 'order_sent', language: 'en_US' }, {}],
  ])('sends a message by a template, %s', async (_what, utility, components) => {
    nock(graphBase)
      .post('/42/messages', {
        recipient: { id: '91' },
        messaging_type: 'UTILITY',
        message: { template: { name: 'order_sent', language: { code: 'en_US' }, ...components } },
      })
      .query(authenticated)
      .reply(200, sent);

    expect((await sendMessage(pageContext(), { ...to, utility }))._unsafeUnwrap()).toEqual(sent);
  });

  test('does not take another message for one by a template, whose text only the platform knows', async () => {
    lose();

    // A memory of its own: it may have created any message to this person.
    const context = pageContext({ memory: createWriteMemory() });
    const error = (await sendMessage(context, { ...to, utility }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
    expect(error.message).toContain('no list shows it');
  });

  test.each([
    [{ utility, text: 'Hi' }, 'text', /^give exactly one of/],
    [{ utility, humanAgent: true }, 'humanAgent', /^humanAgent is for messages without utility only$/],
    [{ utility: { name: 'a' } }, 'utility.language', /./],
    [{ utility: { ...utility, components: [{ type: 'body' }] } }, 'utility.components[0].parameters', /./],
    [
      { utility: { ...utility, components: [{ type: 'body', parameters: [{}] }] } },
      'utility.components[0].parameters[0].type',
      /./,
    ],
    [{ text: 'Hi', metadata: 'x'.repeat(1001) }, 'metadata', /at most 1000 characters, not 1001$/],
    [{ text: 'Hi', personaId: '..' }, 'personaId', /^personaId must be an id$/],
  ])('refuses %o before anything is sent', async (bad, option, message) => {
    const wrong = { ...to, ...bad } as unknown as typeof options;
    const error = (await sendMessage(pageContext(), wrong))._unsafeUnwrapErr();
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      option,
      message: expect.stringMatching(message),
    });
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

describe('privateReply of a Page', () => {
  const options = { pageId: '42', pageToken: token, commentId: '42_7', text: 'It costs ten.' };

  const sent = { recipient_id: '91', message_id: 'm_1' };

  const repeated = { error: { message: 'Activity already replied to', code: 10900 } };

  function reply(): nock.Interceptor {
    return nock(graphBase)
      .post('/42/messages', { recipient: { comment_id: '42_7' }, message: { text: 'It costs ten.' } })
      .query(authenticated);
  }

  test('replies to a comment', async () => {
    reply().reply(200, sent);

    expect((await privateReply(pageContext(), options))._unsafeUnwrap()).toEqual(sent);
  });

  test('replies to a post of a visitor, with any content', async () => {
    const { commentId: _, text: __, ...rest } = options;
    nock(graphBase)
      .post('/42/messages', {
        recipient: { post_id: '42_1' },
        message: { attachment: { type: 'image', payload: { url: 'https://example.com/a' } } },
      })
      .query(authenticated)
      .reply(200, sent);

    const message = await privateReply(pageContext(), {
      ...rest,
      postId: '42_1',
      attachment: { type: 'image', url: 'https://example.com/a' },
    });

    expect(message._unsafeUnwrap()).toEqual(sent);
  });

  test('is sent again after a lost response, and returns what the second one says', async () => {
    reply().replyWithError(new Error('reset'));
    reply().reply(200, sent);

    expect((await privateReply(pageContext(), options))._unsafeUnwrap()).toEqual(sent);
  });

  test('says that a lost one took effect where the platform refuses another', async () => {
    reply().replyWithError(new Error('reset'));
    reply().reply(400, repeated);

    const error = (await privateReply(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 10900, category: 'recipient', outcome: 'applied' });
    expect(error.message).toBe('Activity already replied to');
  });

  test('says so too where nothing is looked up', async () => {
    reply().replyWithError(new Error('reset'));
    reply().reply(400, repeated);
    const context = pageContext({ retry: { baseDelayMs: 1, onceOnly: false } });

    expect((await privateReply(context, options))._unsafeUnwrapErr()).toMatchObject({ outcome: 'applied' });
  });

  test('says that one to a comment that has one did not happen', async () => {
    reply().reply(400, repeated);

    const error = (await privateReply(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ category: 'recipient', outcome: 'rejected' });
  });

  test.each([
    ['commentId', { ...options, postId: '42_1' as never }],
    ['text', { ...options, text: 'x'.repeat(2001) }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await privateReply(pageContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});

test('privateReply has no template of messages', async () => {
  const utility = { name: 'order_sent', language: 'en_US' };
  const wrong = { pageId: '42', pageToken: token, commentId: '7', utility } as never;

  expect((await privateReply(pageContext(), wrong))._unsafeUnwrapErr()).toMatchObject({
    option: 'utility',
    message: expect.stringContaining(
      'utility is not an option; the options are idempotencyKey, pageId, pageToken, commentId, postId',
    ),
  });
});

describe('sendAction of a Page', () => {
  const options = { pageId: '42', pageToken: token, recipientId: '91', action: 'typing_on' } as const;

  const done = { recipient_id: '91' };

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

describe('sendReaction of a Page', () => {
  const options = { pageId: '42', pageToken: token, recipientId: '91', messageId: 'm_1' };

  const done = { recipient_id: '91' };

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

describe('uploadAttachment of a Page', () => {
  const url = 'https://example.com/a.jpg';

  const common = { pageId: '42', pageToken: token } as const;

  const options = { ...common, type: 'image', url } as const;

  const done = { attachment_id: '7' };

  /** The parts of a multipart body. */
  function partsOf(body: string): readonly string[] {
    return body.split(/--\w+(?:--)?\r\n/).filter(Boolean);
  }

  test('passes the platform the address to fetch', async () => {
    nock(graphBase)
      .post('/42/message_attachments', {
        platform: 'messenger',
        message: { attachment: { type: 'image', payload: { url, is_reusable: true } } },
      })
      .query(authenticated)
      .reply(200, { attachment_id: 7 });

    expect((await uploadAttachment(pageContext(), options))._unsafeUnwrap()).toEqual(done);
  });

  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const bytes = new TextEncoder().encode('%PDF');
  const begins = (...codes: readonly number[]) => Uint8Array.from([...codes, ...new Uint8Array(16)]);
  const riff = (kind: string) => new TextEncoder().encode(`RIFF....${kind}fmt `);
  test.each([
    // By its first bytes.
    ['bytes of a PDF', 'file', bytes, 'application/pdf', 'file.pdf'],
    ['bytes of a PNG', 'image', begins(0x89, 0x50, 0x4e, 0x47), 'image/png', 'image.png'],
    ['bytes of a JPEG', 'image', begins(0xff, 0xd8, 0xff), 'image/jpeg', 'image.jpg'],
    ['bytes of a WAV', 'audio', riff('WAVE'), 'audio/wav', 'audio.wav'],
    ['bytes of a WebP', 'image', riff('WEBP'), 'image/webp', 'image.webp'],
    ['bytes of an MP4', 'video', new TextEncoder().encode('\0\0\0 ftypisom'), 'video/mp4', 'video.mp4'],
    [
      'bytes of a film of QuickTime',
      'video',
      new TextEncoder().encode('\0\0\0 ftypqt  '),
      'video/quicktime',
      'video.mov',
    ],
    ['a Blob without a type', 'audio', new Blob(['ID3']), 'audio/mpeg', 'audio.mp3'],
    // By what it says of itself.
    ['a Blob with a type', 'image', new Blob(['%PDF'], { type: 'image/png' }), 'image/png', 'image.png'],
    [
      'a File',
      'file',
      new File([bytes], 'Menü "May".pdf', { type: 'application/x-menu' }),
      'application/x-menu',
      'Menü %22May%22.pdf',
    ],
    ['a File without a type', 'file', new File(['PK'], 'offer.DOCX'), docx, 'offer.DOCX'],
    ['bytes with a name', 'file', { data: bytes, filename: 'offer.docx' }, docx, 'offer.docx'],
    ['bytes with a type', 'file', { data: bytes, contentType: 'text/csv' }, 'text/csv', 'file.csv'],
    [
      'bytes with both',
      'file',
      { data: new Blob(['a'], { type: 'text/plain' }), filename: 'a.txt', contentType: 'text/csv' },
      'text/csv',
      'a.txt',
    ],
    // Nothing tells.
    ['bytes of an image', 'image', new Uint8Array([1]), 'image/jpeg', 'image.jpg'],
    ['bytes of a file', 'file', new Uint8Array([1]), 'application/octet-stream', 'file'],
  ] as const)(
    'sends %s as the part `filedata`, with its name and type',
    async (_what, type, file, mediaType, name) => {
      let parts: readonly string[] = [];
      nock(graphBase, { reqheaders: { 'content-type': /^multipart\/form-data; boundary=\w+$/ } })
        .post('/42/message_attachments', (body) => {
          // nock shows a body that is no text in hexadecimal.
          const sent = String(body);
          parts = partsOf(/^[\da-f]+$/.test(sent) ? Buffer.from(sent, 'hex').toString() : sent);
          return true;
        })
        .query(authenticated)
        .reply(200, done);

      const uploaded = await uploadAttachment(pageContext(), { ...common, type, file });

      expect(uploaded._unsafeUnwrap()).toEqual(done);
      const head = (name: string) => `Content-Disposition: form-data; name="${name}"`;
      const message = `{"attachment":{"type":"${type}","payload":{"is_reusable":true}}}`;
      expect(parts).toEqual([
        `${head('platform')}\r\n\r\nmessenger\r\n`,
        `${head('message')}\r\n\r\n${message}\r\n`,
        expect.stringContaining(
          `${head('filedata')}; filename="${name}"\r\nContent-Type: ${mediaType}\r\n\r\n`,
        ),
      ]);
    },
  );

  test('names a file as its path does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pagepics-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'to let (2).webp');
    writeFileSync(path, 'RIFF');
    const data = pathToFileURL(path);
    for (const file of [path, data, data.href, { data }, { data: path }]) {
      let sent = '';
      nock(graphBase)
        .post('/42/message_attachments', (body) => (sent = String(body)) !== '')
        .query(true)
        .reply(200, done);
      expect((await uploadAttachment(pageContext(), { ...common, type: 'image', file })).isOk()).toBe(true);
      expect(sent).toContain('filename="to let (2).webp"\r\nContent-Type: image/webp\r\n');
    }
  });

  test.each([
    ['file.filename', { data: bytes, filename: 'a/b' }],
    ['file.filename', { data: bytes, filename: 'a\nb' }],
    ['file.contentType', { data: bytes, contentType: 'text/plain; charset=utf-8' }],
    ['file.data', { data: 'https://a.test/a.jpg' }],
    ['file.fileName', { data: bytes, fileName: 'a.txt' }],
    ['file', {}],
  ])('refuses a bad %s before anything is sent', async (option, file) => {
    const bad = { ...common, type: 'file' as const, file: file as Blob };
    expect((await uploadAttachment(pageContext(), bad))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });

  test('says of a file that changed while it was sent that it did so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pagepics-'));
    const file = join(folder, 'menu.pdf');
    writeFileSync(file, '%PDF');
    const fetch = async (): Promise<Response> => {
      writeFileSync(file, '');
      throw new TypeError('fetch failed');
    };

    const context = pageContext({ fetch });
    const error = (await uploadAttachment(context, { ...common, type: 'file', file }))._unsafeUnwrapErr();
    rmSync(folder, { recursive: true });

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
    expect(error.message).toContain('file');
    expect(error.message).not.toContain(folder);
  });

  test('is sent again after a lost response', async () => {
    nock(graphBase).post('/42/message_attachments').query(true).replyWithError(new Error('reset'));
    nock(graphBase).post('/42/message_attachments').query(true).reply(200, done);

    expect((await uploadAttachment(pageContext(), options)).isOk()).toBe(true);
  });

  test.each([
    ['url', { ...common, type: 'image' } as never],
    ['url', { ...options, file: new Uint8Array(1) as never }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await uploadAttachment(pageContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});

describe('messageDetails of a Page', () => {
  const fields = 'id,created_time,from,to,message,attachments,shares,sticker,reactions,reply_to';

  test('reads one message, with the one that it replies to', async () => {
    nock(graphBase)
      .get('/m_2')
      .query({ ...authenticated, fields })
      .reply(200, {
        id: 'm_2',
        message: '',
        from: { id: 9 },
        reply_to: { mid: 'm_1', is_self_reply: false },
      });

    const message = await messageDetails(pageContext(), { messageId: 'm_2', pageToken: token });

    expect(message._unsafeUnwrap()).toEqual({
      id: 'm_2',
      message: '',
      from: { id: '9' },
      reply_to: { mid: 'm_1', is_self_reply: false },
    });
  });

  test('asks for chosen fields only', async () => {
    nock(graphBase)
      .get('/m_2')
      .query({ ...authenticated, fields: 'id,tags' })
      .reply(200, { id: 'm_2', tags: { data: [] } });

    const options = { messageId: 'm_2', pageToken: token, fields: ['id', 'tags'] };

    expect((await messageDetails(pageContext(), options))._unsafeUnwrap()).toEqual({
      id: 'm_2',
      tags: { data: [] },
    });
  });

  test('fails with what the platform says of an older message', async () => {
    nock(graphBase)
      .get('/m_2')
      .query(true)
      .reply(400, { error: { message: 'The message was deleted', type: 'OAuthException', code: 100 } });

    const error = (
      await messageDetails(pageContext(), { messageId: 'm_2', pageToken: token })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'The message was deleted' });
  });
});
