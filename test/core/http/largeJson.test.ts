import { describe, expect, test } from 'vitest';

import { parseJson } from '../../../src/core/http/json.ts';

describe('parseJson', () => {
  test.each([2, 3])('reads texts with millions of escapes (%d)', (odd) => {
    const text = '\\"'.repeat(6_000_000 + odd);
    const body = `{"a":"${text}, 17841400000000001 ","id":17841400000000001,"b":"${text}"}`;

    expect(parseJson(body)).toMatchObject({ id: '17841400000000001' });
    expect((parseJson(body) as { readonly a: string }).a.endsWith('", 17841400000000001 ')).toBe(true);
  });

  test('reads many digits in a row', () => {
    const digits = '1'.repeat(3_000_000);

    expect(parseJson(`[${digits}]`)).toEqual([digits]);
  });
});
