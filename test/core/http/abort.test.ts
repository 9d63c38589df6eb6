import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { close } from '../../../src/core/client.ts';
import type { ContextOptions } from '../../../src/core/context.ts';
import { get, post } from '../../../src/core/lowLevel/request.ts';
import { systemClock } from '../../../src/core/options/clock.ts';
import { createPageClient } from '../../../src/page/client.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { deletePost } from '../../../src/page/posts.ts';
import { pageContext, platform, token, virtualClock } from '../../support/context.ts';
import { listen } from '../../support/server.ts';
import { signByWebCrypto } from '../../support/sign.ts';
import { json, refusal, silence, stubFetch } from '../stub.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

signByWebCrypto();

const fine = json({ success: true });
const deletion = { postId: '42_1', pageToken: token };

/** A signal that counts its listeners. */
function countedSignal(): { controller: AbortController; listeners: () => number } {
  const controller = new AbortController();
  const { signal } = controller;
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  const known = new Set<unknown>();
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    if (!known.has(args[1])) count++;
    known.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    if (known.delete(args[1])) count--;
    remove(...args);
  };
  return { controller, listeners: () => count };
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

describe('abort', () => {
  test('before a call sends nothing, and a write is known not to be done', async () => {
    const fetch = stubFetch(fine);

    const error = (
      await post(pageContext({ fetch }), '42', { signal: AbortSignal.abort() })
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'TransportError', reason: 'aborted', outcome: 'rejected' });
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each([
    { aborted: false, addEventListener: () => undefined },
    { aborted: false, removeEventListener: () => undefined },
    { addEventListener: () => undefined, removeEventListener: () => undefined },
  ])('by what is only a part of a signal is refused: the call would never end', async (part) => {
    const fetch = stubFetch(fine);
    // What callers in JavaScript pass.
    const signal = part as unknown as AbortSignal;

    const refused = await deletePost(pageContext({ fetch }), { ...deletion, signal });

    expect(refused._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'signal' });
    expect(fetch).not.toHaveBeenCalled();
  });

  test('while a request is under way ends it, and a write may have been done', async () => {
    for (const [send, outcome] of [
      [get, 'rejected'],
      [post, 'unknown'],
    ] as const) {
      const { controller, listeners } = countedSignal();
      let inner: AbortSignal | null | undefined;
      const fetch = stubFetch((request, signal) => {
        inner = signal;
        queueMicrotask(() => controller.abort());
        return silence()(request, signal);
      });

      const error = (
        await send(pageContext({ fetch }), '42', { signal: controller.signal })
      )._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'TransportError', reason: 'aborted', outcome });
      expect(inner?.aborted).toBe(true);
      expect(fetch).toHaveBeenCalledTimes(1);
      expect(listeners()).toBe(0);
    }
  });

  test('ends a request even of a fetch that knows no signal', async () => {
    const controller = new AbortController();
    const fetch = stubFetch(() => {
      queueMicrotask(() => controller.abort());
      return new Promise(() => undefined);
    });

    const error = (await get(pageContext({ fetch }), '42', { signal: controller.signal }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ reason: 'aborted' });
  });

  test('while a call waits ends the wait, and says what the write did so far', async () => {
    for (const [step, outcome] of [
      [refusal(4), 'rejected'],
      [refusal(2), 'unknown'],
    ] as const) {
      const { controller, listeners } = countedSignal();
      const before = timers();
      const context = pageContext({
        fetch: stubFetch(step),
        retry: { baseDelayMs: 60_000, maxDelayMs: 60_000, jitter: 'none' },
        onRetry: () => void setImmediate(() => controller.abort()),
      });

      const error = (await post(context, '42', { signal: controller.signal }))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'TransportError', reason: 'aborted', outcome });
      expect(listeners()).toBe(0);
      expect(timers()).toBeLessThanOrEqual(before);
    }
  });

  test('after a call changes nothing', async () => {
    const { controller, listeners } = countedSignal();
    const context = pageContext({ fetch: stubFetch(refusal(4), fine) });

    const deleted = await deletePost(context, { ...deletion, signal: controller.signal });
    expect(listeners()).toBe(0);
    controller.abort();

    expect(deleted._unsafeUnwrap()).toBe(true);
    expect((await deletePost(context, deletion)).isOk()).toBe(true);
  });
});

