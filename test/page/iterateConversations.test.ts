import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { iterateConversations } from '../../src/page/iterateConversations.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const fields = 'id,updated_time,unread_count,participants,messages.limit(1){id,created_time,from,to,message}';
const options = { pageId: '42', pageToken: token };
const shop = { id: '42', name: 'Shop' };
const ann = { id: '91', name: 'Ann' };
const bob = { id: '92', name: 'Bob' };

function thread(id: string, ...participants: readonly object[]): object {
  return { id, participants: { data: participants } };
}

describe('iterateConversations of a Page', () => {
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
