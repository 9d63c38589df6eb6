import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { printApi } from './api/print.ts';

const printed = printApi();

test('every entry has its file in test/api', () => {
  const files = readdirSync('test/api').filter((name) => name.endsWith('.txt'));
  expect(files.toSorted()).toEqual([...printed.keys()].toSorted());
});

// A change that is meant is renewed with `npm run api`, and read in the diff.
test.each([...printed])('the public API is that of test/api/%s', (name, text) => {
  expect(text).toBe(readFileSync(`test/api/${name}`, 'utf8'));
});
