import { describe, expect, test } from 'vitest';

import { toEntries, queryRecentEntries, toRecentEntries } from '../../../src/core/writes/recentEntries.ts';
import { pageContext, token, newTrace } from '../../support/context.ts';
import { json, stubFetch } from '../stub.ts';

describe('recent entries', () => {
  const request = { trace: newTrace(), path: '42/feed', token, query: {} };

  test('are those of the list', async () => {
    const data = [{ id: '1' }, null, 'odd'];
    const context = pageContext({ fetch: stubFetch(json({ data })) });

    const entries = (await queryRecentEntries(context, request))._unsafeUnwrap();

    expect(entries.map(({ id }) => id)).toEqual(['1', undefined, undefined]);
  });

  test.each([[{}], [null], ['no list']])('are none where the list is %j', async (data) => {
    const context = pageContext({ fetch: stubFetch(json({ data })) });

    expect((await queryRecentEntries(context, request))._unsafeUnwrap()).toEqual([]);
  });

  test('have an id and a time, where they can be read', () => {
    const entries = toEntries([
      { id: '1', made: '1970-01-01T00:00:01+0000' },
      { id: 2 },
      { id: '' },
      { id: { toString: 1 } },
      null,
    ]);

    expect(toRecentEntries(entries, 'made')).toEqual([
      { id: '1', createdAt: 1000 },
      { id: '2', createdAt: Number.NaN },
    ]);
  });

  test('may have their id elsewhere', () => {
    expect(toRecentEntries([{ post_id: '9' }], '', 'post_id')).toEqual([{ id: '9', createdAt: Number.NaN }]);
  });
});
