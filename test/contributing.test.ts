import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import * as page from '../src/page/endpoints.ts';
import * as pics from '../src/pics/endpoints.ts';

const contributing = readFileSync('CONTRIBUTING.md', 'utf8');
const [, checklist = ''] = /\n## Add an endpoint\n([\s\S]*?)\n## /.exec(contributing) ?? [];
const [always = '', sometimes = ''] = checklist.split('\nWhere it applies:\n');

/** The paths that the items of a list begin with. */
function placesOf(list: string): readonly string[] {
  return list
    .split('\n')
    .filter((line) => line.startsWith('- [ ] '))
    .flatMap((line) =>
      [...(/^[^:]*/.exec(line)?.[0] ?? '').matchAll(/`(.*?)`/g)].map(([, path = '']) => path),
    );
}

function names(file: string, name: string): boolean {
  return new RegExp(String.raw`\b${name}\b`).test(readFileSync(file, 'utf8'));
}

const texts = [
  ...['src', 'test', 'docs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
  ...readdirSync('.'),
].filter((name) => /\.(?:ts|md|txt)$/.test(name) && !name.includes('.docs/'));

describe.each([
  ['page', Object.keys(page)],
  ['pics', Object.keys(pics)],
])('the checklist for an endpoint of %s', (platform, endpoints) => {
  const places = placesOf(always).map((path) => path.replace('<platform>', platform));

  test.each(places)('is kept by all of them: %s', (place) => {
    const lacking = endpoints.filter((name) => {
      const file = place.replace('<name>', name);
      return !existsSync(file) || !names(file, name);
    });
    expect(lacking).toEqual([]);
  });

  test('leaves no file out that names them all', () => {
    const naming = texts.filter((file) => endpoints.every((name) => names(file, name)));
    const named = [...places, ...placesOf(sometimes)];
    expect(naming.filter((file) => !named.includes(file))).toEqual([]);
  });
});

describe('the rooms of src/core', () => {
  const [, table = ''] = /\nThe rooms of `src\/core`([\s\S]*?)\n## /.exec(contributing) ?? [];
  /** The height of each file and folder of `src/core`: that of its row. */
  const heights = new Map(
    [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ''], row) =>
      [...cell.matchAll(/`(.*?)\/?`/g)].map(([, name = '']) => [name, row] as const),
    ),
  );
  const files = readdirSync('src/core', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );

  function roomOf(file: string): string {
    return file.split('/')[0] ?? '';
  }

  test('are all in the table', () => {
    expect([...heights.keys()].toSorted()).toEqual(readdirSync('src/core').toSorted());
  });

  test('import nothing from above, and nothing from outside', () => {
    const upwards = files.flatMap((file) =>
      [...readFileSync(`src/core/${file}`, 'utf8').matchAll(/from '(\..*?)'/g)]
        .map(([, path = '']) => join(dirname(file), path))
        .filter((to) => roomOf(to) !== roomOf(file))
        .filter(
          (to) => !((heights.get(roomOf(to)) ?? Number.NaN) <= (heights.get(roomOf(file)) ?? Number.NaN)),
        )
        .map((to) => `${file} -> ${to}`),
    );
    expect(upwards).toEqual([]);
  });
});

test('what the checklist names beside is there', () => {
  const places = placesOf(sometimes);
  expect(places.length).toBeGreaterThan(4);
  expect(places.filter((path) => !existsSync(path))).toEqual([]);
});

test('the terms of the glossary are in their order', () => {
  const [, glossary = ''] = /\n## Glossary\n([\s\S]*)$/.exec(contributing) ?? [];
  const terms = [...glossary.matchAll(/^\| (?!Term|-)(.+?) \|/gm)].map(([, term = '']) => term);

  expect(terms.length).toBeGreaterThan(10);
  expect(terms).toEqual(terms.toSorted());
});

test('the commands that are told are scripts', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: object };
  const told = [...contributing.matchAll(/`npm (?:run )?([\w:]+)/g)].map(([, name = '']) => name);
  expect(told.filter((name) => !['ci', 'cit'].includes(name) && !(name in scripts))).toEqual([]);
});
