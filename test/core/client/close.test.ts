import { ok } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { close } from '../../../src/core/client.ts';
import { POST } from '../../../src/core/http/methods.ts';
import { perform, send } from '../../../src/core/http/send.ts';
import { iterate } from '../../../src/core/lowLevel/paginate.ts';
import { get, post } from '../../../src/core/lowLevel/request.ts';
import { memoryJournal } from '../../../src/core/writes/journal/createJournal.ts';
import { createdSchema } from '../../../src/models/fields.ts';
import { createPageClient } from '../../../src/page/client.ts';
import { publishPhoto } from '../../../src/page/photos.ts';
import { publishPost } from '../../../src/page/posts.ts';
import { pageContext } from '../../support/context.ts';
import { json, networkFailure, silence, type Step, stubFetch } from '../stub.ts';

const fine = json({ id: '1' });
const isClosed = { name: 'TransportError', reason: 'closed', outcome: 'rejected' };

/** A response that comes when it is let go. */
function held(): { readonly step: Step; readonly letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    letGo: resolve,
    step: async (request, signal) => {
      await promise;
      return fine(request, signal);
    },
  };
}

describe('close with drainMs', () => {
  test('lets what is in flight end, and ends with it', async () => {
    const { step, letGo } = held();
    const context = pageContext({ fetch: stubFetch(step) });
    const call = post(context, '1');

    const closing = close(context, { drainMs: 60_000 });
    letGo();

    expect((await call)._unsafeUnwrap()).toEqual({ id: '1' });
    expect((await closing).isOk()).toBe(true);
    expect((await get(context, '2'))._unsafeUnwrapErr()).toMatchObject(isClosed);
  });

  test('lets a call of several requests go on to its end, retries and their waits included', async () => {
    const { step, letGo } = held();
    const fetch = stubFetch(step, networkFailure(), fine);
    const context = pageContext({ fetch, retry: { baseDelayMs: 30, jitter: 'none' } });
    const call = perform(context, 'test', ok({}), async (own) => {
      const request = { ...own, schema: createdSchema };
      await send(context, { ...request, path: '1' });
      return send(context, { ...request, path: '2' });
    });

    const closing = close(context, { drainMs: 60_000 });
    letGo();

    expect(await call).toMatchObject({ value: { id: '1' } });
    await closing;
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test('lets a call read its file, for which nothing is in flight', { tags: 'long' }, async () => {
    const photo = new Blob(['a photo']);
    const slice = photo.slice.bind(photo);
    // As on a slow disk: longer than a pause between two requests.
    photo.slice = (...range) => {
      const part = slice(...range);
      const read = part.arrayBuffer.bind(part);
      part.arrayBuffer = async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        return read();
      };
      return part;
    };
    const context = pageContext({ fetch: stubFetch(fine) });
    const call = publishPhoto(context, { pageId: '42', pageToken: 'token', photo });
    const closing = close(context, { drainMs: 60_000 });

    expect((await call)._unsafeUnwrap()).toMatchObject({ id: '1' });
    await closing;
  });

  test('ends at once where no call is under way', async () => {
    const context = pageContext({ fetch: stubFetch(fine) });
    await get(context, '1');
    const begun = performance.now();
    await close(context, { drainMs: 60_000 });

    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('lets no call begin meanwhile', async () => {
    const { step, letGo } = held();
    const fetch = stubFetch(step);
    const context = pageContext({ fetch });
    const call = get(context, '1');
    const closing = close(context, { drainMs: 60_000 });

    const late = await get(context, '2');
    const inSteps = await perform(context, 'inSteps', ok({}), (call) =>
      send(context, { ...call, method: POST, path: '3', schema: createdSchema }),
    );

    expect(late._unsafeUnwrapErr()).toMatchObject(isClosed);
    expect(inSteps._unsafeUnwrapErr()).toMatchObject(isClosed);
    expect(fetch).toHaveBeenCalledTimes(1);
    letGo();
    expect((await call).isOk()).toBe(true);
    await closing;
  });

  test('aborts what is still in flight when the time is over', async () => {
    const context = pageContext({ fetch: stubFetch(silence()) });
    const call = post(context, '1');

    expect((await close(context, { drainMs: 5 })).isOk()).toBe(true);

    expect((await call)._unsafeUnwrapErr()).toMatchObject({ ...isClosed, outcome: 'unknown' });
  });

  test('is cut short by a close without it', async () => {
    const context = pageContext({ fetch: stubFetch(silence()) });
    const call = get(context, '1');
    const closing = close(context, { drainMs: 60_000 });

    expect(close(context).isOk()).toBe(true);

    expect((await call)._unsafeUnwrapErr()).toMatchObject(isClosed);
    expect((await closing).isOk()).toBe(true);
  });

  test.each([-1, NaN, Infinity, 2 ** 31, '5'])('refuses %j, and leaves the context open', async (drainMs) => {
    const context = pageContext({ fetch: stubFetch(fine) });

    const closed = await close(context, { drainMs: drainMs as number });

    expect(closed._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'drainMs' });
    expect((await get(context, '1')).isOk()).toBe(true);
  });

  test('is an option of the client as well', async () => {
    const { step, letGo } = held();
    const client = createPageClient({ appId: '1', appSecret: 's', fetch: stubFetch(step) });
    const call = client.get('1');

    const closing = client.close({ drainMs: 60_000 });
    letGo();

    await expect(call).resolves.toEqual({ id: '1' });
    await closing;
    await expect(client.get('2')).rejects.toMatchObject(isClosed);
    await expect(client.close({ drainMs: -1 })).rejects.toMatchObject({ option: 'drainMs' });
  });
});

describe('close with options', () => {
  const message = 'the client is closed; its outcome is unknown: it was not looked up';

  test.each([
    ['a drain', 5, undefined],
    ['no drain', 0, undefined],
    ['a drain, and a key', 5, 'key'],
    ['no drain, and a key', undefined, 'key'],
  ])('ends after the call that it aborted: %s', async (_, drainMs, idempotencyKey) => {
    const log: string[] = [];
    const fetch = stubFetch(silence());
    const context = pageContext({
      fetch,
      journal: memoryJournal(),
      onCallEnd: ({ error }) => log.push(`hook: ${error?.message}`),
    });
    const options = { pageId: '42', pageToken: 'token', message: 'a', idempotencyKey };
    const call = publishPost(context, options).mapErr((error) => log.push(`result: ${error.message}`));
    await expect.poll(() => fetch.mock.calls.length).toBe(1);

    await close(context, { drainMs });

    expect(log).toEqual([`hook: ${message}`, `result: ${message}`]);
    await call;
  });

  test('so does that of a client', async () => {
    const log: unknown[] = [];
    const fetch = stubFetch(silence());
    const client = createPageClient({ appId: '1', appSecret: 's', fetch });
    const call = client
      .publishPost({ pageId: '42', pageToken: 'token', message: 'a' })
      .catch((error: unknown) => log.push(error));
    await expect.poll(() => fetch.mock.calls.length).toBe(1);

    await client.close();

    expect(log).toMatchObject([{ message, outcome: 'unknown' }]);
    await call;
  });

  test('does not wait for a loop that waits for it', async () => {
    const context = pageContext({ fetch: stubFetch(json({ data: [{ id: '1' }, { id: '2' }] })) });
    const begun = performance.now();
    for await (const entry of iterate(context, 'list')) {
      expect(entry.isOk()).toBe(true);
      await close(context, {});
      break;
    }
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  test('waits five seconds at most for what does not end', async () => {
    vi.useFakeTimers();
    try {
      const context = pageContext({ fetch: stubFetch(fine) });
      void perform(context, 'test', ok({}), () => new Promise<never>(() => undefined));
      let isOver = false;
      void close(context, { drainMs: 1000 }).map(() => (isOver = true));

      await vi.advanceTimersByTimeAsync(5950);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(100);
      expect(isOver).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('sets no timer to less than nothing', async () => {
    const context = pageContext({ fetch: stubFetch(silence()) });
    const call = post(context, '1');
    const setTimer = vi.spyOn(globalThis, 'setTimeout');
    let now = 0;
    // Time passes between two readings of it.
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.9));
    try {
      await close(context, { drainMs: 2 });
      expect(setTimer).toHaveBeenCalled();
      expect(Math.min(...setTimer.mock.calls.map(([, ms = 0]) => ms))).toBeGreaterThanOrEqual(0);
    } finally {
      clock.mockRestore();
      setTimer.mockRestore();
    }
    await call;
  });
});

test('a client ends with its block', async () => {
  const options = { appId: '1', appSecret: 's', fetch: stubFetch(fine) };
  const ended = async () => {
    await using client = createPageClient(options);
    await client.get('1');
    return client;
  };

  await expect((await ended()).get('2')).rejects.toMatchObject(isClosed);
});
