import { describe, expect, test, vi } from 'vitest';

import type { ResponseEvent } from '../../../src/core/http/hooks.ts';
import { get } from '../../../src/core/lowLevel/request.ts';
import { pageContext, virtualClock } from '../../support/context.ts';
import { json, networkFailure, refusal, stubFetch } from '../stub.ts';

describe('onResponse', () => {
  test('is told of each answer', async () => {
    const clock = virtualClock();
    const events: ResponseEvent[] = [];
    const fetch = stubFetch(
      (request, signal) => {
        clock.advance(120);
        return refusal(4, {
          status: 403,
          headers: { 'retry-after': '1', 'x-fb-trace-id': 'T1', 'facebook-api-version': 'v24.0' },
        })(request, signal);
      },
      networkFailure(),
      json({ id: '1' }, 200, { 'x-app-usage': '{"call_count":28}' }),
    );

    await get(pageContext({ fetch, clock, onResponse: (event) => events.push(event) }), '42_1/a%2Fb?x=1', {
      params: { access_token: 'token-of-a-page' },
    });

    expect(events).toEqual([
      {
        method: 'GET',
        path: '/v26.0/42_1/a%2Fb',
        status: 403,
        durationMs: 120,
        attempt: 1,
        purpose: 'call',
        usage: undefined,
        traceId: 'T1',
        apiVersion: 'v24.0',
      },
      {
        method: 'GET',
        path: '/v26.0/42_1/a%2Fb',
        status: 200,
        durationMs: 0,
        attempt: 3,
        purpose: 'call',
        usage: { percent: 28 },
        traceId: undefined,
        apiVersion: undefined,
      },
    ]);
  });
});

describe('a hook', () => {
  const rejected = async () => {
    throw new Error('mine');
  };

  test.each([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
    ],
    ['rejects', rejected],
    ['never settles', () => new Promise(() => undefined)],
  ])('that %s changes nothing', async (_, hook) => {
    const onResponse = vi.fn(hook);
    const onRetry = vi.fn(hook);
    const context = pageContext({ fetch: stubFetch(refusal(4), json({ id: '1' })), onResponse, onRetry });

    const node = await get(context, '42');
    await new Promise((resolve) => setImmediate(resolve));

    expect(node._unsafeUnwrap()).toEqual({ id: '1' });
    expect(onResponse).toHaveBeenCalledTimes(2);
    expect(onRetry).toHaveBeenCalledTimes(1);
  });
});
