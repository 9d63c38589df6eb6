import { errAsync } from 'neverthrow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  createWebhookHandler,
  type Rejection,
  type WebhookEvent,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { fakeTimers } from '../support/timers.ts';
import { appSecret, deliver, messaging, pageChanges, sign, toWire, verifyToken } from './support.ts';

const leads = toWire(
  pageChanges(...['1', '2', '3'].map((leadgen_id) => ({ field: 'leadgen', value: { leadgen_id } }))),
);

function leadOf(event: WebhookEvent): string {
  return event.type === 'leadgen' ? event.data.leadgen_id : event.type;
}

/** A POST with a body that comes in parts, under a header that could be a signature. */
function streamed(body: ReadableStream, signature = sign('')): Request {
  const headers = signature === '' ? {} : { 'x-hub-signature-256': signature };
  return new Request('https://app.test/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
}

/** A body that a server ends with an error. */
function broken(more: object): ReadableStream {
  return new ReadableStream({ pull: (to) => to.error(Object.assign(new Error('reset'), more)) });
}

function bare(headers: HeadersInit): Request {
  return new Request('https://app.test/', { method: 'POST', headers });
}

function handlerOf(options: Partial<WebhookHandlerOptions> = {}) {
  return createWebhookHandler({ verifyToken, secrets: appSecret, onEvent: () => undefined, ...options });
}

describe('a GET', () => {
  const query = `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=`;

  test('with the right token gets its bare challenge', async () => {
    const response = await handlerOf()(new Request(`https://app.test/?${query}${verifyToken}`));

    expect([response.status, await response.text()]).toEqual([200, '1158201444']);
  });

  test.each([`?${query}other`, '?hub.mode=subscribe', ''])(
    'with another one, or none, is refused: %j',
    async (search) => {
      const response = await handlerOf()(new Request(`https://app.test/${search}`));

      expect([response.status, await response.text()]).toEqual([403, '']);
    },
  );
});

describe('a POST', () => {
  test('gets its response once all its events were handled, one after the other', async () => {
    const seen: string[] = [];
    const onEvent = async (event: WebhookEvent) => {
      seen.push(`start ${leadOf(event)}`);
      await Promise.resolve();
      seen.push(`end ${leadOf(event)}`);
    };
    const response = await handlerOf({ onEvent })(deliver(leads));

    expect(response.status).toBe(200);
    expect(seen).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3']);
  });

  test('takes each of the secrets, as they were when it was made', async () => {
    const secrets = ['first', 'second'];
    const handler = handlerOf({ secrets });
    secrets.length = 0;

    for (const secret of ['first', 'second', 'third']) {
      const response = await handler(deliver(leads, { 'x-hub-signature-256': sign(leads, secret) }));
      expect(response.status).toBe(secret === 'third' ? 401 : 200);
    }
  });

  test.each([
    ['no signature', { 'x-hub-signature-256': '' }],
    ['another one', { 'x-hub-signature-256': sign(leads, 'other') }],
    ['a SHA-1 signature', { 'x-hub-signature-256': '', 'x-hub-signature': `sha1=${'0'.repeat(40)}` }],
    ['two', { 'x-hub-signature-256': `${sign(leads)}, ${sign(leads)}` }],
  ])('with %s is 401, and no event', async (_, headers) => {
    const onEvent = vi.fn();

    expect((await handlerOf({ onEvent })(deliver(leads, headers))).status).toBe(401);
    expect(onEvent).not.toHaveBeenCalled();
  });

  test.each(['', '{', 'null', '[]', '{"object":"page"}'])(
    'that is signed, but no delivery, is 400: %j',
    async (body) => {
      expect((await handlerOf()(deliver(body))).status).toBe(400);
    },
  );

  test('without a body is 400 or 401, as it is signed or not', async () => {
    expect((await handlerOf()(bare({ 'x-hub-signature-256': sign('') }))).status).toBe(400);
    expect((await handlerOf()(bare({}))).status).toBe(401);
  });

  test('whose body breaks off, or was read already, is 400', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error('reset')),
    });
    expect((await handlerOf()(streamed(body))).status).toBe(400);

    const used = deliver(leads);
    await used.text();
    expect((await handlerOf()(used)).status).toBe(400);
  });
});

