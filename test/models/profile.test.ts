import * as v from 'valibot';
import { expect, test } from 'vitest';

import { pageProfileSchema } from '../../src/models/profile.ts';

test.each([
  [{ mon_1_open: '09:00', mon_1_close: 18 }, { mon_1_open: '09:00' }],
  [
    [
      { key: 'mon_1_open', value: '09:00' },
      { key: 'mon_1_close', value: '18:00' },
    ],
    { mon_1_open: '09:00', mon_1_close: '18:00' },
  ],
  [[5, null, { key: 'mon_1_open' }], undefined],
  ['09:00', undefined],
])('hours of %j', (hours, expected) => {
  expect(v.parse(pageProfileSchema('linked'), { id: '42', hours }).hours).toEqual(expected);
});
