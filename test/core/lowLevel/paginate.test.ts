import { describe, expect, test } from 'vitest';

import { ApiError } from '../../../src/core/errors.ts';
import { readContent } from '../../../src/core/http/exchange.ts';
import { withoutSecrets } from '../../../src/core/http/links.ts';
import { list } from '../../../src/core/lists/list.ts';
import { iterate, paginate } from '../../../src/core/lowLevel/paginate.ts';
import { idSchema, objectOf } from '../../../src/models/fields.ts';
import {
  graphBase,
  pageContext,
  platform,
  proof,
  token,
  virtualClock,
  newCall,
} from '../../support/context.ts';
import { fc } from '../../support/property.ts';
import { json, networkFailure, refusal, requestsTo, type Step, stubFetch, text } from '../stub.ts';

const params = { access_token: token, appsecret_proof: proof };
const item = objectOf({ id: idSchema });

function page(ids: readonly number[], next?: unknown): Step {
  return json({
    data: ids.map((id) => ({ id: String(id) })),
    ...(next !== undefined && { paging: { next } }),
  });
}

function nextOf(after: string | number): string {
  return `${graphBase}/42/feed?access_token=${token}&limit=100&after=${after}`;
}

function queries(fetch: ReturnType<typeof stubFetch>): Record<string, string>[] {
  return requestsTo(fetch).map(({ url }) => Object.fromEntries(new URL(url).searchParams));
}

