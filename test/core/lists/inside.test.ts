import { describe, expect, test } from 'vitest';

import { conversations, iterateConversations } from '../../../src/page/inbox.ts';
import { iteratePosts, posts } from '../../../src/page/posts.ts';
import { createPicsContextViaPages } from '../../../src/pics/context.ts';
import { iterateMedia, media, mediaDetails, stories } from '../../../src/pics/media.ts';
import { createSandbox, type Sandbox, type TuningPatch } from '../../../src/sandbox/index.ts';
import { pageContext, picsContext, picsPageContext, token } from '../../support/context.ts';
import { fc } from '../../support/property.ts';
import { innerPlatform, type InnerWorld } from './innerPlatform.ts';

const retry = { baseDelayMs: 0 };

function postsOn(world: Omit<InnerWorld, 'on'>, options = {}) {
  const { fetch, requests } = innerPlatform({ on: 'page', ...world });
  const context = pageContext({ fetch, retry });
  const list = posts(context, { pageId: '42', pageToken: token, limit: world.entries, ...options });
  return { list, requests, context };
}

function mediaOn(world: Omit<InnerWorld, 'on'>, options = {}) {
  const { fetch, requests } = innerPlatform({ on: 'pics', ...world });
  const context = picsPageContext({ fetch, retry });
  const list = media(context, { token, picsUserId: '17', limit: world.entries, ...options });
  return { list, requests, context };
}

const four = [
  'post_media_view',
  'post_total_media_view_unique',
  'post_clicks',
  'post_reactions_by_type_total',
];
const five = ['reach', 'likes', 'saved', 'shares', 'total_interactions'];
const range = (length: number) => Array.from({ length }, (_, at) => at);

describe('requests for a list with what belongs to its entries, as recordings answer', () => {
  test('200 posts with totals and 4 metrics: 4', async () => {
    const { list, requests } = postsOn(
      { entries: 200, comments: (at) => at },
      { totals: true, metrics: true },
    );
    const found = (await list)._unsafeUnwrap();
    expect(requests).toHaveLength(4);
    expect(found).toHaveLength(200);
    expect(found[7]).toMatchObject({
      totals: { reactions: 7, comments: 7, shares: 0 },
      insights: Object.fromEntries(four.map((name) => [name, 8])),
    });
    expect(found.withheld).toEqual([]);
    expect(Object.keys(found)).toHaveLength(200);
  });

  test('200 posts whose totals are too much, even of one alone: 8 and 16 at most', async () => {
    const { list, requests } = postsOn(
      { entries: 200, fits: 0 },
      { totals: true, metrics: true, comments: 3 },
    );
    const found = (await list)._unsafeUnwrap();
    expect(found).toHaveLength(200);
    expect(found.withheld.length).toBeGreaterThan(0);
    // Without them, pages are as large as before.
    expect(requests.length).toBeLessThanOrEqual(8 + 16);
    expect(requests.at(-1)?.searchParams.get('limit')).toBe('25');
  });

  test('200 media with 5 metrics: 4', async () => {
    const { list, requests } = mediaOn({ entries: 200 }, { metrics: five });
    const found = (await list)._unsafeUnwrap();
    expect(requests).toHaveLength(4);
    expect(found[199]?.insights).toEqual(Object.fromEntries(five.map((name) => [name, 200])));
  });

  test('50 posts with 1,000 comments and replies: 2', async () => {
    const { list, requests } = postsOn(
      { entries: 50, comments: () => 20 },
      { comments: { limit: 20, replies: true } },
    );
    const found = (await list)._unsafeUnwrap();
    expect(requests).toHaveLength(2);
    expect(requests[0]?.searchParams.get('fields')).toContain(
      ',comments.limit(20).order(reverse_chronological).filter(stream){id,message,',
    );
    expect(found.flatMap(({ comments }) => comments?.data ?? [])).toHaveLength(1000);
  });

  test('100 media with 1,000 comments: 4', async () => {
    const { list, requests } = mediaOn(
      { entries: 100, comments: () => 10 },
      { comments: { limit: 10, replies: true } },
    );
    const found = (await list)._unsafeUnwrap();
    expect(requests).toHaveLength(4);
    expect(found.flatMap(({ comments }) => comments?.data ?? [])).toHaveLength(1000);
  });

  test.each([129, 130])(
    '200 media, one dead metric, conversion at %i, pages of 25: at most 16',
    async (convertedAt) => {
      for (const isSizeFirst of [true, false]) {
        const world = { entries: 200, fits: 25, isSizeFirst, dead: ['plays'], convertedAt };
        const { list, requests } = mediaOn(world, { metrics: [...five.slice(0, 4), 'plays'] });
        const found = (await list)._unsafeUnwrap();
        expect(requests.length).toBeLessThanOrEqual(16);
        expect(found.map(({ insights }) => insights !== undefined)).toEqual(
          range(200).map((at) => at < convertedAt),
        );
        expect(found.withheld).toEqual([
          { metrics: ['plays'], reason: expect.stringContaining('metric[4] must be one of') },
          {
            metrics: five.slice(0, 4),
            reason: expect.stringContaining('before business account conversion'),
          },
        ]);
      }
    },
  );

  test('200 posts, two dead metrics, pages of 25: at most 16', async () => {
    for (const isSizeFirst of [true, false]) {
      const dead = ['post_impressions', 'post_engaged_users'];
      const world = { entries: 200, fits: 25, isSizeFirst, dead };
      const { list, requests } = postsOn(world, { metrics: [...four.slice(0, 2), ...dead], totals: true });
      const found = (await list)._unsafeUnwrap();
      expect(requests.length).toBeLessThanOrEqual(16);
      expect(
        found.every(({ insights }) => Object.keys(insights ?? {}).join() === four.slice(0, 2).join()),
      ).toBe(true);
      expect(found.every(({ totals }) => totals !== undefined)).toBe(true);
      expect(found.withheld).toEqual([{ metrics: dead, reason: expect.stringContaining('insights metric') }]);
    }
  });
});

