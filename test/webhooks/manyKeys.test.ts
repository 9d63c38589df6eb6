import { expect, test } from 'vitest';

import { parseDelivery } from '../../src/webhooks/index.ts';
import { pageChanges, toWire } from './support.ts';

test('the key of 200,000 neighbours is never the same', () => {
  const keys = new Set<string>();
  for (let batch = 0; batch < 200; batch++) {
    const changes = Array.from({ length: 1000 }, (_, at) => ({
      field: 'feed',
      value: {
        item: 'like',
        from: { id: String(batch * 1000 + at) },
        created_time: 1_768_000_000 + (at % 7),
      },
    }));
    for (const { key } of parseDelivery(toWire(pageChanges(...changes)))._unsafeUnwrap().events)
      keys.add(key);
  }

  expect(keys.size).toBe(200_000);
});
