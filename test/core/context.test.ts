import { afterEach, describe, expect, test, vi } from 'vitest';

import type { ContextOptions } from '../../src/core/context.ts';
import { defaultRetryPolicy } from '../../src/core/http/retry.ts';
import { get } from '../../src/core/lowLevel/request.ts';
import { livePlatform } from '../../src/core/platform.ts';
import { readVariable } from '../../src/core/settings.ts';
import { createPageContext, createPageContextFromEnv } from '../../src/page/context.ts';
import { createPicsClientViaPagesFromEnv } from '../../src/pics/client.ts';
import {
  createPicsContext,
  createPicsContextFromEnv,
  createPicsContextViaPages,
  createPicsContextViaPagesFromEnv,
} from '../../src/pics/context.ts';
import { json, requestsTo, stubFetch } from './stub.ts';

const keys = { appId: '1', appSecret: 'hidden-secret' };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const bad: readonly (readonly [string, object])[] = [
  ['fetch', { fetch: 'x' }],
  ['fetch', { fetch: 7 }],
  ['onResponse', { onResponse: {} }],
  ['onRetry', { onRetry: 7 }],
  ...[0, -1, 0.5, 2 ** 31, Infinity, Number.NaN, '5'].map(
    (timeoutMs) => ['timeoutMs', { timeoutMs }] as const,
  ),
  ...[0, -1, Number.NaN, '5'].map((deadlineMs) => ['deadlineMs', { deadlineMs }] as const),
  ...['', '26.0', 'v26', 'v26.0/me', 'v26.0 ', '../x', 7, ['v26.0']].map(
    (graphVersion) => ['graphVersion', { graphVersion }] as const,
  ),
  ['licenseKey', { licenseKey: 7 }],
  ...[{}, { now: () => 0 }, { sleep: () => 0 }, 7].map((clock) => ['clock', { clock }] as const),
  ...[0, -1, 1.5, Infinity, Number.NaN, '3'].map(
    (attempts) => ['retry.attempts', { retry: { attempts } }] as const,
  ),
  ...['baseDelayMs', 'maxDelayMs', 'maxRetryAfterMs'].flatMap((name) =>
    [-1, 2 ** 31, Infinity, Number.NaN, '5'].map(
      (value) => [`retry.${name}`, { retry: { [name]: value } }] as const,
    ),
  ),
  ...[-1, Number.NaN, '5'].map((budget) => ['retry.budget', { retry: { budget } }] as const),
  ...['half', true].map((jitter) => ['retry.jitter', { retry: { jitter } }] as const),
  ...[500, '500'].map((statuses) => ['retry.statuses', { retry: { statuses } }] as const),
  ...[['500'], [null]].map((statuses) => ['retry.statuses[0]', { retry: { statuses } }] as const),
  ...[5, 'none', [], () => 5].map((retry) => ['retry', { retry }] as const),
  ...[5, '{"graphUrl":"https://graph.test"}', []].map((platform) => ['platform', { platform }] as const),
  ...[5, 'x', []].map((words) => ['platform.words', { platform: { words } }] as const),
  ['platform.words.traceField', { platform: { words: { traceField: 5 } } }],
  ['timeout', { timeout: 5 }],
  ['graphURL', { graphURL: 'https://graph.test' }],
  ['retry.attempt', { retry: { attempt: 5 } }],
  ['platform.url', { platform: { url: 'https://graph.test' } }],
  ...['no', 0].map((onceOnly) => ['retry.onceOnly', { retry: { onceOnly } }] as const),
  ...['graphUrl', 'dialogUrl', 'picsGraphUrl', 'picsAuthUrl', 'picsTokenUrl', 'uploadUrl'].flatMap((name) =>
    [
      '',
      'graph.test',
      'ftp://graph.test',
      '//graph.test',
      'https://',
      'https://[',
      'javascript:1',
      'https://user:CANARY@graph.test',
      'https://CANARY@graph.test',
      7,
    ].map((value) => [`platform.${name}`, { platform: { [name]: value } }] as const),
  ),
];

