import type { ResultAsync } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { close } from '../../src/core/client.ts';
import { withOptions } from '../../src/core/context.ts';
import type { RateLimitError } from '../../src/core/errors.ts';
import { type Lane, lanes } from '../../src/core/http/types.ts';
import { memoryJournal } from '../../src/core/index.ts';
import { batch } from '../../src/core/lowLevel/batch.ts';
import { get } from '../../src/core/lowLevel/request.ts';
import {
  createGovernor,
  type Governor,
  type GovernorOptions,
  limits,
  type LimitState,
} from '../../src/governor/index.ts';
import { createPageContext, type PageContext } from '../../src/page/context.ts';
import { conversations } from '../../src/page/inbox.ts';
import { leadForms } from '../../src/page/leads.ts';
import { pageProfile } from '../../src/page/pages.ts';
import { deletePost, publishPost } from '../../src/page/posts.ts';
import { me } from '../../src/page/tokens.ts';
import * as pics from '../../src/pics/endpoints.ts';
import { hashtagId } from '../../src/pics/hashtags.ts';
import { json, networkFailure, refusal, requestsTo, type Step, stubFetch, text } from '../core/stub.ts';
import { pageContext, picsPageContext, token, virtualClock } from '../support/context.ts';
import { handClock } from './support.ts';

const person = { id: '1', name: 'Ada' };

/** A response that says how much of the app's limit is used. */
function used(percent: number, body: unknown = person): Step {
  return json(body, 200, { 'x-app-usage': JSON.stringify({ call_count: percent, total_time: 0 }) });
}

function governed(steps: readonly Step[], options: GovernorOptions = {}) {
  const fetch = stubFetch(...steps);
  const clock = virtualClock();
  const governor = createGovernor(options);
  return { fetch, clock, governor, context: pageContext({ fetch, clock, governor }) };
}

describe('lanes', () => {
  test('other writes interact, and nobody knows what is in a batch', async () => {
    const { fetch, context } = governed([used(80, { success: true })]);
    await me(context, { token });
    const deleted = await deletePost(context, { postId: '42_7', pageToken: token });
    const batched = await batch(context, [{ method: 'GET', path: 'me' }], { token });

    expect(deleted.isOk()).toBe(true);
    expect(batched._unsafeUnwrap()[0]?._unsafeUnwrapErr()).toMatchObject({ limit: { percent: 80 } });
    expect(requestsTo(fetch)).toHaveLength(2);
  });

  test.each<[Lane, number]>([
    ['interact', 89],
    ['read', 74],
    ['background', 49],
  ])('%s is let through below its share only', async (lane, most) => {
    const { fetch, context } = governed([used(most - 1), used(most + 1)]);
    const own = withOptions(context, { lane })._unsafeUnwrap();
    const results = [await me(own, { token }), await me(own, { token }), await me(own, { token })];

    expect(results.map((result) => result.isOk())).toEqual([true, true, false]);
    expect(requestsTo(fetch)).toHaveLength(2);
    expect(results[2]?._unsafeUnwrapErr()).toMatchObject({
      name: 'RateLimitError',
      outcome: 'rejected',
      action: 'wait',
      operation: 'me',
      limit: { kind: 'app', id: 'app-id', percent: most + 1 },
      retryAfterMs: expect.any(Number),
    });
  });

  test('are named by the option of withOptions', () => {
    const { context } = governed([used(1)]);

    // @ts-expect-error no lane
    expect(withOptions(context, { lane: 'fast' })._unsafeUnwrapErr()).toMatchObject({ option: 'lane' });
    expect(lanes.every((lane) => withOptions(context, { lane }).isOk())).toBe(true);
  });
});

test('a call that waits is woken, though the sleeps of its clock reject then', { tags: 'long' }, async () => {
  let responses = 0;
  const fetch = stubFetch((...sending) => used(responses++ === 0 ? 74.1 : 10)(...sending));
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new DOMException('woken', 'AbortError'));
      });
    });
  const clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep };
  const governor = createGovernor({ maxWaitMs: 600_000 });
  const context = pageContext({ fetch, clock, governor });
  await me(context, { token });

  const waiting = [me(context, { token }), me(context, { token })];
  await publishPost(context, { pageId: '1', pageToken: token, message: 'There is room again.' });

  expect((await Promise.all(waiting)).map((result) => result.isOk())).toEqual([true, true]);
});

describe('limits', () => {
  test('are what the headers say', async () => {
    const { context, clock } = governed([used(12)]);
    await me(context, { token });

    expect((await limits(context))._unsafeUnwrap()).toEqual([
      { kind: 'app', id: 'app-id', percent: 12, observedAt: new Date(clock.now()) },
    ]);
  });

  test('need a governor', async () => {
    expect((await limits(pageContext()))._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'governor',
    });
    expect((await limits({ ...pageContext() }))._unsafeUnwrapErr()).toMatchObject({ option: 'context' });
  });
});

test.each([
  [{ lanes: { read: 0 } }, 'lanes.read'],
  [{ lanes: { read: 101 } }, 'lanes.read'],
  [{ lanes: { reads: 50 } }, 'lanes.reads'],
  [{ lanes: [] }, 'lanes'],
  [{ maxWaitMs: -1 }, 'maxWaitMs'],
  [{ maxWaitMs: Infinity }, 'maxWaitMs'],
  [{ syncMs: 0 }, 'syncMs'],
  [{ store: {} }, 'store'],
  [{ onChange: 1 }, 'onChange'],
  [{ onHold: 1 }, 'onHold'],
  [{ onStoreError: 'x' }, 'onStoreError'],
  [undefined, undefined],
])('the options %j are refused, for %s', (options, name) => {
  // A JavaScript caller may pass anything.
  const make = () => createGovernor(options as GovernorOptions);
  if (name === undefined) expect(make).not.toThrow();
  else
    expect(make).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(name) }),
    );
});

