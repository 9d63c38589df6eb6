import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { conversations } from '../../src/pics/conversations.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  proof,
  token,
} from '../support/context.ts';

const fields = 'id,updated_time,unread_count,participants,messages.limit(1){id,created_time,from,to,message}';
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

function profile(base: string, id: string, status = 200, body: object = { id, name: `Name of ${id}` }): void {
  nock(base)
    .get(`/${id}`)
    .query((asked) => String(asked['fields']).startsWith('name,username'))
    .reply(status, body);
}

describe('conversations', () => {
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
