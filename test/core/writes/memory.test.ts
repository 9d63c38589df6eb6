import { afterEach, describe, expect, test, vi } from 'vitest';

import { createWriteMemory, digest, memoryOf } from '../../../src/core/writes/memory.ts';
import { createPageContext } from '../../../src/page/context.ts';
import { appSecret, pageContext, picsContext } from '../../support/context.ts';
import { json, stubFetch } from '../stub.ts';

afterEach(() => void vi.unstubAllGlobals());

describe('the memory of a context', () => {
  test('is one for all that use the global fetch, handed in or not, and whatever replaces it later', () => {
    const { memory } = pageContext();

    expect(picsContext().memory).toBe(memory);
    expect(pageContext({ fetch: globalThis.fetch }).memory).toBe(memory);
    vi.stubGlobal('fetch', stubFetch(json({})));
    expect(pageContext().memory).toBe(memory);
  });

  test('is one for each fetch that is handed in', () => {
    const fetch = stubFetch(json({}));

    expect(pageContext({ fetch }).memory).toBe(picsContext({ fetch }).memory);
    expect(pageContext({ fetch }).memory).not.toBe(pageContext({ fetch: stubFetch(json({})) }).memory);
    expect(pageContext({ fetch }).memory).not.toBe(memoryOf(undefined));
  });

  test('is the one that is given', () => {
    const memory = createWriteMemory();

    expect(pageContext({ memory, fetch: stubFetch(json({})) }).memory).toBe(memory);
  });

  test.each([{}, 7, new Map()])('cannot be %j', (memory) => {
    const context = createPageContext({ appId: 'a', appSecret, memory: memory as never });

    expect(context._unsafeUnwrapErr()).toMatchObject({ name: 'ConfigurationError', option: 'memory' });
  });
});

test('texts have digests of their own, by which equal ones are found', () => {
  const texts = ['Open until nine', 'Open until ten', 'nine until Open', '', 'a', 'b'];

  expect(new Set(texts.map(digest)).size).toBe(texts.length);
  expect(digest('Open until nine')).toBe(digest(texts[0] ?? ''));
});