describe('paginate', () => {
  test('asks for a hundred at once, and for five hundred in all', async () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index);
    const fetch = stubFetch(...[1, 2, 3, 4, 5, 6].map((after) => page(hundred, nextOf(after))));

    const posts = await paginate(pageContext({ fetch }), '42/feed', {
      params: { ...params, fields: ['id', 'message'] },
    });

    expect(posts._unsafeUnwrap()).toHaveLength(500);
    expect(queries(fetch)).toEqual([
      { ...params, fields: 'id,message', limit: '100' },
      ...[1, 2, 3, 4].map((after) => ({ ...params, limit: '100', after: String(after) })),
    ]);
  });

  test('follows the links of a path that has an address in it', async () => {
    const fetch = stubFetch(page([1], nextOf(1)), page([2]));

    const posts = await paginate(pageContext({ fetch }), 'comments?id=https://shop.test/a', { params });

    expect(posts._unsafeUnwrap()).toHaveLength(2);
  });

  test('asks for no more than it shall return', async () => {
    const fetch = stubFetch(page([1, 2, 3], nextOf(1)));

    const posts = await paginate(pageContext({ fetch }), '42/feed', { params, maxItems: 2 });

    expect(posts._unsafeUnwrap()).toEqual([{ id: '1' }, { id: '2' }]);
    expect(queries(fetch)).toEqual([{ ...params, limit: '2' }]);
  });

  test('counts over short and empty pages, and ends without a next link', async () => {
    const fetch = stubFetch(page([1], nextOf(1)), page([], nextOf(2)), page([2, 3], nextOf(3)), page([4]));

    const posts = await paginate(pageContext({ fetch }), '42/feed', { params, pageSize: 2, maxItems: 10 });

    expect(posts._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
    expect(fetch).toHaveBeenCalledTimes(4);
  });

  test.each([[undefined], [null], [''], [7], [{}]])('takes a next link of %j for none', async (next) => {
    const fetch = stubFetch(json({ data: [{ id: '1' }], paging: { next, cursors: { after: 'x' } } }));

    expect((await paginate(pageContext({ fetch }), '42/feed'))._unsafeUnwrap()).toEqual([{ id: '1' }]);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['a path', '42/feed'],
    ['a link that was handed out', `${graphBase}/42/feed`],
  ])('sends token and proof of %s with each page', async (_, address) => {
    const fetch = stubFetch(page([1], nextOf(1)), page([2]));
    const url = `${address}?fields=id&access_token=${token}&appsecret_proof=${proof}#top`;

    const posts = await paginate(pageContext({ fetch }), url);

    expect(posts._unsafeUnwrap()).toHaveLength(2);
    expect(requestsTo(fetch)[0]?.url).toBe(
      `${graphBase}/42/feed?fields=id&access_token=${token}&appsecret_proof=${proof}&limit=100`,
    );
    expect(queries(fetch)[1]).toEqual({ ...params, limit: '100', after: '1' });
  });

  test('sends the token of an address to its own origin only', async () => {
    const next = `${platform.picsGraphUrl}/v26.0/42/feed?after=1`;
    const fetch = stubFetch(page([1], next), page([2]));

    const error = (
      await paginate(pageContext({ fetch }), `42/feed?access_token=${token}`)
    )._unsafeUnwrapErr();

    expect(error.message).toBe('paging.next: the next page is at another address than the list');
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('goes on where the list began, also at an address that is not the platform', async () => {
    const list = 'https://archive.test/posts';
    const fetch = stubFetch(page([1], `${list}?after=1`), page([2], `${graphBase}/42/feed?after=2`));

    const error = (await paginate(pageContext({ fetch }), list, { params }))._unsafeUnwrapErr();

    expect(requestsTo(fetch).map(({ url }) => url.split('?')[0])).toEqual([list, list]);
    expect(error.message).toBe('paging.next: the next page is at another address than the list');
  });

  async function expectsFiftyPages(entry: string): Promise<void> {
    let after = 0;
    let seen = 0;
    const fetch = stubFetch(
      async () => new Response(`{"data":[${entry}],"paging":{"next":"${nextOf(after++)}"}}`),
    );
    const context = pageContext({ fetch });

    for await (const one of iterate(context, '42/feed')) {
      seen++;
      if (one.isErr())
        expect(one.error).toMatchObject({
          name: 'ApiError',
          message: expect.stringContaining('50 empty pages'),
        });
    }

    expect(fetch).toHaveBeenCalledTimes(51);
    expect(seen).toBe(52);
  }

  test.each([
    ['with ids', '{"id":"1"}'],
    ['without ids', '{"name":"a"}'],
  ])('ends after fifty pages in a row that repeat entries %s', (_, entry) => expectsFiftyPages(entry));

  test('ends after fifty pages in a row that repeat entries too deep to be compared', { tags: 'long' }, () =>
    expectsFiftyPages(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  );

  test.each([
    ['params', '42/feed', { params: { limit: 7 } }, ['7']],
    ['the address', '42/feed?limit=8', {}, ['8']],
    ['a link', `${graphBase}/42/feed?limit=9&after=x`, { pageSize: 5, maxItems: 3 }, ['9']],
    ['params and a link', `${graphBase}/42/feed?limit=9`, { params: { limit: '4' } }, ['4']],
    ['neither', '42/feed?limits=3', { pageSize: 5, params: { limit: undefined } }, ['5']],
  ])('asks with one limit, that of %s', async (_, url, options, limits) => {
    const fetch = stubFetch(page([1]));

    await paginate(pageContext({ fetch }), url, options);

    expect(new URL(requestsTo(fetch)[0]?.url ?? '').searchParams.getAll('limit')).toEqual(limits);
  });

  test('lets params replace token and proof of the address', async () => {
    const fetch = stubFetch(page([1], nextOf(1)), page([2]));

    await paginate(pageContext({ fetch }), `42/feed?access_token=old&appsecret_proof=old`, { params });

    expect(requestsTo(fetch).map(({ url }) => new URL(url).searchParams.getAll('access_token'))).toEqual([
      [token],
      [token],
    ]);
    expect(queries(fetch).map(({ appsecret_proof }) => appsecret_proof)).toEqual([proof, proof]);
  });

  test('returns an entry as often as it is listed', async () => {
    const fetch = stubFetch(page([1, 2], nextOf(1)), page([2, 3]));

    const posts = await paginate(pageContext({ fetch }), '42/feed');

    expect(posts._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2', '2', '3']);
  });

  test('takes an absolute address of the platform', async () => {
    const fetch = stubFetch(page([1]));

    await paginate(pageContext({ fetch }), `${platform.picsGraphUrl}/v26.0/me/media`, { params });

    expect(requestsTo(fetch)[0]?.url).toMatch(/^https:\/\/pics-graph\.test\/v26\.0\/me\/media\?/);
  });

  test.each([
    ['another host', 'https://evil.test/v26.0/42/feed?after=1'],
    ['another port', 'https://graph.test:8443/v26.0/42/feed?after=1'],
    ['another scheme', 'http://graph.test/v26.0/42/feed?after=1'],
    ['a subdomain', 'https://a.graph.test/v26.0/42/feed?after=1'],
    ['a look-alike', 'https://graph.test.evil.test/v26.0/42/feed'],
    ['credentials', 'https://user:pass@graph.test/v26.0/42/feed?after=1'],
    ['the host as credentials', 'https://graph.test@evil.test/v26.0/42/feed'],
    ['no scheme', '//evil.test/v26.0/42/feed'],
    ['a path alone', '/v26.0/42/feed?after=1'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/plain,x'],
    ['no address', 'https://['],
    ['the dialog', 'https://dialog.test/x'],
  ])('does not follow a link with %s, and sends it no token', async (_, next) => {
    const fetch = stubFetch(page([1], next));

    const error = (await paginate(pageContext({ fetch }), '42/feed', { params }))._unsafeUnwrapErr();

    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe('paging.next: the next page is at another address than the list');
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('ends where the links go round in a loop', async () => {
    const fetch = stubFetch(
      page([1], nextOf('a')),
      page([2], nextOf('b')),
      page([3], `${graphBase}/42/feed?limit=100&access_token=other&after=a`),
    );

    const error = (await paginate(pageContext({ fetch }), '42/feed', { params }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', message: 'paging.next: the pages repeat in a loop' });
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test('ends after fifty empty pages in a row', async () => {
    let after = 0;
    const fetch = stubFetch(() => page([], nextOf(after++))(new Request(graphBase), null));

    const error = (await paginate(pageContext({ fetch }), '42/feed', { params }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError' });
    expect(error.message).toContain('50 empty pages');
    expect(fetch).toHaveBeenCalledTimes(50);
  });

  test('goes on after forty-nine', async () => {
    const empty = Array.from({ length: 49 }, (_, index) => page([], nextOf(index)));
    const fetch = stubFetch(
      ...empty,
      page([1], nextOf('x')),
      ...empty.map((_, index) => page([], nextOf(`y${index}`))),
      page([2]),
    );

    const posts = await paginate(pageContext({ fetch }), '42/feed', { params });

    expect(posts._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('asks for a page that is too much for the platform again, half as large', async () => {
    const message = "Please reduce the amount of data you're asking for, then retry your request";
    const fetch = stubFetch(page([1], nextOf(1)), refusal(1, { status: 500, message }), page([2]));

    const posts = await paginate(pageContext({ fetch }), '42/feed', { params });

    expect(posts._unsafeUnwrap()).toHaveLength(2);
    expect(queries(fetch)[2]).toEqual({ ...queries(fetch)[1], limit: '50' });
  });

  test('keeps links whole that hold more than one question mark', async () => {
    const next = `${graphBase}/42/feed?until=5&x=a?b&access_token=${token}&y=c?d`;
    const fetch = stubFetch(page([1], next), page([2]));

    await paginate(pageContext({ fetch }), '42/feed', { params });

    expect(queries(fetch)[1]).toEqual({ until: '5', x: 'a?b', y: 'c?d', ...params });
  });

  test.each([
    ['no data', {}, 'data'],
    ['data that is no list', { data: {} }, 'data'],
    ['an entry that is none', { data: [{ id: '1' }, 7] }, 'data.1'],
    ['a list', [], 'data'],
    ['null', null, 'body'],
  ])('says where a response with %s is wrong', async (_, body, place) => {
    const error = (
      await paginate(pageContext({ fetch: stubFetch(json(body)) }), '42/feed')
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', outcome: 'rejected' });
    expect(error.message).toContain(`unexpected response at ${place}:`);
  });

  test.each([
    ['url', '', {}],
    ['url', 7, {}],
    ['url', 'https://[', {}],
    ['url', 'https://user:pass@graph.test/x', {}],
    ['params', '42', { params: 'x' }],
    ['params', '42', { params: { method: 'post' } }],
    ['params', '42?method=delete', {}],
    ['params.b.c', '42', { params: { a: 1n, b: { c: 1n } } }],
    ['maxItems', '42', { maxItems: 0 }],
    ['maxItems', '42', { maxItems: 1.5 }],
    ['maxItems', '42', { maxItems: -1 }],
    ['pageSize', '42', { pageSize: Number.NaN }],
    ['pageSize', '42', { pageSize: '5' }],
    ['signal', '42', { signal: {} }],
    ['options', '42', null],
  ])('refuses a bad %s before anything is sent', async (option, url, options) => {
    const fetch = stubFetch(page([1]));

    const error = (
      await paginate(pageContext({ fetch }), url as string, options as object)
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ConfigurationError', option });
    expect(fetch).not.toHaveBeenCalled();
  });

  test('ends at the deadline of the call, over all pages', async () => {
    const clock = virtualClock();
    let after = 0;
    const fetch = stubFetch(() => {
      clock.advance(400);
      return page([1], nextOf(after++))(new Request(graphBase), null);
    });

    const error = (
      await paginate(pageContext({ fetch, clock, deadlineMs: 1000 }), '42/feed')
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'timeout' });
    expect(fetch).toHaveBeenCalledTimes(3);
  });
});

describe('iterate', () => {
  test('asks for a page when it is needed', async () => {
    const fetch = stubFetch(page([1, 2], nextOf(1)), page([3], nextOf(2)));
    const ids: unknown[] = [];

    for await (const post of iterate(pageContext({ fetch }), '42/feed', { params })) {
      ids.push(post._unsafeUnwrap()['id']);
      expect(fetch).toHaveBeenCalledTimes(ids.length < 3 ? 1 : 2);
      if (ids.length === 3) break;
    }

    expect(ids).toEqual(['1', '2', '3']);
  });

  test('walks all there is, unless it is told how many', async () => {
    const whole = Array.from({ length: 7 }, (_, at) =>
      page(
        Array.from({ length: 100 }, (_id, i) => at * 100 + i),
        at < 6 ? nextOf(at) : undefined,
      ),
    );
    const count = async (options: { maxItems?: number }): Promise<number> => {
      let seen = 0;
      for await (const post of iterate(pageContext({ fetch: stubFetch(...whole) }), '42/feed', options)) {
        seen += post.isOk() ? 1 : NaN;
      }
      return seen;
    };

    expect(await count({})).toBe(700);
    expect(await count({ maxItems: 550 })).toBe(550);
  });

  test('ends with the failure', async () => {
    const fetch = stubFetch(page([1], nextOf(1)), networkFailure());
    const seen: string[] = [];

    for await (const post of iterate(pageContext({ fetch }), '42/feed')) {
      seen.push(post.isOk() ? 'ok' : post.error.name);
    }

    expect(seen).toEqual(['ok', 'TransportError']);
  });

  test('yields what is wrong with its options', async () => {
    const seen: unknown[] = [];

    for await (const post of iterate(pageContext(), '', {})) seen.push(post._unsafeUnwrapErr());

    expect(seen).toMatchObject([{ name: 'ConfigurationError', option: 'url' }]);
  });
});

describe('the token of a list', () => {
  test.each(['paginate', 'iterate'])('%s: is sent with its proof for each page', async (name) => {
    const fetch = stubFetch(page([1], nextOf(1)), page([2]));
    const context = pageContext({ fetch });
    const options = { token, params: { fields: 'id' }, maxItems: 5 };

    const entries =
      name === 'paginate'
        ? (await paginate(context, '42/feed', options))._unsafeUnwrap()
        : (await Array.fromAsync(iterate(context, '42/feed', options))).map((entry) => entry._unsafeUnwrap());

    expect([...entries]).toEqual([{ id: '1' }, { id: '2' }]);
    expect(queries(fetch)).toEqual([
      { fields: 'id', limit: '5', ...params },
      { limit: '100', after: '1', ...params },
    ]);
  });

  test('goes into a header where the context says so', async () => {
    const fetch = stubFetch(page([1], nextOf(1)), page([2]));

    await paginate(pageContext({ fetch, tokenTransport: 'header' }), '42/feed', { token });

    expect(queries(fetch)).toEqual([
      { limit: '100', appsecret_proof: proof },
      { limit: '100', after: '1', appsecret_proof: proof },
    ]);
    expect(requestsTo(fetch).map(({ headers }) => headers.get('authorization'))).toEqual([
      `Bearer ${token}`,
      `Bearer ${token}`,
    ]);
  });

  test.each([
    ['token', '42/feed', { params: { access_token: 'other' } }],
    ['token', `42/feed?access_token=${token}`, {}],
    ['url', 'https://elsewhere.test/feed', {}],
  ])('is refused by its %s before anything is sent: %s %j', async (option, url, options) => {
    const fetch = stubFetch(page([1]));
    const context = pageContext({ fetch });

    const refused = (await paginate(context, url, { token, ...options }))._unsafeUnwrapErr();
    const { value } = await iterate(context, url, { token, ...options }).next();

    expect(refused).toMatchObject({ name: 'ConfigurationError', option });
    expect(value?._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe('list', () => {
  test('adds the proof to each page again', async () => {
    const fetch = stubFetch(page([1], nextOf(1)), page([2]));

    const ids = await list(pageContext({ fetch }), {
      ...newCall(),
      path: '42/feed',
      token,
      query: { fields: 'id' },
      limit: 5,
      item,
    });

    expect(ids._unsafeUnwrap()).toEqual([{ id: '1' }, { id: '2' }]);
    expect(queries(fetch)).toEqual([
      { fields: 'id', limit: '5', ...params },
      { limit: '100', after: '1', ...params },
    ]);
  });

  test('returns ids as text, digit for digit', async () => {
    const fetch = stubFetch(text('{"data":[{"id":17841400000000001},{"id":7}]}'));

    const ids = await list(pageContext({ fetch }), {
      ...newCall(),
      path: '42/feed',
      token,
      limit: 5,
      item,
    });

    expect(ids._unsafeUnwrap()).toEqual([{ id: '17841400000000001' }, { id: '7' }]);
  });

  test('returns an entry once that moved to the next page meanwhile', async () => {
    const fetch = stubFetch(page([1, 2], nextOf(1)), page([2, 3], nextOf(2)), page([3, 4, 5]));

    const ids = await list(pageContext({ fetch }), {
      ...newCall(),
      path: '42/feed',
      token,
      limit: 4,
      item,
    });

    expect(ids._unsafeUnwrap().map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
  });

  test('ends where its pages repeat, with what came before', async () => {
    const fetch = stubFetch(page([1], nextOf('a')), page([2], nextOf('a')));

    const found = (
      await list(pageContext({ fetch }), { ...newCall(), path: '42/feed', token, limit: 500, item })
    )._unsafeUnwrap();

    expect([...found]).toEqual([{ id: '1' }, { id: '2' }]);
    expect(found).toMatchObject({ hasMore: false, unreadable: 0, isComplete: false });
  });

  test.each([
    ['where nothing came', [page([], nextOf('a')), page([], nextOf('a'))]],
    ['where a link leads elsewhere', [page([1], 'https://elsewhere.test/42/feed')]],
  ])('fails %s', async (_, steps) => {
    const fetch = stubFetch(...steps);
    const found = await list(pageContext({ fetch }), { ...newCall(), path: 'x', token, limit: 500, item });
    expect(found.isErr()).toBe(true);
  });

  test('ends after fifty pages in a row that bring nothing new', async () => {
    let after = 0;
    const fetch = stubFetch(() => page([1], nextOf(after++))(new Request(graphBase), null));

    const found = (
      await list(pageContext({ fetch }), { ...newCall(), path: '42/feed', token, limit: 500, item })
    )._unsafeUnwrap();

    expect([...found]).toEqual([{ id: '1' }]);
    expect(found).toMatchObject({ hasMore: false, unreadable: 0, isComplete: false });
    expect(fetch).toHaveBeenCalledTimes(51);
  });

  test('takes a page of more entries than a call has room for', { tags: 'long' }, async () => {
    const fetch = stubFetch(page(Array.from({ length: 300_000 }, (_, index) => index)));

    const ids = await list(pageContext({ fetch }), { ...newCall(), path: 'x', limit: 1_000_000, item });

    expect(ids._unsafeUnwrap()).toHaveLength(300_000);
  });

  test('takes an entry that is null for none', async () => {
    const fetch = stubFetch(json({ data: [null, { id: '1' }, null] }));

    const ids = await list(pageContext({ fetch }), { ...newCall(), path: 'x', limit: 5, item });

    expect(ids._unsafeUnwrap()).toEqual([{ id: '1' }]);
  });

  test('says which entry does not fit', async () => {
    const fetch = stubFetch(json({ data: [{ id: '1' }, { id: [] }] }));

    const error = (
      await list(pageContext({ fetch }), { ...newCall(), path: 'x', limit: 5, item })
    )._unsafeUnwrapErr();

    expect(error.message).toContain('data.1.id');
  });

  test('takes no key of an entry for a prototype', async () => {
    const fetch = stubFetch(
      text(
        '{"data":[{"id":"1","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}],"__proto__":{"paging":{"next":"https://evil.test"}}}',
      ),
    );

    const entries = await list(pageContext({ fetch }), { ...newCall(), path: 'x', limit: 5, item });

    expect(entries.isOk()).toBe(true);
    expect('polluted' in {}).toBe(false);
    expect((entries._unsafeUnwrap()[0] as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('withoutSecrets', () => {
  test.each([
    ['https://x.test/a', 'https://x.test/a'],
    ['https://x.test/a?access_token=t', 'https://x.test/a'],
    ['https://x.test/a?b=1&access_token=t&c=%20&appsecret_proof=p', 'https://x.test/a?b=1&c=%20'],
    ['https://x.test/a?ACCESS_TOKEN=t&b=1', 'https://x.test/a?b=1'],
    ['https://x.test/a?b=1?access_token=2&access_token=3&c=4?5', 'https://x.test/a?b=1?access_token=2&c=4?5'],
  ])('%s', (address, rest) => {
    expect(withoutSecrets(address)).toBe(rest);
  });

  test('takes those of a query out, wherever they stand, and nothing else', () => {
    const pair = fc.constantFrom(
      'access_token=',
      'access_token=t?x',
      'Appsecret_Proof=p',
      'x_access_token=1',
      'a',
      'b=?',
    );
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 6 }), (pairs) => {
        const rest = pairs.filter((one) => !/^a(?:ccess|ppsecret)_/i.test(one)).join('&');
        const address = 'https://x.test/a';
        expect(withoutSecrets(`${address}?${pairs.join('&')}`)).toBe(`${address}${rest && '?'}${rest}`);
      }),
    );
  });
});

describe('a body that is read', () => {
  /** As by a call with another token than those in the links. */
  const read = (body: string): unknown => readContent(body, 'IGQVJ999999999', undefined).body;

  test('takes the tokens out of all links to other pages, and leaves all else as it is', () => {
    const token = 'access_token=EAA%2F1';
    const inner = { data: [], paging: { next: `https://x.test/b?${token}&after=1`, previous: null } };
    const body = (mark: string, after: string): string =>
      `{"data":[{"message":"see ?${token} \\"next\\":\\"?${token}\\"","replies":{"paging":{"next" : "https:\\/\\/x.test\\/b${mark}after=1"}}}],"paging":{"next":"https://x.test/a${after}","previous":5}}`;

    expect(read(body(`?${token}&`, `?b=1&${token}&appsecret_proof=0`))).toEqual(
      JSON.parse(body('?', '?b=1')),
    );
    expect(JSON.stringify(read(JSON.stringify(inner)))).not.toContain('EAA');
    expect(read('{"next":"?a=1"}')).toEqual({ next: '?a=1' });
  });

  test('takes tokens out of links of any length', () => {
    const next = `https://example.com/?after=${'x'.repeat(20_000)}&access_token=EAAtoken`;
    expect(JSON.stringify(read(JSON.stringify({ paging: { next } })))).not.toContain('EAA');
  });

  test('is searched for its token where a link holds it too', () => {
    const token = 'EAAB0123456789abcdefghijkl';
    const next = `https://example.com/?access_token=${token}&after=1`;
    const shown = readContent(
      JSON.stringify({ paging: { next }, echo: `of ${token}` }),
      token,
      undefined,
    ).body;
    expect(shown).toEqual({ paging: { next: 'https://example.com/?after=1' }, echo: 'of [secret]' });
  });

  test('is searched for its token where a link writes it with escapes', () => {
    const text = String.raw`{"next":"https://example.com/?access_token=\u0045AAB0123456789&after=1","echo":"EAAB0123456789"}`;
    const shown = { next: 'https://example.com/?after=1', echo: '[secret]' };
    expect(readContent(text, 'EAAB0123456789', undefined).body).toEqual(shown);
  });

  test('is searched for its token where a link holds it too, and a long number is read twice', () => {
    const token = 'EAAB0123456789abcdefghijkl';
    const next = `https://example.com/?access_token=${token}&after=1`;
    const text = `{"id":17841400000000001,"paging":{"next":"${next}"},"echo":"of ${token}"}`;
    expect(readContent(text, token, undefined).body).toEqual({
      id: '17841400000000001',
      paging: { next: 'https://example.com/?after=1' },
      echo: 'of [secret]',
    });
  });

  test('may come to a token without letters and digits', () => {
    const text = '{"next":"https://example.com/?access_token=-_-&after=1"}';
    expect(readContent(text, '-_-', undefined).body).toEqual({ next: 'https://example.com/?after=1' });
  });

  test('may nest deeper than any stack', () => {
    const depth = 200_000;
    const { body } = readContent('['.repeat(depth) + ']'.repeat(depth), 'EAAB0123456789', undefined);
    expect(Array.isArray(body)).toBe(true);
  });
});
