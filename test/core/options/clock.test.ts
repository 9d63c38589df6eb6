import { afterEach, describe, expect, test, vi } from 'vitest';

import { get } from '../../../src/core/lowLevel/request.ts';
import { after, type Clock, systemClock, within, withMonotonic } from '../../../src/core/options/clock.ts';
import { memoryJournal } from '../../../src/core/writes/journal/createJournal.ts';
import { publishPost } from '../../../src/page/posts.ts';
import { publishVideoStory } from '../../../src/page/stories.ts';
import { publishVideo } from '../../../src/page/videos/videos.ts';
import { publishCarousel } from '../../../src/pics/publishing/carousel.ts';
import { publish } from '../../../src/pics/publishing/publish.ts';
import { pageContext, picsContext, platform, token, virtualClock } from '../../support/context.ts';

afterEach(() => void vi.useRealTimers());

/** A clock that only sleeps move, as tests have them. */
function testClock(): Clock & { readonly advance: (ms: number) => void } {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms) => void (time += ms),
    advance: (ms) => void (time += ms),
  };
}

describe('monotonic time', () => {
  test('of the system is not moved by a wall clock that is set', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const before = systemClock.monotonic();
    vi.setSystemTime(Date.now() + 120_000);

    expect(systemClock.monotonic() - before).toBeLessThan(10_000);
  });

  test('of a clock whose sleeps are real is not moved by its wall clock', async () => {
    let stepMs = 0;
    const clock = withMonotonic({ now: () => Date.now() + stepMs, sleep: systemClock.sleep });
    const before = clock.monotonic();
    await clock.sleep(10);
    stepMs = 120_000;
    const ahead = clock.monotonic();
    stepMs = -120_000;
    await clock.sleep(10);

    expect(ahead - before).toBeGreaterThan(8);
    expect(ahead - before).toBeLessThan(10_000);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(ahead);
  });

  test("of a clock whose sleeps take no time is the clock's own", async () => {
    const own = testClock();
    const clock = withMonotonic(own);
    const before = clock.monotonic();
    await clock.sleep(60_000);
    own.advance(5000);

    expect(clock.monotonic() - before).toBeCloseTo(65_000, -1);
  });

  test('of a clock whose timers are coarse is not moved by its wall clock', async () => {
    let stepMs = 0;
    // Timers have a resolution of a millisecond or worse: short sleeps may end at once.
    const clock = withMonotonic({ now: () => stepMs, sleep: () => Promise.resolve() });
    for (const ms of [0.5, 1, 20, 100]) await clock.sleep(ms);
    const before = clock.monotonic();
    stepMs = 120_000;

    expect(clock.monotonic() - before).toBeLessThan(10_000);
  });

  test('is one for all contexts of a clock, and the one that a clock tells where it does', () => {
    const own = testClock();
    expect(withMonotonic(own)).toBe(withMonotonic(own));
    const complete = { ...own, monotonic: () => 7 };
    expect(pageContext({ clock: complete }).clock).toBe(complete);
  });

  test('is not taken for virtual by a sleep that is aborted', async () => {
    let stepMs = 0;
    const clock = withMonotonic({ now: () => stepMs, sleep: systemClock.sleep });
    const controller = new AbortController();
    const asleep = clock.sleep(60_000, controller.signal);
    controller.abort();
    await asleep;
    const before = clock.monotonic();
    stepMs = 120_000;

    expect(clock.monotonic() - before).toBeLessThan(10_000);
  });
});

