import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { ConfigurationError, SdkError } from '../../src/core/errors.ts';
import * as core from '../../src/core/index.ts';
import * as page from '../../src/page/index.ts';
import * as pics from '../../src/pics/index.ts';
import { virtualClock } from '../support/context.ts';
import { anyCharacter, fc, runs } from '../support/property.ts';
import { catalogue, makers, type Options } from './catalogue.ts';
import { attempt, counts, settle, watchRejections } from './judge.ts';
import { at, isBad, type Kind } from './kinds.ts';
import { createBench } from './platform.ts';

const subjects = catalogue();
const rejections = watchRejections();

afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 50));
  rejections.end();
  expect(rejections.seen).toEqual([]);
  const { inputs, bad, refused } = counts;
  console.log(`hostile inputs: ${inputs}, of which ${bad} bad beyond doubt, ${refused} refused`);
});

/** A value on which every operation throws. */
function trap(): object {
  const refuse = (): never => {
    throw new Error('not to be touched');
  };
  return new Proxy(function target() {}, {
    get: refuse,
    has: refuse,
    ownKeys: refuse,
    getPrototypeOf: refuse,
    getOwnPropertyDescriptor: refuse,
  });
}

const oddValues: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  '\t\n',
  '.',
  '..',
  '../me',
  'a/b?c#d',
  '\u0000',
  '\uD800',
  'a\uDFFFb',
  'ünï',
  'a b',
  'a\nb',
  'x'.repeat(100_000),
  'http://',
  'https://[',
  'https://user:pass@graph.test/me',
  'javascript:alert(1)',
  'data:,a',
  'file:///etc/passwd',
  '//graph.test',
  '2026-02-30',
  '2026-13-01',
  '9999-12-31',
  '0000-01-01',
  0,
  -0,
  -1,
  0.5,
  1e21,
  2 ** 53,
  NaN,
  Infinity,
  -Infinity,
  true,
  false,
  5n,
  Symbol('odd'),
  [],
  {},
  [undefined],
  [null],
  [''],
  ['a', 5],
  [['a']],
  Object.assign([], { length: 3 }),
  Array.from({ length: 3 }),
  new Date(NaN),
  new Date(8.64e15),
  new Date(-8.64e15),
  new Map(),
  new Uint8Array(),
  new DataView(new ArrayBuffer(8)),
  new URL('file:///no/such/file'),
  new URL('https://example.com'),
  new Blob([]),
  /x/g,
  function odd() {},
  async () => Promise.reject(new Error('a hook that fails')),
  () => {
    throw new Error('a hook that fails');
  },
  Object.create(null),
  { toString: null, valueOf: null },
  {
    toString() {
      throw new Error('not to be read');
    },
  },
  { length: 2, message: 3 },
  JSON.parse('{"then":1}') as unknown,
  { addEventListener: () => undefined },
  { aborted: false, addEventListener: () => undefined },
  { slice: 1, stream: () => undefined, size: NaN },
  { slice: () => undefined, stream: () => undefined, size: 3 },
  AbortSignal.abort(),
  AbortSignal.abort(null),
  JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
  { 'bad header\n': 'x' },
  { a: 'b\nc' },
  trap(),
  [trap()],
  Object.defineProperty({}, 'a', { enumerable: true, get: () => trap() }),
];

/** A value, or the number of an odd one: some odd values cannot be printed in a report. */
type Drawn = { readonly odd: number } | { readonly value: unknown };

const drawn: fc.Arbitrary<Drawn> = fc.oneof(
  { weight: 2, arbitrary: fc.nat(oddValues.length - 1).map((odd) => ({ odd })) },
  {
    weight: 1,
    arbitrary: fc
      .oneof(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withNullPrototype: true,
          withObjectString: true,
          withSparseArray: true,
          withTypedArray: true,
          maxDepth: 3,
        }),
        fc.string({ unit: anyCharacter }),
        fc.array(fc.string(), { maxLength: 4 }),
      )
      .map((value) => ({ value })),
  },
);

function valueOf(input: Drawn): unknown {
  return 'odd' in input ? oddValues[input.odd] : input.value;
}

test.each(subjects)('$name is listed with all of its options', ({ kinds, variants }) => {
  const given = new Set(variants.flatMap((options) => Object.keys(options)));
  const untold = Object.keys(kinds).filter((option) => !given.has(option));
  // A GET has no body, and these contexts have no journal.
  expect(untold.filter((option) => !['data', 'json', 'idempotencyKey'].includes(option))).toEqual([]);
});

