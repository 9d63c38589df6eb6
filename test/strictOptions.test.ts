import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkConnection } from '../src/connections/index.ts';
import * as core from '../src/core/index.ts';
import { createGovernor } from '../src/governor/index.ts';
import * as clients from '../src/index.ts';
import { checkMedia, checkMediaUrl, inspectImage, inspectMedia } from '../src/media/index.ts';
import * as page from '../src/page/index.ts';
import * as pics from '../src/pics/index.ts';
import { createSandbox, sandboxFixtures, sandboxHandlers, serveSandbox } from '../src/sandbox/index.ts';
import * as stores from '../src/stores/index.ts';
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

const keys = { appId: '7', appSecret: 'a-secret' };
const secrets = 'a-secret';
const onEvent = (): void => undefined;
const client = { get: onEvent, set: onEvent, list: onEvent, eval: onEvent, query: onEvent, prepare: onEvent };
const adapters = {
  kv: { ...client, atomic: onEvent },
  storage: { ...client, transaction: onEvent },
  pool: client,
  db: { ...client, exec: onEvent },
};
const sandbox = createSandbox();
const file = new Uint8Array(4096);
const context = pageContext({
  journal: core.memoryJournal(),
  fetch: () => Promise.reject(new Error('sent')),
});

/** Everything else that takes an object: valid options, and a call. Nothing that it needs is reached. */
const others: Readonly<Record<string, readonly [valid: object, call: (options: never) => unknown]>> = {
  createPageContext: [keys, page.createPageContext],
  createPageContextFromEnv: [
    { env: { PAGE_APP_ID: '7', PAGE_APP_SECRET: 'x' } },
    page.createPageContextFromEnv,
  ],
  createPicsContext: [keys, pics.createPicsContext],
  createPicsContextFromEnv: [{ env: {} }, pics.createPicsContextFromEnv],
  createPicsContextViaPages: [keys, pics.createPicsContextViaPages],
  createPicsContextViaPagesFromEnv: [
    { env: { PAGE_APP_ID: '7', PAGE_APP_SECRET: 'x' } },
    pics.createPicsContextViaPagesFromEnv,
  ],
  createPageClient: [keys, clients.createPageClient],
  createPageClientFromEnv: [
    { env: { PAGE_APP_ID: '7', PAGE_APP_SECRET: 'x' } },
    clients.createPageClientFromEnv,
  ],
  createPicsClient: [keys, clients.createPicsClient],
  createPicsClientFromEnv: [{ env: {} }, clients.createPicsClientFromEnv],
  createPicsClientViaPages: [keys, clients.createPicsClientViaPages],
  createPicsClientViaPagesFromEnv: [
    { env: { PAGE_APP_ID: '7', PAGE_APP_SECRET: 'x' } },
    clients.createPicsClientViaPagesFromEnv,
  ],
  withOptions: [{}, (options) => core.withOptions(context, options)],
  close: [{ drainMs: 1 }, (options) => core.close(pageContext(), options)],
  untilSettled: [{ forMs: 5 }, (options) => core.untilSettled(() => Promise.resolve(1), options)],
  openKeys: [
    {},
    (options) =>
      core
        .openKeys(context, options)
        .next()
        .then(({ value }) => value),
  ],
  settleKey: [{ value: { id: '1' } }, (options) => core.settleKey(context, 'a key', options)],
  createGovernor: [{ maxWaitMs: 5 }, createGovernor],
  eventsOnce: [{ leaseMs: 5 }, (options) => stores.eventsOnce(core.memoryJournal(), options)],
  d1Journal: [{}, (options) => stores.d1Journal(adapters.db as never, options)],
  denoKvJournal: [{ prefix: 'a' }, (options) => stores.denoKvJournal(adapters.kv as never, options)],
  durableObjectJournal: [{}, (options) => stores.durableObjectJournal(adapters.storage as never, options)],
  postgresJournal: [{}, (options) => stores.postgresJournal(adapters.pool as never, options)],
  postgresJournalTable: [{}, stores.postgresJournalTable],
  redisJournal: [{}, (options) => stores.redisJournal(adapters.pool as never, options)],
  sqliteJournal: [{}, (options) => stores.sqliteJournal(adapters.db as never, options)],
  sqliteJournalTable: [{}, stores.sqliteJournalTable],
  createWebhookHandler: [{ verifyToken: 'v', secrets, onEvent }, webhooks.createWebhookHandler],
  createDeauthorizeHandler: [{ secrets, onDeauthorize: onEvent }, webhooks.createDeauthorizeHandler],
  createDataDeletionHandler: [{ secrets, onDelete: onEvent }, webhooks.createDataDeletionHandler],
  eventKey: [{ accountId: '1', id: '2' }, (subject) => webhooks.eventKey('message', subject)],
  checkConnection: [{ token }, (options) => checkConnection(context, options)],
  inspectMedia: [{}, (options) => inspectMedia(file, options)],
  inspectImage: [{}, (options) => inspectImage(file, options)],
  checkMedia: [{ kind: 'pics.image' }, (options) => checkMedia(file, options)],
  checkMediaUrl: [{ kind: 'pics.image' }, (options) => checkMediaUrl('https://a.test/a.jpg', options)],
  createSandbox: [{ seed: 1 }, createSandbox],
  sandboxHandlers: [{}, (options) => sandboxHandlers(sandbox, { all: onEvent }, options)],
  sandboxFixtures: [{}, (options) => sandboxFixtures(options).sandbox({}, () => Promise.resolve())],
  serveSandbox: [{ port: 0 }, (options) => serveSandbox(sandbox, options)],
  'sandbox.authorize': [{}, (decision) => sandbox.authorize('https://a.test', decision)],
  'sandbox.fault': [{ drop: true }, sandbox.fault],
  'sandbox.tune': [{}, sandbox.tune],
  'sandbox.happen': [{ kind: 'comment', on: '1', message: 'x' }, sandbox.happen],
  'sandbox.receiveMessage': [{ text: 'Hi' }, sandbox.receiveMessage],
  'sandbox.deliver': [{}, (options) => sandbox.deliver('http://127.0.0.1', options)],
  'sandbox.callBack': [{}, (options) => sandbox.callBack('deletion', 'http://127.0.0.1', options)],
  'sandbox.issueToken': [{}, sandbox.issueToken],
  'sandbox.addUser': [{}, sandbox.addUser],
  'sandbox.addPage': [{}, sandbox.addPage],
  'sandbox.addAccount': [{ pageId: '1' }, sandbox.addAccount],
  'sandbox.addPost': [{ pageId: '1', message: 'x' }, sandbox.addPost],
  'sandbox.addComment': [{ on: '1', message: 'x' }, sandbox.addComment],
  'sandbox.addMedia': [{}, sandbox.addMedia],
  'sandbox.addLead': [{ formId: '1' }, sandbox.addLead],
};

