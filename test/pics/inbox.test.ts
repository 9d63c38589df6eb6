import { ok } from 'neverthrow';
import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { createPicsClient } from '../../src/pics/client.ts';
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
} from '../../src/pics/inbox.ts';
import {
  appSecret,
  authenticated,
  dated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  platform,
  proof,
  token,
  wireNow,
} from '../support/context.ts';
import { fc, runs } from '../support/property.ts';

describe('conversations', () => {
  const fields =
    'id,updated_time,unread_count,participants,messages.limit(1){id,created_time,from,to,message}';

  const query = { ...authenticated, platform: 'instagram', fields, limit: '25' };

  const shop = { id: '1784', username: 'shop' };

  const ann = { id: '91', username: 'ann' };

  const bob = { id: '92', username: 'bob' };

  const hi = { id: 'm1', created_time: '2026-01-02T03:04:05+0000', from: ann, message: 'hi' };

  function thread(id: string, ...participants: readonly object[]): object {
    return {
      id,
      updated_time: '2026-01-02T03:04:05+0000',
      participants: { data: participants },
      messages: { data: [hi] },
    };
  }

  function profile(
    base: string,
    id: string,
    status = 200,
    body: object = { id, name: `Name of ${id}` },
  ): void {
    nock(base)
      .get(`/${id}`)
      .query((asked) => String(asked['fields']).startsWith('name,username'))
      .reply(status, body);
  }

  test('in login mode reads those of the token’s owner, each with its customer', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(query)
      .reply(200, { data: [thread('t1', shop, ann)], paging: { cursors: { after: 'A' } } });
    profile(picsGraphBase, '91');

    const page = await conversations(picsContext(), { token, picsUserId: '1784' });

    const contact = { ...ann, name: 'Name of 91', available: true };
    expect(page._unsafeUnwrap()).toEqual({
      data: [{ ...thread('t1', shop, ann), contact, contacts: [contact], last_message: hi }],
      paging: { cursors: { after: 'A' } },
    });
  });

  test('in page mode reads those of the Page', async () => {
    nock(graphBase)
      .get('/42/conversations')
      .query({ ...query, limit: '3', after: 'A' })
      .reply(200, {
        data: [thread('t1', shop, ann)],
        paging: {
          next: `${graphBase}/42/conversations?access_token=${token}&after=B&appsecret_proof=${proof}`,
          previous: `${graphBase}/42/conversations?before=C&access_token=${token}`,
        },
      });
    profile(graphBase, '91');

    const page = await conversations(picsPageContext(), {
      token,
      pageId: '42',
      picsUserId: '1784',
      limit: 3,
      after: 'A',
    });

    const { data, paging } = page._unsafeUnwrap();
    expect(data.map(({ contact }) => contact?.id)).toEqual(['91']);
    expect(paging).toEqual({
      next: `${graphBase}/42/conversations?after=B`,
      previous: `${graphBase}/42/conversations?before=C`,
    });
  });

  test.each([
    ['its professional account id', { picsUserId: '1784' }, shop],
    ['the id of the Page', { picsUserId: '7', pageId: '1784' }, shop],
    ['the second id of a participant', { picsUserId: '1784' }, { id: '555', user_id: '1784' }],
  ])('tells the business from the customer by %s', async (_what, ids, business) => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(200, { data: [thread('t1', ann, business)] });

    const page = await conversations(picsContext(), { token, enrich: false, ...ids });

    expect(page._unsafeUnwrap().data[0]).toMatchObject({ contact: ann, contacts: [ann] });
  });

  test('tells the business as the one who takes part in all conversations, where no id turns up', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(200, { data: [thread('t1', shop, ann), thread('t2', bob, shop)] });

    const page = await conversations(picsContext(), { token, picsUserId: '7', enrich: false });

    expect(page._unsafeUnwrap().data.map(({ contact }) => contact)).toEqual([ann, bob]);
  });

  test.each([
    ['one conversation', [thread('t1', shop, ann)]],
    ['conversations with the same people', [thread('t1', shop, ann), thread('t2', shop, ann)]],
  ])('names no customer where %s does not tell the business', async (_what, data) => {
    nock(picsGraphBase).get('/me/conversations').query(true).reply(200, { data });

    const page = await conversations(picsContext(), { token, enrich: false });

    for (const conversation of page._unsafeUnwrap().data) {
      expect(conversation).toMatchObject({ contact: undefined, contacts: [shop, ann] });
    }
  });

  test('does not take the only one that a conversation names for the business', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(200, { data: [thread('t1', ann)] });

    const page = await conversations(picsContext(), { token, picsUserId: '1784', enrich: false });

    expect(page._unsafeUnwrap().data[0]).toMatchObject({ contact: undefined, contacts: [ann] });
  });

  test('does not take a frequent customer for the business, where an id tells it elsewhere', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(200, { data: [thread('t1', shop, ann), thread('t2', { id: 'app-scoped' }, ann)] });

    const page = await conversations(picsContext(), { token, picsUserId: '1784', enrich: false });

    expect(page._unsafeUnwrap().data.map(({ contact }) => contact)).toEqual([ann, undefined]);
  });

  test('reads only the conversation with one person, and tells the business as the other one in it', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query({ ...query, user_id: '91' })
      .reply(200, { data: [thread('t1', { id: 'app-scoped' }, ann)] });

    const page = await conversations(picsContext(), {
      token,
      picsUserId: '1784',
      userId: '91',
      enrich: false,
    });

    expect(page._unsafeUnwrap().data).toMatchObject([{ id: 't1', contact: ann, contacts: [ann] }]);
  });

  test('lists all partners of a group', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(200, { data: [thread('t1', ann, shop, bob)] });

    const page = await conversations(picsContext(), { token, picsUserId: '1784', enrich: false });

    expect(page._unsafeUnwrap().data[0]).toMatchObject({ contact: ann, contacts: [ann, bob] });
  });

  test('reads each profile once, and keeps going where one is closed', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(200, { data: [thread('t1', shop, ann), thread('t2', shop, bob), thread('t3', shop, ann, bob)] });
    profile(picsGraphBase, '91');
    profile(picsGraphBase, '92', 400, { error: { message: 'User consent is required', code: 230 } });

    const page = await conversations(picsContext(), { token, picsUserId: '1784' });

    const open = { ...ann, name: 'Name of 91', available: true };
    const closed = { ...bob, available: false, reason: 'User consent is required' };
    expect(page._unsafeUnwrap().data.map(({ contacts }) => contacts)).toEqual([
      [open],
      [closed],
      [open, closed],
    ]);
  });

  test('reads the profiles of a page in two round trips, 13 at a time', async () => {
    let live = 0;
    let most = 0;
    let rounds = 0;
    const people = Array.from({ length: 25 }, (_, index) => ({ id: `9${index}`, username: `u${index}` }));
    const fetch = async (input: RequestInfo | URL): Promise<Response> => {
      const { pathname } = new URL((input as Request).url);
      if (pathname.endsWith('/conversations')) {
        return Response.json({ data: people.map((person) => thread(`t${person.id}`, shop, person)) });
      }
      // A request that begins after a response is in the round after it.
      const round = rounds + 1;
      most = Math.max(most, ++live);
      await new Promise((resolve) => setImmediate(resolve));
      live--;
      rounds = Math.max(rounds, round);
      return Response.json({ id: pathname.split('/').at(-1), name: 'N' });
    };

    const page = await conversations(picsContext({ fetch: fetch as typeof globalThis.fetch }), {
      token,
      picsUserId: '1784',
    });

    expect(page._unsafeUnwrap().data.map(({ contact }) => contact?.id)).toEqual(people.map(({ id }) => id));
    expect([most, rounds]).toEqual([13, 2]);
  });

  test('takes a conversation without participants and messages', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(200, { data: [{ id: 't1' }] });

    const page = await conversations(picsContext(), { token });

    expect(page._unsafeUnwrap().data).toEqual([
      { id: 't1', contact: undefined, contacts: [], last_message: undefined, updated_time: undefined },
    ]);
  });

  test('fails with what the platform said when it refuses', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(400, { error: { message: 'No', code: 190 } });

    const error = (await conversations(picsContext(), { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'auth' });
  });
});