test('a context takes what createGovernor made only', () => {
  // A JavaScript caller may pass anything.
  const made = createPageContext({ appId: 'a', appSecret: 'b', governor: {} as Governor });

  expect(made._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'governor' });
});

const business = (...entries: readonly (readonly [string, string, number, number?])[]) => ({
  'x-business-use-case-usage': JSON.stringify(
    Object.fromEntries(
      entries.map(([id, type, percent, minutes = 0]) => [
        id,
        [
          {
            type,
            call_count: 1,
            total_cputime: percent,
            total_time: 0,
            estimated_time_to_regain_access: minutes,
          },
        ],
      ]),
    ),
  ),
});

describe('what is known', () => {
  test('is the largest of the three percentages, for each limit separately', async () => {
    const both = business(['42', 'pages', 30], ['42', 'messenger', 96]);
    const { context } = governed([json({ id: '42', name: 'Page' }, 200, both)]);
    await pageProfile(context, { pageId: '42', pageToken: token });

    expect((await limits(context))._unsafeUnwrap()).toMatchObject([
      // JSON has one entry for each key.
      { kind: 'messenger', id: '42', percent: 96 },
    ]);
  });

  test('is shared by all tokens of a Page, and by all contexts', async () => {
    const fetch = stubFetch(json({ id: '42', name: 'Page' }, 200, business(['42', 'pages', 80])));
    const governor = createGovernor();
    const clock = virtualClock();
    const [one, other] = [pageContext({ fetch, governor, clock }), pageContext({ fetch, governor, clock })];
    await pageProfile(one, { pageId: '42', pageToken: 'token-1' });
    const first = await pageProfile(other, { pageId: '42', pageToken: 'token-2' });
    const second = await pageProfile(other, { pageId: '42', pageToken: 'token-2' });

    // Nothing was known of the second token before its first response.
    expect([first.isOk(), second.isErr()]).toEqual([true, true]);
    expect(second._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'pages', id: '42', percent: 80 } });
  });

  test('of messages or leads does not hold a post whose response told of it beside that of content', async () => {
    const usage = (type: string, percent: number, minutes = 0) => ({
      type,
      call_count: percent,
      estimated_time_to_regain_access: minutes,
    });
    const all = [usage('pages', 1), usage('messenger', 100, 180), usage('leadgen', 100, 60)];
    const headers = { 'x-business-use-case-usage': JSON.stringify({ 42: all }) };
    const { context } = governed([json({ id: '42', name: 'Page', data: [] }, 200, headers)]);
    const ofPage = { pageId: '42', pageToken: token };
    const profile = () => pageProfile(context, ofPage);
    const heldBy = async (call: ResultAsync<unknown, Error>) => {
      const result = await call;
      return result.isErr() ? Object((result.error as RateLimitError).limit).kind : undefined;
    };

    expect(await heldBy(profile())).toBe(undefined);
    expect(await heldBy(profile())).toBe(undefined);
    expect(await heldBy(conversations(context, ofPage))).toBe(undefined);
    expect(await heldBy(conversations(context, ofPage))).toBe('messenger');
    expect(await heldBy(leadForms(context, ofPage))).toBe(undefined);
    expect(await heldBy(leadForms(context, ofPage))).toBe('leadgen');
    expect(await heldBy(profile())).toBe(undefined);
  });

  test('of content holds messages that it has refused', async () => {
    const usage = (type: string, percent: number) => ({ type, call_count: percent });
    const all = [usage('pages', 100), usage('messenger', 1)];
    const headers = { 'x-business-use-case-usage': JSON.stringify({ 42: all }) };
    const { context } = governed([refusal(80001, { headers }), json({ data: [] })]);
    const once = withOptions(context, { retry: { attempts: 1 } })._unsafeUnwrap();
    const ask = () => conversations(once, { pageId: '42', pageToken: token });
    await ask();

    expect((await ask())._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'pages', id: '42' } });
  });

  test('does not hold calls that count against another limit', async () => {
    const { context } = governed([
      json({ data: [] }, 200, business(['42', 'messenger', 99])),
      json({ id: '42', name: 'Page' }, 200, business(['42', 'pages', 3])),
    ]);
    const inbox = () => conversations(context, { pageId: '42', pageToken: token });
    const profile = () => pageProfile(context, { pageId: '42', pageToken: token });

    expect((await inbox()).isOk()).toBe(true);
    expect((await inbox())._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'messenger' } });
    expect((await profile()).isOk() && (await profile()).isOk()).toBe(true);
  });

  test.each([
    ['no JSON', { 'x-app-usage': '{' }],
    ['no number', { 'x-app-usage': '{"call_count":"99"}' }],
    ['a negative one', { 'x-app-usage': '{"call_count":-1}' }],
    ['a list', { 'x-app-usage': '[99]' }],
    ['a bare number', { 'x-app-usage': '99' }],
    ['a text', { 'x-app-usage': '"99"' }],
    ['nothing', { 'x-app-usage': '' }],
    ['an object in place of a number', { 'x-app-usage': '{"call_count":{"value":99}}' }],
    ['one too large', { 'x-app-usage': '{"call_count":1e999}' }],
    ['NaN', { 'x-app-usage': '{"call_count":NaN}' }],
    ['entries that are none', { 'x-business-use-case-usage': '{"42":[null,7,"x",[],{}]}' }],
    ['lists in lists', { 'x-business-use-case-usage': `{"42":${'['.repeat(5000)}${']'.repeat(5000)}}` }],
    ['a type that is no text', { 'x-business-use-case-usage': '{"42":[{"type":7,"call_count":99}]}' }],
    ['null', { 'x-business-use-case-usage': 'null' }],
    ['no list', { 'x-business-use-case-usage': '{"42":{"type":"pages","call_count":99}}' }],
    ['no type', { 'x-business-use-case-usage': '{"42":[{"call_count":99}]}' }],
    ['an odd type', { 'x-business-use-case-usage': '{"42":[{"type":"a b\\n","call_count":99}]}' }],
    ['an odd id', { 'x-business-use-case-usage': '{"4 2":[{"type":"pages","call_count":99}]}' }],
  ])('leaves headers out that are odd: %s', async (_, headers) => {
    const { context } = governed([json(person, 200, headers)]);

    expect((await me(context, { token })).isOk() && (await me(context, { token })).isOk()).toBe(true);
    expect((await limits(context))._unsafeUnwrap()).toEqual([]);
  });

  test('is not zero where a header is missing, and falls as calls leave', async () => {
    const { context, clock, fetch } = governed([used(80), json(person)]);
    await me(context, { token });
    // What others use leaves evenly over an hour.
    for (let minute = 0; minute < 4; minute++) {
      expect((await me(context, { token })).isErr()).toBe(true);
      clock.advance(60_000);
    }
    expect(await limits(context)).toMatchObject({ value: [{ percent: 80 }] });

    clock.advance(2 * 60_000);
    expect((await me(context, { token })).isOk()).toBe(true);
    expect(requestsTo(fetch)).toHaveLength(2);
  });

  test.each([0, 1, 49.5, 99, 100, 724, 1000])('may be any percent, such as %d', async (percent) => {
    const { context, clock, fetch } = governed([used(percent), used(0)]);
    const urgent = withOptions(context, { lane: 'publish' })._unsafeUnwrap();
    await me(urgent, { token });
    expect(await limits(context)).toMatchObject({ value: [{ percent }] });
    expect((await me(urgent, { token })).isOk()).toBe(percent < 98);
    // What was found leaves evenly, a twelfth of it every five minutes.
    clock.advance(5 * 60_000 + 5000);

    expect((await me(urgent, { token })).isOk()).toBe(true);
    expect(requestsTo(fetch)).toHaveLength(percent < 98 ? 3 : 2);
  });

  test('of one account holds no other account of the token, and what names neither while it is the only one', async () => {
    const account = '17841400000000001';
    const usedUp = business([account, 'instagram', 100, 180]);
    const fetch = stubFetch(
      refusal(80002, { headers: usedUp }),
      json({ id: '7', data: [], username: 'b' }, 200, business(['17841400000000002', 'instagram', 3])),
    );
    const context = picsPageContext({ fetch, clock: virtualClock(), governor: createGovernor() });
    const once = withOptions(context, { retry: { attempts: 1 } })._unsafeUnwrap();
    const post = (picsUserId: string) =>
      pics.publish(once, { token, picsUserId, imageUrl: 'https://example.com/1.jpg', caption: 'Hi' });
    const read = (picsUserId: string) => pics.media(once, { token, picsUserId });
    const comments = (mediaId: string) => pics.comments(once, { token, mediaId });
    await read(account);

    for (const call of [read(account), post(account), comments('18000000000000001')])
      expect((await call)._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'instagram', id: account } });
    const other = '17841400000000002';
    expect((await read(other)).isOk()).toBe(true);
    // These may fail, as the responses are none of theirs, but they were sent.
    const before = requestsTo(fetch).length;
    await Promise.all([
      post(other),
      pics.profile(once, { token, picsUserId: other }),
      get(once, other, { token }),
    ]);
    expect(requestsTo(fetch).length).toBeGreaterThanOrEqual(before + 3);
    // What may be of either is sent.
    expect((await comments('18000000000000002')).isOk()).toBe(true);
    expect((await read(account)).isErr()).toBe(true);
  });

  test('of a business and of its account holds calls that name neither, if their responses told of both', async () => {
    const both = business(['645600000000344', 'instagram', 30], ['17841400000000826', 'instagram', 96]);
    const { context, fetch } = governed([json(person, 200, both)]);
    expect((await me(context, { token })).isOk()).toBe(true);

    expect((await me(context, { token }))._unsafeUnwrapErr()).toMatchObject({
      limit: { id: '17841400000000826', percent: 96 },
    });
    expect(requestsTo(fetch)).toHaveLength(1);
  });

  test('of another id holds the calls only whose responses tell of it', async () => {
    const { context } = governed([json(person, 200, business(['999', 'pages', 99])), json(person)]);
    const ask = (id: string) => pageProfile(context, { pageId: id, pageToken: `token-${id}` });
    await ask('42');

    expect((await ask('42'))._unsafeUnwrapErr()).toMatchObject({ limit: { id: '999' } });
    expect((await ask('43')).isOk() && (await ask('43')).isOk()).toBe(true);
  });

  test('of a Page holds calls about its posts, if their responses told of it and of another id', async () => {
    const both = business(['42', 'pages', 99], ['999', 'pages', 3]);
    const { context } = governed([json({ data: [] }, 200, both), json({ data: [] })]);
    const ask = () => get(context, '42_1/comments', { token });
    await ask();

    expect((await ask())._unsafeUnwrapErr()).toMatchObject({ limit: { id: '42' } });
  });

  describe('of a response that tells of several Pages', () => {
    const both = (percent: number, minutes = 0) =>
      business(['17', 'pages', 1], ['18', 'pages', percent, minutes]);
    const body = { id: '17', name: 'Page', data: [] };

    /** Calls one after another: the objects whose limits held them. */
    function open(...steps: readonly Step[]) {
      const { context, fetch, clock, governor } = governed(steps);
      const once = withOptions(context, { retry: { attempts: 1 } })._unsafeUnwrap();
      const ask = async (path: string, own = token) => {
        const before = requestsTo(fetch).length;
        const result = await get(once, path, { token: own });
        const { id = 'nobody' } = result.isErr() ? Object((result.error as RateLimitError).limit) : {};
        return requestsTo(fetch).length > before ? 'sent' : id;
      };
      const publishTo = async (pageId: string) => {
        const before = requestsTo(fetch).length;
        await publishPost(once, { pageId, pageToken: token, message: 'Hello' });
        return requestsTo(fetch).length > before;
      };
      return { ask, publishTo, clock, governor };
    }

    test('a call that names one counts against that one', async () => {
      const { ask, publishTo } = open(
        json(body, 200, both(100, 180)),
        json(body, 200, business(['17', 'pages', 1])),
      );
      await ask('17/posts');

      expect(await ask('17/posts')).toBe('sent');
      expect(await ask('17')).toBe('sent');
      expect(await ask('17_5/comments')).toBe('sent');
      expect(await publishTo('17')).toBe(true);
      expect(await ask('18/posts')).toBe('18');
    });

    test('they are not tied together, however they are used up later', async () => {
      const { ask, publishTo } = open(
        json(body, 200, both(10)),
        json(body, 200, business(['17', 'pages', 1])),
        json(body, 200, business(['18', 'pages', 100, 180])),
        json(body, 200, business(['17', 'pages', 1])),
      );
      await ask('17/posts');
      await ask('17/posts');
      await ask('18/posts', 'another-token');

      expect(await ask('17/posts')).toBe('sent');
      expect(await publishTo('17')).toBe(true);
      expect(await ask('18/posts')).toBe('18');
    });

    test('a call that names neither counts against those that are not used up, since it got through', async () => {
      const { ask } = open(json(body, 200, both(100, 180)));
      await ask('555/comments');

      expect(await ask('555/comments')).toBe('sent');
      await ask('me');
      expect(await ask('me')).toBe('sent');
    });

    test('a call that names neither counts against what the newest response told', async () => {
      const { ask } = open(
        json(body, 200, both(10)),
        json(body, 200, business(['17', 'pages', 1])),
        json(body, 200, business(['18', 'pages', 100, 180])),
        json(body, 200, business(['17', 'pages', 1])),
      );
      await ask('555/comments');
      await ask('555/comments');
      await ask('18/posts');

      expect(await ask('555/comments')).toBe('sent');
    });

    test('a call that was refused counts against the one that is used up', async () => {
      const { ask, clock } = open(refusal(80001, { headers: both(100, 180) }), json(body, 200, both(2)));
      await ask('17/posts');
      expect(await ask('17/posts')).toBe('18');

      clock.advance(180 * 60_000);
      expect([await ask('17/posts'), await ask('17/posts')]).toEqual(['sent', 'sent']);
    });

    test('a refusal by the limit of the app says nothing of either', async () => {
      const { ask, clock } = open(refusal(4, { headers: both(100, 180) }), json(body));
      await ask('17/posts');
      clock.advance(60_000);

      expect(await ask('17/posts')).toBe('sent');
    });
  });

  test.each([
    ['twelve hours', 12 * 3_600_000, undefined],
    ['half an hour', 1_800_000, undefined],
    ['twelve hours, over a store', 12 * 3_600_000, memoryJournal()],
  ])('moves with a clock that is set back, by %s', async (_, backMs, store) => {
    const clock = handClock();
    const fetch = stubFetch(refusal(80001), used(80), used(80), used(10));
    const governor = createGovernor({ store });
    const context = pageContext({ fetch, clock, governor, retry: { attempts: 1 } });
    await me(context, { token });
    clock.advance(10_000);
    clock.set(-backMs);

    // A block of a minute, of which ten seconds are over.
    expect((await me(context, { token }))._unsafeUnwrapErr()).toMatchObject({ retryAfterMs: 50_000 });
    expect((await limits(context))._unsafeUnwrap()[0]?.blockedUntil).toEqual(new Date(clock.now() + 50_000));
    clock.advance(50_000);
    expect((await me(context, { token })).isOk()).toBe(true);

    // What is used leaves within five minutes, the first of it.
    expect((await me(context, { token })).isErr()).toBe(true);
    clock.set(-backMs);
    clock.advance(6 * 60_000);
    expect((await me(context, { token })).isOk()).toBe(true);
  });

  test.each([
    ['twelve hours', 12, 1],
    ['two hours', 2, 1],
    ['half an hour, which is waited for', 0.5, 0],
  ])('is nothing to a process that begins after the clock was set back by %s', async (_, hours, calls) => {
    const store = memoryJournal();
    const clock = handClock();
    const start = (fetch: ReturnType<typeof stubFetch>) =>
      pageContext({ fetch, clock, governor: createGovernor({ store }), retry: { attempts: 1 } });
    await me(start(stubFetch(refusal(80001))), { token });
    clock.set(-hours * 3_600_000);
    const fetch = stubFetch(refusal(80001), used(10));
    const context = start(fetch);

    // It tries, and is blocked by what it is told itself: for two minutes, after two blocks in a row.
    await me(context, { token });
    expect(fetch).toHaveBeenCalledTimes(calls);
    const told = (await me(context, { token }))._unsafeUnwrapErr();
    const leastMs = calls === 1 ? 0 : hours * 3_600_000;
    expect(Number(Object(told).retryAfterMs)).toBeGreaterThan(leastMs);
    expect(Number(Object(told).retryAfterMs)).toBeLessThanOrEqual(leastMs + 120_000);
    clock.advance(leastMs + 120_000);
    expect((await me(context, { token })).isOk()).toBe(calls === 1);
  });

  test('is over where a clock went ahead, as after a sleep of the machine', async () => {
    const clock = handClock();
    const fetch = stubFetch(refusal(80001), used(10));
    const context = pageContext({ fetch, clock, governor: createGovernor(), retry: { attempts: 1 } });
    await me(context, { token });
    clock.set(60_000);

    expect((await me(context, { token })).isOk()).toBe(true);
  });

  test(
    'is dropped a day after the last call, so that it does not grow with the Pages',
    { tags: 'long' },
    async () => {
      const pages = Array.from({ length: 2500 }, (_, page) => `${page}`);
      let id = '';
      const fetch = stubFetch((...sending) =>
        json({ id, name: 'Page' }, 200, business([id, 'pages', 3]))(...sending),
      );
      const clock = virtualClock();
      const context = pageContext({ fetch, clock, governor: createGovernor() });
      for (id of pages) {
        await pageProfile(context, { pageId: id, pageToken: `token-${id}` });
        if (id === '1500') clock.advance(2 * 86_400_000);
      }

      expect((await limits(context))._unsafeUnwrap().length).toBeLessThan(1500);
    },
  );

  test('is told where it changes', async () => {
    const told: LimitState[] = [];
    const { context } = governed([used(12), used(12), used(13)], {
      onChange: (limit) => {
        told.push(limit);
        throw new Error('a bug of the caller');
      },
    });
    for (let call = 0; call < 3; call++) await me(context, { token });

    expect(told.map(({ percent }) => percent)).toEqual([12, 13]);
  });
});

