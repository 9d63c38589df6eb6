import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { blockedUsers } from '../../src/page/blockedUsers.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';

const options = { pageId: '42', pageToken: token };

function blocked(query: Readonly<Record<string, string>>): nock.Interceptor {
  return nock(graphBase)
    .get('/42/blocked')
    .query({ ...authenticated, ...query });
}

describe('blockedUsers', () => {
  test('lists people with their names, over the pages of the list', async () => {
    const next = `${graphBase}/42/blocked?access_token=${token}&fields=id%2Cname&limit=25&after=b`;
    const ada = { id: '8', name: 'Ada' };
    blocked({ fields: 'id,name', limit: '25' }).reply(200, { data: [ada], paging: { next } });
    blocked({ fields: 'id,name', limit: '25', after: 'b' }).reply(200, { data: [{ id: 9, name: null }] });

    const found = (await blockedUsers(pageContext(), options))._unsafeUnwrap();

    expect(found).toEqual([ada, { id: '9' }]);
    expect(found[0]?.raw).toEqual(ada);
  });

  test('asks for the fields and the number that it is given', async () => {
    blocked({ fields: 'id,link', limit: '1' }).reply(200, {
      data: [{ id: '8', link: 'https://example.com' }, { id: '9' }],
    });

    const found = await blockedUsers(pageContext(), { ...options, fields: ['id', 'link'], limit: 1 });

    expect(found._unsafeUnwrap()).toEqual([{ id: '8', link: 'https://example.com' }]);
  });

  test('says where a response is of the wrong shape', async () => {
    blocked({ fields: 'id,name', limit: '25' }).reply(200, { data: [{ name: 'Ada' }] });

    const error = (await blockedUsers(pageContext(), options))._unsafeUnwrapErr();

    expect(error.message).toMatch(/^unexpected response at data\.0\.id: /);
  });
});
