import { ok } from 'neverthrow';
import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { iterateConversations } from '../../src/pics/iterateConversations.ts';
import {
  authenticated,
  graphBase,
  picsContext,
  picsGraphBase,
  picsPageContext,
  token,
} from '../support/context.ts';

const fields = 'id,updated_time,unread_count,participants,messages.limit(1){id,created_time,from,to,message}';
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
    .query({ ...query, limit: '25' })
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

describe('iterateConversations', () => {
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