describe('a refusal of the platform', () => {
  test.each([
    [4, {}, { kind: 'app', id: 'app-id' }, 60_000],
    [17, {}, { kind: 'user' }, 60_000],
    [32, {}, { kind: 'page' }, 60_000],
    [80001, {}, { kind: 'code_80001' }, 60_000],
    [80001, business(['42', 'pages', 100, 7]), { kind: 'pages', id: '42' }, 420_000],
  ])(
    'with code %i holds all lanes until its time, then one call probes',
    async (code, headers, limit, ms) => {
      const { context, clock, fetch } = governed([refusal(code, { headers }), json(person)]);
      const once = withOptions(context, { retry: { attempts: 1 }, lane: 'publish' })._unsafeUnwrap();
      await me(once, { token });
      const held = (await me(once, { token }))._unsafeUnwrapErr();
      expect(held).toMatchObject({
        name: 'RateLimitError',
        limit: { ...limit, percent: 100 },
        retryAfterMs: ms,
      });
      const [state] = (await limits(context))._unsafeUnwrap();
      expect(state?.blockedUntil).toEqual(new Date(clock.now() + ms));

      clock.advance(ms - 1);
      expect((await me(once, { token })).isErr()).toBe(true);
      clock.advance(1);
      expect(
        (await Promise.all([me(once, { token }), me(once, { token })])).map((result) => result.isOk()),
      ).toEqual([true, false]);
      expect((await me(once, { token })).isOk()).toBe(true);
      expect(requestsTo(fetch)).toHaveLength(3);
    },
  );

  test.each<[string, Step, number]>([
    ['HTML', text('<h1>Too many requests</h1>', 429), 1000],
    ['nothing, but a time', text('', 429, { 'retry-after': '30' }), 30_000],
    ['JSON', json({ message: 'slow down' }, 429), 1000],
  ])('with status 429 and no code, but %s, holds that request only', async (_, step, ms) => {
    const page42 = business(['42', 'pages', 3]);
    const profile = json({ id: '42', name: 'Page' }, 200, page42);
    const { context, clock, fetch } = governed([profile, step, json(person, 200, page42)]);
    const once = withOptions(context, { retry: { attempts: 1 } })._unsafeUnwrap();
    const ask = (id: string, own = token) => pageProfile(once, { pageId: id, pageToken: own });
    await ask('42');
    expect((await ask('42'))._unsafeUnwrapErr()).not.toHaveProperty('limit.kind');

    expect((await ask('42'))._unsafeUnwrapErr()).toMatchObject({
      name: 'RateLimitError',
      limit: { kind: 'http_429', id: expect.stringMatching(/^pageProfile-\w+_42$/), percent: 100 },
      retryAfterMs: ms,
    });
    expect((await limits(context))._unsafeUnwrap()).toMatchObject([
      { kind: 'pages', percent: 3 },
      { kind: 'http_429', percent: 100, blockedUntil: new Date(clock.now() + ms) },
    ]);
    // It may be about any of these, but says so of none.
    expect((await ask('43')).isOk()).toBe(true);
    expect((await ask('42', 'another-token')).isOk()).toBe(true);
    expect((await me(once, { token })).isOk()).toBe(true);
    clock.advance(ms);
    expect((await ask('42')).isOk()).toBe(true);
    expect((await ask('42')).isOk()).toBe(true);
    expect(requestsTo(fetch)).toHaveLength(7);
    expect((await limits(context))._unsafeUnwrap()).toMatchObject([{ kind: 'pages', percent: 3 }]);
  });

  test('with status 429 and no code is not remembered for ever', { tags: 'long' }, async () => {
    const { context, clock } = governed([text('', 429)]);
    const once = withOptions(context, { retry: { attempts: 1 } })._unsafeUnwrap();
    for (let id = 0; id < 2500; id++) {
      await pageProfile(once, { pageId: `${id}`, pageToken: token });
      if (id === 1500) clock.advance(1000);
    }

    expect((await limits(context))._unsafeUnwrap().length).toBeLessThan(1500);
  });

  test('with code 613 holds what it is about, and nothing else', async () => {
    const abuse = refusal(613, { subcode: 1996 });
    const { context, clock, fetch } = governed([
      json({ id: '42', name: 'Page' }, 200, business(['42', 'pages', 3])),
      abuse,
      json({ data: [] }),
    ]);
    const once = withOptions(context, { retry: { attempts: 1 } })._unsafeUnwrap();
    const profile = () => pageProfile(once, { pageId: '42', pageToken: token });
    await profile();
    expect((await profile())._unsafeUnwrapErr()).not.toHaveProperty('limit.kind');
    expect((await profile())._unsafeUnwrapErr()).toMatchObject({
      limit: { kind: 'pages', id: '42', percent: 100 },
      retryAfterMs: 60_000,
    });
    // The inbox has limits of its own.
    expect((await conversations(once, { pageId: '42', pageToken: token })).isOk()).toBe(true);
    clock.advance(60_000);
    await profile();
    expect(requestsTo(fetch)).toHaveLength(4);
  });

  test('with code 18, of hashtags, holds nothing, not even the search for another', async () => {
    const fetch = stubFetch(refusal(18), json({ data: [{ id: '7' }] }));
    const context = picsPageContext({ fetch, clock: virtualClock(), governor: createGovernor() });
    const search = (name: string) => hashtagId(context, { token, picsUserId: '9', name });
    expect((await search('new'))._unsafeUnwrapErr()).toMatchObject({ code: 18, retryAfterMs: 86_400_000 });
    expect((await search('known')).isOk()).toBe(true);
    expect((await get(context, 'me', { token })).isOk()).toBe(true);
    expect(requestsTo(fetch)).toHaveLength(3);
  });

  test('with another code than 613 is not about a published rate', async () => {
    const { context } = governed([refusal(80006), json({ data: [] })]);
    const once = withOptions(context, { retry: { attempts: 1 } })._unsafeUnwrap();
    const inbox = () => conversations(once, { pageId: '42', pageToken: token });
    await inbox();

    expect((await inbox())._unsafeUnwrapErr()).toMatchObject({
      limit: { kind: 'code_80006' },
      retryAfterMs: 60_000,
    });
  });

  test('with code 613 for a published rate holds for its window, whatever was counted here', async () => {
    const { context, clock, fetch } = governed([refusal(613), json({ data: [] })]);
    const once = withOptions(context, { retry: { attempts: 1 } })._unsafeUnwrap();
    const inbox = () => conversations(once, { pageId: '42', pageToken: token });
    await inbox();
    expect((await inbox())._unsafeUnwrapErr()).toMatchObject({
      limit: { kind: 'conversations' },
      retryAfterMs: 1000,
    });
    clock.advance(1000);
    expect((await inbox()).isOk()).toBe(true);
    expect(requestsTo(fetch)).toHaveLength(2);
  });

  test('takes as long as it says, but no longer than a day', async () => {
    const { context, clock } = governed([
      refusal(80001, { headers: business(['42', 'pages', 100, 1e9]) }),
      json(person),
    ]);
    await me(context, { token });

    expect((await me(context, { token }))._unsafeUnwrapErr()).toMatchObject({ retryAfterMs: 86_400_000 });
    clock.advance(86_400_000);
    expect((await me(context, { token })).isOk()).toBe(true);
  });

  test('of a part of a batch counts as well', async () => {
    const part = { code: 400, body: JSON.stringify({ error: { code: 17, message: 'No' } }) };
    const { context, fetch } = governed([json([part, { code: 200, body: '{}' }])]);
    const parts = [
      { method: 'GET', path: 'a' },
      { method: 'GET', path: 'b' },
    ] as const;
    await batch(context, parts, { token });
    const [held] = (await batch(context, parts, { token }))._unsafeUnwrap();

    expect(held?._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'user' }, outcome: 'rejected' });
    expect(requestsTo(fetch)).toHaveLength(1);
  });
});

