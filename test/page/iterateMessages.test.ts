import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { iterateMessages } from '../../src/page/iterateMessages.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const fields = 'id,created_time,from,to,message,attachments,shares,sticker,reactions';
const options = { conversationId: 't_1', pageToken: token };

describe('iterateMessages of a Page', () => {
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