describe('a wall clock that is set in the middle of a call', () => {
  const spans: Readonly<
    Record<string, (clock: ReturnType<typeof virtualClock>, fetch: typeof globalThis.fetch) => unknown>
  > = {
    'waitTimeoutMs of a container': (clock, fetch) =>
      publish(picsContext({ clock, fetch }), { token, videoUrl: address, waitTimeoutMs: 10_000 }),
    'waitTimeoutMs of a carousel': (clock, fetch) =>
      publishCarousel(picsContext({ clock, fetch }), {
        token,
        items: [{ videoUrl: address }, { videoUrl: address }],
        waitTimeoutMs: 10_000,
      }),
    'waitTimeoutMs of a video': (clock, fetch) =>
      publishVideo(pageContext({ clock, fetch }), {
        pageId,
        pageToken: token,
        videoUrl: address,
        waitTimeoutMs: 10_000,
      }),
    'uploadTimeoutMs of a hosted video': (clock, fetch) =>
      publishVideoStory(pageContext({ clock, fetch }), {
        pageId,
        pageToken: token,
        videoUrl: address,
        uploadTimeoutMs: 10_000,
      }),
    'deadlineMs between attempts': (clock, fetch) =>
      get(pageContext({ clock, fetch, deadlineMs: 5000, retry: patient }), 'busy'),
    'deadlineMs of a lookup': (clock, fetch) =>
      publishPost(pageContext({ clock, fetch, deadlineMs: 5000, retry: patient }), {
        pageId,
        pageToken: token,
        message: 'lost',
      }),
    'deadlineMs under a key': (clock, fetch) =>
      publishPost(pageContext({ clock, fetch, deadlineMs: 5000, retry: patient, journal: memoryJournal() }), {
        pageId,
        pageToken: token,
        message: 'lost',
        idempotencyKey: 'key',
      }),
    'deadlineMs of an upload': (clock, fetch) =>
      publishVideoStory(pageContext({ clock, fetch, deadlineMs: 5000, retry: patient }), {
        pageId: 'cut',
        pageToken: token,
        video: new Blob(['bytes']),
        uploadAttempts: 9,
      }),
  };
  const address = 'https://example.com/a.mp4';
  const pageId = '42';
  const patient = { attempts: 9, baseDelayMs: 1000, maxDelayMs: 1000, jitter: 'none' } as const;

  /** Makes a call whose third request sets the wall clock; returns how long it took and how often it asked. */
  async function run(span: string, byMs: number): Promise<readonly [elapsedMs: number, requests: number]> {
    const clock = virtualClock();
    const begun = clock.monotonic();
    let requests = 0;
    const fetch = async (input: string | URL | Request): Promise<Response> => {
      const { method, url } = input as Request;
      requests++;
      clock.advance(100);
      if (requests === 3) clock.set(byMs);
      if (url.includes('/feed') && method === 'POST') throw new TypeError('fetch failed');
      if (url.includes('/cut/'))
        return Response.json({ video_id: '9', upload_url: `${platform.uploadUrl}/cut` });
      if (url.endsWith('/cut')) throw new TypeError('fetch failed');
      if (url.includes('/busy')) return Response.json({}, { status: 503 });
      const upload_url = `${platform.uploadUrl}/9`;
      const status = {
        video_status: 'processing',
        uploading_phase: { status: 'in_progress', bytes_transfered: 0 },
      };
      const body =
        method === 'POST'
          ? { id: '9', video_id: '9', upload_url, success: true }
          : { status, status_code: 'IN_PROGRESS', data: [] };
      return Response.json(body, { headers: { date: new Date(clock.monotonic()).toUTCString() } });
    };
    await spans[span]?.(clock, fetch);
    return [clock.monotonic() - begun, requests];
  }

  test.each(Object.keys(spans))('changes nothing of %s', async (span) => {
    const usual = await run(span, 0);
    // It does wait, and asks more than the three times.
    expect(usual[0]).toBeGreaterThan(2000);
    expect(usual[1]).toBeGreaterThan(3);

    expect(await run(span, -60_000)).toEqual(usual);
    expect(await run(span, 60_000)).toEqual(usual);
  });
});

describe('a wait that is longer than a timer can be', () => {
  const month = 30 * 86_400_000;

  test('ends when it is over, and not at once', async () => {
    vi.useFakeTimers();
    const ended: string[] = [];
    after(month, () => ended.push('after'));
    const stop = after(month, () => ended.push('stopped'));
    void systemClock.sleep(month).then(() => ended.push('sleep'));
    void within(month, () => new Promise(() => undefined)).catch(({ name }) => ended.push(name));
    after(Infinity, () => ended.push('never'));

    await vi.advanceTimersByTimeAsync(month - 1);
    expect(ended).toEqual([]);
    stop();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended.toSorted()).toEqual(['TimeoutError', 'after', 'sleep']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not end a call', async () => {
    vi.useFakeTimers();
    const answered = Promise.withResolvers<Response>();
    const context = pageContext({ fetch: () => answered.promise, deadlineMs: month, timeoutMs: 2 ** 31 - 1 });
    const reading = get(context, '4');
    await vi.advanceTimersByTimeAsync(1000);
    answered.resolve(Response.json({ id: '4' }));
    expect((await reading).isOk()).toBe(true);
  });
});
