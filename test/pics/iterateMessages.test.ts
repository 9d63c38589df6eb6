import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { createPicsClient } from '../../src/pics/client.ts';
import { iterateMessages } from '../../src/pics/iterateMessages.ts';
import { appSecret, authenticated, picsContext, picsGraphBase, platform, token } from '../support/context.ts';

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

describe('iterateMessages', () => {
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