/** The error of a call, whether it is thrown, or in a Result. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const made = (await call()) as { readonly error?: unknown } | undefined;
    return made?.error;
  } catch (thrown) {
    return thrown;
  }
}

describe('what takes an object, and is no endpoint', () => {
  test.each(Object.entries(others))(
    '%s refuses each member that it has no option for',
    async (name, made) => {
      const [valid, call] = made;
      // Some have an option of such a name.
      const own = { eventKey: ['id'], sandbox: ['userId', 'name', 'test'], createPics: ['appSecret'] };
      const has = Object.entries(own).flatMap(([start, names]) => (name.startsWith(start) ? names : []));
      const odd = [...words, ...fc.sample(anyName, 20)].filter((word) => !has.includes(word));
      for (const [at, word] of odd.entries()) {
        const value = values[at % values.length];
        // As plain JavaScript calls it.
        const error = await errorOf(() => call(withMember(valid, word, value) as never));
        const option = name === 'settleKey' ? `outcome.${word}` : word;
        expect([word, error]).toEqual([
          word,
          expect.objectContaining({ name: 'ConfigurationError', option }),
        ]);
      }
    },
  );

  test.each<[string, string, object, (options: never) => unknown]>([
    ['a context', 'retry.attemps', { ...keys, retry: { attemps: 1 } }, page.createPageContext],
    ['a context', 'platform.graph', { ...keys, platform: { graph: '' } }, page.createPageContext],
    ['a context', 'platform.words.a', { ...keys, platform: { words: { a: '' } } }, page.createPageContext],
    ['withOptions', 'retry.test', { retry: { test: null } }, (options) => core.withOptions(context, options)],
    ['a governor', 'lanes.other', { lanes: { other: 1 } }, createGovernor],
    ['a sandbox', 'quotas.other', { quotas: { other: 1 } }, createSandbox],
    ['a sandbox', 'quotas.page.other', { quotas: { page: { calls: 1, other: 1 } } }, createSandbox],
    ['a fault', 'error.other', { error: { code: 1, other: 1 } }, sandbox.fault],
    ['tune', 'videos.other', { videos: { other: 1 } }, sandbox.tune],
    ['tune', 'containers.fail.other', { containers: { fail: { other: 1 } } }, sandbox.tune],
    [
      'a message that comes in',
      'attachments[0].other',
      { text: 'Hi', attachments: [{ type: 'image', url: 'https://a.test', other: 1 }] },
      sandbox.receiveMessage,
    ],
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
});
