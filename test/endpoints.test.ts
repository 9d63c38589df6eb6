import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import * as page from '../src/page/endpoints.ts';
import * as pics from '../src/pics/endpoints.ts';
import { type Endpoint, endpoints } from './functions/index.ts';
import { catalogue, exportedFunctions, makers } from './hostile/catalogue.ts';
import { subjectsOf } from './support/subjects.ts';

// Who adds an endpoint is told here what is missing.

const [, duties = ''] =
  /\n## Add an endpoint\n([\s\S]*?)\n## /.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
const subjects = catalogue();
const texts = globSync(['*.{ts,md,txt}', '{src,test,docs}/**/*.{ts,md,txt}'], {
  exclude: ['**/node_modules', '**/.docs'],
});

/** What errors, contexts and lists have under the name that an option of one subject has as well. */
const shared = ['containerId', 'onFailure', 'pageSize', 'imageUrls'];

/** Writes whose response may be lost: they make tokens or attachments, which nobody sees. */
const unseen = ['exchangeCode', 'refreshToken', 'uploadAttachment'];

function names(file: string, name: string): boolean {
  return new RegExp(String.raw`\b${name}\b`).test(readFileSync(file, 'utf8'));
}

describe.each([
  ['page', Object.keys(page)],
  ['pics', Object.keys(pics)],
])('each function of %s', (platform, functions) => {
  const places = [...duties.matchAll(/`([\w<>/]+\.\w[\w.]*)`/g)].map(([, path = '']) =>
    path.replace('<platform>', platform).replace(/^endpoints/, `src/${platform}/endpoints`),
  );
  const first = [...duties.matchAll(/^\d\. `(.*?\.ts)`/gm)].map(([, path = '']) =>
    path.replace('<platform>', platform),
  );

  test.each(first)('is in %s', (place) => {
    const lacking = subjectsOf(platform).flatMap((subject) => {
      const file = place.replace('<subject>', subject.path);
      return subject.names.filter((name) => !existsSync(file) || !names(file, name));
    });
    expect(lacking).toEqual([]);
  });

  test('is in no other file that has them all, but those that CONTRIBUTING.md names', () => {
    const naming = texts.filter((file) => functions.every((name) => names(file, name)));
    expect(first).toHaveLength(4);
    expect(naming.filter((file) => !places.includes(file))).toEqual([]);
    expect(places.filter((path) => !path.includes('<subject>') && !existsSync(path))).toEqual([]);
  });

  test('has options in test/functions with which the sandbox answers', () => {
    const known = described(({ entry }) => typeof entry.options === 'function');
    const lacking = functions.filter((name) => !known.includes(name));
    expect(lacking, 'add `options` to their entries in test/functions').toEqual([]);
  });

  test('has a write in test/functions whose response is lost, if it writes', () => {
    const writing = described(({ entry }) =>
      Object.keys(entry.routes ?? {}).some((route) => !route.startsWith('GET ')),
    );
    const lost = described(({ entry }) => entry.writes?.some((way) => way.lost !== undefined) === true);
    const lacking = writing.filter((name) => !lost.includes(name) && !unseen.includes(name));
    expect(writing.length).toBeGreaterThan(15);
    expect(lacking, 'add to `writes` of their entries in test/functions a way with `lost`').toEqual([]);
  });

  test('has a write in test/functions whose process is killed, if it takes a key', () => {
    const taking = described(({ entry }) => 'idempotencyKey' in entry.kinds);
    const keyed = described(({ entry }) => entry.writes?.some((way) => way.keyed !== undefined) === true);
    const lacking = taking.filter((name) => !keyed.includes(name));
    expect(taking.length).toBeGreaterThan(8);
    expect(lacking, 'add to `writes` of their entries in test/functions a way with `keyed`').toEqual([]);
  });

  test('names models that src/models/index.ts exports', () => {
    const models = readdirSync('src/models').map((name) => readFileSync(`src/models/${name}`, 'utf8'));
    const printed = readFileSync(`test/api/${platform}.txt`, 'utf8');
    const unexported = [...printed.matchAll(/^(?:interface|type) (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) =>
        models.some((text) => new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(text)),
      );
    expect(unexported).toEqual([]);
  });

  /** The functions of the platform that their entries describe so. */
  function described(as: (endpoint: Endpoint) => boolean): readonly string[] {
    return endpoints.filter((one) => one.platform === platform && as(one)).map(({ name }) => name);
  }
});

test('what all functions share names neither one of them nor the options of one subject', () => {
  const owners = new Map<string, Set<string>>();
  for (const { platform, name, entry } of endpoints) {
    const subject = subjectsOf(platform).find(({ names }) => names.includes(name))?.path ?? name;
    for (const option of Object.keys(entry.kinds))
      owners.set(option, (owners.get(option) ?? new Set()).add(`${platform} ${subject}`));
  }
  // Names of one word are words of any code.
  const own = [
    ...endpoints.map(({ name }) => name),
    ...[...owners].flatMap(([option, of]) => (of.size === 1 ? [option] : [])),
  ].filter((name) => /[a-z][A-Z]/.test(name) && !shared.includes(name));
  const naming = ['core', 'governor', 'stores'].flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const code = readFileSync(`src/${room}/${file}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
        return own
          .filter((name) => new RegExp(String.raw`\b${name}\b`).test(code))
          .map((name) => `${room}/${file}: ${name}`);
      }),
  );

  expect(own.length).toBeGreaterThan(100);
  expect(naming).toEqual([]);
});

test.each(['page', 'pics', 'core'] as const)(
  'each function of %s is in test/functions, or in test/hostile, and nothing else is',
  (entry) => {
    const listed = subjects
      .filter(({ name }) => name.startsWith(`${entry}/`))
      .map(({ exported }) => exported);
    const known = [...listed, ...makers[entry]];
    expect(exportedFunctions[entry].filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !exportedFunctions[entry].includes(name))).toEqual([]);
  },
);