describe('what is refused costs no list', () => {
  test.each([
    ['a right for what people wrote', { people: "(#10) requires 'pages_read_engagement'" }, ['insights'], 1],
    ['a right for metrics', { metrics: '(#10) denied' }, ['totals'], 2],
    ['both', { people: '(#10) denied', metrics: '(#10) denied too' }, [], 3],
    ['a right that it names', { metrics: "(#10) requires 'read_insights'" }, ['totals'], 1],
  ])('%s', async (_, denied, left, extra) => {
    const { list, requests } = postsOn({ entries: 120, denied }, { totals: true, metrics: four });
    const found = (await list)._unsafeUnwrap();
    expect(requests).toHaveLength(3 + extra);
    for (const post of found) expect(Object.keys(post).filter((name) => /ins|tot/.test(name))).toEqual(left);
    expect(found.withheld.map(({ reason }) => reason).toSorted()).toEqual(Object.values(denied).toSorted());
  });

  test('a list that is refused itself fails with its own refusal', async () => {
    const { fetch, requests } = innerPlatform({ on: 'page', entries: 1 });
    const context = pageContext({
      retry,
      fetch: async (input) => {
        await fetch(input as string);
        return Response.json({ error: { code: 10, message: '(#10) no list' } }, { status: 403 });
      },
    });
    const failed = await posts(context, { pageId: '42', pageToken: token, totals: true, metrics: true });
    expect(failed._unsafeUnwrapErr()).toMatchObject({ name: 'PermissionError', code: 10 });
    expect(requests).toHaveLength(4);
  });

  test.each([190, 4, 17, 80_001, 210])('a dead token, a limit: code %i ends the call', async (code) => {
    let sent = 0;
    const context = pageContext({
      retry: { attempts: 1 },
      fetch: async () => {
        sent++;
        const message = code === 210 ? '(#210) A page access token is required' : 'no';
        return Response.json({ error: { code, message } }, { status: 400 });
      },
    });
    const failed = await posts(context, { pageId: '42', pageToken: token, totals: true, metrics: true });
    expect(failed._unsafeUnwrapErr()).toMatchObject({ code });
    expect(sent).toBe(1);
  });

  test('a metric that only some posts have costs itself and its kind, not the others', async () => {
    const lacking = { post_video_view_time: (at: number) => at < 60 };
    const { list, requests } = postsOn(
      { entries: 150, lacking },
      { metrics: ['post_clicks', 'post_video_view_time', 'post_media_view'] },
    );
    const found = (await list)._unsafeUnwrap();
    expect(found.every(({ insights }) => typeof insights?.['post_clicks'] === 'number')).toBe(true);
    expect(found.withheld).toEqual([{ metrics: ['post_video_view_time'], reason: expect.any(String) }]);
    expect(requests.length).toBeLessThanOrEqual(3 + 3 + 7);
  });

  test('a metric that a type of media lacks costs itself', async () => {
    const lacking = { ig_reels_avg_watch_time: (at: number) => at % 2 === 0 };
    const { list, requests } = mediaOn(
      { entries: 60, lacking },
      { metrics: ['reach', 'ig_reels_avg_watch_time'] },
    );
    const found = (await list)._unsafeUnwrap();
    expect(requests).toHaveLength(3);
    expect(found.every(({ insights }) => Object.keys(insights ?? {}).join() === 'reach')).toBe(true);
  });

  test('a story with few viewers costs only its own numbers', async () => {
    const { fetch, requests } = innerPlatform({ on: 'pics', entries: 10, unseen: [3] });
    const context = picsPageContext({ fetch, retry });
    const found = (await stories(context, { token, picsUserId: '17', metrics: true }))._unsafeUnwrap();
    expect(found.map(({ insights }) => insights !== undefined)).toEqual(range(10).map((at) => at !== 3));
    expect(found.withheld).toEqual([
      { metrics: expect.any(Array), reason: expect.stringMatching(/^entry 1003: .*Not enough viewers/) },
    ]);
    expect(requests.length).toBeLessThanOrEqual(10);
  });

  test.each([[[3]], [[0, 5]], [[9]]])(
    'stories %j with few viewers come, though their comments are refused too',
    async (unseen) => {
      for (const people of ['(#10) denied', '(#10) comments need a permission']) {
        const world = { on: 'pics', entries: 10, unseen, denied: { people }, arePeopleLast: true } as const;
        const { fetch, requests } = innerPlatform(world);
        const context = picsPageContext({ fetch, retry });
        const options = { token, picsUserId: '17', metrics: ['reach'], comments: 5 };
        const found = (await stories(context, options))._unsafeUnwrap();
        expect(found.map(({ id }) => id)).toEqual(range(10).map((at) => `${1000 + at}`));
        expect(found.unreadable).toBe(0);
        expect(found.withheld.some(({ comments }) => comments)).toBe(true);
        expect(requests.length).toBeLessThanOrEqual(10);
      }
    },
  );

  test('the search for one story keeps what is known of the size of pages', async () => {
    const world = { on: 'pics', entries: 122, fits: 12, isSizeFirst: true, unseen: [3] } as const;
    const { fetch, requests } = innerPlatform(world);
    const context = picsPageContext({ fetch, retry });
    const options = { token, picsUserId: '17', limit: 122, metrics: ['reach'] };
    const found = (await stories(context, options))._unsafeUnwrap();
    expect(found.filter(({ insights }) => insights === undefined).map(({ id }) => id)).toEqual(['1003']);
    expect(requests.length).toBeLessThanOrEqual(11 + 9);
  });

  test.each([[[0]], [[3]], [[0, 7]]])(
    'stories %j with few viewers come, though the comments of each are too much',
    async (unseen) => {
      const { fetch, requests } = innerPlatform({ on: 'pics', entries: 60, fits: 0, convertedAt: 2, unseen });
      const context = picsPageContext({ fetch, retry: { attempts: 1 } });
      const options = { token, picsUserId: '17', limit: 60, metrics: ['reach'], comments: 5 };
      const found = (await stories(context, options))._unsafeUnwrap();
      expect(found.map(({ id }) => id)).toEqual(range(60).map((at) => `${1000 + at}`));
      expect(found.unreadable).toBe(0);
      expect(requests.length).toBeLessThanOrEqual(3 + 9);
    },
  );

  test('one media with few viewers is read, though its comments are refused too', async () => {
    const people = '(#10) comments need a permission';
    const context = picsPageContext({
      retry,
      fetch: async (input) => {
        const url = new URL(input instanceof Request ? input.url : input);
        const fields = url.searchParams.get('fields') ?? '';
        const message = fields.includes('insights')
          ? '(#10) Not enough viewers for the media to show insights'
          : fields.includes('comments.')
            ? people
            : undefined;
        return message === undefined
          ? Response.json({ id: '5' })
          : Response.json({ error: { code: 10, message } }, { status: 403 });
      },
    });
    const options = { token, mediaId: '5', metrics: ['reach'], comments: 5 };
    const found = (await mediaDetails(context, options))._unsafeUnwrap();
    expect(found.id).toBe('5');
    expect(found.withheld.flatMap((one) => Object.keys(one)).toSorted()).toEqual(
      ['comments', 'metrics', 'reason', 'reason'].toSorted(),
    );
  });

  test('what no entry has is told once, though nothing was refused', async () => {
    const { list } = postsOn({ entries: 120, without: () => true }, { metrics: four });
    const found = (await list)._unsafeUnwrap();
    expect(found.every((post) => !('insights' in post))).toBe(true);
    expect(found.withheld).toEqual([{ metrics: four, reason: expect.stringContaining('read_insights') }]);
    const some = await postsOn({ entries: 120, without: (at) => at % 2 > 0 }, { metrics: four }).list;
    expect(some._unsafeUnwrap().withheld).toEqual([]);
  });

  test('iterators tell it before the first entry that lacks it', async () => {
    const { fetch } = innerPlatform({ on: 'pics', entries: 60, convertedAt: 30 });
    const told: unknown[] = [];
    const context = picsPageContext({ fetch, retry });
    const options = {
      token,
      picsUserId: '17',
      metrics: ['reach'],
      onWithheld: (one: unknown) => told.push(one),
    };
    let at = 0;
    for await (const one of iterateMedia(context, options)) {
      const entry = one._unsafeUnwrap();
      expect(entry.insights !== undefined).toBe(at < 30);
      if (at >= 30) expect(told).toHaveLength(1);
      at++;
    }
    expect(at).toBe(60);
    expect(told).toEqual([{ metrics: ['reach'], reason: expect.stringContaining('conversion') }]);
    // A hook that throws is ignored.
    const thrown = {
      ...options,
      onWithheld: () => {
        throw new Error('mine');
      },
    };
    let count = 0;
    for await (const one of iterateMedia(context, thrown)) if (one.isOk()) count++;
    expect(count).toBe(60);
  });
});