describe('messages', () => {
  const fields = 'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported';

  const options = { conversationId: 'aWdf', token };

  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('reads one page in %s mode', async (_mode, base, contextOf) => {
    const message = {
      id: 'm1',
      created_time: '2026-01-02T03:04:05+0000',
      from: { id: '9', username: 'c' },
      to: { data: [{ id: '1' }] },
      message: 'hi',
      attachments: { data: [{ id: 'a' }] },
    };
    nock(base)
      .get('/aWdf/messages')
      .query({ ...authenticated, fields, limit: '50' })
      .reply(200, { data: [message], paging: { cursors: { after: 'x' } } });

    const page = await messages(contextOf(), options);

    expect(page._unsafeUnwrap()).toEqual({ data: [message], paging: { cursors: { after: 'x' } } });
  });

  test('asks for the page after a cursor, and returns links without token and proof', async () => {
    const link = (side: string) =>
      `${picsGraphBase}/aWdf/messages?access_token=${token}&limit=5&appsecret_proof=${proof}&${side}=z`;
    nock(picsGraphBase)
      .get('/aWdf/messages')
      .query({ ...authenticated, fields, limit: '5', after: 'x' })
      .reply(200, { data: [], paging: { next: link('after'), previous: link('before') } });

    const page = await messages(picsContext(), { ...options, limit: 5, after: 'x' });

    expect(page._unsafeUnwrap()).toEqual({
      data: [],
      paging: {
        next: `${picsGraphBase}/aWdf/messages?limit=5&after=z`,
        previous: `${picsGraphBase}/aWdf/messages?limit=5&before=z`,
      },
    });
  });

  test('has an empty paging where the response has none', async () => {
    nock(picsGraphBase).get('/aWdf/messages').query(true).reply(200, { data: [] });

    expect((await messages(picsContext(), options))._unsafeUnwrap()).toEqual({ data: [], paging: {} });
  });

  test('fails with what the platform said of messages that are too old', async () => {
    nock(picsGraphBase)
      .get('/aWdf/messages')
      .query(true)
      .reply(400, { error: { message: 'This message was deleted', code: 100 } });

    const error = (await messages(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'This message was deleted' });
  });

  test.each([
    ['data.0.id', { data: [{ from: { id: '7' } }] }],
    ['data.0', { data: ['Hi'] }],
    ['data', { data: { id: 'm1' } }],
  ])('says where a response has no %s', async (where, body) => {
    nock(picsGraphBase).get('/aWdf/messages').query(true).reply(200, body);

    const error = (await messages(picsContext(), options))._unsafeUnwrapErr();

    expect(error.message).toContain(`at ${where}: `);
  });

  test('reads an inbox whose messages have odd fields', async () => {
    const odd = { id: 'm1', from: 'someone', message: 17, is_unsupported: 'true', attachments: [] };
    nock(picsGraphBase)
      .get('/aWdf/messages')
      .query(true)
      .reply(200, { data: [odd, null, { id: 'm2', message: 'Hi' }] });

    const { data } = (await messages(picsContext(), options))._unsafeUnwrap();

    expect(data).toStrictEqual([
      { id: 'm1', message: '17', is_unsupported: true },
      { id: 'm2', message: 'Hi' },
    ]);
    expect(data[0]?.raw).toEqual(odd);
  });
});

