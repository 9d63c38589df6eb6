import { afterEach, describe, expect, test, vi } from 'vitest';

import { createPageContext } from '../../src/page/context.ts';
import { publishPost } from '../../src/page/posts.ts';
import { json, refusal, stubFetch } from './stub.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a runtime', () => {
  test('needs neither a process, nor AbortSignal.any, nor AbortSignal.timeout', async () => {
    const fetch = stubFetch(refusal(4), json({ id: '42_1' }));
    const unused = vi.fn(() => {
      throw new Error('not everywhere');
    });
    vi.spyOn(AbortSignal, 'any').mockImplementation(unused);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(unused);
    const { process } = globalThis;
    vi.stubGlobal('process', undefined);

    const context = createPageContext({ appId: '1', appSecret: 's', fetch, retry: { baseDelayMs: 0 } });
    const post = await publishPost(context._unsafeUnwrap(), {
      pageId: '42',
      pageToken: 'token',
      message: 'Hello',
      signal: new AbortController().signal,
    });
    vi.stubGlobal('process', process);

    expect(post._unsafeUnwrap()).toEqual({ id: '42_1' });
    expect(unused).not.toHaveBeenCalled();
  });
});