describe('the body', () => {
  test.each(['', 'sha256=', `sha1=${'0'.repeat(40)}`, `${sign(leads)}, ${sign(leads)}`])(
    'is not read under a header that is no signature: %j',
    async (signature) => {
      const pull = vi.fn();
      const body = new ReadableStream({ pull }, { highWaterMark: 0 });

      expect((await handlerOf()(streamed(body, signature))).status).toBe(401);
      expect(pull).not.toHaveBeenCalled();
    },
  );

  test('keeps no chunks, so that it takes only its size in memory, however small they are', async () => {
    const bytes = new TextEncoder().encode(leads);
    const chunk = new Uint8Array(1);
    let at = 0;
    const body = new ReadableStream(
      {
        // Only what is read from a chunk before the next one comes is kept.
        pull: (controller) => {
          chunk.set(bytes.subarray(at, at + 1));
          if (at < bytes.length) controller.enqueue(chunk);
          else controller.close();
          at += 1;
        },
      },
      { highWaterMark: 0 },
    );

    expect((await handlerOf()(streamed(body, sign(leads)))).status).toBe(200);
  });

  test('is put together whole, of chunks of any size', async () => {
    const bytes = new TextEncoder().encode(leads);
    for (const size of [1, 7, bytes.length]) {
      let at = 0;
      const body = new ReadableStream({
        pull: (controller) => {
          if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + size));
          else controller.close();
          at += size;
        },
      });
      const seen: string[] = [];
      const handler = handlerOf({ onEvent: (event) => seen.push(leadOf(event)) });

      expect((await handler(streamed(body, sign(leads)))).status).toBe(200);
      expect(seen).toEqual(['1', '2', '3']);
    }
  });
});

describe('the limit', () => {
  test('lets a body of its size in, and none of a byte more', async () => {
    const { length } = new TextEncoder().encode(leads);

    expect((await handlerOf({ maxBodyBytes: length })(deliver(leads))).status).toBe(200);
    expect((await handlerOf({ maxBodyBytes: length - 1 })(deliver(leads))).status).toBe(413);
  });

  test('is 4 MiB, of a body that is never read whole', async () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream({
      pull: (controller) => {
        pulled += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => {
        cancelled = true;
      },
    });

    expect((await handlerOf()(streamed(body))).status).toBe(413);
    expect(pulled).toBeGreaterThan(4_194_304);
    expect(pulled).toBeLessThan(4_194_304 + 10 * 65_536);
    expect(cancelled).toBe(true);
  });
});

describe('an event that fails', () => {
  const failures: readonly [string, (event: WebhookEvent) => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('boom');
      },
    ],
    ['hands out an Err', () => errAsync(new Error('boom'))],
  ];

  test.each(failures)('costs no other, and the delivery comes again: %s', async (_, fail) => {
    const handled: string[] = [];
    const failed: unknown[] = [];
    const response = await handlerOf({
      onEvent: (event) => (leadOf(event) === '2' ? fail(event) : handled.push(leadOf(event))),
      onError: (error, event) => failed.push([(error as Error).message, leadOf(event)]),
    })(deliver(leads));

    expect(response.status).toBe(500);
    expect(handled).toEqual(['1', '3']);
    expect(failed).toEqual([['boom', '2']]);
  });

  test.each(failures)('never makes the handler reject, not even when onError %s', async (_, fail) => {
    const onEvent = vi.fn(() => {
      throw new Error('first');
    });
    const response = await handlerOf({ onEvent, onError: (_error, event) => fail(event) })(deliver(leads));

    expect(response.status).toBe(500);
    expect(onEvent).toHaveBeenCalledTimes(3);
  });
});

describe('background', () => {
  test('responds before the events are handled, and hands over work that never rejects', async () => {
    let finish = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const works: Promise<void>[] = [];
    const failed: string[] = [];
    const response = await handlerOf({
      onEvent: async (event) => {
        await gate;
        throw new Error(leadOf(event));
      },
      onError: (error) => failed.push((error as Error).message),
      background: (work) => works.push(work),
    })(deliver(leads));

    expect([response.status, failed]).toEqual([200, []]);
    finish();
    expect(await Promise.all(works)).toEqual([undefined]);
    expect(failed).toEqual(['1', '2', '3']);
  });

  test('that throws has taken nothing over: the events are waited for', async () => {
    const handled: string[] = [];
    const handler = handlerOf({
      onEvent: async (event) => {
        await Promise.resolve();
        handled.push(leadOf(event));
      },
      background: () => {
        throw new Error('too late');
      },
    });

    expect((await handler(deliver(leads))).status).toBe(200);
    expect(handled).toEqual(['1', '2', '3']);
  });

  test('is not asked about untrusted events', async () => {
    const background = vi.fn();

    expect(
      (await handlerOf({ background })(deliver(leads, { 'x-hub-signature-256': sign('x') }))).status,
    ).toBe(401);
    expect((await handlerOf({ background })(deliver('{'))).status).toBe(400);
    expect(background).not.toHaveBeenCalled();
  });
});

