import { describe, expect, test } from 'vitest';

import { repeatsOf } from '../../src/core/codes.ts';

describe('what a refusal says of an earlier request', () => {
  test.each([
    [506, undefined, 'maybe'],
    [506, 1, 'maybe'],
    [368, undefined, 'maybe'],
    // Its subcode has a row of its own, which says nothing of that.
    [368, 1_390_008, 'maybe'],
    [-1, 2_534_023, 'maybe'],
    [100, 1_366_051, 'maybe'],
    [100, 2_534_025, 'surely'],
    [10_900, undefined, 'surely'],
    // As a code, a subcode means the same.
    [1_366_051, undefined, 'maybe'],
    [2_534_025, undefined, 'surely'],
    [-1, undefined, undefined],
    [100, undefined, undefined],
    [undefined, undefined, undefined],
  ])('%s/%s', (code, subcode, repeats) => {
    expect(repeatsOf({ code, subcode })).toBe(repeats);
  });
});
