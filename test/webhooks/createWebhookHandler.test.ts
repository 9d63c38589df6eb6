import { errAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import {
  createWebhookHandler,
  type WebhookEvent,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { appSecret, deliver, pageChanges, sign, toWire, verifyToken } from './support.ts';

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

function handlerOf(options: Partial<WebhookHandlerOptions> = {}) {
  return createWebhookHandler({ verifyToken, secrets: appSecret, onEvent: () => undefined, ...options });
}

describe('a GET', () => {
  const query = `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=`;

  test('with the right token is answered with its bare challenge', async () => {
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
  test('is answered once all its events were handled, one after the other', async () => {
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
    const bare = (headers: HeadersInit) => new Request('https://app.test/', { method: 'POST', headers });

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

  test('keeps no chunk, so that it takes memory of its own size however small they are', async () => {
    const bytes = new TextEncoder().encode(leads);
    const chunk = new Uint8Array(1);
    let at = 0;
    const body = new ReadableStream(
      {
        // What is read of a chunk before the next one comes is all that remains of it.
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
  test('answers before the events are handled, and hands over work that never rejects', async () => {
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

  test('is not asked for what is not trusted', async () => {
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
  ['onEvent', { onEvent: undefined }],
  ['onError', { onError: 'log' }],
  ['background', { background: {} }],
  ['maxBodyBytes', { maxBodyBytes: 0 }],
  ['maxBodyBytes', { maxBodyBytes: Number.NaN }],
  ['maxBodyBytes', { maxBodyBytes: '4 MB' }],
])('cannot be made with a wrong %s: %j', (option, wrong) => {
  expect(() => handlerOf(wrong as object)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError', option }),
  );
});

test.each([undefined, null, 'secret'])('cannot be made without options: %j', (options) => {
  expect(() => createWebhookHandler(options as never)).toThrow(
    expect.objectContaining({ name: 'ConfigurationError' }),
  );
});
