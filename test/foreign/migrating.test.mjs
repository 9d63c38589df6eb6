// docs/migrating.md: what it names is there, on both sides.
import { readFileSync } from 'node:fs';

import businessSdk from 'facebook-nodejs-business-sdk';
import * as graphApi from 'instagram-graph-api';
import { expect, test } from 'vitest';

import * as page from '../../src/page/index.ts';
import * as pics from '../../src/pics/index.ts';

const clients = { 'facebook-nodejs-business-sdk': businessSdk, 'instagram-graph-api': graphApi };
const entries = { 'pagepics/page': page, 'pagepics/pics': pics };

const tables = readFileSync('docs/migrating.md', 'utf8')
  .split('\n\n')
  .flatMap((block) => {
    const [, client, entry] = /^\| `([\w-]+)` \| `([\w/]+)`.*\|\n/.exec(block) ?? [];
    if (client === undefined) return [];
    const rows = block
      .split('\n')
      .slice(2)
      .map((row) => row.split(' | '));
    return rows.map(([left = '', right = '']) => ({ client, entry, left, right }));
  });

test('docs/migrating.md has tables of both clients', () => {
  expect(new Set(tables.map(({ client }) => client))).toEqual(new Set(Object.keys(clients)));
  expect(tables.length).toBeGreaterThan(70);
});

test.each(tables)('$client: $left becomes $right', ({ client, entry, left, right }) => {
  const names = [...left.matchAll(/`(\w+)#(\w+)`/g)];
  expect(names).not.toEqual([]);
  for (const [, owner, method] of names)
    expect(clients[client][owner].prototype[method], `${owner}#${method}`).toBeTypeOf('function');
  const functions = [...right.matchAll(/`(\w+)`/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'scheduledAt');
  expect(functions).not.toEqual([]);
  for (const name of functions) expect(entries[entry][name], name).toBeTypeOf('function');
});
