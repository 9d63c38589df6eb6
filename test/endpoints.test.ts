import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import * as page from '../src/page/endpoints.ts';
import * as pics from '../src/pics/endpoints.ts';
import { pageCalls, picsCalls } from './connections/calls.ts';
import { catalogue, exportedFunctions, makers } from './hostile/catalogue.ts';
import { subjectsOf } from './support/subjects.ts';

// Who adds an endpoint is told here what is missing.

const [, duties = ''] =
  /\n## Add an endpoint\n([\s\S]*?)\n## /.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
const subjects = catalogue();
const texts = [
  ...['src', 'test', 'docs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  ),
  ...readdirSync('.'),
].filter((name) => /\.(?:ts|md|txt)$/.test(name) && !/\.docs\/|node_modules/.test(name));

/** Writes whose response may be lost: they make tokens or attachments, which nobody sees. */
const unseen = ['exchangeCode', 'refreshToken', 'uploadAttachment'];

function names(file: string, name: string): boolean {
  return new RegExp(String.raw`\b${name}\b`).test(readFileSync(file, 'utf8'));
}

describe.each([
  ['page', Object.keys(page), pageCalls],
  ['pics', Object.keys(pics), { ...picsCalls('login'), ...picsCalls('viaPages') }],
])('each function of %s', (platform, endpoints, calls) => {
  const places = [...duties.matchAll(/`([\w<>/]+\.\w[\w.]*)`/g)].map(([, path = '']) =>
    path.replace('<platform>', platform).replace(/^endpoints/, `src/${platform}/endpoints`),
  );
  const first = [...duties.matchAll(/^\d\. `(.*?)`/gm)].map(([, path = '']) =>
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
    const naming = texts.filter((file) => endpoints.every((name) => names(file, name)));
    expect(first).toHaveLength(4);
    expect(naming.filter((file) => !places.includes(file))).toEqual([]);
    expect(places.filter((path) => !path.includes('<subject>') && !existsSync(path))).toEqual([]);
  });

  test('has a call in test/connections/calls.ts, which the sandbox answers', () => {
    expect(endpoints.filter((name) => !(name in calls))).toEqual([]);
  });

  test('loses the response in test/faults/matrix.test.ts, if it writes', () => {
    const matrix = readFileSync('test/faults/matrix.test.ts', 'utf8');
    const writing = described(({ routes }) => Object.keys(routes).some((route) => !route.startsWith('GET ')));
    const lacking = writing.filter((name) => !new RegExp(`\\b${platform}\\.${name}\\b`).test(matrix));
    expect(writing.length).toBeGreaterThan(15);
    expect(lacking.filter((name) => !unseen.includes(name))).toEqual([]);
  });

  test('is killed in test/core/writes/journal/publishings.ts, if it takes a key', () => {
    const publishings = readFileSync('test/core/writes/journal/publishings.ts', 'utf8');
    const keyed = described(({ kinds }) => 'idempotencyKey' in kinds);
    expect(keyed.length).toBeGreaterThan(8);
    expect(keyed.filter((name) => !new RegExp(`'${platform} ${name}\\b`).test(publishings))).toEqual([]);
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

  /** The functions of the platform that the catalogue describes so. */
  function described(as: (subject: (typeof subjects)[number]) => boolean): readonly string[] {
    return subjects
      .filter((subject) => subject.name.startsWith(`${platform}/`) && as(subject))
      .map(({ exported }) => exported);
  }
});

test.each(['page', 'pics', 'core'] as const)(
  'each function of %s is in test/hostile/catalogue, and nothing else is',
  (entry) => {
    const listed = subjects
      .filter(({ name }) => name.startsWith(`${entry}/`))
      .map(({ exported }) => exported);
    const known = [...listed, ...makers[entry]];
    expect(exportedFunctions[entry].filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !exportedFunctions[entry].includes(name))).toEqual([]);
  },
);
