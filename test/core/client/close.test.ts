import { ok } from 'neverthrow';
import { describe, expect, test } from 'vitest';

import { close } from '../../../src/core/client.ts';
import { deadlineOf, perform, send } from '../../../src/core/http/send.ts';
import { get, post } from '../../../src/core/lowLevel/request.ts';
import { createdSchema } from '../../../src/models/fields.ts';
import { createPageClient } from '../../../src/page/client.ts';
import { publishPhoto } from '../../../src/page/photos.ts';
import { pageContext, newTrace } from '../../support/context.ts';
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
      const request = { ...own, method: 'GET', schema: createdSchema };
      await send(context, { ...request, path: '1' });
      return send(context, { ...request, path: '2' });
    });

    const closing = close(context, { drainMs: 60_000 });
    letGo();

    expect(await call).toMatchObject({ value: { id: '1' } });
    await closing;
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test('lets a call read its file, for which nothing is in flight', async () => {
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
    const inSteps = await send(context, {
      trace: newTrace(),
      deadline: deadlineOf(context),
      method: 'POST',
      path: '3',
      schema: createdSchema,
    });

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

test('a client ends with its block', async () => {
  const options = { appId: '1', appSecret: 's', fetch: stubFetch(fine) };
  const ended = async () => {
    await using client = createPageClient(options);
    await client.get('1');
    return client;
  };

  await expect((await ended()).get('2')).rejects.toMatchObject(isClosed);
});
