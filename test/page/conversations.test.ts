import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { close } from '../../src/core/client/createClient.ts';
import { conversations } from '../../src/page/conversations.ts';
import { iterateConversations } from '../../src/page/iterateConversations.ts';
import { authenticated, graphBase, pageContext, token, virtualClock } from '../support/context.ts';

const fields = 'id,updated_time,unread_count,participants,messages.limit(1){id,created_time,from,to,message}';
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

describe('conversations of a Page', () => {
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