test('no address of an inner list is handed out, nor a token, in raw neither', async () => {
  const world = { entries: 60, comments: () => 30 };
  const all = { metrics: true, totals: true, comments: { limit: 5, replies: true } } as const;
  const found = (await postsOn(world, all).list)._unsafeUnwrap();
  expect(found[0]?.comments?.hasMore).toBe(true);
  expect(found[0]?.totals?.comments).toBe(30);
  const ofMedia = (await mediaOn(world, { metrics: five, comments: 5 }).list)._unsafeUnwrap();
  expect(ofMedia[0]?.comments?.hasMore).toBe(true);
  for (const entry of [...found, ...ofMedia]) {
    const text = JSON.stringify([entry, entry.raw, entry.comments]);
    expect(text).not.toMatch(/access_token|https:|paging":\{[^}]*(?:next|previous)/);
    expect(text).not.toContain(token);
  }
});

test.each([
  [{ metrics: ['a){id}'] }, 'metrics[0]'],
  [{ metrics: false }, 'metrics'],
  [{ metrics: [] }, 'metrics'],
  [{ comments: 0 }, 'comments'],
  [{ comments: 101 }, 'comments'],
  [{ comments: { limit: 5, replies: 'yes' } }, 'comments.replies'],
  [{ comments: {} }, 'comments.limit'],
  [{ totals: 'yes' }, 'totals'],
  [{ totals: true, fields: ['id', 'reactions.limit(1)'] }, 'fields'],
  [{ metrics: true, fields: ['insights.metric(post_clicks)'] }, 'fields'],
])('%j is refused before anything is sent: %s', async (options, option) => {
  const { list, requests } = postsOn({ entries: 1 }, options);
  expect((await list)._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option });
  expect(requests).toHaveLength(0);
});