describe('every kind of context', () => {
  test.each(bad)('refuses a bad %s: %j', (option, settings) => {
    for (const context of [
      createPageContext({ ...keys, ...settings }),
      createPicsContext(settings),
      createPicsContextViaPages({ ...keys, ...settings }),
    ]) {
      const error = context._unsafeUnwrapErr();
      expect(error).toMatchObject({ name: 'ConfigurationError', option });
      expect(error.message).toContain(option);
      expect(JSON.stringify(error)).not.toContain('CANARY');
      expect(error.message).not.toContain('hidden');
    }
  });

  test.each([
    {},
    { timeoutMs: 1, deadlineMs: 1, graphVersion: 'v1.0', licenseKey: '' },
    { timeoutMs: 2 ** 31 - 1, deadlineMs: Infinity },
    { retry: { attempts: 1, baseDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0, budget: 0, statuses: [] } },
    { retry: { maxDelayMs: 2 ** 31 - 1, jitter: 'none', onceOnly: false } },
    { retry: undefined, platform: undefined, fetch: undefined, clock: undefined, onRetry: undefined },
    { retry: { attempts: undefined }, platform: { graphUrl: undefined } },
    { retry: null, platform: null },
  ] as ContextOptions[])('takes %j', (settings) => {
    expect(createPageContext({ ...keys, ...settings }).isOk()).toBe(true);
    expect(createPicsContext(settings).isOk()).toBe(true);
    expect(createPicsContextViaPages({ ...keys, ...settings }).isOk()).toBe(true);
  });

  test.each([[null], [7], ['x']])('takes no %j for options', (options) => {
    for (const create of [createPageContext, createPicsContext, createPicsContextViaPages]) {
      expect(create(options as never)._unsafeUnwrapErr()).toMatchObject({ option: 'options' });
    }
  });

  test('is immutable, and keeps its secrets to itself', () => {
    for (const context of [
      createPageContext({ ...keys, licenseKey: 'hidden-key' }),
      createPicsContext({ ...keys, licenseKey: 'hidden-key' }),
      createPicsContextViaPages({ ...keys, licenseKey: 'hidden-key' }),
    ].map((result) => result._unsafeUnwrap())) {
      expect(Object.isFrozen(context)).toBe(true);
      expect(Object.isFrozen(context.retry)).toBe(true);
      expect(Object.isFrozen(context.platform)).toBe(true);
      expect(Object.isFrozen(context.platform.words)).toBe(true);
      expect(Object.isFrozen(context.retry.statuses)).toBe(true);
      expect(context.secret).toBe('hidden-secret');
      expect(context.licenseKey).toBe('hidden-key');
      expect(JSON.stringify({ ...context })).not.toContain('hidden');
      expect(Object.keys(context)).not.toContain('secret');
    }
  });

  test('shares nothing that can be changed, neither with others nor with its options', () => {
    const options = {
      retry: { statuses: [500] },
      platform: { words: { ...livePlatform.words, picsPlatform: 'x' } },
    };
    const context = createPageContext({ ...keys, ...options })._unsafeUnwrap();
    options.retry.statuses.push(404);
    options.platform.words.picsPlatform = 'y';

    expect(context.retry.statuses).toEqual([500]);
    expect(context.platform.words.picsPlatform).toBe('x');
    for (const shared of [
      livePlatform,
      livePlatform.words,
      defaultRetryPolicy,
      defaultRetryPolicy.statuses,
    ]) {
      expect(Object.isFrozen(shared)).toBe(true);
    }
  });

  test('has the documented defaults', () => {
    const context = createPageContext({
      ...keys,
      retry: { attempts: 5 },
      platform: { dialogUrl: 'https://d.test' },
    })._unsafeUnwrap();

    expect(context).toMatchObject({
      graphVersion: 'v26.0',
      deadlineMs: Infinity,
      retry: { ...defaultRetryPolicy, attempts: 5 },
      platform: { ...livePlatform, dialogUrl: 'https://d.test' },
    });
    expect(defaultRetryPolicy).toEqual({
      attempts: 3,
      baseDelayMs: 500,
      maxDelayMs: 20_000,
      jitter: 'full',
      statuses: [429, 500, 502, 503, 504],
      maxRetryAfterMs: 60_000,
      budget: Infinity,
      onceOnly: true,
    });
  });

  test('joins address and version', () => {
    const settings = {
      graphVersion: 'v27.0',
      platform: { graphUrl: 'http://g.test:8080//', picsGraphUrl: 'https://p.test/base/' },
    };

    expect(createPageContext({ ...keys, ...settings })._unsafeUnwrap().graphBase).toBe(
      'http://g.test:8080/v27.0',
    );
    expect(createPicsContext(settings)._unsafeUnwrap().graphBase).toBe('https://p.test/base/v27.0');
    expect(createPicsContextViaPages({ ...keys, ...settings })._unsafeUnwrap().graphBase).toBe(
      'http://g.test:8080/v27.0',
    );
  });

  test('looks the global fetch up at each call', async () => {
    const context = createPageContext(keys)._unsafeUnwrap();
    for (const id of ['1', '2']) {
      const fetch = stubFetch(json({ id }));
      vi.stubGlobal('fetch', fetch);
      expect((await get(context, id))._unsafeUnwrap()).toEqual({ id });
      expect(requestsTo(fetch)).toHaveLength(1);
    }
  });

  test('never sends the license key', async () => {
    const fetch = stubFetch(json({}));
    const context = createPageContext({ ...keys, licenseKey: 'hidden-key', fetch })._unsafeUnwrap();

    await get(context, '42');

    const [request] = requestsTo(fetch);
    expect(`${request?.url} ${JSON.stringify([...(request?.headers ?? [])])}`).not.toContain('hidden-key');
  });
});