describe('iterateConversations', () => {
  const fields =
    'id,updated_time,unread_count,participants,messages.limit(1){id,created_time,from,to,message}';

  const query = { ...authenticated, platform: 'instagram', fields };

  const shop = { id: '1784', username: 'shop' };

  const ann = { id: '91', username: 'ann' };

  const bob = { id: '92', username: 'bob' };

  function thread(id: string, ...participants: readonly object[]): object {
    return { id, participants: { data: participants } };
  }

  /** Two pages; the second one has a cursor as well, which leads nowhere. */
  function twoPages(base: string, inbox: string, first: readonly object[], second: readonly object[]): void {
    nock(base)
      .get(`/${inbox}/conversations`)
      .query({ ...query, limit: '50' })
      .reply(200, {
        data: first,
        paging: {
          cursors: { after: 'B' },
          next: `${base}/${inbox}/conversations?access_token=${token}&after=B`,
        },
      });
    nock(base)
      .get(`/${inbox}/conversations`)
      .query({ ...authenticated, after: 'B' })
      .reply(200, { data: second, paging: { cursors: { after: 'C' } } });
  }

  test('walks all pages to the last, each conversation and each profile once', async () => {
    twoPages(
      picsGraphBase,
      'me',
      [thread('t1', shop, ann), thread('t2', shop, bob)],
      [thread('t2', shop, bob), thread('t3', shop, ann)],
    );
    for (const id of ['91', '92']) {
      nock(picsGraphBase)
        .get(`/${id}`)
        .query(true)
        .reply(200, { id, name: `Name of ${id}` });
    }
    const seen: unknown[] = [];

    for await (const found of iterateConversations(picsContext(), { token, picsUserId: '1784' })) {
      const { id, contact } = found._unsafeUnwrap();
      seen.push([id, contact?.name]);
    }

    expect(seen).toEqual([
      ['t1', 'Name of 91'],
      ['t2', 'Name of 92'],
      ['t3', 'Name of 91'],
    ]);
    expect(nock.isDone()).toBe(true);
  });

  test('keeps who the account is from one page to the next', async () => {
    twoPages(graphBase, '42', [thread('t1', shop, ann), thread('t2', shop, bob)], [thread('t3', shop, ann)]);
    const options = { token, pageId: '42', enrich: false };
    const partners: unknown[] = [];

    for await (const found of iterateConversations(picsPageContext(), options)) {
      partners.push(found.map(({ contact }) => contact));
    }

    expect(partners).toEqual([ok(ann), ok(bob), ok(ann)]);
  });

  test('takes no frequent customer for the account on a page that does not tell it', async () => {
    const hidden = { id: 'app-scoped' };
    twoPages(
      picsGraphBase,
      'me',
      [thread('t1', shop, ann)],
      [thread('t2', hidden, bob), thread('t3', { id: 'other' }, bob)],
    );
    const partners: unknown[] = [];

    for await (const found of iterateConversations(picsContext(), {
      token,
      picsUserId: '1784',
      enrich: false,
    })) {
      partners.push(found._unsafeUnwrap().contact);
    }

    expect(partners).toEqual([ann, undefined, undefined]);
  });

  test('ends with the failure', async () => {
    nock(picsGraphBase)
      .get('/me/conversations')
      .query(true)
      .reply(400, { error: { message: 'No', code: 190 } });
    const seen: unknown[] = [];

    for await (const found of iterateConversations(picsContext(), { token }))
      seen.push(found._unsafeUnwrapErr());

    expect(seen).toMatchObject([{ name: 'ApiError', category: 'auth' }]);
  });

  test('yields that page mode needs a Page', async () => {
    const { value } = await iterateConversations(picsPageContext(), { token }).next();

    expect(value?._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'pageId' });
  });
});

