import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { catalogue } from './hostile/catalogue.ts';
import { attempt, expectNone } from './hostile/judge.ts';
import { isBad } from './hostile/kinds.ts';
import { createBench } from './hostile/platform.ts';

/** By function, the options that its type requires, as `test/api` prints it. */
const required = new Map<string, readonly string[]>(
  ['page', 'pics'].flatMap((platform) => {
    const text = readFileSync(`test/api/${platform}.txt`, 'utf8');
    return [...text.matchAll(/^function (\w+)\(context: \w+, options: (\w+)\)/gm)].map(
      ([, name, type = '']) => [`${platform}/${name}`, membersOf(text, type)],
    );
  }),
);

function membersOf(text: string, type: string): readonly string[] {
  const declaration = new RegExp(`^interface ${type}(?: extends (.*))? \\{\n([^}]*)^\\}`, 'm').exec(text);
  const [, bases = '', members = ''] = declaration ?? [];
  return [
    ...(bases.match(/\w+/g) ?? []).flatMap((base) => membersOf(text, base)),
    ...[...members.matchAll(/readonly (\w+): /g)].map(([, option = '']) => option),
  ];
}

/** A few values, of which each kind of option refuses some. The hostile suites draw more. */
const values: readonly unknown[] = [
  '',
  '..',
  'a b',
  'ftp://example.com',
  'http://example.com',
  0,
  1.5,
  -1,
  NaN,
  true,
  [],
  [''],
  {},
  new Date(NaN),
];

test.each(catalogue())('$name refuses bad options before anything is sent', async (subject) => {
  const bench = createBench(subject);
  const faults: string[] = [];
  let tried = 0;
  for (const option of required.get(subject.name.replace(/ .*/, '')) ?? []) {
    for (const none of [undefined, null]) {
      tried++;
      const fault = await attempt(subject, bench, { ...subject.variants[0], [option]: none }, option);
      if (fault !== undefined) faults.push(`${option} ${none}: ${fault}`);
    }
  }
  for (const [option, kind] of Object.entries(subject.kinds)) {
    const valid = subject.variants.find((options) => option in options) ?? subject.variants[0] ?? {};
    const more: unknown[] = [];
    // `me` is the Page in page mode, so that an account must be named.
    if (kind === 'account' && subject.realm === 'viaPages') more.push(undefined, 'me');
    if (kind === 'video') more.push('/no/such/file', new Uint8Array());
    if (kind === 'instant') more.push(Date.UTC(2026, 0, 2));
    if (kind === 'schedule') more.push(0, new Date(0), 2 ** 40);
    // A field that is read may bring no token; those of a subscription are topics.
    if (option === 'fields' && kind === 'names' && !/subscribe/i.test(subject.name)) {
      more.push(['id', 'from{access_token}']);
      // The tokens of Pages come anyhow.
      if (!/^page\/page(?:s|Details) /.test(subject.name)) more.push(['access_token']);
    }
    for (const value of [...values.filter((one) => isBad(kind, one)), ...more]) {
      tried++;
      const fault = await attempt(subject, bench, { ...valid, [option]: value }, option);
      if (fault !== undefined) faults.push(`${option} ${JSON.stringify(value)}: ${fault}`);
    }
  }
  expectNone(faults);
  expect(tried).toBeGreaterThan(0);
});

/** Other ways to write a name, each by another program. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => name.toLowerCase(),
  (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  (name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
];

test.each(catalogue().filter(({ name }) => !name.startsWith('core/')))(
  '$name ignores no option that is written in another case',
  { tags: 'long' },
  async (subject) => {
    const bench = createBench(subject);
    const faults: string[] = [];
    for (const options of subject.variants) {
      for (const [option, value] of Object.entries(options)) {
        // `false` and nothing ask for nothing.
        if (value === false || value === undefined || value === null) continue;
        const { [option]: _, ...others } = options;
        for (const spelling of new Set(spellings.map((spell) => spell(option)))) {
          if (spelling === option) continue;
          const kinds = { ...subject.kinds, [spelling]: 'nothing' as const };
          const fault = await attempt(
            { ...subject, kinds },
            bench,
            { ...others, [spelling]: value },
            spelling,
          );
          if (fault !== undefined) faults.push(`${spelling}: ${fault}`);
        }
      }
    }
    expectNone(faults);
  },
);

test('the options that types require are read from all of test/api', () => {
  expect([...required.values()].flat().length).toBeGreaterThan(100);
});
