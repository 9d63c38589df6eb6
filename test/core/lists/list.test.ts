import nock from 'nock';
import { describe, expect, test } from 'vitest';

import { paginate } from '../../../src/core/lowLevel/paginate.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { conversations } from '../../../src/page/conversations.ts';
import { messages } from '../../../src/page/messages.ts';
import { pages } from '../../../src/page/pages.ts';
import { posts } from '../../../src/page/posts.ts';
import { subscriptions } from '../../../src/page/subscriptions.ts';
import { comments as picsComments } from '../../../src/pics/comments.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { graphBase, pageContext, picsContext, token } from '../../support/context.ts';

const options = { pageId: '42', pageToken: token };
const tooMuch = {
  error: { message: "Please reduce the amount of data you're asking for, then retry your request", code: 1 },
};

/** Mocks the list of posts; `respond` gets the `limit` and the cursor of each request. */
function list(respond: (limit: number, after: string | null) => [number, object], times: number): string[] {
  const asked: string[] = [];
  nock(graphBase)
    .get('/42/published_posts')
    .query(true)
    .times(times)
    .reply((request: Request) => {
      const { searchParams } = new URL(request.url);
      asked.push(`${searchParams.get('limit')} ${searchParams.get('after')}`);
      return respond(Number(searchParams.get('limit')), searchParams.get('after'));
    });
  return asked;
}

const entries = (count: number, from = 0): object[] =>
  Array.from({ length: count }, (_, at) => ({ id: `42_${from + at}` }));

function page(limit: number, after: string | null, all: number): [number, object] {
  const from = Number(after ?? 0);
  const next = from + limit;
  const link = `${graphBase}/42/published_posts?fields=id&limit=${limit}&after=${next}&access_token=T`;
  return [
    200,
    { data: entries(Math.min(limit, all - from), from), ...(next < all && { paging: { next: link } }) },
  ];
}

describe('a page that the platform finds too large', () => {
  test('is asked for again with half as many entries, at once, until it fits', async () => {
    const asked = list((limit, after) => (limit > 30 ? [500, tooMuch] : page(limit, after, 60)), 5);

    const found = (await posts(pageContext(), { ...options, limit: 100 }))._unsafeUnwrap();

    expect(found.map(({ id }) => id)).toEqual(entries(60).map((entry) => (entry as { id: string }).id));
    expect(asked).toEqual(['100 null', '50 null', '25 null', '25 25', '25 50']);
  });

  test('is asked for again behind a link, too', async () => {
    const asked = list(
      (limit, after) => (limit > 5 && after === '10' ? [500, tooMuch] : page(limit, after, 20)),
      5,
    );

    const found = (await posts(pageContext(), { ...options, limit: 10 }))._unsafeUnwrap();
    const all = await paginate(pageContext(), '42/published_posts', { params: { limit: 10 }, maxItems: 20 });

    expect(found).toHaveLength(10);
    expect(all._unsafeUnwrap()).toHaveLength(20);
    expect(asked).toEqual(['10 null', '10 null', '10 10', '5 10', '5 15']);
  });

  test('of one entry is an error', async () => {
    const asked = list(() => [500, tooMuch], 3);

    const error = (await posts(pageContext(), { ...options, limit: 4 }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ code: 1, category: 'validation', transient: false });
    expect(asked).toEqual(['4 null', '2 null', '1 null']);
  });

  test('on the sandbox: the whole list arrives', async () => {
    const sandbox = createSandbox({ strict: true, posts: 40 });
    sandbox.tune({ lists: { mostPerPage: 7 } });
    const [first] = sandbox.pages;
    const context = createPageContext({
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
      fetch: sandbox.fetch,
      platform: sandbox.platform,
    })._unsafeUnwrap();

    const found = await posts(context, {
      pageId: first?.id ?? '',
      pageToken: first?.token ?? '',
      limit: 100,
    });

    expect(found._unsafeUnwrap().map(({ id }) => id)).toEqual(first?.postIds);
  });
});

describe('a list that ends at its limit', () => {
  test.each([
    ['the platform has more', 5, 9, true],
    ['it is the whole list', 9, 9, false],
    ['the list is shorter', 20, 9, false],
  ])('says so: %s', async (_, limit, all, hasMore) => {
    list((size, after) => page(size, after, all), 1);

    const found = (await posts(pageContext(), { ...options, limit }))._unsafeUnwrap();

    expect(found.hasMore).toBe(hasMore);
    expect(JSON.stringify(found)).toBe(JSON.stringify([...found]));
  });

  test('says so also where the page itself holds more', async () => {
    list(() => [200, { data: entries(3) }], 1);

    expect((await posts(pageContext(), { ...options, limit: 2 }))._unsafeUnwrap().hasMore).toBe(true);
  });

  test('pages: more than 500 Pages are not lost in silence', { tags: 'long' }, async () => {
    const sandbox = createSandbox({ strict: true, pages: 501 });
    const context = createPageContext({
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
      fetch: sandbox.fetch,
      platform: sandbox.platform,
    })._unsafeUnwrap();

    const found = (await pages(context, { token: sandbox.user.token }))._unsafeUnwrap();

    expect([found.length, found.hasMore]).toEqual([500, true]);
  });
});

describe('hasMore of what is no list of its own', () => {
  const paging = (isCut: boolean): object =>
    isCut ? { next: `${graphBase}/7/replies?after=a` } : { cursors: {} };

  test.each([true, false])('a list within an entry: %s', async (isCut) => {
    const replies = { data: [{ id: '8' }], paging: paging(isCut) };
    const fetch = async (): Promise<Response> => Response.json({ data: [{ id: '7', replies }] });

    const [comment] = (await picsComments(picsContext({ fetch }), { mediaId: '9', token }))._unsafeUnwrap();

    expect(comment?.replies?.hasMore).toBe(isCut);
    expect(Object.keys(comment?.replies ?? {})).toEqual(['data', 'paging']);
  });

  test.each([true, false])('a page of an inbox or of a conversation: %s', async (isCut) => {
    const fetch = async (): Promise<Response> =>
      Response.json({ data: [{ id: 't_1' }], paging: paging(isCut) });
    const at = { pageToken: token, enrich: false };

    const inbox = (await conversations(pageContext({ fetch }), { ...at, pageId: '42' }))._unsafeUnwrap();
    const thread = (await messages(pageContext({ fetch }), { ...at, conversationId: 't_1' }))._unsafeUnwrap();

    expect([inbox.hasMore, thread.hasMore]).toEqual([isCut, isCut]);
    expect([Object.keys(inbox), Object.keys(thread)]).toEqual([
      ['data', 'paging'],
      ['data', 'paging'],
    ]);
  });

  test.each([true, false])('the apps of a Page: %s', async (isCut) => {
    const fetch = async (): Promise<Response> =>
      Response.json({ data: [{ id: '7' }], paging: paging(isCut) });

    const apps = (
      await subscriptions(pageContext({ fetch }), { pageId: '42', pageToken: token })
    )._unsafeUnwrap();

    expect([...apps]).toEqual([{ id: '7' }]);
    expect(apps.hasMore).toBe(isCut);
  });
});