test('a misspelt option is told with the one that it is like', () => {
  expect(createPageContext({ ...keys, timeout: 5 } as never)._unsafeUnwrapErr().message).toBe(
    'timeout is not an option: timeoutMs is',
  );
  expect(createPageContext({ ...keys, logger: console } as never)._unsafeUnwrapErr().message).toMatch(
    /^logger is not an option; the options are timeoutMs, .*, appSecret/,
  );
});

test('an option whose getter throws is a failure', () => {
  const get = (): never => {
    throw new Error('not to be read');
  };
  const options = [
    Object.defineProperty({ ...keys }, 'retry', { get }),
    { ...keys, retry: Object.defineProperty({}, 'statuses', { get }) },
    Object.defineProperty({ ...keys }, 'unknown', { get, enumerable: true }),
    new Proxy(keys, { ownKeys: get }),
  ];
  for (const create of [createPageContext, createPicsContext, createPicsContextViaPages]) {
    for (const each of options) {
      expect(create(each as never)._unsafeUnwrapErr()).toMatchObject({
        name: 'ConfigurationError',
        // What is no option is not read.
        message: expect.stringMatching(
          /^(?:(?:retry|retry\.statuses|options) cannot be read$|unknown is not an option;)/,
        ),
      });
    }
  }
});

describe('page contexts', () => {
  test.each([
    ['appId', { appSecret: 's' }],
    ['appId', { appId: ' ', appSecret: 's' }],
    ['appId', { appId: 7, appSecret: 's' }],
    ['appSecret', { appId: '1' }],
    ['appSecret', { appId: '1', appSecret: '' }],
    ['configId', { ...keys, configId: '' }],
  ])('need a %s', (option, options) => {
    expect(createPageContext(options as typeof keys)._unsafeUnwrapErr()).toMatchObject({
      name: 'ConfigurationError',
      option,
    });
  });

  test('know the token of the app', () => {
    const context = createPageContext(keys)._unsafeUnwrap();
    expect(context.appToken).toBe('1|hidden-secret');
    expect(Object.keys(context)).not.toContain('appToken');
  });
});

