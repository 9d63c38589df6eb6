import { inspect } from 'node:util';

import nock from 'nock';
import { describe, expect, test } from 'vitest';

import {
  pageDetails,
  pageProfile,
  pages,
  type PagesOptions,
  pageStatus,
  portfolioPages,
  searchPlaces,
} from '../../src/page/pages.ts';
import { authenticated, graphBase, pageContext, token } from '../support/context.ts';
import { asUser, refusal, userToken } from './support.ts';

describe('pages', () => {
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

describe('portfolioPages', () => {
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

describe('more fields of Pages', () => {
  test('pages requests them beside its own, each once', async () => {
    nock(graphBase)
      .get('/me/accounts')
      .query({
        ...asUser,
        fields: 'id,name,access_token,tasks,instagram_business_account{id,username},fan_count,link',
        limit: '100',
      })
      .reply(200, {
        data: [{ id: '1', name: 'Bakery', access_token: 'T-of-page', fan_count: 7, link: 'L' }],
      });

    const options = { token: userToken, fields: ['name', 'fan_count', 'link'] };
    const [page] = (await pages(pageContext(), options))._unsafeUnwrap();

    expect(page?.access_token).toBe('T-of-page');
    expect(page?.raw).toEqual({ id: '1', name: 'Bakery', fan_count: 7, link: 'L' });
  });

  test('access_token is taken without a word, and asked for once: it comes anyhow', async () => {
    const asked: unknown[] = [];
    nock(graphBase)
      .get(/^\/v26.0\/(me\/accounts|1)$/)
      .query(({ fields }) => asked.push(fields) > 0)
      .times(2)
      .reply((request: Request) => [
        200,
        new URL(request.url).pathname.endsWith('/1') ? { id: '1' } : { data: [] },
      ]);
    const options = { token: userToken, fields: ['access_token', 'link'] };

    expect((await pages(pageContext(), options)).isOk()).toBe(true);
    expect((await pageDetails(pageContext(), { ...options, pageId: '1' })).isOk()).toBe(true);
    expect(asked).toEqual([
      'id,name,access_token,tasks,instagram_business_account{id,username},link',
      'id,name,access_token,instagram_business_account{id,username},link',
    ]);
  });

  test.each([
    ['pages', (options: PagesOptions) => pages(pageContext(), options)],
    ['pageDetails', (options: PagesOptions) => pageDetails(pageContext(), { ...options, pageId: '1' })],
  ])('%s refuses to name a token', async (_, read) => {
    const error = (await read({ token: userToken, fields: ['page_token'] }))._unsafeUnwrapErr();

    expect(error).toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('fields[0] must not name a token'),
    });
  });
});

describe('pageDetails', () => {
  const fields = 'id,name,access_token,instagram_business_account{id,username}';

  const options = { token: userToken, pageId: '1' };

  function node(more = ''): nock.Interceptor {
    return nock(graphBase)
      .get('/1')
      .query({ ...asUser, fields: fields + more });
  }

  test('reads the Page with its token in one request, without tasks', async () => {
    const linked = { instagram_business_account: { id: '17841400000000001', username: 'bakery' } };
    node(',fan_count').reply(200, {
      id: 1,
      name: 'Bakery',
      access_token: 'T-of-page',
      ...linked,
      fan_count: 7,
    });

    const page = (await pageDetails(pageContext(), { ...options, fields: ['fan_count'] }))._unsafeUnwrap();

    expect(page.access_token).toBe('T-of-page');
    expect(page).toEqual({
      id: '1',
      name: 'Bakery',
      pics_id: '17841400000000001',
      pics_username: 'bakery',
      tasks: [],
      raw: { id: 1, name: 'Bakery', ...linked, fan_count: 7 },
    });
    expect(`${JSON.stringify(page)} ${inspect(page, { depth: 9 })} ${inspect({ ...page })}`).not.toContain(
      'T-of-page',
    );
  });

  test('has an empty token where the platform gives none', async () => {
    node().reply(200, { id: '1', name: 'Bakery' });

    expect((await pageDetails(pageContext(), options))._unsafeUnwrap()).toMatchObject({
      access_token: '',
      pics_id: undefined,
    });
  });

  test('fails with what the platform said when it refuses', async () => {
    node().reply(403, refusal(10));

    expect((await pageDetails(pageContext(), options))._unsafeUnwrapErr()).toMatchObject({
      name: 'PermissionError',
      operation: 'pageDetails',
    });
  });
});

const options = { pageId: '42', pageToken: token };

function ask(fields: string): nock.Interceptor {
  return nock(graphBase)
    .get('/42')
    .query({ ...authenticated, fields });
}

const all =
  'id,name,username,link,category,about,description,emails,phone,website,single_line_address,location,hours,' +
  'fan_count,followers_count,rating_count,overall_star_rating,verification_status,is_published,' +
  'is_permanently_closed,picture{url},cover{source},instagram_business_account{id,username}';

describe('pageProfile', () => {
  test('reads what a Page says of itself', async () => {
    const body = {
      id: '42',
      name: 'Bakery',
      username: 'bakery',
      emails: ['hello@bakery.example'],
      location: { city: 'Berlin', latitude: 52.5 },
      hours: { mon_1_open: '09:00' },
      followers_count: 1200,
      overall_star_rating: 4.5,
      is_published: true,
      about: null,
      picture: { data: { url: 'https://cdn.example/p.jpg' } },
      cover: { id: '9', source: 'https://cdn.example/c.jpg' },
      instagram_business_account: { id: '17841400000000001', username: 'bakery.pics' },
    };
    ask(all).reply(200, body);

    const profile = (await pageProfile(pageContext(), options))._unsafeUnwrap();

    expect(profile).toEqual({
      id: '42',
      name: 'Bakery',
      username: 'bakery',
      emails: ['hello@bakery.example'],
      location: { city: 'Berlin', latitude: 52.5 },
      hours: { mon_1_open: '09:00' },
      followers_count: 1200,
      overall_star_rating: 4.5,
      is_published: true,
      picture: 'https://cdn.example/p.jpg',
      cover: 'https://cdn.example/c.jpg',
      pics_id: '17841400000000001',
      pics_username: 'bakery.pics',
      raw: body,
    });
  });

  test('reads hours that come as a list, and the rest despite what it cannot read', async () => {
    const hours = [{ key: 'mon_1_open', value: '09:00' }];
    const body = { id: 42, name: 'Bakery', hours, fan_count: '12', is_published: 'true', location: 'Berlin' };
    ask(all).reply(200, body);

    const profile = (await pageProfile(pageContext(), options))._unsafeUnwrap();

    expect(profile).toEqual({
      id: '42',
      name: 'Bakery',
      hours: { mon_1_open: '09:00' },
      fan_count: 12,
      is_published: true,
      raw: body,
    });
  });

  test('asks for other fields, and has them in raw', async () => {
    ask('id,checkins').reply(200, '{"id":12345678901234567891,"checkins":7}');

    const profile = (
      await pageProfile(pageContext(), { ...options, fields: ['id', 'checkins'] })
    )._unsafeUnwrap();

    expect([profile.id, profile.name, profile.raw['checkins']]).toEqual([
      '12345678901234567891',
      undefined,
      7,
    ]);
  });

  test.each([
    ['a field is unknown', 400, refusal(100), { category: 'validation' }],
    ['the response has no id', 200, { name: 'x' }, { name: 'ApiError', status: 200 }],
  ])('fails when %s', async (_, status, body, expected) => {
    ask(all).reply(status, body);

    expect((await pageProfile(pageContext(), options))._unsafeUnwrapErr()).toMatchObject(expected);
  });
});

describe('pageStatus', () => {
  const asked = (): nock.Interceptor => nock(graphBase).get('/42/page_status').query(authenticated);
  const at = (seconds: number): Date => new Date(seconds * 1000);

  test('reads the status as documented, times as Dates', async () => {
    const body = {
      id: '42',
      timestamp: 1_763_665_904,
      status: 'restricted',
      violations: [{ type: 'SPAM', description: 'Spam', url: 'https://example.com', severity: 'LOW' }],
      restrictions: [
        {
          feature: 'page_messaging_api',
          description: 'No messages',
          applied_time: 1_763_665_904,
          expiration_time: 1_763_675_775,
          violation_type: ['SPAM'],
        },
        { feature: 'page_publish', applied_time: '1763665904', expiration_time: null },
      ],
      recommended_actions: [
        { action_type: 'FILE_APPEAL', url: 'https://example.com', violation_type: ['SPAM'] },
      ],
      actions_events: [
        { type: 'FILE_APPEAL', status: 'OPEN', created_time: 1_763_666_000, updated_time: 1_763_667_000 },
      ],
    };
    asked().reply(200, body);

    const found = (await pageStatus(pageContext(), options))._unsafeUnwrap();

    const [first, second] = body.restrictions;
    expect(found).toEqual({
      status: 'restricted',
      timestamp: at(1_763_665_904),
      violations: body.violations,
      restrictions: [
        { ...first, applied_time: at(1_763_665_904), expiration_time: at(1_763_675_775) },
        { feature: second?.feature, applied_time: at(1_763_665_904) },
      ],
      recommended_actions: body.recommended_actions,
      actions_events: [
        { ...body.actions_events[0], created_time: at(1_763_666_000), updated_time: at(1_763_667_000) },
      ],
      raw: body,
    });
    expect(found.restrictions[0]).toHaveProperty('raw', first);
  });

  test('of a Page without fault has empty lists, sent or not', async () => {
    asked().reply(200, { id: '42', status: 'ok', timestamp: 'soon', violations: [] });

    expect((await pageStatus(pageContext(), options))._unsafeUnwrap()).toMatchObject({
      status: 'ok',
      timestamp: undefined,
      violations: [],
      restrictions: [],
      recommended_actions: [],
      actions_events: [],
    });
  });

  test('fails with PermissionError when the permission is missing', async () => {
    asked().reply(403, refusal(10));

    const error = (await pageStatus(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });
});

describe('searchPlaces', () => {
  const options = { token: userToken, query: 'Coffee & Cake' };
  const fields = 'id,name,link,location,is_eligible_for_branded_content,is_unclaimed,verification_status';

  function search(more: Readonly<Record<string, string>> = {}): nock.Interceptor {
    return nock(graphBase)
      .get('/pages/search')
      .query({ ...asUser, q: 'Coffee & Cake', fields, limit: '25', ...more });
  }

  test('finds Pages with where they are', async () => {
    const place = {
      id: '43',
      name: 'Coffee & Cake',
      link: 'https://example.com/43',
      location: { city: 'Berlin', latitude: 52.49, longitude: 13.43 },
      is_eligible_for_branded_content: true,
      is_unclaimed: false,
      verification_status: 'not_verified',
    };
    search().reply(200, { data: [place, { id: 44, location: 'Berlin' }] });

    const found = (await searchPlaces(pageContext(), options))._unsafeUnwrap();

    expect(found).toEqual([place, { id: '44' }]);
    expect(found[0]).toHaveProperty('raw', place);
  });

  test('requests the fields and as many places as it is told', async () => {
    search({ fields: 'id,name', limit: '3' }).reply(200, { data: [{ id: '43' }] });

    const found = await searchPlaces(pageContext(), { ...options, limit: 3, fields: ['id', 'name'] });

    expect(found._unsafeUnwrap()).toHaveLength(1);
  });

  test('fails with PermissionError when the platform does not let the token search', async () => {
    search().reply(403, refusal(10));

    const error = (await searchPlaces(pageContext(), options))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'PermissionError', code: 10 });
  });

  test('needs something to look for', async () => {
    const error = (await searchPlaces(pageContext(), { ...options, query: ' ' }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'query' });
  });
});