describe('iterateMessages', () => {
  const fields = 'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported';

  const options = { conversationId: 'aWdf', token };

  function twoPages(): void {
    nock(picsGraphBase)
      .get('/aWdf/messages')
      .query({ ...authenticated, fields, limit: '2' })
      .reply(200, {
        data: [{ id: 'm1', message: 'one' }, { id: 'm2' }],
        paging: {
          cursors: { after: 'B' },
          next: `${picsGraphBase}/aWdf/messages?access_token=${token}&limit=2&after=B`,
        },
      });
    nock(picsGraphBase)
      .get('/aWdf/messages')
      .query({ ...authenticated, limit: '2', after: 'B' })
      // The last page has a cursor too: it leads nowhere.
      .reply(200, { data: [{ id: 'm2' }, { id: 'm3' }], paging: { cursors: { after: 'C' } } });
  }

  test('walks all pages to the last, and gives each message once', async () => {
    twoPages();
    const ids: string[] = [];

    for await (const message of iterateMessages(picsContext(), { ...options, pageSize: 2 })) {
      ids.push(message._unsafeUnwrap().id);
    }

    expect(ids).toEqual(['m1', 'm2', 'm3']);
    expect(nock.isDone()).toBe(true);
  });

  test('is a method of a client, which throws', async () => {
    twoPages();
    nock(picsGraphBase)
      .get('/gone/messages')
      .query(true)
      .reply(400, { error: { message: 'This message was deleted', code: 100 } });
    const client = createPicsClient({ appId: '1', appSecret, platform });
    const texts: unknown[] = [];

    for await (const { message } of client.iterateMessages({ ...options, pageSize: 2, limit: 3 })) {
      texts.push(message);
    }

    expect(texts).toEqual(['one', undefined, undefined]);
    await expect(client.iterateMessages({ ...options, conversationId: 'gone' }).next()).rejects.toThrow(
      'This message was deleted',
    );
  });

  test('asks for no more than its limit', async () => {
    nock(picsGraphBase)
      .get('/aWdf/messages')
      .query({ ...authenticated, fields, limit: '1' })
      .reply(200, { data: [{ id: 'm1' }], paging: { next: `${picsGraphBase}/aWdf/messages?after=B` } });
    const seen: unknown[] = [];

    for await (const message of iterateMessages(picsContext(), { ...options, limit: 1 })) seen.push(message);

    expect(seen).toHaveLength(1);
  });
});

