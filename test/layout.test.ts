import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import * as page from '../src/page/endpoints.ts';
import * as pics from '../src/pics/endpoints.ts';
import { subjectsOf } from './support/subjects.ts';

describe.each([
  ['page', page],
  ['pics', pics],
])('src/%s', (folder, endpoints) => {
  const subjects = subjectsOf(folder);

  test('exports endpoints from the files of subjects, and nothing else that runs', () => {
    expect(subjects.length).toBeGreaterThan(12);
    expect(subjects.flatMap(({ names }) => names).toSorted()).toEqual(Object.keys(endpoints).toSorted());
    expect(subjects.filter(({ names }) => names.length === 0)).toEqual([]);
  });

  test('has tests under the names of the subjects', () => {
    const tests = subjects.map(({ path }) => `test/${folder}/${path}.test.ts`);
    expect(tests.filter((path) => !existsSync(path))).toEqual([]);
  });
});

// The sandbox is left out: it needs the platform's own field names, and a server.
const product = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.startsWith('sandbox/'),
);

/** The files of the product that match the pattern. */
function holding(pattern: RegExp, allowed: readonly string[] = []): string[] {
  return product.filter(
    (name) => !allowed.includes(name) && pattern.test(readFileSync(`src/${name}`, 'utf8')),
  );
}

test('no file imports a Node built-in, but that of the command line', () => {
  const builtIn = /(?:from|import\()\s*['"](?:node:|fs|path|crypto|stream)/;
  expect(holding(builtIn, ['commandLine.ts'])).toEqual([]);
  // The command is the only one who needs it.
  const ofCommands = product.filter((name) => name.endsWith('cli.ts'));
  expect(holding(/\/commandLine\.ts'/, ofCommands)).toEqual([]);
});

test('no file imports the sandbox', () => {
  expect(holding(/['"]\.[./]*\/sandbox\//)).toEqual([]);
});

test('only one file imports ky', () => {
  expect(holding(/from 'ky'/)).toEqual(['core/http/exchange.ts']);
});

test('only the platform record knows the brand', () => {
  const brand = /facebook|instagram|\bfb_|\big_exchange|\big_refresh|fbtrace/i;
  expect(holding(brand, ['core/platform.ts'])).toEqual([]);
});