test('comments that are no number are refused with what can be given', async () => {
  const { list } = postsOn({ entries: 1 }, { comments: true });
  const message = 'comments must be a whole number from 1 to 100, or { limit, replies }';
  expect((await list)._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', message });
});

const subset = (names: readonly string[]) => fc.subarray([...names]);
const aWorld = fc.record({
  entries: fc.integer({ min: 0, max: 260 }),
  fits: fc.constantFrom(50, 50, 25, 12),
  isSizeFirst: fc.boolean(),
});

test('in any world, a list of an account costs 9 requests more at most', { tags: 'long' }, async () => {
  const metrics = [...five, 'plays', 'impressions', 'ig_reels_avg_watch_time'];
  const world = fc.record({
    world: aWorld,
    dead: subset(['plays', 'saved']),
    asked: fc.subarray(metrics, { minLength: 1 }),
    convertedAt: fc.option(fc.integer({ min: 0, max: 260 }), { nil: undefined }),
    unseen: fc.constantFrom([], [], [3], [0, 7]),
    isMixed: fc.boolean(),
    isDenied: fc.constantFrom(false, false, false, true),
    comments: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      const { world, dead, asked, convertedAt, unseen, isMixed, isDenied, comments } = drawn;
      const entries = Math.max(1, world.entries);
      const lacking = { impressions: () => false, ig_reels_avg_watch_time: (at: number) => at % 3 === 0 };
      const { list, requests } = mediaOn(
        {
          ...world,
          entries,
          dead,
          unseen,
          ...(isMixed && { lacking }),
          ...(convertedAt !== undefined && { convertedAt }),
          ...(isDenied && { denied: { metrics: '(#10) denied' } }),
          comments: (at) => at % 4,
        },
        { metrics: asked, comments },
      );
      const found = (await list)._unsafeUnwrap();
      const size = Math.min(comments === undefined ? 50 : 25, world.fits);
      expect(requests.length).toBeLessThanOrEqual(Math.ceil(entries / size) + 9);
      expect(found.map(({ id }) => id)).toEqual(range(entries).map((at) => `${1000 + at}`));
      const withheld = new Set(found.withheld.flatMap(({ metrics = [] }) => metrics));
      for (const [at, { insights = {}, comments: inner }] of found.entries()) {
        for (const name of asked) {
          const value = insights[name];
          if (value === undefined) expect([...withheld]).toContain(name);
          else expect(value).toBe(at + 1);
          const isThere = !dead.includes(name) && !isDenied && at < (convertedAt ?? Infinity);
          if (isThere && !isMixed && unseen.length === 0) expect(value).toBe(at + 1);
        }
        // All that refusals may cost can be spent before the comments come.
        if (found.withheld.some(({ comments }) => comments)) continue;
        expect(inner?.data.length).toBe(
          comments === undefined || at % 4 === 0 ? undefined : Math.min(at % 4, comments),
        );
      }
    }),
    { numRuns: 100 },
  );
});

