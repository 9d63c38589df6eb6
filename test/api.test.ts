import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { writeLists } from './api/lists.ts';
import { printApi, readDeclarations } from './api/print.ts';

const declarations = readDeclarations();
const printed = printApi(declarations);
const lists = await writeLists(declarations);

test('every entry has its file in test/api', () => {
  const files = readdirSync('test/api').filter((name) => name.endsWith('.txt'));
  expect(files.toSorted()).toEqual([...printed.keys()].toSorted());
});

// A change that is meant is renewed with `npm run api`, and read in the diff.
test.each([...printed])('the public API is that of test/api/%s', (name, text) => {
  expect(text).toBe(readFileSync(`test/api/${name}`, 'utf8'));
});

test.each([...lists])('%s lists what the package exports', (path, text) => {
  expect(text).toBe(readFileSync(path, 'utf8'));
});

test('every export that is listed is described', () => {
  const [...rows] = (lists.get('docs/functions.md') ?? '').matchAll(/^\| `(\w+)` \| (.*) \|$/gm);
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.flatMap(([, name, text]) => (text === '' ? [name] : []))).toEqual([]);
});