describe('close', () => {
  test('ends what is in flight and what waits, and whatever comes later', async () => {
    const fetch = stubFetch(silence());
    const onRetry = vi.fn<() => void>();
    const context = pageContext({ fetch });
    const waiting = pageContext({
      fetch: stubFetch(refusal(4, { headers: { 'retry-after': '50' } })),
      onRetry,
    });
    const before = timers();
    const calls = [get(context, '1'), post(context, '2')];
    const sleeping = get(waiting, '3');
    await expect.poll(() => [fetch, onRetry].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);

    close(context)._unsafeUnwrap();
    close(waiting)._unsafeUnwrap();

    const errors = await Promise.all([...calls, sleeping]);
    expect(errors.map((error) => error._unsafeUnwrapErr())).toMatchObject([
      { name: 'TransportError', reason: 'closed', outcome: 'rejected' },
      { name: 'TransportError', reason: 'closed', outcome: 'unknown' },
      { name: 'TransportError', reason: 'closed', outcome: 'rejected' },
    ]);
    expect(timers()).toBeLessThanOrEqual(before);
    expect((await post(context, '4'))._unsafeUnwrapErr()).toMatchObject({
      reason: 'closed',
      outcome: 'rejected',
    });
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('can be called again, and leaves other contexts and the fetch alone', async () => {
    const fetch = stubFetch(fine);
    const closed = pageContext({ fetch });
    const open = pageContext({ fetch });

    expect(close(closed).isOk() && close(closed).isOk()).toBe(true);

    expect((await get(open, '1')).isOk()).toBe(true);
  });

  test('is what a client does at the end of its block', async () => {
    const fetch = stubFetch(fine);
    let kept;
    {
      await using client = createPageClient({ appId: '1', appSecret: 's', fetch });
      kept = client;
      expect(await client.deletePost(deletion)).toBe(true);
    }
    await expect(kept.deletePost(deletion)).rejects.toMatchObject({
      name: 'TransportError',
      reason: 'closed',
    });
    await expect(kept.close()).resolves.toBeUndefined();
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('limits of time', () => {
  test('an attempt that takes too long is a timeout; a read is tried again, a write is not', async () => {
    for (const [send, times, outcome] of [
      [get, 3, 'rejected'],
      [post, 1, 'unknown'],
    ] as const) {
      const fetch = stubFetch(silence());

      const error = (await send(pageContext({ fetch, timeoutMs: 5 }), '42'))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'TransportError', reason: 'timeout', outcome });
      expect(fetch).toHaveBeenCalledTimes(times);
    }
  });

  test('reading the response counts', async () => {
    const fetch = stubFetch(
      () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) })),
    );

    const error = (
      await get(pageContext({ fetch, timeoutMs: 5, retry: { attempts: 1 } }), '42')
    )._unsafeUnwrapErr();

    expect(error).toMatchObject({ reason: 'timeout' });
  });

  test('a wait that leaves no time for a request is not begun', async () => {
    for (const [deadlineMs, times] of [
      [9999, 1],
      [10_000, 1],
      [10_001, 2],
    ] as const) {
      const clock = virtualClock();
      const fetch = stubFetch(refusal(4, { headers: { 'retry-after': '10' } }));

      const error = (await get(pageContext({ fetch, clock, deadlineMs }), '42'))._unsafeUnwrapErr();

      expect(error).toMatchObject({ name: 'RateLimitError', retryAfterMs: 10_000 });
      expect(fetch).toHaveBeenCalledTimes(times);
      expect(clock.slept).toHaveLength(times - 1);
    }
  });

  test('the deadline bounds a single attempt', async () => {
    const clock = virtualClock();
    const fetch = stubFetch((request, signal) => {
      signal?.addEventListener('abort', () => clock.advance(20));
      return silence()(request, signal);
    });

    const error = (await get(pageContext({ fetch, clock, deadlineMs: 20 }), '42'))._unsafeUnwrapErr();

    expect(error).toMatchObject({ reason: 'timeout' });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('systemClock', () => {
  test('ends a sleep with its signal, and leaves no timer or listener', async () => {
    const { controller, listeners } = countedSignal();
    const before = timers();
    const sleep = systemClock.sleep(60_000, controller.signal);
    expect(timers()).toBe(before + 1);

    controller.abort();
    await sleep;
    await systemClock.sleep(60_000, controller.signal);

    expect(timers()).toBeLessThanOrEqual(before);
    expect(listeners()).toBe(0);
  });

  test('tells the time', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
  });
});

describe('ten thousand calls through one context', () => {
  test('leave no timer and no listener, and memory stays flat', async () => {
    const { controller, listeners } = countedSignal();
    const { signal } = controller;
    const before = timers();
    const context = pageContext({ fetch: stubFetch(fine).getMockImplementation() as typeof fetch });
    const heap: number[] = [];

    for (let round = 0; round < 5; round++) {
      for (let call = 0; call < 2000; call++) {
        const pageToken = `token-${round}-${call}`;
        await deletePost(context, { postId: '42_1', pageToken, signal });
      }
      collectGarbage();
      heap.push(process.memoryUsage().heapUsed / 1e6);
    }

    expect(timers()).toBeLessThanOrEqual(before);
    expect(listeners()).toBe(0);
    const [, first = 0] = heap;
    expect(Math.max(...heap.slice(2)) - first).toBeLessThan(5);
  });
});

describe('over real HTTP', () => {
  let stop: (() => Promise<void>) | undefined;

  afterEach(async () => {
    vi.useRealTimers();
    await stop?.();
  });

  async function serve(listener: Parameters<typeof createServer>[1], options: ContextOptions = {}) {
    const { origin: graphUrl, close: closeServer } = await listen(createServer(listener));
    stop = closeServer;
    return createPageContext({
      appId: '1',
      appSecret: 's',
      platform: { ...platform, graphUrl },
      retry: { baseDelayMs: 0, attempts: 2 },
      ...options,
    })._unsafeUnwrap();
  }

  test('a connection that is reset, while sending or while reading, is a network failure', async () => {
    for (const cut of ['at once', 'after the head', 'in the body']) {
      let requests = 0;
      const context = await serve((_, response) => {
        requests++;
        if (cut !== 'at once') response.writeHead(200, { 'content-length': '100' });
        if (cut === 'in the body') response.write('{"id":');
        if (cut === 'after the head') response.flushHeaders();
        setImmediate(() => response.destroy());
      });

      const read = (await get(context, '42'))._unsafeUnwrapErr();
      expect(read).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'rejected' });
      expect(requests).toBe(2);
      const written = (await post(context, '42'))._unsafeUnwrapErr();
      expect(written).toMatchObject({ name: 'TransportError', reason: 'network', outcome: 'unknown' });
      expect(requests).toBe(3);
      await stop?.();
    }
  });

  test('abort and close end the request on the wire', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const end of ['abort', 'close', 'timeout'] as const) {
      const controller = new AbortController();
      const arrived = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<void>();
      const context = await serve(
        (request) => {
          arrived.resolve();
          request.socket.once('close', () => gone.resolve());
        },
        { timeoutMs: 30, retry: { attempts: 1 } },
      );
      const call = get(context, '42', { signal: controller.signal });
      await arrived.promise;

      if (end === 'abort') controller.abort();
      if (end === 'close') close(context)._unsafeUnwrap();
      if (end === 'timeout') vi.advanceTimersByTime(30);

      expect((await call).isErr()).toBe(true);
      await gone.promise;
      await stop?.();
    }
  });

  test('a redirect is not followed', async () => {
    const paths: unknown[] = [];
    const context = await serve((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });

    const error = (await get(context, '42'))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError', status: 302 });
    expect(paths).toEqual(['/v26.0/42']);
  });
});