test(
  'in any world, a list of a Page costs 7 requests and one a metric more at most',
  { tags: 'long' },
  async () => {
    const world = fc.record({
      world: aWorld,
      dead: subset(['post_impressions', 'post_engaged_users', 'post_clicks']),
      asked: subset([...four, 'post_impressions', 'post_engaged_users', 'post_video_view_time']),
      totals: fc.boolean(),
      comments: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      isMixed: fc.boolean(),
      denied: fc.constantFrom({}, {}, { people: 'no' }, { metrics: 'no' }, { people: 'no', metrics: 'no' }),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ world, dead, asked, totals, comments, isMixed, denied }) => {
        const entries = Math.max(1, world.entries);
        const lacking = { post_video_view_time: (at: number) => at % 5 === 0 };
        const { list, requests } = postsOn(
          { ...world, entries, dead, denied, ...(isMixed && { lacking }), comments: (at) => at % 3 },
          { totals, comments, ...(asked.length > 0 && { metrics: asked }) },
        );
        const found = (await list)._unsafeUnwrap();
        const isInside = asked.length > 0 || totals || comments !== undefined;
        const size = isInside ? Math.min(comments === undefined ? 50 : 25, world.fits) : 100;
        expect(requests.length).toBeLessThanOrEqual(Math.ceil(entries / size) + asked.length + 7);
        expect(found.map(({ id }) => id)).toEqual(range(entries).map((at) => `${1000 + at}`));
        const withheld = new Set(found.withheld.flatMap(({ metrics = [] }) => metrics));
        const isCounted = totals && !('people' in denied);
        for (const [at, { insights = {}, totals: counted }] of found.entries()) {
          for (const name of asked) {
            const isThere = !dead.includes(name) && !('metrics' in denied);
            if (insights[name] === undefined) expect([...withheld]).toContain(name);
            else expect(insights[name]).toBe(at + 1);
            if (isThere && name !== 'post_video_view_time') expect(insights[name]).toBe(at + 1);
          }
          if (isCounted) expect(counted).toMatchObject({ reactions: at % 3, comments: at % 3 });
          else expect(counted).toBeUndefined();
        }
      }),
      { numRuns: 100 },
    );
  },
);