test('the refusal of one part of a batch holds its object, and not those of the others', async () => {
  const refused = { code: 400, body: JSON.stringify({ error: { code: 80001, message: 'No' } }) };
  const { context } = governed([json([{ code: 200, body: '{}' }, refused]), json({ data: [] })]);
  const parts = ['17', '18'].map((id) => ({ method: 'GET', path: `${id}/feed` }) as const);
  await batch(context, parts, { token });
  const ask = async (id: string) => await get(context, `${id}/feed`, { token });

  expect((await ask('17')).isOk()).toBe(true);
  expect((await ask('18'))._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'code_80001', id: '18' } });
  expect((await ask('17')).isOk()).toBe(true);
});

describe('calls', () => {
  test.each([
    ['a part of a batch', (context: PageContext) => batch(context, eight, { token })],
    [
      'one of several ids',
      (context: PageContext) => get(context, '/', { token, params: { ids: 'a,b,c,d,e,f,g,h' } }),
    ],
  ])('%s is one', async (_, call) => {
    const { context, fetch } = governed([used(70)]);
    await get(context, 'me', { token });
    // One call is taken to use a percent until more is known.
    await call(context);
    expect(requestsTo(fetch)).toHaveLength(1);
    expect((await get(context, 'me', { token })).isOk()).toBe(true);
  });

  const eight = Array.from({ length: 8 }, () => ({ method: 'GET', path: 'me' }) as const);

  test('that look up a lost write are let through with what publishes', async () => {
    const lost = networkFailure('ECONNRESET');
    const { context, fetch } = governed([
      json({ id: '42', name: 'Page' }, 200, business(['42', 'pages', 95])),
      lost,
      json({ data: [] }, 200, business(['42', 'pages', 95])),
    ]);
    await pageProfile(context, { pageId: '42', pageToken: token });
    const [sent, read] = await Promise.all([
      publishPost(context, { pageId: '42', pageToken: token, message: 'Hello' }),
      pageProfile(context, { pageId: '42', pageToken: token }),
    ]);

    expect(read.isErr()).toBe(true);
    expect(sent._unsafeUnwrapErr()).toMatchObject({ outcome: 'unknown' });
    expect(
      requestsTo(fetch)
        .slice(2)
        .every(({ url }) => url.includes('/42/')),
    ).toBe(true);
    expect(requestsTo(fetch).length).toBeGreaterThan(2);
  });

  test('that are retried pass the limits again', async () => {
    const { context, fetch } = governed([
      used(70),
      refusal(2, { status: 500, headers: { 'x-app-usage': '{"call_count":99}' } }),
    ]);
    await me(context, { token });

    expect((await me(context, { token }))._unsafeUnwrapErr()).toMatchObject({
      name: 'RateLimitError',
      limit: { percent: 99 },
    });
    expect(requestsTo(fetch)).toHaveLength(2);
  });

  test('at a published rate are let through as it says', async () => {
    const { context, clock, fetch } = governed([json({ data: [] })]);
    const read = () => conversations(context, { pageId: '42', pageToken: token });
    expect([await read(), await read()].every((result) => result.isOk())).toBe(true);
    const third = await read();
    expect(third._unsafeUnwrapErr()).toMatchObject({
      limit: { kind: 'conversations', id: '42', percent: 100 },
    });
    clock.advance(1000);

    expect((await read()).isOk()).toBe(true);
    expect(requestsTo(fetch)).toHaveLength(3);
  });

  test('for a hashtag count once a week for each', async () => {
    const fetch = stubFetch(json({ data: [{ id: '7' }] }));
    const clock = virtualClock();
    const context = picsPageContext({ fetch, clock, governor: createGovernor({ maxWaitMs: 60_000 }) });
    const ask = (name: string) => hashtagId(context, { token, picsUserId: '9', name });
    for (let tag = 0; tag < 30; tag++) expect((await ask(`tag${tag}`)).isOk()).toBe(true);

    const before = clock.now();
    expect((await ask('another'))._unsafeUnwrapErr()).toMatchObject({ limit: { kind: 'hashtags' } });
    expect(clock.now()).toBe(before);
    expect((await ask('tag3')).isOk()).toBe(true);
    clock.advance(604_800_000);
    expect((await ask('another')).isOk()).toBe(true);
  });
});