describe('contact', () => {
  const fields =
    'name,username,profile_pic,follower_count,is_user_follow_business,is_business_follow_user,is_verified_user';

  const options = { igsid: '99', token };

  test.each([
    ['login', picsGraphBase, picsContext],
    ['page', graphBase, picsPageContext],
  ] as const)('reads the profile in %s mode', async (_mode, base, contextOf) => {
    const profile = {
      username: 'p',
      profile_pic: 'https://x.test/p',
      follower_count: 12,
      id: '99',
    };
    nock(base)
      .get('/99')
      .query({ ...authenticated, fields })
      .reply(200, { ...profile, name: null, extra: true });

    const found = await contact(contextOf(), options);

    expect(found._unsafeUnwrap()).toEqual({ ...profile, extra: true, available: true });
  });

  test('keeps the id that was asked for when the response has none', async () => {
    nock(picsGraphBase).get('/99').query(true).reply(200, { username: 'p' });

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap()).toEqual({ id: '99', username: 'p', available: true });
  });

  test('says why a profile is closed', async () => {
    nock(picsGraphBase)
      .get('/99')
      .query(true)
      .reply(400, { error: { message: 'User consent is required to access user profile', code: 230 } });

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap()).toEqual({
      id: '99',
      available: false,
      reason: 'User consent is required to access user profile',
    });
  });

  test.each([
    ['HTML', 200, '<html>'],
    ['an empty body', 200, ''],
    ['an empty object', 200, '{}'],
    ['a list', 200, '[]'],
    ['null', 200, 'null'],
    ['a profile of another shape', 200, '{"username":{"a":1}}'],
    ['a server error', 500, 'down'],
  ])('does not fail on %s', async (_what, status, body) => {
    nock(picsGraphBase)
      .get('/99')
      .query(true)
      .times(status === 500 ? 3 : 1)
      .reply(status, body);

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap()).toEqual({
      id: '99',
      available: false,
      reason: expect.stringMatching(/\w/),
    });
  });

  test('does not fail when the network does', async () => {
    nock(picsGraphBase).get('/99').query(true).times(3).replyWithError(new Error('no route'));

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap()).toMatchObject({
      available: false,
      reason: expect.stringContaining('network'),
    });
  });

  test('shows no token in the reason', async () => {
    nock(picsGraphBase)
      .get('/99')
      .query(true)
      .reply(400, { error: { message: `Bad token ${token}`, code: 190 } });

    const found = await contact(picsContext(), options);

    expect(found._unsafeUnwrap().reason).toBe('Bad token [secret]');
  });

  test.each([
    ['', { ...options, igsid: '' }, 'igsid must be a non-empty string'],
    ['..', { ...options, igsid: '..' }, 'igsid must be an id'],
    ['', { token } as never, 'igsid must be a non-empty string'],
    ['99', { ...options, token: '' }, 'token must be a non-empty string'],
    ['', undefined as never, 'options must be an object'],
  ])('resolves for bad options, without a request', async (id, bad, reason) => {
    const found = await contact(picsContext(), bad);

    expect(found._unsafeUnwrap()).toEqual({ id, available: false, reason });
  });
});

