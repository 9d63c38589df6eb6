import { describe, expect, test } from 'vitest';

import { bind, close } from '../../src/core/client.ts';
import { withOptions } from '../../src/core/context.ts';
import { iterate, paginate } from '../../src/core/lowLevel/paginate.ts';
import { get } from '../../src/core/lowLevel/request.ts';
import { postInsights } from '../../src/page/insights.ts';
import { publishPost } from '../../src/page/posts.ts';
import { me, exchangeCode } from '../../src/page/tokens.ts';
import { media } from '../../src/pics/media.ts';
import { pageContext, picsContext, picsPageContext, proof, token } from '../support/context.ts';
import { json, refusal, requestsTo, stubFetch } from './stub.ts';

describe('withOptions', () => {
  test.each([
    ['page', pageContext],
    ['login', picsContext],
    ['via pages', picsPageContext],
  ] as const)('gives a context of the same app, with other limits (%s)', (_, create) => {
    const context = create({ licenseKey: 'hidden-key' });
    const changed = withOptions(context, {
      deadlineMs: 5,
      timeoutMs: 7,
      retry: { attempts: 9, statuses: [500] },
    })._unsafeUnwrap();

    expect(changed).toEqual({
      ...context,
      deadlineMs: 5,
      timeoutMs: 7,
      retry: { ...context.retry, attempts: 9, statuses: [500] },
    });
    expect([changed.secret, changed.licenseKey]).toEqual([context.secret, 'hidden-key']);
    expect(Object.keys(changed).sort()).toEqual(Object.keys(context).sort());
    expect(Object.isFrozen(changed) && Object.isFrozen(changed.retry.statuses)).toBe(true);
    expect(context.deadlineMs).toBe(Infinity);
  });

  test('keeps what is left out, also of a context that was changed before', () => {
    const context = withOptions(pageContext(), {
      deadlineMs: 5,
      lane: 'background',
      retry: { attempts: 9 },
    })._unsafeUnwrap();
    const same = withOptions(context, { timeoutMs: undefined, retry: {} })._unsafeUnwrap();

    expect(same).toEqual(context);
    expect(same.appToken).toBe(context.appToken);
    expect(same.lane).toBe('background');
  });

  test('signs, and keeps to the new limits', async () => {
    const fetch = stubFetch(refusal(2, { status: 500 }));
    const context = withOptions(pageContext({ fetch }), { retry: { attempts: 2 } })._unsafeUnwrap();
    const error = (await me(context, { token }))._unsafeUnwrapErr();

    expect(error).toMatchObject({ name: 'ApiError' });
    const requests = requestsTo(fetch);
    expect(requests).toHaveLength(2);
    expect(new URL(requests[0]?.url ?? '').searchParams.get('appsecret_proof')).toBe(proof);
  });

  test('ends with the context that it is made of', async () => {
    const context = pageContext({ fetch: stubFetch(json({})) });
    close(withOptions(context, {})._unsafeUnwrap());

    expect((await get(context, '1'))._unsafeUnwrapErr()).toMatchObject({ reason: 'closed' });
  });

  test.each([
    ['deadlineMs', { deadlineMs: 0 }],
    ['timeoutMs', { timeoutMs: '5' }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['retry.attempts', { retry: { attempts: 0 } }],
    ['retry.statuses', { retry: { statuses: '500' } }],
    ['secret', { secret: 'x' }],
    ['platform', { platform: {} }],
    ['fetch', { fetch: null }],
    ['deadline', { deadline: 5 }],
    ['retry.attemps', { retry: { attemps: 1 } }],
    ['onRetry', { onRetry: () => undefined }],
    ['options', null],
    ['options', 7],
  ])('refuses a bad %s', (option, options) => {
    expect(withOptions(pageContext(), options as object)._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });

  test.each([[{ ...pageContext() }], [null], [undefined], [{}]])('refuses what is no context', (context) => {
    expect(withOptions(context as never, {})._unsafeUnwrapErr()).toMatchObject({ option: 'context' });
  });
});

describe('a context that was spread', () => {
  const fetch = stubFetch(json({ id: '1', data: [] }));
  const page = { ...pageContext({ fetch }), deadlineMs: 5000 };
  const login = { ...picsContext({ fetch }), deadlineMs: 5000 };
  const callback = { code: 'c0de', redirectUri: 'https://x.test' };
  const calls = {
    'a read': () => me(page, { token }),
    'a list': () => media(login, { token }),
    'a write': () => publishPost(page, { pageId: '1', pageToken: token, message: 'Hello' }),
    'what is empty when refused': () => postInsights(page, { postId: '1', pageToken: token }),
    'a login': () => exchangeCode(page, callback),
    'a low-level call': () => get(page, '1'),
    'a low-level list': () => paginate(page, '1/feed'),
    'a context with its secret put back': () => me({ ...page, secret: 'app-secret' }, { token }),
  } as const;

  test.each(Object.entries(calls))('fails before anything is sent: %s', async (_, call) => {
    const result = await call();

    expect(result._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option: 'context',
      outcome: 'rejected',
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  test('fails in a client and in a walk as well', async () => {
    await expect(bind(page, { me }).me({ token })).rejects.toMatchObject({ option: 'context' });
    for await (const entry of iterate(page, '1/feed')) {
      expect(entry._unsafeUnwrapErr()).toMatchObject({ option: 'context' });
    }
    expect(fetch).not.toHaveBeenCalled();
  });
});
