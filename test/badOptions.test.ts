import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { createPageContext } from '../src/page/context.ts';
import { createPicsContext, createPicsContextViaPages } from '../src/pics/context.ts';
import { catalogue } from './hostile/catalogue.ts';
import { attempt, expectNone, settle } from './hostile/judge.ts';
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

/** Copies of options with a number in place of an id, each with the path of that. */
function withNumbers(value: unknown, name = '', path = ''): (readonly [path: string, copy: unknown])[] {
  if (typeof value === 'string' && /ids?$/i.test(name)) {
    return [1784140582230491, 5].map((number) => [path, number]);
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, at) =>
      withNumbers(item, name, `${path}[${at}]`).map(
        ([where, changed]) => [where, value.with(at, changed)] as const,
      ),
    );
  }
  if (Object.prototype.toString.call(value) !== '[object Object]') return [];
  return Object.entries(Object(value) as object).flatMap(([member, item]) =>
    withNumbers(item, member, path === '' ? member : `${path}.${member}`).map(
      ([where, changed]) => [where, { ...Object(value), [member]: changed }] as const,
    ),
  );
}

test('an id that is a number is refused, and said to be a text', async () => {
  const faults: string[] = [];
  const tried = new Set<string>();
  // `contact` says so in its value.
  for (const subject of catalogue().filter(({ exported }) => exported !== 'contact')) {
    const bench = createBench(subject);
    for (const [path, options] of subject.variants.flatMap((one) => withNumbers(one))) {
      const log = bench.begin(() => undefined);
      const settled = await settle(() => subject.call(bench.contexts, options));
      tried.add(path);
      const said = typeof settled === 'string' || settled.isOk() ? 'nothing' : String(settled.error);
      const wanted = `ConfigurationError: ${path} must be a string: ids are texts, since numbers lose digits`;
      if (said !== wanted || log.requests > 0) faults.push(`${subject.name} ${path}: ${said}`);
    }
  }
  expectNone(faults);
  expect(tried.size).toBeGreaterThan(25);
});

test.each([
  ['appId', { appSecret: 's' }],
  ['configId', { appId: '1', appSecret: 's' }],
] as const)('so is the %s of a context', (option, beside) => {
  for (const make of [createPageContext, createPicsContext, createPicsContextViaPages]) {
    if (option === 'configId' && make !== createPageContext) continue;
    // As those give it who do not compile.
    const made = make({ ...beside, [option]: 1784140582230491 } as never);
    expect(made._unsafeUnwrapErr().message).toBe(
      `${option} must be a string: ids are texts, since numbers lose digits`,
    );
  }
});
