import type { Result } from 'neverthrow';
import nock from 'nock';
import { describe, expect, test, vi } from 'vitest';

import type { Failure, RequestFailure } from '../../../src/core/errors.ts';
import { iterate, paginate } from '../../../src/core/lowLevel/paginate.ts';
import type { Conversation } from '../../../src/models/inbox.ts';
import { createPageClient } from '../../../src/page/client.ts';
import { comments } from '../../../src/page/comments.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { conversations, iterateConversations, messages } from '../../../src/page/inbox.ts';
import { pages } from '../../../src/page/pages.ts';
import { feed, iteratePosts, posts } from '../../../src/page/posts.ts';
import { subscriptions } from '../../../src/page/subscriptions.ts';
import { comments as picsComments } from '../../../src/pics/comments.ts';
import { iterateConversations as iteratePicsConversations } from '../../../src/pics/inbox.ts';
import { media } from '../../../src/pics/media.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import {
  graphBase,
  pageContext,
  picsContext,
  picsGraphBase,
  platform,
  token,
} from '../../support/context.ts';
import { isCI } from '../../support/machine.ts';
import { fc } from '../../support/property.ts';

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

  test.each(['An unknown error has occurred.', 'An unknown error occurred', 'Ein Fehler'])(
    'is, after its attempts, asked for once in each smaller size, whatever the words: %s',
    async (message) => {
      const asked = list((limit, after) => {
        const from = Number(after ?? 0);
        return from <= 3 && 3 < from + limit ? [500, { error: { message, code: 1 } }] : page(limit, after, 8);
      }, 30);

      const found = (await posts(pageContext(), { ...options, limit: 8 }))._unsafeUnwrapErr();

      // The one that fails alone has all its attempts, and so has its id, which fails too.
      expect(found).toMatchObject({ code: 1, message });
      expect(asked).toEqual([
        '8 null',
        '8 null',
        '8 null',
        '4 null',
        '2 null',
        '2 2',
        '1 2',
        '1 3',
        '1 3',
        '1 3',
        '1 3',
        '1 3',
        '1 3',
      ]);
      nock.cleanAll();
    },
  );

  test('is attempted again for faults of another kind', async () => {
    const answers = [
      ...Array.from({ length: 3 }, () => [500, { error: { message: 'Unknown', code: 1 } }] as const),
      [503, { error: { message: 'Busy', code: 2 } }] as const,
    ];
    const asked = list(
      (limit, after) => [...(answers.shift() ?? page(limit, after, 4))] as [number, object],
      9,
    );

    const found = await posts(pageContext(), { ...options, limit: 4 });

    expect(found._unsafeUnwrap()).toHaveLength(4);
    expect(asked).toEqual(['4 null', '4 null', '4 null', '2 null', '2 null', '2 2']);
    nock.cleanAll();
  });

  test('of one entry is an error', async () => {
    const asked = list(() => [500, tooMuch], 4);

    const error = (await posts(pageContext(), { ...options, limit: 4 }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ code: 1, category: 'validation', transient: false });
    // Even its id does not come.
    expect(asked).toEqual(['4 null', '2 null', '1 null', '1 null']);
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

describe('an entry that the platform cannot deliver', () => {
  /** Mocks a list of so many entries, of which some fail whenever more than their id is asked for. */
  function poisoned(
    path: string,
    all: number,
    bad: readonly number[],
    entry = (id: string): object => ({ id }),
    base = graphBase,
  ) {
    const asked: string[] = [];
    nock(base)
      .get(path)
      .query(true)
      .times(1000)
      .reply((request: Request) => {
        const { searchParams } = new URL(request.url);
        const [limit, from] = [Number(searchParams.get('limit')), Number(searchParams.get('after') ?? 0)];
        const wanted = searchParams.get('fields') ?? '';
        asked.push(`${limit} ${from}${wanted === 'id' ? ' id' : ''}`);
        const to = Math.min(from + limit, all);
        if (wanted !== 'id' && bad.some((at) => at >= from && at < to)) return [500, tooMuch];
        const next = `${base}${path}?fields=${wanted}&limit=${limit}&after=${to}&access_token=T`;
        const paging = { cursors: { after: `${to}` }, ...(to < all && { next }) };
        return [
          200,
          { data: entries(to - from, from).map((one) => entry((one as { id: string }).id)), paging },
        ];
      });
    return asked;
  }
  const idsBut = (all: number, bad: readonly number[]): readonly string[] =>
    Array.from({ length: all }, (_, at) => at)
      .filter((at) => !bad.includes(at))
      .map((at) => `42_${at}`);
  const idsOf = (listed: readonly { readonly id: string }[]): readonly string[] => listed.map(({ id }) => id);

  test.each([[[0]], [[99]], [[59]], [[0, 1, 2]], [[10, 11, 50, 99]]])(
    'costs a list nothing but itself: %j of 100',
    async (bad) => {
      const asked = poisoned('/42/published_posts', 100, bad);

      const found = (await posts(pageContext(), { ...options, limit: 1000 }))._unsafeUnwrap();

      expect(idsOf(found)).toEqual(idsBut(100, bad));
      expect(found.unreadable).toBe(bad.length);
      expect(found.hasMore).toBe(false);
      expect(found.isComplete).toBe(false);
      expect(Object.keys(found)).not.toContain('unreadable');
      expect(asked.filter((one) => one.endsWith('id'))).toEqual(bad.map((at) => `1 ${at} id`));
      nock.cleanAll();
    },
  );

  const inbox = { pageId: '42', pageToken: token, enrich: false };
  const thread = (id: string): object => ({
    id,
    participants: { data: [{ id: '42' }, { id: '7', name: 'Ada' }] },
  });

  // The last three are the dearest positions there are, found by trying them all by a model of the walk.
  describe.each([[[49, 260, 377]], [[0, 1, 499]], [[55, 83, 398]]])(
    'three of 500 conversations: %j',
    (bad) => {
      test('497 come, and 3 are counted, in at most 40 requests', async () => {
        const asked = poisoned('/42/conversations', 500, bad, thread);

        const found = (await conversations(pageContext(), { ...inbox, limit: 500 }))._unsafeUnwrap();

        expect(idsOf(found.data)).toEqual(idsBut(500, bad));
        expect([found.unreadable, found.hasMore]).toEqual([3, false]);
        expect(asked.length).toBeLessThanOrEqual(40);
        nock.cleanAll();
      });

      const walks = {
        page: () => iterateConversations(pageContext(), inbox),
        pics: () => iteratePicsConversations(picsContext(), { token, enrich: false }),
      };

      test.each(['page', 'pics'] as const)(
        'a walk yields their errors and goes on (%s)',
        async (platform) => {
          const asked =
            platform === 'page'
              ? poisoned('/42/conversations', 500, bad, thread)
              : poisoned('/me/conversations', 500, bad, thread, picsGraphBase);

          const walked: readonly Result<Conversation, Failure>[] = await Array.fromAsync(walks[platform]());

          const failed = walked.flatMap((one) => (one.isErr() ? [one.error] : []));
          expect(idsOf(walked.flatMap((one) => (one.isOk() ? [one.value] : [])))).toEqual(idsBut(500, bad));
          expect(failed.map(({ message }) => message)).toEqual(
            bad.map((at) => `the platform cannot deliver entry 42_${at}: ${tooMuch.error.message}`),
          );
          expect(failed[0]).toMatchObject({ name: 'ApiError', code: 1, operation: 'iterateConversations' });
          expect(asked.length).toBeLessThanOrEqual(40);
          nock.cleanAll();
        },
      );
    },
  );

  describe('in the iterator of a client', () => {
    const client = createPageClient({ appId: 'app', appSecret: 'secret', platform });

    test.each([
      [[4], `the platform cannot deliver entry 42_4: ${tooMuch.error.message}`],
      [[0, 2, 4], `the platform cannot deliver entry 42_0: ${tooMuch.error.message} (and 2 more such)`],
    ])('is thrown at the end, after all others: %j', async (bad, message) => {
      poisoned('/42/published_posts', 5, bad);
      const walked: { readonly id: string }[] = [];

      const walking = (async () => {
        for await (const post of client.iteratePosts(options)) walked.push(post);
      })();

      await expect(walking).rejects.toMatchObject({ name: 'ApiError', code: 1, message });
      expect(idsOf(walked)).toEqual(idsBut(5, bad));
      nock.cleanAll();
    });

    test('is not thrown if the loop ends before', async () => {
      poisoned('/42/published_posts', 5, [0]);

      for await (const { id } of client.iteratePosts(options)) if (id === '42_3') break;
      nock.cleanAll();
    });

    test('is not thrown with onUnreadable, which gets each one', async () => {
      poisoned('/42/published_posts', 5, [1, 4]);
      const told: string[] = [];
      const onUnreadable = ({ message, operation }: RequestFailure): never => {
        told.push(`${operation} ${message.slice(0, 38)}`);
        throw new Error('the hook fails');
      };

      const walked = await Array.fromAsync(client.iteratePosts({ ...options, onUnreadable }));

      expect(idsOf(walked)).toEqual(idsBut(5, [1, 4]));
      expect(told).toEqual(
        ['42_1', '42_4'].map((id) => `iteratePosts the platform cannot deliver entry ${id}`),
      );
      nock.cleanAll();
    });
  });

  test('goes to onUnreadable of a function and of the low level instead of an Err', async () => {
    poisoned('/42/published_posts', 5, [1]);
    const onUnreadable = vi.fn();

    const walked = await Array.fromAsync(iteratePosts(pageContext(), { ...options, onUnreadable }));
    const iterated = await Array.fromAsync(
      iterate(pageContext(), '42/published_posts', { token, onUnreadable }),
    );
    const list = await paginate(pageContext(), '42/published_posts', { token, onUnreadable });

    expect(walked.map((one) => one._unsafeUnwrap().id)).toEqual(idsBut(5, [1]));
    expect(iterated.map((one) => one._unsafeUnwrap()['id'])).toEqual(idsBut(5, [1]));
    expect(list._unsafeUnwrap()).toMatchObject({ length: 4, unreadable: 1 });
    expect(onUnreadable.mock.calls.map(([{ name }]) => name)).toEqual(['ApiError', 'ApiError', 'ApiError']);
    nock.cleanAll();
  });

  test.each([null, 'x', {}])('onUnreadable must be a function: %j', async (onUnreadable) => {
    poisoned('/42/published_posts', 1, []);
    const wrong = { ...options, onUnreadable: onUnreadable as never };

    const [first] = await Array.fromAsync(iteratePosts(pageContext(), wrong));

    expect(first?.isErr()).toBe(onUnreadable !== null);
    if (first?.isErr()) expect(first.error).toMatchObject({ option: 'onUnreadable' });
    nock.cleanAll();
  });

  test('a page of an inbox is as large as it should be, and says where the next one is', async () => {
    const asked = poisoned('/42/conversations', 60, [3, 24], thread);

    const first = (await conversations(pageContext(), inbox))._unsafeUnwrap();
    const { after } = first.paging.cursors ?? {};
    const second = (await conversations(pageContext(), { ...inbox, after }))._unsafeUnwrap();

    expect(idsOf(first.data)).toEqual(idsBut(27, [3, 24]));
    expect([first.unreadable, first.hasMore, second.unreadable]).toEqual([2, true, 0]);
    expect(after).toBe('27');
    expect(idsOf(second.data)[0]).toBe('42_27');
    expect(asked.at(-1)).toBe('25 27');
    nock.cleanAll();
  });

  test('on the sandbox: two posts and a conversation', async () => {
    const sandbox = createSandbox({ strict: true, posts: 40 });
    const [first] = sandbox.pages;
    const account = { pageId: first?.id ?? '', pageToken: first?.token ?? '' };
    const context = createPageContext({
      appId: sandbox.app.id,
      appSecret: sandbox.app.secret,
      fetch: sandbox.fetch,
      platform: sandbox.platform,
    })._unsafeUnwrap();
    const inbox = (await conversations(context, account))._unsafeUnwrap();
    const bad = [first?.postIds[2] ?? '', first?.postIds[30] ?? '', inbox.data[0]?.id ?? ''];
    sandbox.tune({ lists: { undeliverable: bad } });

    const found = (await posts(context, { ...account, limit: 100 }))._unsafeUnwrap();
    const fewer = (await conversations(context, account))._unsafeUnwrap();

    expect(idsOf(found)).toEqual(first?.postIds.filter((id) => !bad.includes(id)));
    expect(found.unreadable).toBe(2);
    expect(idsOf(fewer.data)).toEqual(idsOf(inbox.data.slice(1)));
    expect(fewer.unreadable).toBe(1);
  });

  test('in a list of the low-level functions, by its own fields', async () => {
    const asked = poisoned('/42/feed', 30, [7]);

    const found = (
      await paginate(pageContext(), `${graphBase}/42/feed?fields=id%2Cmessage&limit=10`, { token })
    )._unsafeUnwrap();

    expect(idsOf(found as unknown as readonly { readonly id: string }[])).toEqual(idsBut(30, [7]));
    expect(found.unreadable).toBe(1);
    expect(asked.at(-1)).toMatch(/^10 /);
    nock.cleanAll();
  });

  test('any bad entries, anywhere: all others come, in order, each once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 119 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 100 }),
        async (all, drawn, limit) => {
          const bad = drawn.filter((at) => at < all).toSorted((a, b) => a - b);
          poisoned('/42/published_posts', all, bad);
          const found = (await posts(pageContext(), { ...options, limit }))._unsafeUnwrap();
          nock.cleanAll();
          expect(idsOf(found)).toEqual(idsBut(all, bad).slice(0, limit));
        },
      ),
      { numRuns: isCI ? 40 : 10 },
    );
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

describe('isComplete', () => {
  const of = (data: readonly object[], next?: string) =>
    nock(graphBase)
      .get(/./)
      .query(true)
      .reply(200, { data, ...(next !== undefined && { paging: { next } }) });

  test('says whether a list has all entries that there are', async () => {
    of(entries(2));
    const whole = (await comments(pageContext(), { postId: '42_1', pageToken: token }))._unsafeUnwrap();
    of(entries(2), `${graphBase}/x`);
    const part = (
      await comments(pageContext(), { postId: '42_1', pageToken: token, limit: 2 })
    )._unsafeUnwrap();

    expect([whole.isComplete, part.isComplete]).toEqual([true, false]);
    expect(Object.keys(whole)).toEqual(['0', '1']);
  });

  test.each([posts, feed])('is false of a list that the platform cuts by itself: $name', async (read) => {
    of(entries(2));

    const found = (await read(pageContext(), options))._unsafeUnwrap();

    expect([found.hasMore, found.isComplete]).toEqual([false, false]);
    expect(JSON.stringify(found)).not.toContain('isComplete');
  });

  test.each([
    [9999, true],
    [10_000, false],
  ])('is false of the media of an account from 10,000 on: %i', async (count, isComplete) => {
    nock(picsGraphBase)
      .get('/me/media')
      .query(true)
      .reply(200, { data: entries(count) });

    const found = (await media(picsContext(), { token, limit: Infinity }))._unsafeUnwrap();

    expect([found.length, found.isComplete]).toEqual([count, isComplete]);
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
    const context = pageContext({ fetch });

    const inbox = (
      await conversations(context, { pageId: '42', pageToken: token, enrich: false })
    )._unsafeUnwrap();
    const thread = (await messages(context, { conversationId: 't_1', pageToken: token }))._unsafeUnwrap();

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

describe('an entry that is listed again', () => {
  const walked = async (ids: readonly number[]): Promise<readonly string[]> => {
    const pageOf = (at: number): object => ({
      data: ids.slice(at, at + 500).map((id) => ({ id: `42_${id}` })),
      ...(at + 500 < ids.length && { paging: { next: `${graphBase}/42/published_posts?after=${at + 500}` } }),
    });
    const fetch = async (input: unknown): Promise<Response> =>
      Response.json(pageOf(Number(new URL((input as Request).url).searchParams.get('after'))));
    const context = createPageContext({ appId: '1', appSecret: 's', fetch, platform })._unsafeUnwrap();
    const found = (await posts(context, { ...options, limit: 10_000 }))._unsafeUnwrap();
    return found.map(({ id }) => id);
  };
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

  test('comes once, if at most 1,000 others came in between', async () => {
    const ids = await walked([...upTo(1001), 0, ...upTo(1001).map((id) => id + 2000), 2000]);

    expect(ids).toHaveLength(2002);
    expect(new Set(ids).size).toBe(2002);
  });

  test('comes again after more than 2,000 others', async () => {
    expect(await walked([...upTo(2002), 0])).toHaveLength(2003);
  });
});