describe('on the sandbox', () => {
  function sandboxed(tuning: TuningPatch = {}, options = {}): Sandbox {
    const sandbox = createSandbox({ posts: 200, comments: 0, ...options });
    sandbox.tune(tuning);
    return sandbox;
  }
  function pageOn(sandbox: Sandbox) {
    const [page] = sandbox.pages;
    if (page === undefined) throw new Error('the sandbox has Pages');
    const { app, platform, fetch, clock } = sandbox;
    const context = pageContext({ appId: app.id, appSecret: app.secret, platform, fetch, clock, retry });
    return { context, page, pageId: page.id, pageToken: page.token };
  }
  function picsPageOn({ app, platform, fetch }: Sandbox) {
    const made = createPicsContextViaPages({ appId: app.id, appSecret: app.secret, platform, fetch, retry });
    return made._unsafeUnwrap();
  }
  function picsLoginOn({ picsApp, platform, fetch }: Sandbox) {
    return picsContext({ appId: picsApp.id, appSecret: picsApp.secret, platform, fetch, retry });
  }
  function withMedia(sandbox: Sandbox, count: number) {
    const { username, mediaIds } = sandbox.account;
    return range(count - mediaIds.length).map((at) =>
      sandbox.addMedia({ by: username, at: sandbox.now() - (at + 10_000) * 60_000, likes: at }),
    );
  }

  test('comments are counted without replies, unless those are asked for', async () => {
    const sandbox = sandboxed({}, { posts: 1 });
    const { context, page, ...of } = pageOn(sandbox);
    const on = page.postIds[0] ?? '';
    const first = sandbox.addComment({ on, message: 'Open?' });
    sandbox.addComment({ on, message: 'Until when?' });
    sandbox.addComment({ on: first, message: 'Until nine.' });
    const counted = async (comments?: { limit: number; replies?: boolean }) =>
      (await posts(context, { ...of, totals: true, comments }))._unsafeUnwrap()[0]?.totals?.comments;

    expect(await counted()).toBe(2);
    expect(await counted({ limit: 5 })).toBe(2);
    expect(await counted({ limit: 5, replies: true })).toBe(3);
  });

  test('200 posts with totals and 4 metrics: 4', async () => {
    const sandbox = sandboxed();
    const { context, page: _, ...of } = pageOn(sandbox);
    const found = (await posts(context, { ...of, limit: 200, totals: true, metrics: true }))._unsafeUnwrap();
    expect(sandbox.requests).toHaveLength(4);
    expect(found).toHaveLength(200);
    expect(found.every(({ totals, insights }) => totals && insights)).toBe(true);
  });

  test('200 posts, two dead metrics, pages of 25: at most 16', async () => {
    const retired = ['post_clicks', 'post_media_view'];
    const sandbox = sandboxed({ metrics: { retired }, lists: { mostPerPage: 25 } });
    const { context, page: _, ...of } = pageOn(sandbox);
    const found = (await posts(context, { ...of, limit: 200, totals: true, metrics: four }))._unsafeUnwrap();
    expect(sandbox.requests.length).toBeLessThanOrEqual(16);
    expect(found.withheld.flatMap(({ metrics }) => metrics)).toEqual(expect.arrayContaining(retired));
    expect(found.every(({ insights }) => Object.keys(insights ?? {}).length === 2)).toBe(true);
  });

  test.each(['page', 'login'] as const)('200 media with 5 metrics, %s mode: 4', async (mode) => {
    const sandbox = sandboxed();
    withMedia(sandbox, 200);
    const { account, pages } = sandbox;
    const context = mode === 'page' ? picsPageOn(sandbox) : picsLoginOn(sandbox);
    const options =
      mode === 'page'
        ? { token: pages[0]?.token ?? '', picsUserId: account.userId }
        : { token: account.token };
    const found = (await media(context, { ...options, limit: 200, metrics: five }))._unsafeUnwrap();
    expect(sandbox.requests).toHaveLength(4);
    expect(found.every(({ insights }) => Object.keys(insights ?? {}).length === 5)).toBe(true);
  });

  test.each(['page', 'login'] as const)(
    '200 media, one dead metric, conversion at the 130th, pages of 25, %s mode: at most 16',
    async (mode) => {
      const sandbox = sandboxed();
      withMedia(sandbox, 200);
      const { account, pages } = sandbox;
      const context = mode === 'page' ? picsPageOn(sandbox) : picsLoginOn(sandbox);
      const options =
        mode === 'page'
          ? { token: pages[0]?.token ?? '', picsUserId: account.userId }
          : { token: account.token };
      const all = (await media(context, { ...options, limit: 200 }))._unsafeUnwrap();
      const convertedAt = Date.parse(all[129]?.timestamp ?? '') + 30_000;
      sandbox.tune({ pics: { convertedAt, retiredMetrics: ['saved'] }, lists: { mostPerPage: 25 } });
      const before = sandbox.requests.length;
      const found = (await media(context, { ...options, limit: 200, metrics: five }))._unsafeUnwrap();
      expect(sandbox.requests.length - before).toBeLessThanOrEqual(16);
      expect(found.map(({ insights }) => insights !== undefined)).toEqual(range(200).map((at) => at < 129));
    },
  );

  test('50 posts with 1,000 comments and replies: 2', async () => {
    const sandbox = sandboxed({}, { posts: 50 });
    const { context, page, ...of } = pageOn(sandbox);
    for (const on of page.postIds) {
      for (const nth of range(10)) {
        const comment = sandbox.addComment({ on, message: `${nth}`, by: 'Wim Prins' });
        sandbox.addComment({ on: comment, message: 'a reply', by: 'Ola Berg' });
      }
    }
    const options = { ...of, limit: 50, comments: { limit: 20, replies: true } };
    const found = (await posts(context, options))._unsafeUnwrap();
    expect(sandbox.requests).toHaveLength(2);
    expect(found.flatMap(({ comments }) => comments?.data ?? [])).toHaveLength(1000);
    expect(found[0]?.comments?.data.filter(({ parent }) => parent !== undefined)).toHaveLength(10);
  });

  test('100 media with 1,000 comments and replies: 4', async () => {
    const sandbox = sandboxed();
    const others = withMedia(sandbox, 100);
    for (const on of others) {
      for (const nth of range(5)) {
        const comment = sandbox.addComment({ on, message: `${nth}`, by: 'wim' });
        sandbox.addComment({ on: comment, message: 'a reply', by: 'ola' });
      }
    }
    const { account, pages } = sandbox;
    const context = picsPageOn(sandbox);
    const options = { token: pages[0]?.token ?? '', picsUserId: account.userId, limit: 100 };
    const found = (
      await media(context, { ...options, comments: { limit: 10, replies: true } })
    )._unsafeUnwrap();
    expect(sandbox.requests).toHaveLength(4);
    const top = found.flatMap(({ comments }) => comments?.data ?? []);
    expect(top.length + top.flatMap(({ replies }) => replies?.data ?? []).length).toBeGreaterThanOrEqual(950);
  });

  test('100 conversations with 5 messages each: 4', async () => {
    const sandbox = sandboxed();
    const { context, page, ...of } = pageOn(sandbox);
    for (const nth of range(97)) {
      const by = `Person ${nth}`;
      sandbox.receiveMessage({ to: page.id, by, text: 'a' });
    }
    const found = (await conversations(context, { ...of, limit: 100, messages: 5 }))._unsafeUnwrap();
    expect(sandbox.requests).toHaveLength(4);
    expect(found.data).toHaveLength(100);
    expect(found.data.every(({ messages }) => (messages?.data.length ?? 0) > 0)).toBe(true);
    expect(found.data[0]?.contact?.name).toBe('Person 96');
    expect(found.hasMore).toBe(false);
    expect(found.withheld).toEqual([]);
  });

  test.each([
    [/messages\.limit\(5\)/, true],
    [/messages\./, false],
  ])('conversations come although %s is refused, with the last message: %s', async (refused, hasLast) => {
    const sandbox = sandboxed();
    const { app, platform, pages } = sandbox;
    const [page] = pages;
    let requests = 0;
    const context = pageContext({
      appId: app.id,
      appSecret: app.secret,
      platform,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        requests++;
        const error = { code: 200, message: '(#200) Requires permission: pages_messaging' };
        return refused.test(decodeURIComponent(request.url))
          ? Response.json({ error }, { status: 403 })
          : sandbox.fetch(request);
      },
    });
    const told: unknown[] = [];
    const options = { pageId: page?.id ?? '', pageToken: page?.token ?? '', messages: 5 };
    const found = (await conversations(context, options))._unsafeUnwrap();
    expect(found.data).toHaveLength(3);
    expect(found.data.every(({ last_message }) => (last_message !== undefined) === hasLast)).toBe(true);
    const withheld = [{ messages: true, reason: '(#200) Requires permission: pages_messaging' }];
    expect(found.withheld).toEqual(withheld);
    expect(requests).toBe(hasLast ? 2 : 3);
    const walk = iterateConversations(context, {
      ...options,
      pageSize: 1,
      onWithheld: (one) => told.push(one),
    });
    expect(await Array.fromAsync(walk, (one) => one.isOk())).toEqual([true, true, true]);
    expect(told).toEqual(withheld);
  });

  test('posts without the right for what people wrote come without totals', async () => {
    const sandbox = sandboxed({ pages: { openPosts: true } }, { posts: 60 });
    const { context, page } = pageOn(sandbox);
    const scopes = ['pages_read_engagement', 'pages_show_list', 'read_insights'];
    const pageToken = sandbox.issueToken({ kind: 'page', pageId: page.id, scopes });
    const told: unknown[] = [];
    const options = { pageId: page.id, pageToken, totals: true, metrics: true as const };
    let count = 0;
    for await (const one of iteratePosts(context, { ...options, onWithheld: (what) => told.push(what) })) {
      const post = one._unsafeUnwrap();
      expect([post.totals, typeof post.insights]).toEqual([undefined, 'object']);
      count++;
    }
    expect(count).toBe(60);
    expect(told).toEqual([{ totals: true, reason: expect.stringContaining('pages_read_user_content') }]);
    expect(sandbox.requests).toHaveLength(3);
  });
});