describe('sendMessage', () => {
  const options = { recipientId: '91', token, text: 'Hello' };

  const body = { recipient: { id: '91' }, message: { text: 'Hello' } };

  const sent = { recipient_id: '91', message_id: 'aWdf1' };

  const fields = 'messages.limit(20){id,created_time,from,to,message}';

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

describe('privateReply', () => {
  const options = { token, commentId: '181', text: 'It costs ten.' };

  const body = { recipient: { comment_id: '181' }, message: { text: 'It costs ten.' } };

  const sent = { recipient_id: '91', message_id: 'aWdf1' };

  const repeated = { error: { message: 'Already replied', code: 100, error_subcode: 2534025 } };

  function reply(): nock.Interceptor {
    return nock(picsGraphBase).post('/me/messages', body).query(authenticated);
  }

  // The account's own node has no edge for messages on the page graph.
  test.each([
    ['login mode', picsGraphBase, picsContext, {}, '/me/messages'],
    ['login mode with an id', picsGraphBase, picsContext, { picsUserId: '1784' }, '/1784/messages'],
    ['page mode', graphBase, picsPageContext, { pageId: '42', picsUserId: '1784' }, '/42/messages'],
  ] as const)('replies to a comment in %s', async (_mode, base, contextOf, ids, path) => {
    nock(base).post(path, body).query(authenticated).reply(200, sent);

    expect((await privateReply(contextOf(), { ...options, ...ids }))._unsafeUnwrap()).toEqual(sent);
  });

  test('is sent again after a lost response, and says whether it took effect', async () => {
    reply().reply(502, 'Bad Gateway');
    reply().reply(400, repeated);
    const applied = (await privateReply(picsContext(), options))._unsafeUnwrapErr();
    reply().reply(400, repeated);
    const refused = (await privateReply(picsContext(), options))._unsafeUnwrapErr();
    reply().times(3).replyWithError(new Error('reset'));
    const lost = (await privateReply(picsContext(), options))._unsafeUnwrapErr();

    expect(applied).toMatchObject({ name: 'ApiError', category: 'recipient', outcome: 'applied' });
    expect(refused).toMatchObject({ name: 'ApiError', category: 'recipient', outcome: 'rejected' });
    expect(lost).toMatchObject({ name: 'TransportError', outcome: 'unknown' });
  });

  test('takes no refusal under a 5xx for a sign that it took effect, since the first is told so too', async () => {
    reply().times(3).reply(500, repeated);

    const error = (await privateReply(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'recipient', outcome: 'unknown' });
  });

  test('takes no other refusal for a sign that it took effect', async () => {
    reply().replyWithError(new Error('reset'));
    reply().reply(400, { error: { message: 'Gone', code: 100, error_subcode: 33 } });

    const error = (await privateReply(picsContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', category: 'not_found', outcome: 'unknown' });
  });

  test.each([
    ['text', { ...options, text: 'é'.repeat(501) }],
    ['text', { ...options, mediaId: '901' as never }],
  ])('refuses a bad %s before anything is sent', async (option, bad) => {
    const error = (await privateReply(picsContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
  });
});

describe('sendAction', () => {
  const options = { token, recipientId: '91', action: 'mark_seen' } as const;

  const done = { recipient_id: '91' };

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

describe('sendReaction', () => {
  const options = { token, recipientId: '91', messageId: 'aWdf1' };

  const done = { recipient_id: '91' };

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

describe('uploadAttachment', () => {
  const url = 'https://example.com/a.mp4';

  const options = { token, type: 'video', url } as const;

  const message = { attachment: { type: 'video', payload: { url, is_reusable: true } } };

  const done = { attachment_id: '7' };

  test.each([
    ['login mode', picsGraphBase, picsContext, {}, '/me', { message }],
    ['login mode with an id', picsGraphBase, picsContext, { picsUserId: '17' }, '/17', { message }],
    ['page mode', graphBase, picsPageContext, { pageId: '42' }, '/42', { platform: 'instagram', message }],
  ] as const)('uploads from an address in %s', async (_mode, base, contextOf, ids, node, body) => {
    nock(base).post(`${node}/message_attachments`, body).query(authenticated).reply(200, done);

    expect((await uploadAttachment(contextOf(), { ...options, ...ids }))._unsafeUnwrap()).toEqual(done);
  });

  test('sends bytes in page mode', async () => {
    nock(graphBase)
      .post('/42/message_attachments', /name="platform"\r\n\r\ninstagram\r\n[^]*name="filedata"[^]*bytes/)
      .query(authenticated)
      .reply(200, done);

    const uploaded = await uploadAttachment(picsPageContext(), {
      token,
      pageId: '42',
      type: 'video',
      file: new Blob(['bytes']),
    });

    expect(uploaded._unsafeUnwrap()).toEqual(done);
  });

  test('refuses bytes in login mode, which the platform does not take there', async () => {
    const bad = { token, type: 'video', file: new Blob(['bytes']) } as const;

    const error = (await uploadAttachment(picsContext(), bad))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ConfigurationError',
      option: 'file',
      message: 'file is not supported in login mode: use url',
    });
  });

  test.each([['url', { token, type: 'video' } as never]])(
    'refuses a bad %s before anything is sent',
    async (option, bad) => {
      const error = (await uploadAttachment(picsContext(), bad))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'ConfigurationError', option });
    },
  );
});

describe.each([
  ['login', picsGraphBase, picsContext],
  ['page', graphBase, picsPageContext],
] as const)('messageDetails in %s mode', (_mode, base, contextOf) => {
  test('reads one message with its story, and whether it is supported', async () => {
    const fields =
      'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported,reply_to';
    nock(base)
      .get('/aWdf2')
      .query({ ...authenticated, fields })
      .reply(200, {
        id: 'aWdf2',
        from: { id: '9', username: 'ann' },
        story: { reply_to: { id: 18, link: 'https://cdn.test/story' } },
        reply_to: { mid: 'aWdf1', is_self_reply: true },
        is_unsupported: 'true',
      });

    const message = await messageDetails(contextOf(), { messageId: 'aWdf2', token });

    expect(message._unsafeUnwrap()).toEqual({
      id: 'aWdf2',
      from: { id: '9', username: 'ann' },
      story: { reply_to: { id: '18', link: 'https://cdn.test/story' } },
      reply_to: { mid: 'aWdf1', is_self_reply: true },
      is_unsupported: true,
    });
  });

  test('asks for chosen fields only', async () => {
    nock(base)
      .get('/aWdf2')
      .query({ ...authenticated, fields: 'id,message' })
      .reply(200, { id: 'aWdf2', message: 'Hi' });

    const options = { messageId: 'aWdf2', token, fields: ['id', 'message'] };

    expect((await messageDetails(contextOf(), options))._unsafeUnwrap()).toEqual({
      id: 'aWdf2',
      message: 'Hi',
    });
  });
});
