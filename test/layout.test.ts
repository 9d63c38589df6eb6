import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import * as page from '../src/page/endpoints.ts';
import * as pics from '../src/pics/endpoints.ts';

const others = ['client.ts', 'context.ts', 'endpoints.ts', 'index.ts'];

// A file in one of these folders is an endpoint, named after the one function that it exports.
describe.each([
  ['page', page],
  ['pics', pics],
])('src/%s', (folder, endpoints) => {
  const files = readdirSync(`src/${folder}`)
    .filter((name) => name.endsWith('.ts') && !others.includes(name))
    .map((name) => name.slice(0, -'.ts'.length));

  test('exports an endpoint from each file, and no other', () => {
    expect(Object.keys(endpoints).sort()).toEqual(files.sort());
  });

  test.each(files)('%s shows a call of the function, and of the method', (name) => {
    const source = readFileSync(`src/${folder}/${name}.ts`, 'utf8');

    expect(source).toMatch(new RegExp(`^ \\* .*\\b${name}\\(context[,)]`, 'm'));
    expect(source).toMatch(new RegExp(`^ \\* .*\\bclient\\.${name}\\([{)]`, 'm'));
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

test('no file imports a Node built-in', () => {
  expect(holding(/(?:from|import\()\s*['"](?:node:|fs|path|crypto|stream)/)).toEqual([]);
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