describe.each(subjects)('$name', (subject) => {
  const options = Object.entries(subject.kinds);

  test('takes any value for any option', async () => {
    const bench = createBench(subject);
    const inputs = fc.record({ which: fc.nat(options.length - 1), variant: fc.nat(3), value: drawn });
    await fc.assert(
      fc.asyncProperty(inputs, async ({ which, variant, value: input }) => {
        const value = valueOf(input);
        const [option, kind] = options[which] as [string, Kind];
        const valid = subject.variants[variant % subject.variants.length] as Options;
        const bad = !isTrap(value) && isBad(kind, value) ? option : undefined;
        expect(await attempt(subject, bench, { ...valid, [option]: value }, bad)).toBeUndefined();
      }),
      { numRuns: runs(280) },
    );
  });

  test('takes anything in place of its options', async () => {
    const bench = createBench(subject);
    await fc.assert(
      fc.asyncProperty(drawn, async (value) => {
        expect(await attempt(subject, bench, valueOf(value), undefined)).toBeUndefined();
      }),
      { numRuns: runs(40) },
    );
  });

  test('takes options of which one throws when it is read', async () => {
    const bench = createBench(subject);
    // Arguments of a low-level function are read before it is called.
    for (const [option] of options.filter(([, kind]) => !['method', 'target', 'non-empty'].includes(kind))) {
      const throwing = Object.defineProperty({ ...subject.variants[0] }, option, {
        enumerable: false,
        get() {
          throw new Error('not to be read');
        },
      });
      expect(await attempt(subject, bench, throwing, undefined)).toBeUndefined();
    }
  });
});

function isTrap(value: unknown): boolean {
  try {
    return value instanceof Error;
  } catch {
    return true;
  }
}

describe('contexts', () => {
  // For contexts without a `fetch` of their own.
  beforeEach(() => void vi.stubGlobal('fetch', async () => new Response('{"data":[],"id":"1"}')));
  afterEach(() => void vi.unstubAllGlobals());

  const settings: readonly (readonly [name: string, inner?: readonly string[]])[] = [
    ['appId'],
    ['appSecret'],
    ['configId'],
    ['licenseKey'],
    ['fetch'],
    ['timeoutMs'],
    ['deadlineMs'],
    ['graphVersion'],
    ['clock', ['sleep']],
    ['onCallStart'],
    ['onCallEnd'],
    ['onResponse'],
    ['onRetry'],
    ['env'],
    [
      'retry',
      [
        'attempts',
        'baseDelayMs',
        'maxDelayMs',
        'jitter',
        'statuses',
        'maxRetryAfterMs',
        'budget',
        'onceOnly',
      ],
    ],
    [
      'platform',
      ['graphUrl', 'dialogUrl', 'picsGraphUrl', 'picsAuthUrl', 'picsTokenUrl', 'uploadUrl', 'words'],
    ],
  ];
  const made = [
    ...makers.page.filter(isMaker).map((name) => at(page, name)),
    ...makers.pics.filter(isMaker).map((name) => at(pics, name)),
  ] as readonly ((options: unknown) => ReturnType<typeof page.createPageContext>)[];
  const valid = (): Options => ({
    appId: '1',
    appSecret: 'app-secret',
    fetch: async () => new Response('{"data":[],"id":"1"}'),
    clock: virtualClock(),
    timeoutMs: 1000,
  });

  function isMaker(name: string): boolean {
    return name.startsWith('create');
  }

  test.each(made)('%o are made of any settings, or refused, and used', async (make) => {
    const inputs = fc.record({
      which: fc.nat(settings.length - 1),
      inner: fc.option(fc.nat(7)),
      value: drawn,
    });
    await fc.assert(
      fc.asyncProperty(inputs, async ({ which, inner, value: input }) => {
        const value = valueOf(input);
        const [name, inners = []] = settings[which] as (typeof settings)[number];
        const part = inner === null ? undefined : inners[inner % inners.length];
        const options = {
          ...valid(),
          [name]: part === undefined ? value : { ...partOf(name), [part]: value },
        };
        await attemptToUse(make, options);
      }),
      { numRuns: runs(400) },
    );
  });

  test.each(made)('%o takes anything in place of its settings', async (make) => {
    await fc.assert(
      fc.asyncProperty(drawn, async (value) => attemptToUse(make, valueOf(value))),
      { numRuns: runs(100) },
    );
  });

  function partOf(name: string): object {
    return name === 'clock' ? virtualClock() : {};
  }

  async function attemptToUse(
    make: (options: unknown) => ReturnType<typeof page.createPageContext>,
    options: unknown,
  ): Promise<void> {
    counts.inputs++;
    const context = make(options);
    if (context.isErr()) {
      counts.refused++;
      expect(context.error).toBeInstanceOf(ConfigurationError);
      expect(context.error.option).toBeTypeOf('string');
      return;
    }
    const { value } = context;
    // Options that were accepted can be used: no call throws, rejects or hangs.
    const token = 'user-token';
    for (const call of [
      () => page.me(value, { token }),
      () => page.pages(value, { token }),
      () => page.loginUrl(value, { redirectUri: 'https://example.com' }),
      () => pics.media(value as never, { token, picsUserId: '17', limit: 3 }),
      () => core.get(value, 'me', { params: { access_token: token } }),
    ]) {
      const settled = await settle(call);
      expect(typeof settled === 'string' ? settled : '').toBe('');
      if (typeof settled !== 'string' && settled.isErr()) expect(settled.error).toBeInstanceOf(SdkError);
    }
  }
});