test.each(['PUT', 'DELETE', 'HEAD', 'OPTIONS'])('any other method is 405: %s', async (method) => {
  const response = await handlerOf()(new Request('https://app.test/', { method }));

  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test.each([
  ['verifyToken', { verifyToken: '' }],
  ['verifyToken', { verifyToken: undefined }],
  ['secrets', { secrets: [] }],
  ['secrets', { secrets: ['', 'good'] }],
  ['secrets', { secrets: undefined }],
  ['secrets', { secrets: 'of a file\n' }],
  ['secrets', { secrets: ['good', ' of a terminal'] }],
  ['secrets', { secrets: ['good', 'of Windows\r\n'] }],
  ['verifyToken', { verifyToken: 'of a file\n' }],
  ['onEvent', { onEvent: undefined }],
  ['onError', { onError: 'log' }],
  ['background', { background: {} }],
  ['maxBodyBytes', { maxBodyBytes: 0 }],
  ['maxBodyBytes', { maxBodyBytes: Number.NaN }],
  ['maxBodyBytes', { maxBodyBytes: '4 MB' }],
  ['once', { once: {} }],
  ['onRejected', { onRejected: 'log' }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: true }],
  ['maxBodyBytes', { maxBodyBytes: [1] }],
])('cannot be made with a wrong %s: %j', (option, wrong) => {
  expect(() => handlerOf(wrong as object)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', option }),
  );
});

test('says what is wrong with a secret that was copied with a line break, and does not quote it', () => {
  expect(() => handlerOf({ secrets: [`${appSecret}\n`] })).toThrow(
    'secrets has a blank or a line break at an end',
  );
});

test.each([undefined, null, 'secret'])('cannot be made without options: %j', (options) => {
  expect(() => createWebhookHandler(options as never)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError' }),
  );
});

const url = 'https://app.test/';
const never = () => new Promise<never>(() => undefined);

describe('onRejected', () => {
  async function used(): Promise<Request> {
    const request = deliver(leads);
    await request.text();
    return request;
  }
  const handshake = (token: string): string =>
    `${url}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${token}`;
  const wrongSecret = { 'x-hub-signature-256': sign(leads, 'other') };
  const requests: readonly [
    status: number,
    reason: string,
    hint: RegExp,
    () => Request | Promise<Request>,
  ][] = [
    [405, 'method', /method/, () => new Request(url, { method: 'PUT' })],
    [403, 'handshake', /hub\.challenge/, () => new Request(url)],
    [403, 'verify_token', /verifyToken/, () => new Request(handshake('other'))],
    [401, 'missing', /no signature/, () => deliver(leads, { 'x-hub-signature-256': '' })],
    [401, 'malformed', /HMAC-SHA256/, () => deliver(leads, { 'x-hub-signature-256': 'sha1=0' })],
    [401, 'mismatch', /secrets/, () => deliver(leads, wrongSecret)],
    [400, 'body_read', /express\.json\(\)/, used],
    [400, 'body_read', /no body/, () => bare({ 'x-hub-signature-256': sign('') })],
    // The rest of a body that was partly read elsewhere, and what adapters of Node's `http` make of one that was read whole.
    [
      401,
      'mismatch',
      /express\.json\(\)/,
      () => deliver(leads.slice(9), { 'x-hub-signature-256': sign(leads) }),
    ],
    [400, 'body_read', /read before.*rawBody/, () => deliver('', { 'x-hub-signature-256': sign(leads) })],
    [413, 'too_large', /maxBodyBytes/, () => deliver(leads + ' '.repeat(1000))],
    [
      400,
      'broken_body',
      /broke off/,
      () => streamed(new ReadableStream({ pull: (to) => to.error(new Error()) })),
    ],
    // As a stream ends that a parser has read.
    [
      400,
      'broken_body',
      /parsers/,
      () => streamed(new ReadableStream({ pull: (to) => to.error(new TypeError('terminated')) })),
    ],
    // As SvelteKit ends a body at its own limit.
    [413, 'too_large', /BODY_SIZE_LIMIT/, () => streamed(broken({ status: 413 }))],
    [413, 'too_large', /framework/, () => streamed(broken({ statusCode: 413 }))],
    [400, 'unreadable', /not what the platform sends/, () => deliver('{}')],
    // What Node's `http` calls a request.
    [500, 'no_request', /Fetch API/, () => ({ method: 'POST', headers: {}, url: '/' }) as unknown as Request],
    [500, 'no_request', /adapter/, () => undefined as unknown as Request],
  ];

  test.each(requests)('is told of a %i, %s', async (status, reason, hint, make) => {
    const onRejected = vi.fn();
    const request = await make();
    const response = await handlerOf({ onRejected, maxBodyBytes: leads.length })(request);

    expect(response.status).toBe(status);
    expect(onRejected.mock.calls).toEqual([[{ status, reason, hint: expect.stringMatching(hint) }, request]]);
  });

  test.each([
    [500, 'failed', /^onEvent failed, see onError/, { onEvent: () => errAsync(new Error('boom')) }],
    [503, 'busy', /elsewhere/, { once: async () => 'busy' as const }],
    [503, 'slow', /^onEvent took longer than timeoutMs/, { onEvent: never, timeoutMs: 5 }],
  ])('is told of a %i, %s, too', async (status, reason, hint, options) => {
    const onRejected = vi.fn();
    const response = await handlerOf({ ...options, onRejected })(deliver(leads));

    expect(response.status).toBe(status);
    expect(onRejected.mock.calls).toMatchObject([
      [{ status, reason, hint: expect.stringMatching(hint) }, { method: 'POST' }],
    ]);
  });

  test('is not told of what is handled', async () => {
    const onRejected = vi.fn();
    await handlerOf({ onRejected })(deliver(leads));
    await handlerOf({ onRejected })(new Request(handshake(verifyToken)));

    expect(onRejected).not.toHaveBeenCalled();
  });

  test.each([
    ['throws', () => Promise.reject(new Error('boom'))],
    ['hangs', never],
  ])('that %s changes nothing', async (_, onRejected) => {
    expect((await handlerOf({ onRejected, timeoutMs: 5 })(deliver('{}'))).status).toBe(400);
  });

  test('quotes nothing of the request, and no secret', async () => {
    const told: Rejection[] = [];
    const onRejected = (rejection: Rejection) => told.push(rejection);
    const handler = handlerOf({ onRejected, maxBodyBytes: leads.length });
    for (const [, , , make] of requests) await handler(await make());

    expect(told).toHaveLength(requests.length);
    expect(JSON.stringify(told)).not.toMatch(/app-secret|verify-token|leadgen|sha256=/);
  });
});

describe('what is slow', () => {
  beforeEach(fakeTimers);
  afterEach(() => void vi.useRealTimers());

  test('a body that comes to no end is 408 after `timeoutMs`, and read no further', async () => {
    const cancel = vi.fn(never);
    const reading = Promise.withResolvers<void>();
    const pull = () => {
      reading.resolve();
      return never();
    };
    const onRejected = vi.fn();
    const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
    const response = handlerOf({ onRejected })(streamed(body));
    await reading.promise;
    await vi.advanceTimersByTimeAsync(29_999);
    expect(cancel).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect((await response).status).toBe(408);
    expect(cancel).toHaveBeenCalledOnce();
    expect(onRejected.mock.calls).toMatchObject([[{ reason: 'slow_body' }, {}]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('an event that hangs costs no other, and comes again', async () => {
    const handled: string[] = [];
    const failed: unknown[] = [];
    const started = Promise.withResolvers<void>();
    const response = handlerOf({
      onEvent: (event) => {
        started.resolve();
        return leadOf(event) === '1' ? never() : handled.push(leadOf(event));
      },
      onError: (error, event) => failed.push([(error as Error).name, leadOf(event)]),
    })(deliver(leads));
    await started.promise;
    await vi.advanceTimersByTimeAsync(30_000);

    expect((await response).status).toBe(500);
    expect(handled).toEqual(['2', '3']);
    expect(failed).toEqual([['TimeoutError', '1']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ['onEvent', { onEvent: never }],
    ['onError', { onEvent: () => errAsync(new Error('boom')), onError: never }],
    ['once', { once: never }],
  ])(
    '%s that hangs each time does not hold up the response, nor the events for good',
    async (name, options) => {
      const called = vi.fn();
      const started = Promise.withResolvers<void>();
      const hang = () => {
        called();
        started.resolve();
        return never();
      };
      const response = handlerOf({ ...options, [name]: hang })(deliver(leads));
      await started.promise;
      await vi.advanceTimersByTimeAsync(30_000);

      expect((await response).status).toBe(503);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(called).toHaveBeenCalledTimes(3);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test('leaves no timer behind where nothing is', async () => {
    await handlerOf()(deliver(leads));

    expect(vi.getTimerCount()).toBe(0);
  });
});

test('idempotencyKey gives a key for each effect, equal when the event comes again', async () => {
  const keys: string[][] = [];
  const handler = handlerOf({
    onEvent: ({ key }, { idempotencyKey }) => {
      expect(idempotencyKey('answer')).toBe(`${key}:answer`);
      keys.push(['answer', 'hide'].map(idempotencyKey));
    },
  });
  await handler(deliver(leads));
  await handler(deliver(leads));

  expect(keys.slice(3)).toEqual(keys.slice(0, 3));
  expect(new Set(keys.flat()).size).toBe(6);
});

describe('once', () => {
  test('is given the key and the work of each event', async () => {
    const done = new Set<string>();
    const handled: string[] = [];
    const handler = handlerOf({
      onEvent: (event) => handled.push(event.key),
      once: async (key, work) => {
        if (done.has(key)) return 'already';
        await work();
        done.add(key);
        return 'done';
      },
    });
    const statuses = [await handler(deliver(leads)), await handler(deliver(leads))].map(
      ({ status }) => status,
    );

    expect(statuses).toEqual([200, 200]);
    expect(handled).toEqual([...done]);
    expect(handled).toHaveLength(3);
  });

  test('that finds one busy makes it a 503, once the others are handled', async () => {
    const handled: string[] = [];
    const onError = vi.fn();
    const response = await handlerOf({
      onEvent: (event) => handled.push(leadOf(event)),
      onError,
      once: async (_, work) => {
        if (handled.length === 1) return handled.push('busy') ? 'busy' : 'done';
        await work();
        return 'done';
      },
    })(deliver(leads));

    expect(response.status).toBe(503);
    expect(handled).toEqual(['1', 'busy', '3']);
    expect(onError).not.toHaveBeenCalled();
  });

  test('that finds one busy in the background tells onError, since it does not come again', async () => {
    const works: Promise<void>[] = [];
    const onError = vi.fn();
    const options = {
      once: async () => 'busy' as const,
      background: (work: Promise<void>) => works.push(work),
    };
    expect((await handlerOf({ ...options, onError })(deliver(leads))).status).toBe(200);
    await Promise.all(works);

    expect(onError).toHaveBeenCalledTimes(3);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('store'))],
    [
      'gets work that hands out an Err',
      async (_: string, work: () => unknown) => (await work(), 'done' as const),
    ],
  ])('that %s has not handled the event', async (_, once) => {
    const onError = vi.fn();
    const response = await handlerOf({ once, onError, onEvent: () => errAsync(new Error('store')) })(
      deliver(leads),
    );

    expect(response.status).toBe(500);
    expect(onError.mock.calls.map(([error]) => (error as Error).message)).toEqual([
      'store',
      'store',
      'store',
    ]);
  });

  test.each([
    ['changed_fields', { object: 'page', entry: [{ id: '42', time: 1, changed_fields: ['feed'] }] }],
    ['a field of the profile', pageChanges({ field: 'name', value: 'Harbour' })],
    [
      'a permission',
      {
        object: 'permissions',
        entry: [{ id: '7', changes: [{ field: 'email', value: { verb: 'granted' } }] }],
      },
    ],
  ])('is not asked about what may be the next one of its kind: %s', async (_, delivery) => {
    const [once, onEvent] = [vi.fn(), vi.fn()];
    await handlerOf({ once, onEvent })(deliver(toWire(delivery)));

    expect(once).not.toHaveBeenCalled();
    expect(onEvent).toHaveBeenCalledOnce();
  });

  test('is asked about an unknown event that has a time', async () => {
    const once = vi.fn(async () => 'already' as const);
    const item = { sender: { id: '7' }, recipient: { id: '42' }, timestamp: 5, novelty: { mid: 'm' } };
    await handlerOf({ once })(deliver(toWire(messaging('page', item))));

    expect(once).toHaveBeenCalledOnce();
  });
});

test('what onEvent hands out means nothing, unless it is an Err', async () => {
  const onRejected = vi.fn();

  expect((await handlerOf({ onEvent: () => 'busy', onRejected })(deliver(leads))).status).toBe(200);
});

test('background that rejects has taken the work over all the same', async () => {
  const handler = handlerOf({ background: () => Promise.reject(new Error('late')) });

  expect((await handler(deliver(leads))).status).toBe(200);
});