describe('a call that waits', () => {
  test('is sent when there is room, and goes on waiting no longer than maxWaitMs', async () => {
    const { context, clock, fetch } = governed([json({ data: [] })], { maxWaitMs: 5000 });
    const read = () => conversations(context, { pageId: '42', pageToken: token });
    await read();
    await read();
    const before = clock.now();

    expect((await read()).isOk()).toBe(true);
    expect(clock.now() - before).toBe(1000);
    expect(requestsTo(fetch)).toHaveLength(3);
  });

  test('is refused at once where no room is expected by then', async () => {
    const { context, clock } = governed([used(80)], { maxWaitMs: 60_000 });
    await me(context, { token });
    const blocked = governed([refusal(17, { status: 400 })], { maxWaitMs: 900 });
    const once = withOptions(blocked.context, { retry: { attempts: 1 } })._unsafeUnwrap();
    await me(once, { token });
    const before = [clock.now(), blocked.clock.now()];

    expect((await me(context, { token }))._unsafeUnwrapErr()).toMatchObject({ name: 'RateLimitError' });
    expect((await me(once, { token }))._unsafeUnwrapErr()).toMatchObject({ name: 'RateLimitError' });
    expect([clock.now(), blocked.clock.now()]).toEqual(before);
  });

  test('is told of once, with the error that it would fail with', async () => {
    const held: RateLimitError[] = [];
    const { context } = governed([json({ data: [] })], {
      maxWaitMs: 5000,
      syncMs: 100,
      onHold: (error) => {
        held.push(error);
        throw new Error('a bug of the caller');
      },
    });
    const read = () => conversations(context, { pageId: '42', pageToken: token });
    for (let call = 0; call < 3; call++) expect((await read()).isOk()).toBe(true);

    expect(held).toMatchObject([
      {
        name: 'RateLimitError',
        operation: 'conversations',
        callId: expect.any(String),
        limit: { kind: 'conversations', id: '42', percent: 100 },
        retryAfterMs: 1000,
      },
    ]);
  });

  test('names the limit also where a call has room, and waits behind another one', async () => {
    const held: RateLimitError[] = [];
    const ok = { code: 200, body: '{"id":"1","name":"Ada"}' };
    const parts = Array.from({ length: 8 }, () => ({ method: 'GET', path: 'me' }) as const);
    let small: ReturnType<typeof me> | undefined;
    const { context } = governed(
      [
        used(70),
        used(
          1,
          parts.map(() => ok),
        ),
        used(1),
      ],
      {
        maxWaitMs: 2 * 3_600_000,
        onHold: (error) => {
          held.push(error);
          // Once the first one waits.
          queueMicrotask(() => {
            small ??= me(context, { token });
          });
        },
      },
    );
    await me(context, { token });

    const large = await batch(context, parts, { token });

    expect([large.isOk(), (await small)?.isOk()]).toEqual([true, true]);
    expect(held.map(({ operation, limit }) => [operation, limit?.kind, limit?.percent])).toEqual([
      ['batch', 'app', 70],
      ['me', 'app', 70],
    ]);
  });

  test('is refused at once if too few calls leave the limit by then', async () => {
    let sentCalls = 0;
    const count: Step = (...sending) => used(Math.floor((++sentCalls * 100) / 60))(...sending);
    const { context, clock } = governed([count], { maxWaitMs: 30_000 });
    const background = withOptions(context, { lane: 'background' })._unsafeUnwrap();
    clock.advance(20 * 60_000);
    const before = clock.now();
    let result = await me(background, { token });
    while (result.isOk()) result = await me(background, { token });

    expect(clock.now()).toBe(before);
    expect([sentCalls, result.error]).toMatchObject([30, { limit: { percent: 50 } }]);
    expect(result.error).toMatchObject({ retryAfterMs: expect.closeTo(3_600_000, -5) });
    // In all other lanes there is room.
    expect((await me(context, { token })).isOk()).toBe(true);

    // The first calls leave while it waits.
    clock.advance(3_600_000 - 10_000);
    sentCalls = 20;
    const then = clock.now();
    expect((await me(background, { token })).isOk()).toBe(true);
    expect(clock.now() - then).toBeGreaterThanOrEqual(10_000);
  });

  test('does not begin to wait beyond the deadline of its call', async () => {
    const { context, clock } = governed([used(74.1)], { maxWaitMs: 600_000 });
    await me(context, { token });
    const before = clock.now();
    const hasty = withOptions(context, { deadlineMs: 300 })._unsafeUnwrap();

    expect((await me(hasty, { token }))._unsafeUnwrapErr()).toMatchObject({ limit: { percent: 74.1 } });
    expect(clock.now()).toBe(before);
    expect((await me(context, { token })).isOk()).toBe(true);
    expect(clock.now() - before).toBeLessThan(600_000);
  });

  test('ends with its signal, and with its context', async () => {
    const { context, governor, fetch } = governed([used(80)], { maxWaitMs: 600_000 });
    const still = pageContext({ fetch, governor, clock: stillClock() });
    await me(still, { token });
    const controller = new AbortController();
    const waits = [me(still, { token, signal: controller.signal }), me(still, { token })];
    controller.abort();
    expect((await waits[0])?._unsafeUnwrapErr()).toMatchObject({ reason: 'aborted', outcome: 'rejected' });
    close(still);
    expect((await waits[1])?._unsafeUnwrapErr()).toMatchObject({ reason: 'closed' });
    expect(requestsTo(fetch)).toHaveLength(1);
    expect((await limits(context)).isOk()).toBe(true);
  });

  test('goes before those of lower lanes, and after those who came before', async () => {
    const order: string[] = [];
    const clock = stillClock();
    const fetch = stubFetch(used(99), (request) => {
      order.push(new URL(request.url).pathname.split('/').at(-1) ?? '');
      return used(order.length < 3 ? 99 : 10, {})(request, undefined);
    });
    const context = pageContext({ fetch, clock, governor: createGovernor({ maxWaitMs: 6_000_000 }) });
    const urgent = withOptions(context, { lane: 'publish' })._unsafeUnwrap();
    await get(context, 'me', { token });
    const calls = [
      get(context, 'read-1', { token }),
      get(context, 'read-2', { token }),
      get(urgent, 'urgent-1', { token }),
      get(urgent, 'urgent-2', { token }),
    ];
    await clock.runUntil(Promise.all(calls));

    expect(order).toEqual(['urgent-1', 'urgent-2', 'read-1', 'read-2']);
  });
});

/** A clock that stands still until it is run: then it wakes the sleepers one after another. */
function stillClock() {
  let time = Date.UTC(2026, 0, 2);
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    now: () => time,
    monotonic: () => time,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((wake) => {
        sleepers.push({ at: time + ms, wake });
        signal?.addEventListener('abort', () => wake());
      }),
    runUntil: async (done: Promise<unknown>) => {
      let isDone = false;
      void done.then(() => (isDone = true));
      while (!isDone) {
        const at = Math.min(...sleepers.map((one) => one.at));
        if (at < Infinity) time = Math.max(time, at);
        for (const { wake } of sleepers.filter((one) => one.at <= time)) wake();
        sleepers = sleepers.filter((one) => one.at > time);
        await new Promise((resolve) => void setImmediate(resolve));
      }
    },
  };
}
