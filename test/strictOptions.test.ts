import fc from 'fast-check';
import { expect, test } from 'vitest';

import * as core from '../src/core/index.ts';
import * as page from '../src/page/index.ts';
import * as pics from '../src/pics/index.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import * as webhooks from '../src/webhooks/index.ts';
import { catalogue, type Subject } from './hostile/catalogue.ts';
import { attempt, expectNone } from './hostile/judge.ts';
import { createBench } from './hostile/platform.ts';
import { pageContext, picsContext, token } from './support/context.ts';

/** What callers gave, and some functions dropped without a word. */
const words = (
  'geoRestriction commentsEnabled dryRun createdAfter tag tags2 test preview confirm silent notify audience visibility ' +
  'countries ageMin allowComments disableComments firstComment expiresAt publishAt when date draftOnly hide order sort ' +
  'filter since2 offset page cursor mediaType language locale userId accessToken access_token appSecret apiVersion ' +
  'id name __proto__ constructor toString then length 0'
).split(' ');
const values: readonly unknown[] = [
  true,
  false,
  null,
  0,
  '',
  'x',
  'HUMAN_AGENT',
  {},
  [],
  new Date(0),
  () => 1,
];

/** An object with one more member of its own, whatever its name. */
function withMember(object: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...object }, name, { value, enumerable: true });
}

async function faultsOf(subject: Subject, names: readonly string[]): Promise<readonly string[]> {
  const bench = createBench(subject);
  const faults: string[] = [];
  for (const [at, name] of names.entries()) {
    if (Object.hasOwn(subject.kinds, name)) continue;
    const given = withMember(
      subject.variants[at % subject.variants.length] ?? {},
      name,
      values[at % values.length],
    );
    const kinds = { ...subject.kinds, [name.split(/[.[]/)[0] ?? '']: 'nothing' as const };
    const fault = await attempt({ ...subject, kinds }, bench, given, name);
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
  }
  return faults;
}

/** Names of any letters, but no dots and brackets, which paths have. */
const anyName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .filter((name) => !/[.[]/.test(name));

const subjects = catalogue().filter(({ exported }) => exported !== 'appSecretProof');

test.each(subjects)('$name refuses each option that it does not have', async (subject) => {
  expectNone(await faultsOf(subject, [...words, ...fc.sample(anyName, 10)]));
});

test.each(subjects)('$name refuses any of 200 names', { tags: 'long' }, async (subject) => {
  expectNone(await faultsOf(subject, fc.sample(anyName, 200)));
});

/** What the platform names, or the caller: their members are not options. */
const open = new Set(
  (
    'template targeting feedTargeting components utility.components iceBreakers persistentMenu fieldData ' +
    'libraryTemplateButtonInputs params data json headers schema signal'
  ).split(' '),
);

/** Each path of an object within options, with a copy of the options that has one more member there. */
function* nested(
  value: unknown,
  path: string,
  within: (changed: unknown) => object,
): Generator<[string, object]> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      yield* nested(item, `${path}[${at}]`, (changed) => within(value.with(at, changed)));
  } else if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  ) {
    yield [`${path}.dryRun`, within({ ...value, dryRun: true })];
    for (const [name, item] of Object.entries(value))
      if (!open.has(`${path}.${name}`))
        yield* nested(item, `${path}.${name}`, (changed) => within({ ...value, [name]: changed }));
  }
}

test.each(subjects)('$name refuses them in the objects of its options', async (subject) => {
  const bench = createBench(subject);
  for (const options of subject.variants) {
    for (const [name, value] of Object.entries(options)) {
      if (open.has(name)) continue;
      for (const [path, changed] of nested(value, name, (part) => ({ ...options, [name]: part }))) {
        const log = bench.begin(() => undefined);
        // Each call of the catalogue comes to a Result.
        const result = (await subject.call(bench.contexts, changed)) as { readonly error?: unknown };
        expect([path, result.error]).toEqual([path, expect.objectContaining({ option: path })]);
        expect([path, log.requests]).toEqual([path, 0]);
      }
    }
  }
});

test.each([
  ['page/loginUrl', (options: object) => page.loginUrl(context, options as page.LoginUrlOptions)],
  ['pics/loginUrl', (options: object) => pics.loginUrl(picsContext(), options as pics.LoginUrlOptions)],
  ['close', (options: object) => core.close(pageContext(), options)],
  [
    'openKeys',
    (options: object) =>
      core
        .openKeys(context, options)
        .next()
        .then(({ value }) => value),
  ],
])('%s has no signal, since it sends nothing', async (name, call) => {
  const valid = name.includes('loginUrl') ? { redirectUri: 'https://a.test' } : {};
  const { signal } = new AbortController();
  expect(await errorOf(() => call({ ...valid, signal }))).toMatchObject({ option: 'signal' });
});

const secrets = 'a-secret';
const onEvent = (): void => undefined;
const context = pageContext({
  journal: core.memoryJournal(),
  fetch: () => Promise.reject(new Error('sent')),
});

/** The error of a call, whether it is thrown, or in a Result. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const made = (await call()) as { readonly error?: unknown } | undefined;
    return made?.error;
  } catch (thrown) {
    return thrown;
  }
}

test.each<[string, string, object, (options: never) => unknown]>([
  [
    'a sandbox',
    'quotas.page.other',
    { quotas: { page: { calls: 1, other: 1 } } },
    (options: object) => createSandbox(options),
  ],
  ['tune', 'containers.fail.other', { containers: { fail: { other: 1 } } }, createSandbox().tune],
  [
    'batch',
    'parts[1].dryRun',
    [
      { method: 'GET', path: '1' },
      { method: 'GET', path: '1', dryRun: false },
    ],
    (parts) => core.batch(context, parts, { token }),
  ],
])('%s names %s by its path', async (_, option, options, call) => {
  expect(await errorOf(() => call(options as never))).toMatchObject({ name: 'ConfigurationError', option });
});

test('a handler names the options that it has', () => {
  expect(() => webhooks.createWebhookHandler({ verify_token: 'v', secrets, onEvent } as never)).toThrow(
    'verify_token is not an option; the options are verifyToken, secrets, onEvent, onError, onRejected, once, background',
  );
});
