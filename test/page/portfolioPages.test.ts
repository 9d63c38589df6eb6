import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { portfolioPages } from '../../src/page/portfolioPages.ts';
import { graphBase, pageContext } from '../support/context.ts';
import { asUser, refusal, userToken } from './support.ts';

const options = { token: userToken };
const fields = 'id,name,access_token,tasks,instagram_business_account{id,username}';

function get(path: string, query: Readonly<Record<string, string>> = {}): nock.Interceptor {
  return nock(graphBase)
    .get(path)
    .query({ ...asUser, fields, limit: '100', ...query });
}

function businesses(): nock.Interceptor {
  return get('/me/businesses', { fields: 'id,name' });
}

const page = (id: string, more: object = {}): object => ({
  id,
  name: `Page ${id}`,
  access_token: `T${id}`,
  ...more,
});

describe('portfolioPages', () => {
  test('joins own Pages with those of every portfolio, each once', async () => {
    get('/me/accounts').reply(200, { data: [page('1'), page('2')] });
    businesses().reply(200, { data: [{ id: 'b1', name: 'One' }, { id: 'b2' }, { id: 'b1' }] });
    get('/b1/owned_pages').reply(200, { data: [page('2'), page('3')] });
    get('/b1/client_pages').reply(200, { data: [page('4', { access_token: undefined })] });
    get('/b2/owned_pages').reply(200, { data: [page('4'), page('3', { access_token: '' })] });
    get('/b2/client_pages').reply(200, { data: [] });

    const found = (await portfolioPages(pageContext(), options))._unsafeUnwrap();

    expect(found.skipped).toEqual([]);
    expect(found.pages.map(({ id, access_token }) => [id, access_token])).toEqual([
      ['1', 'T1'],
      ['2', 'T2'],
      ['3', 'T3'],
      ['4', 'T4'],
    ]);
    expect(JSON.stringify(found)).not.toMatch(/T\d/);
  });

  test('ends at lists that repeat themselves without end, and says which', async () => {
    let requests = 0;
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      const { origin, pathname } = new URL((input as Request).url);
      requests++;
      if (pathname.endsWith('/accounts')) return Response.json({ data: [page('1')] });
      const next = `${origin}${pathname}?after=${requests}`;
      return Response.json({ data: [page('2', { id: 'b' })], paging: { next } });
    };

    const found = (await portfolioPages(pageContext({ fetch }), options))._unsafeUnwrap();

    expect(found.pages.map(({ id }) => id)).toEqual(['1', 'b']);
    expect(found.skipped.map(({ edge }) => edge)).toEqual(['businesses', 'owned_pages', 'client_pages']);
    expect(requests).toBe(1 + 3 * 51);
  });

  test('walks every list to its end', async () => {
    const many = Array.from({ length: 250 }, (_, at) => page(`${at}`));
    get('/me/accounts').reply(200, { data: [] });
    businesses().reply(200, { data: [{ id: 'b' }] });
    for (const at of [0, 1, 2]) {
      get('/b/owned_pages', at === 0 ? {} : { after: `${at}` }).reply(200, {
        data: many.slice(at * 100, at * 100 + 100),
        ...(at < 2 && {
          paging: { next: `${graphBase}/b/owned_pages?fields=${fields}&limit=100&after=${at + 1}` },
        }),
      });
    }
    get('/b/client_pages').reply(200, { data: [] });

    const found = (await portfolioPages(pageContext(), options))._unsafeUnwrap();

    expect(found.pages.map(({ id }) => id)).toEqual(many.map((_, at) => `${at}`));
  });

  test('reports what is refused, and returns the rest', async () => {
    get('/me/accounts').reply(200, { data: [page('1')] });
    businesses().reply(200, { data: [{ id: 'b' }] });
    get('/b/owned_pages').reply(200, {
      data: [page('2')],
      paging: { next: `${graphBase}/b/owned_pages?fields=${fields}&limit=100&after=x` },
    });
    get('/b/owned_pages', { after: 'x' }).reply(400, refusal(100));
    get('/b/client_pages').reply(403, refusal(200));

    const { pages, skipped } = (await portfolioPages(pageContext(), options))._unsafeUnwrap();

    expect(pages.map(({ id }) => id)).toEqual(['1', '2']);
    expect(skipped).toMatchObject([
      { business_id: 'b', edge: 'owned_pages', error: { code: 100 } },
      { business_id: 'b', edge: 'client_pages', error: { name: 'PermissionError', code: 200 } },
    ]);
  });

  test('reports a refused list of portfolios without an id', async () => {
    get('/me/accounts').reply(200, { data: [page('1')] });
    businesses().reply(400, refusal(100));

    const { pages, skipped } = (await portfolioPages(pageContext(), options))._unsafeUnwrap();

    expect(pages).toHaveLength(1);
    expect(skipped).toMatchObject([{ business_id: undefined, edge: 'businesses', error: { code: 100 } }]);
  });

  test('fails when the own Pages are refused', async () => {
    get('/me/accounts').reply(400, refusal(190));
    businesses().reply(200, { data: [] });

    const error = (await portfolioPages(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', code: 190 });
  });

  test('fails when the network does, wherever', async () => {
    get('/me/accounts').reply(200, { data: [] });
    businesses().reply(200, { data: [{ id: 'b' }] });
    get('/b/owned_pages').reply(200, { data: [page('2')] });
    get('/b/client_pages').times(3).replyWithError(new Error('lost'));

    const error = (await portfolioPages(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'rejected' });
  });
});
