import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { pages } from '../../src/page/pages.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asUser, refusal, userToken } from './support.ts';

const options = { token: userToken };
const fields = 'id,name,access_token,tasks,instagram_business_account{id,username}';

function accounts(more: Readonly<Record<string, string>> = {}): nock.Interceptor {
  return nock(graphBase)
    .get('/me/accounts')
    .query({ ...asUser, fields, limit: '100', ...more });
}

function entries(count: number, from = 0): object[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${from + at}`,
    name: 'P',
    access_token: 'T-of-page',
  }));
}

describe('pages', () => {
  test('reads the Pages with token, tasks and linked account', async () => {
    accounts().reply(200, {
      data: [
        {
          id: '1',
          name: 'Bakery',
          access_token: 'token-of-bakery',
          tasks: ['MANAGE', 'CREATE_CONTENT'],
          instagram_business_account: { id: '17841400000000001', username: 'bakery' },
        },
      ],
    });

    const [page] = (await pages(pageContext(), options))._unsafeUnwrap();

    expect(page?.access_token).toBe('token-of-bakery');
    expect(page).toEqual({
      id: '1',
      name: 'Bakery',
      pics_id: '17841400000000001',
      pics_username: 'bakery',
      tasks: ['MANAGE', 'CREATE_CONTENT'],
      raw: {
        id: '1',
        name: 'Bakery',
        tasks: ['MANAGE', 'CREATE_CONTENT'],
        instagram_business_account: { id: '17841400000000001', username: 'bakery' },
      },
    });
  });

  test('shows the page token by its name only', async () => {
    accounts().reply(200, { data: entries(1) });

    const found = (await pages(pageContext(), options))._unsafeUnwrap();

    expect(
      `${JSON.stringify(found)} ${inspect(found, { depth: 9 })} ${inspect({ ...found[0] })}`,
    ).not.toContain('T-of-page');
  });

  test('knows no linked account, task or token where the platform gives none', async () => {
    accounts().reply(200, { data: [{ id: '1', name: 'Bakery' }] });

    const [page] = (await pages(pageContext(), options))._unsafeUnwrap();

    expect(page).toMatchObject({ pics_id: undefined, pics_username: undefined, tasks: [], access_token: '' });
  });

  test('finds the linked account under the name that the platform record gives it', async () => {
    const words = { ...pageContext().platform.words, linkedAccount: 'linked' };
    nock(graphBase)
      .get('/me/accounts')
      .query({ ...asUser, fields: 'id,name,access_token,tasks,linked{id,username}', limit: '100' })
      .reply(200, { data: [{ id: '1', name: 'Bakery', linked: { id: 7 } }] });
    const platform = { ...pageContext().platform, words };

    const [page] = (await pages(pageContext({ platform }), options))._unsafeUnwrap();

    expect(page).toMatchObject({ pics_id: '7', pics_username: undefined });
  });

  test('walks the pages of the list, and stops at 500', async () => {
    const next = `${graphBase}/me/accounts?access_token=${userToken}&limit=100`;
    accounts().reply(200, { data: entries(100), paging: { next: `${next}&after=1` } });
    for (const step of [1, 2, 3, 4]) {
      nock(graphBase)
        .get('/me/accounts')
        .query({ ...asUser, limit: '100', after: `${step}` })
        .reply(200, { data: entries(100, step * 100), paging: { next: `${next}&after=${step + 1}` } });
    }

    const found = (await pages(pageContext(), options))._unsafeUnwrap();

    expect(found).toHaveLength(500);
    expect(found.at(-1)?.id).toBe('499');
  });

  test('fails with PermissionError when the permission is missing', async () => {
    accounts().reply(403, refusal(200));

    expect((await pages(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      code: 200,
    });
  });

  test('shows no token of a response of the wrong shape', async () => {
    accounts().reply(200, {
      data: [{ id: [], name: 'Bakery', access_token: 'token-of-bakery' }],
    });

    const error = (await pages(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ApiError',
      message: 'unexpected response at data.0.id: expected string',
    });
    expect(inspect(error, { depth: 9 })).not.toContain('token-of-bakery');
  });
});