describe('contexts from the environment', () => {
  const env = {
    PAGE_APP_ID: '1',
    PAGE_APP_SECRET: 's1',
    PAGE_CONFIG_ID: 'c1',
    PICS_APP_ID: '2',
    PICS_APP_SECRET: 's2',
    GRAPH_VERSION: 'v25.0',
    SDK_LICENSE_KEY: 'l1',
  };

  test('read what is given', () => {
    const page = createPageContextFromEnv({ env })._unsafeUnwrap();
    expect(page).toMatchObject({ appId: '1', configId: 'c1', graphVersion: 'v25.0' });
    expect([page.secret, page.licenseKey]).toEqual(['s1', 'l1']);

    const pics = createPicsContextFromEnv({ env })._unsafeUnwrap();
    expect(pics).toMatchObject({ appId: '2', graphVersion: 'v25.0', mode: 'login' });
    expect([pics.secret, pics.licenseKey]).toEqual(['s2', 'l1']);
  });

  test('read the process', () => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);

    expect(createPageContextFromEnv()._unsafeUnwrap()).toMatchObject({ appId: '1', graphVersion: 'v25.0' });
    expect(createPicsContextFromEnv()._unsafeUnwrap()).toMatchObject({ appId: '2', graphVersion: 'v25.0' });
  });

  test('give way to options', () => {
    const options = { appId: '9', appSecret: 's9', configId: 'c9', graphVersion: 'v1.0', licenseKey: 'l9' };
    const page = createPageContextFromEnv({ env, ...options })._unsafeUnwrap();

    expect(page).toMatchObject({ appId: '9', configId: 'c9', graphVersion: 'v1.0' });
    expect([page.secret, page.licenseKey]).toEqual(['s9', 'l9']);
  });

  test('take an empty variable for none', () => {
    const page = createPageContextFromEnv({
      env: { ...env, GRAPH_VERSION: '', PAGE_CONFIG_ID: '' },
    })._unsafeUnwrap();
    expect(page).toMatchObject({ graphVersion: 'v26.0', configId: undefined });
  });

  test.each(['PAGE_APP_ID', 'PAGE_APP_SECRET'])('name a missing %s', (name) => {
    for (const value of ['', undefined]) {
      const error = createPageContextFromEnv({ env: { ...env, [name]: value } })._unsafeUnwrapErr();
      expect(error).toMatchObject({ name: 'ConfigurationError', option: name });
    }
  });

  test('refuse a bad version, and name the one who gave it', () => {
    expect(createPicsContextFromEnv({ env: { GRAPH_VERSION: '26' } })._unsafeUnwrapErr()).toMatchObject({
      option: 'GRAPH_VERSION',
      message: 'GRAPH_VERSION must be like v26.0',
    });
    expect(createPicsContextFromEnv({ env, graphVersion: '26' })._unsafeUnwrapErr()).toMatchObject({
      option: 'graphVersion',
    });
  });

  test('take the platform of a served sandbox as it is, but not its words', () => {
    const words = { ...livePlatform.words, picsPlatform: 'x' };
    const all = {
      ...env,
      PAGEPICS_PLATFORM: JSON.stringify({ ...livePlatform, graphUrl: 'https://own.test', words }),
    };
    for (const make of [createPageContextFromEnv, createPicsContextFromEnv, createPicsContextViaPagesFromEnv])
      expect(make({ env: all })._unsafeUnwrap().platform).toEqual({
        ...livePlatform,
        graphUrl: 'https://own.test',
      });
  });

  test('make page mode from the app of the Pages', () => {
    const made = createPicsContextViaPagesFromEnv({ env })._unsafeUnwrap();
    expect(made).toMatchObject({ mode: 'page', appId: '1', graphVersion: 'v25.0' });
    expect([made.secret, made.licenseKey]).toEqual(['s1', 'l1']);
    const error = createPicsContextViaPagesFromEnv({
      env: { ...env, PAGE_APP_SECRET: '' },
    })._unsafeUnwrapErr();
    expect(error).toMatchObject({ option: 'PAGE_APP_SECRET', message: 'PAGE_APP_SECRET is not set' });
    expect(createPicsClientViaPagesFromEnv({ env }).context).toMatchObject({ mode: 'page', appId: '1' });
  });

  test('are the only ones to read the process, but for the license key, which all makers read', () => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const made = [
      createPageContext({ appId: '7', appSecret: 's7' }),
      createPicsContext(),
      createPicsContextViaPages({ appSecret: 's7' }),
    ].map((one) => one._unsafeUnwrap());
    for (const { licenseKey, graphVersion } of made)
      expect([licenseKey, graphVersion]).toEqual(['l1', 'v26.0']);
    expect(createPicsContext({ licenseKey: 'own' })._unsafeUnwrap().licenseKey).toBe('own');
  });

  test('take the addresses of a platform', () => {
    const addresses = { graphUrl: 'http://127.0.0.1:1/graph', picsGraphUrl: 'http://127.0.0.1:1/pics' };
    const all = { ...env, PAGEPICS_PLATFORM: JSON.stringify(addresses) };
    expect(createPageContextFromEnv({ env: all })._unsafeUnwrap().platform).toEqual({
      ...livePlatform,
      ...addresses,
    });
    expect(createPicsContextFromEnv({ env: all })._unsafeUnwrap().graphBase).toBe(
      'http://127.0.0.1:1/pics/v25.0',
    );
    const own = { graphUrl: 'https://own.test' };
    expect(createPageContextFromEnv({ env: all, platform: own })._unsafeUnwrap().platform).toEqual({
      ...livePlatform,
      ...own,
    });
  });

  test.each([
    'x',
    '5',
    'null',
    '[]',
    '"https://graph.test"',
    '{"graphUrl":"ftp://graph.test"}',
    '{"graphURL":"https://graph.test"}',
  ])('refuse a PAGEPICS_PLATFORM of %s', (text) => {
    for (const make of [createPageContextFromEnv, createPicsContextFromEnv]) {
      const error = make({ env: { ...env, PAGEPICS_PLATFORM: text } })._unsafeUnwrapErr();
      // The whole path that the message names, as of any option.
      const [option] = error.message.split(' ');
      expect(error).toMatchObject({ name: 'ConfigurationError', option });
      expect(option).toMatch(/^PAGEPICS_PLATFORM\b/);
    }
  });

  test.each(['http://127.0.0.1:4077', '5', '[]'])('say what PAGEPICS_PLATFORM is, for %s', (text) => {
    expect(
      createPageContextFromEnv({ env: { ...env, PAGEPICS_PLATFORM: text } })._unsafeUnwrapErr().message,
    ).toBe('PAGEPICS_PLATFORM must be an object of addresses, as JSON: a sandbox shows it at /.env');
  });

  test('say what is wrong with the options as well', () => {
    const throwing = Object.defineProperty({ env }, 'retry', {
      enumerable: true,
      get: () => {
        throw new Error('not to be read');
      },
    });
    for (const options of [null, throwing]) {
      expect(createPageContextFromEnv(options as never)._unsafeUnwrapErr()).toMatchObject({
        option: 'options',
      });
    }
  });

  test('do without a process, and without a permission to read it', () => {
    vi.stubGlobal('process', undefined);
    expect(readVariable(undefined, 'PAGE_APP_ID')).toBeUndefined();
    vi.stubGlobal('process', {});
    expect(readVariable(undefined, 'PAGE_APP_ID')).toBeUndefined();
    const env = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no permission');
        },
      },
    );
    vi.stubGlobal('process', { env });
    expect(readVariable(undefined, 'PAGE_APP_ID')).toBeUndefined();
    expect(createPicsContextFromEnv()._unsafeUnwrap()).toMatchObject({ graphVersion: 'v26.0' });
  });
});
