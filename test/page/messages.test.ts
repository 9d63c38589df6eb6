import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { messages } from '../../src/page/messages.ts';
import { authenticated, graphBase, pageContext, proof, token } from '../support/context.ts';

const fields = 'id,created_time,from,to,message,attachments,shares,sticker,reactions';
const options = { conversationId: 't_1', pageToken: token };

describe('messages of a Page', () => {
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
