import { expect, test } from 'vitest';

import { isSameOrigin } from '../../../src/core/http/origin.ts';

test.each([
  ['https://a.test/x?y#z', true],
  ['HTTPS://A.TEST', true],
  ['https://a.test:443/', true],
  ['http://a.test/', false],
  ['https://a.test:444/', false],
  ['https://a.test.evil.test/', false],
  ['https://user@a.test/', false],
  ['https://:pass@a.test/', false],
  ['//a.test/', false],
  ['/x', false],
  ['', false],
])('%j is of the origin of https://a.test/v26.0: %j', (address, expected) => {
  expect(isSameOrigin(address, 'https://a.test/v26.0')).toBe(expected);
});
