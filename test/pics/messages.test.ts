import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { messages } from '../../src/pics/messages.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  proof,
  token,
} from '../support/context.ts';

const fields = 'id,created_time,from,to,message,attachments,shares,story,reactions,is_unsupported';
const options = { conversationId: 'aWdf', token };

describe('messages', () => {
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
