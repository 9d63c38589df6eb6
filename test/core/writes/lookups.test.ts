import { err, errAsync, ok, okAsync } from 'neverthrow';
import { describe, expect, test, vi } from 'vitest';

import { ApiError, PermissionError, RateLimitError } from '../../../src/core/errors.ts';
import { isOfApp, queryEntries, repliesUnder, toListed } from '../../../src/core/writes/lookups.ts';
import { newCall, pageContext, token } from '../../support/context.ts';
import { json, stubFetch } from '../stub.ts';

describe('the entries of a list', () => {
  const request = { ...newCall(), path: '42/feed', token, query: {} };

  test('are those of the response', async () => {
    const context = pageContext({ fetch: stubFetch(json({ data: [{ id: '1' }, null, 'odd'] })) });

    const entries = (await queryEntries(context, request))._unsafeUnwrap();

    expect(entries.map(({ id }) => id)).toEqual(['1', undefined, undefined]);
  });

  test.each([[{}], [null], ['no list']])('are none where the list is %j', async (data) => {
    const context = pageContext({ fetch: stubFetch(json({ data })) });

    expect((await queryEntries(context, request))._unsafeUnwrap()).toEqual([]);
  });

  test.each([
    [
      { id: '1', made: '1970-01-01T00:00:01+0000' },
      { id: '1', createdAt: 1000 },
    ],
    [{ id: 2 }, { id: '2', createdAt: Number.NaN }],
    [{ id: { toString: 1 } }, { id: '', createdAt: Number.NaN }],
  ])('%j has an id and a time, where they can be read', (entry, listed) => {
    expect(toListed(entry, 'made')).toEqual({ ...listed, text: undefined });
    expect(toListed(entry, 'made', 7)).toEqual({ ...listed, text: '7' });
  });

  test('may be of any app where none is shown', () => {
    expect(isOfApp({}, '7')).toBe(true);
    expect(isOfApp({ application: { id: '7' } }, '7')).toBe(true);
    expect(isOfApp({ application: { id: '8' } }, '7')).toBe(false);
  });
});

test('where a reply appears is asked once, and only by a call with a key', async () => {
  const ask = vi.fn<Parameters<typeof repliesUnder>[1]>(() => okAsync('7'));
  const read = vi.fn<Parameters<typeof repliesUnder>[2]>(() => okAsync({ entries: [] }));
  const { locate, query } = repliesUnder('8', ask, read);
  const limits = { deadline: Infinity };

  await query(limits);
  expect(ask).not.toHaveBeenCalled();
  expect(read).toHaveBeenLastCalledWith(limits, '8');
  expect((await locate?.(limits))?._unsafeUnwrap()).toBe('7');
  const whole = { ...limits, readPages: () => okAsync({}) };
  await query(whole);
  expect(read).toHaveBeenLastCalledWith(whole, '7');
  expect(ask).toHaveBeenCalledTimes(1);
});

test.each([
  [new PermissionError('no', { code: 10 }), true],
  [new ApiError('gone', { code: 100 }), true],
  [new ApiError('later', { code: 2 }), false],
  [new RateLimitError('later', { code: 4 }), false],
])(
  'the list of a reply whose parent is refused with %s is unknown for good: %s',
  async (refusal, isHidden) => {
    const read = vi.fn<() => never>();
    const ask = vi.fn(() => errAsync(refusal));
    const limits = { attempts: 1, deadline: Infinity, readPages: vi.fn() };
    const { query } = repliesUnder('7', ask, read);

    for (const listed of [await query(limits), await query(limits)])
      expect(listed).toEqual(isHidden ? ok({ entries: [], isListUnknown: true }) : err(refusal));
    expect(ask).toHaveBeenCalledTimes(isHidden ? 1 : 2);
    expect(read).not.toHaveBeenCalled();
  },
);
