import { readdirSync, readFileSync } from 'node:fs';

import ts from 'typescript';
import { expect, test } from 'vitest';

import { ConfigurationError, isSdkError, memoryJournal } from '../src/core/index.ts';
import { fieldsOf } from '../src/core/objects.ts';
import { createSandbox } from '../src/sandbox/index.ts';
import { writeLists } from './api/lists.ts';
import { printApi, readDeclarations, targetOf } from './api/print.ts';
import { pageContext, picsContext, picsPageContext, virtualClock } from './support/context.ts';

// What the package exports is printed, listed, and called with options that it has not. All of it is read from its
// declarations, which takes as long as all of these tests: so they share a file.
const declarations = readDeclarations();
const printed = printApi(declarations);
const lists = await writeLists(declarations);
const { checker, entries } = declarations;

test('every entry has its file in test/api', () => {
  const files = readdirSync('test/api').filter((name) => name.endsWith('.txt'));
  expect(files.toSorted()).toEqual([...printed.keys()].toSorted());
});

// A change that is meant is renewed with `npm run api`, and read in the diff.
test.each([...printed])('the public API is that of test/api/%s', (name, text) => {
  expect(text).toBe(readFileSync(`test/api/${name}`, 'utf8'));
});

test.each([...lists])('%s lists what the package exports', (path, text) => {
  expect(text).toBe(readFileSync(path, 'utf8'));
});

test('every export that is listed is described', () => {
  const [...rows] = (lists.get('docs/functions.md') ?? '').matchAll(/^\| `(\w+)` \| (.*) \|$/gm);
  expect(rows.length).toBeGreaterThan(150);
  expect(rows.flatMap(([, name, text]) => (text === '' ? [name] : []))).toEqual([]);
});

// A client is made from this entry alone, so what its methods return has a name there.
test('the type of each value that a client returns is exported beside the client', () => {
  const beside = new Set(entries.find(({ name }) => name === 'pagepics')?.exports.map(({ name }) => name));
  const values = ['page.txt', 'pics.txt'].flatMap((file) => [
    ...(printed.get(file) ?? '').matchAll(/^function \w+\(context.*\): Result(?:Async)?<([^]*?), \w+>;$/gm),
  ]);
  expect(values.length).toBeGreaterThan(120);
  const names = values.flatMap(([, value = '']) => value.match(/\b[A-Z]\w+/g) ?? []);
  const ofTypeScript = ['Readonly', 'Record'];
  expect([...new Set(names)].filter((name) => !beside.has(name) && !ofTypeScript.includes(name))).toEqual([]);
});

// Which functions take options, which options they have, and what else a call needs, is in the declarations, too: what is
// new is tested without a word here.
const fetch = (): Promise<Response> => Promise.reject(new Error('sent'));
const settings = { journal: memoryJournal(), fetch, clock: virtualClock() };
const page = pageContext(settings);
const viaPages = picsPageContext({ ...settings, appId: 'page-app-id' });
/** An account in page mode, where it must be named. */
const linked = { picsUserId: '1', pageId: '1' };

/** What a call needs that has to be made, by the name of its type. */
const made: Readonly<Record<string, object>> = {
  Context: page,
  JournalContext: page,
  PageContext: page,
  PicsContext: picsContext(settings),
  Sandbox: createSandbox(),
  DeliveryTarget: () => new Response(),
};

interface Taker {
  readonly name: string;
  readonly call: (...given: readonly unknown[]) => unknown;
  readonly parameters: readonly ts.Type[];
  readonly returns: ts.Node | undefined;
}

/** Every function that can be imported. */
const exported = await Promise.all(
  entries.map(async ({ name: entry, module, exports }) => {
    const path = module.replace('./dist/', '../src/').replace(/js$/, 'ts');
    const loaded = (await import(path)) as Readonly<Record<string, unknown>>;
    return exports.flatMap((symbol) =>
      takersOf(targetOf(checker, symbol), loaded[symbol.name], `${entry} ${symbol.name}`),
    );
  }),
);
const takers = [...exported.flat(), ...methodsOf('Sandbox')];

function takersOf(symbol: ts.Symbol, value: unknown, name: string, of?: unknown): readonly Taker[] {
  // Of classes, only errors are exported.
  if (typeof value !== 'function' || !(symbol.flags & ts.SymbolFlags.Value)) return [];
  const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures();
  return signatures.map(({ parameters, declaration }, at) => ({
    name: at === 0 ? name : `${name} (${at})`,
    call: (...given) => value.apply(of, given) as unknown,
    parameters: parameters.map((one) => valueType(checker.getTypeOfSymbol(one))),
    returns: declaration?.type,
  }));
}

function methodsOf(name: string): readonly Taker[] {
  const symbol = entries.flatMap(({ exports }) => exports).find((one) => one.name === name);
  const of = new Map(Object.entries(made[name] ?? {}));
  const type = symbol && checker.getDeclaredTypeOfSymbol(targetOf(checker, symbol));
  return (type?.getProperties() ?? []).flatMap((method) =>
    takersOf(method, of.get(method.name), `${name}.${method.name}`, made[name]),
  );
}

/** A type without `undefined`, and of a type parameter what it extends. */
function valueType(type: ts.Type): ts.Type {
  const given = checker.getNonNullableType(type);
  return given.flags & ts.TypeFlags.TypeParameter ? (checker.getBaseConstraintOfType(given) ?? given) : given;
}

/** The objects in a type: those of a union, too. */
function objectsIn(type: ts.Type): readonly ts.Type[] {
  if (type.isUnion()) return type.types.flatMap(objectsIn);
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection();
  return isObject && !isCalled(type) && !checker.isArrayLikeType(type) && type.getProperties().length > 0
    ? [type]
    : [];
}

const nameOf = ({ aliasSymbol, symbol }: ts.Type): string =>
  // An intersection has no symbol.
  (aliasSymbol ?? (symbol as ts.Symbol | undefined))?.name ?? '';
const isCalled = (type: ts.Type): boolean => type.getCallSignatures().length > 0;
const isOptional = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.Optional) !== 0;

/** Of a list, what is in it. */
const itemOf = (type: ts.Type): ts.Type | undefined =>
  checker.isArrayLikeType(type) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined;

/** What another function returns, and a caller may hand over with all that it has. */
const handedOver = [
  'MediaFacts',
  'MediaReport',
  'Platform',
  'RefreshableToken',
  'StandardSchema',
  'WriteMemory',
];

/** Whether an object of this type is options: no context, no error, nothing with methods that a call needs. */
function isOptions(type: ts.Type): boolean {
  const name = nameOf(type);
  const isTool = type
    .getProperties()
    .some((one) => !isOptional(one) && isCalled(checker.getTypeOfSymbol(one)));
  return name.endsWith('Options') || !(isTool || name in made || handedOver.includes(name));
}

/** A value of a type: what a call needs before it reads its options, or the members that these must have. */
function valueOf(type: ts.Type): unknown {
  const name = nameOf(type);
  if (name in made) return made[name];
  if (type.isUnion()) return valueOf(type.types[0] ?? type);
  if (type.isLiteral()) return type.value;
  if (type.flags & ts.TypeFlags.StringLike) return 'https://a.test/1';
  if (type.flags & ts.TypeFlags.NumberLike) return 1;
  if (type.flags & ts.TypeFlags.BooleanLike) return true;
  if (isCalled(type)) return () => undefined;
  const item = itemOf(type);
  if (item) return [item, item].map(valueOf);
  if (objectsIn(type).length > 0) return membersOf(type);
  // A type of the platform, which is not loaded: a file, an address.
  return new Uint8Array(1);
}

function membersOf(type: ts.Type): Record<string, unknown> {
  const needed = type.getProperties().filter((one) => !isOptional(one));
  return Object.fromEntries(
    needed.map((one) => [one.name, valueOf(valueType(checker.getTypeOfSymbol(one)))]),
  );
}

/** The error of a call, whether it is thrown, in a Result, the first entry of a walk, or why there is no value. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const called = call();
    const { next } = fieldsOf(called);
    const isWalk = typeof next === 'function';
    const first: unknown = await Promise.resolve(isWalk ? next.call(called) : called);
    const result = isWalk ? fieldsOf(first)['value'] : first;
    return fieldsOf(result)['error'] ?? fieldsOf(fieldsOf(result)['value'])['reason'];
  } catch (thrown) {
    return thrown;
  }
}

/** The option that a ConfigurationError names. Of `contact`, which never fails, only its text is there. */
function optionOf(error: unknown): unknown {
  if (typeof error === 'string') return error.split(' ')[0];
  return error instanceof ConfigurationError ? error.option?.replace('outcome.', '') : error;
}

/** What is said of a failure. */
function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const isPlatformContext = (type: ts.Type): boolean => /^P\w+Context$/.test(nameOf(type));

interface Case {
  readonly name: string;
  readonly isEndpoint: boolean;
  /** Of its options. */
  readonly types: readonly ts.Type[];
  /** Calls it with all else that it needs. */
  readonly call: (options: object) => unknown;
  /** The same with each kind of context, and what options name there although their types, which know none, need not. */
  readonly modes: readonly { readonly call: (options: object) => unknown; readonly account: object }[];
}

const cases = takers.flatMap(({ name, call, parameters }): readonly Case[] => {
  const at = parameters.findLastIndex((type) => objectsIn(type).some(isOptions));
  const types = parameters
    .slice(at, at + 1)
    .flatMap(objectsIn)
    .filter(isOptions);
  const given = parameters.slice(0, Math.max(0, at)).map(valueOf);
  const isEndpoint = parameters.slice(0, 1).some(isPlatformContext);
  const isOfMode = given[0] === made['PicsContext'];
  const modes = [
    { given, account: {} },
    ...(isOfMode ? [{ given: given.with(0, viaPages), account: linked }] : []),
  ].map((mode) => ({ account: mode.account, call: (options: object) => call(...mode.given, options) }));
  return types.length === 0
    ? []
    : [{ name, isEndpoint, types, modes, call: (options) => call(...given, options) }];
});

const namesOf = (types: readonly ts.Type[]): readonly string[] =>
  types.flatMap((type) => type.getProperties().map(({ name }) => name));

/** The options that a function has not and takes all the same, with its error. */
async function takenBy({ types, call }: Case, names: readonly string[], values: readonly unknown[]) {
  const taken: unknown[] = [];
  for (const name of names.filter((one) => !namesOf(types).includes(one))) {
    for (const value of values) {
      const options = Object.defineProperty({ ...types.map(membersOf)[0] }, name, {
        value,
        enumerable: true,
      });
      const error = await errorOf(() => call(options));
      if (optionOf(error) !== name) taken.push([name, value, error]);
    }
  }
  return taken;
}

/** Names that some function has an option of. */
const names = [...new Set(cases.flatMap(({ types }) => namesOf(types)))];

test('what can be imported takes options', () => {
  expect(cases.length).toBeGreaterThan(200);
  expect(names.length).toBeGreaterThan(150);
});

test.each(cases)('$name refuses what no function has', async (one) => {
  expect(
    await takenBy(one, ['dryRun', '__proto__', 'toString', 'then', '0'], [true, false, null, {}]),
  ).toEqual([]);
});

test.each(cases)('$name refuses the options of other functions', { tags: 'long' }, async (one) => {
  expect(await takenBy(one, names, [1])).toEqual([]);
});

/** The objects within options, and in lists there. */
function partsOf(type: ts.Type): readonly (readonly [name: string, isList: boolean, part: ts.Type])[] {
  return type.getProperties().flatMap((one) => {
    const given = valueType(checker.getTypeOfSymbol(one));
    return (given.isUnion() ? given.types : [given]).flatMap((kind) => {
      const item = itemOf(kind);
      return objectsIn(item ?? kind)
        .filter(isOptions)
        .map((part) => [one.name, item !== undefined, part] as const);
    });
  });
}

const parts = cases
  // Those of endpoints are tested with each of their valid options: strictOptions.test.ts.
  .filter(({ isEndpoint }) => !isEndpoint)
  .flatMap(({ name, types, call }) =>
    types.flatMap((type) =>
      partsOf(type).map(([member, isList, part]) => ({
        name: `${name} ${member}`,
        option: `${member}${isList ? '[0]' : ''}.dryRun`,
        call: () => {
          const inner = { ...membersOf(part), dryRun: 1 };
          return call({ ...membersOf(type), [member]: isList ? [inner] : inner });
        },
      })),
    ),
  );

test.each(parts)('$name refuses it, too', async ({ option, call }) => {
  const error = await errorOf(call);
  expect([error, optionOf(error)]).toEqual([error, option]);
});

const makers = takers.filter(
  ({ name, parameters }) => name.startsWith('pagepics') && parameters.length === 0,
);

test.each(makers)('$name, which has no options, refuses any', async ({ call }) => {
  expect(optionOf(await errorOf(() => call({ dryRun: 1 })))).toBe('dryRun');
  for (const none of [undefined, {}, { dryRun: undefined }, 0])
    expect(await errorOf(() => call(none))).toBeUndefined();
});

/** What an option must hold that its type does not say. */
const valid: Readonly<Record<string, unknown>> = {
  username: 'ada',
  locale: 'en_US',
  mediaId: '1',
  commentId: '1',
  scheduledAt: new Date(4e12),
  template: { type: 'generic', elements: [{ title: 'a title', subtitle: 'and more' }] },
};

/** Options of this type without those that may be left out. Of which account they are, the type of its context says. */
function leastOf(type: ts.Type, account: object): object {
  const given = { ...membersOf(type), ...namedIn(type, { ...account, signal: AbortSignal.abort() }) };
  return { ...given, ...namedIn(type, valid, Object.keys(given)) };
}

function namedIn(type: ts.Type, values: object, names = namesOf([type])): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/**
 * Functions that need one of several options, and whose type does not say so: what is to change is often put together from
 * a form, of which nothing may be left. TypeScript could not see in such code that there is something.
 */
const needsAnyChange = /\/p\w+ update(?:Post|MessengerProfile)$/;

test('an endpoint has a rule for each option of its type, for no other, and takes options of its type', async () => {
  const differing: unknown[] = [];
  for (const { name, types, modes } of cases.filter(({ isEndpoint }) => isEndpoint)) {
    const refusals = await Promise.all(modes.map(({ call }) => errorOf(() => call({ noOption: 1 }))));
    const ruled = refusals.flatMap((error) => /the options are (.*)/.exec(textOf(error))?.[1]?.split(', '));
    const typed = types.flatMap((type) => type.getProperties()).filter(isGivable);
    const names = typed.map((one) => one.name);
    const odd = [
      ...ruled.filter((one) => !names.includes(String(one))),
      ...names.filter((one) => !ruled.includes(one)),
    ];
    if (odd.length > 0) differing.push([name, ...odd]);
    for (const type of types) {
      const least = modes.map(({ account }) => leastOf(type, account));
      const refused = await refusedInAll(modes, least);
      if (refused && !(needsAnyChange.test(name) && refused.startsWith('give at least one of ')))
        differing.push([name, Object.keys(least[0] ?? {}), refused]);
    }
  }
  expect(differing).toEqual([]);
});

/** What is said of options that no kind of context takes. Of \`contact\`, only its text is there. */
async function refusedInAll(modes: Case['modes'], options: readonly object[]): Promise<string | undefined> {
  let said: string | undefined;
  for (const [at, { call }] of modes.entries()) {
    const error = await errorOf(() => call(options[at] ?? {}));
    said = textOf(error);
    if (!(error instanceof ConfigurationError || (typeof error === 'string' && !/abort/.test(said))))
      return undefined;
  }
  return said;
}

/** Whether an option is in a type to be given: those of other kinds are there to be refused. */
function isGivable(member: ts.Symbol): boolean {
  return !(checker.getTypeOfSymbol(member).flags & ts.TypeFlags.Undefined);
}

/** A value of each kind, of which an option takes only those of its type. */
const samples: Readonly<Record<string, unknown>> = {
  text: 'a text',
  number: 1.5,
  flag: true,
  function: () => 1,
  list: [1],
  object: new Map(),
  symbol: Symbol('a symbol'),
  bigint: 1n,
};

/** The kinds of values that a type takes; all of them where it does not say. */
function kindsOf(type: ts.Type): readonly string[] {
  if (type.flags & ts.TypeFlags.Any) return Object.keys(samples);
  if (type.isUnion()) return type.types.flatMap(kindsOf);
  if (type.flags & ts.TypeFlags.StringLike) return ['text'];
  if (type.flags & ts.TypeFlags.NumberLike) return ['number'];
  if (type.flags & ts.TypeFlags.BooleanLike) return ['flag'];
  if (isCalled(type)) return ['function'];
  if (checker.isArrayLikeType(type)) return ['list'];
  return objectsIn(type).length > 0 ? ['object'] : Object.keys(samples);
}

/** Each member of options, and of the objects within them, with options in which it has a value. */
function* placesOf(
  type: ts.Type,
  path = '',
  within: (value: unknown) => object = Object,
): Generator<readonly [path: string, type: ts.Type, put: (value: unknown) => object]> {
  const { length } = path.split('.');
  for (const member of type.getProperties()) {
    const given = valueType(checker.getTypeOfSymbol(member));
    const put = (value: unknown): object => within({ ...membersOf(type), [member.name]: value });
    const at = path === '' ? member.name : `${path}.${member.name}`;
    yield [at, given, put];
    for (const part of length < 3 ? objectsIn(given).filter(isOptions) : []) yield* placesOf(part, at, put);
  }
}

async function takenOfOtherTypes({ types, call }: Case): Promise<readonly unknown[]> {
  const taken: unknown[] = [];
  for (const [path, type, put] of types.flatMap((one) => [...placesOf(one)])) {
    const kinds = kindsOf(type);
    for (const [kind, value] of Object.entries(samples)) {
      // JSON, as which the platform's own objects are copied, leaves these out.
      const isLeftOut = path.includes('.') && (kind === 'function' || kind === 'symbol');
      if (kinds.includes(kind) || isLeftOut) continue;
      const error = await errorOf(() => call(put(value)));
      // What else is wrong with options that are made of their types may be found first.
      if (!(error instanceof ConfigurationError) && typeof error !== 'string')
        taken.push([path, kind, error]);
    }
  }
  return taken;
}

test.each(cases)('$name refuses values of other types', { tags: 'long' }, async (one) => {
  expect(await takenOfOtherTypes(one)).toEqual([]);
});

interface Bounds {
  readonly said: string;
  readonly kind: string;
  readonly least: number;
  readonly most: number;
}

/** The bounds that the refusal of options states. */
async function boundsSaid(call: Case['call'], options: object): Promise<Bounds | undefined> {
  const said = textOf(await errorOf(() => call(options)));
  const [, kind, least = '', most = 'Infinity'] =
    /must be a (list|whole number|number) (?:of at least|of|from) (-?[\d.]+)(?: to ([\d.]+))?/.exec(said) ??
    [];
  return kind === undefined ? undefined : { said, kind, least: Number(least), most: Number(most) };
}

/** Values at the edges of bounds, within them or just beyond. */
function edgesOf({ kind, least, most }: Bounds, beyond: 0 | 1): readonly unknown[] {
  const edges = [least - beyond, ...(most === Infinity ? [] : [most + beyond])];
  return kind === 'list' ? edges.filter((at) => at >= 0).map((at) => Array<unknown>(at).fill(1)) : edges;
}

/** Each sentence in which a function states bounds, with the values for which it is not so. */
async function boundsOf({ types, modes }: Case): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const found = new Map<string, readonly unknown[]>();
  for (const type of types) {
    for (const [path, given, put] of placesOf(type)) {
      const kinds = kindsOf(given);
      const refused = [
        ...(kinds.includes('list') ? [[], Array<unknown>(1000).fill(1)] : []),
        ...(kinds.includes('number') ? [-1e300] : []),
      ];
      for (const { call, account } of refused.length === 0 ? [] : modes) {
        const saidOf = (value: unknown): Promise<Bounds | undefined> =>
          boundsSaid(call, { ...put(value), ...namedIn(type, account) });
        for (const value of refused) {
          const bounds = await saidOf(value);
          if (!bounds?.said.startsWith(path)) continue;
          const wrong: unknown[] = [];
          for (const beyond of [0, 1] as const) {
            for (const edge of edgesOf(bounds, beyond)) {
              const isRefused = (await saidOf(edge))?.said === bounds.said;
              if (isRefused !== (beyond === 1)) wrong.push(edge);
            }
          }
          found.set(bounds.said, wrong);
        }
      }
    }
  }
  return found;
}

test('a refusal states the bounds that hold', { tags: 'long' }, async () => {
  const sentences = new Set<string>();
  const untrue: unknown[] = [];
  for (const one of cases) {
    for (const [said, wrong] of await boundsOf(one)) {
      sentences.add(said);
      if (wrong.length > 0) untrue.push([one.name, said]);
    }
  }
  expect(untrue).toEqual([]);
  expect(sentences.size).toBeGreaterThan(80);
});

/** A proxy into which nobody can look any more. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function refuse(): never {
  throw new Error('not to be read');
}

/** What callers without types pass, each made anew: what is not as the types say, and what throws when it is read. */
const strange: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  'a number': () => 7,
  NaN: () => NaN,
  'a text': () => 'a text',
  'a flag': () => true,
  'a bigint': () => 1n,
  'a symbol': () => Symbol('a symbol'),
  'a function': () => () => 1,
  'an empty list': () => [],
  'a list': () => [null],
  'a list of what cannot be read': () => [revoked()],
  'a Map': () => new Map([['limit', 1]]),
  'a Set': () => new Set([1]),
  'a date': () => new Date(NaN),
  'a promise': () => Promise.resolve({}),
  'a wrapped text': () => Object('a text') as unknown,
  'an error': () => new Error('an error'),
  'an object without a prototype': () => Object.assign(Object.create(null), { dryRun: 1 }) as unknown,
  'what inherits': () => Object.create({ dryRun: 1 }) as unknown,
  __proto__: () => JSON.parse('{"__proto__":{"limit":1}}') as unknown,
  'a getter that throws': () => Object.defineProperty({}, 'dryRun', { get: refuse, enumerable: true }),
  'what no longer can be read': revoked,
  'what throws for everything': () =>
    new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse }),
};

/** What a call comes to: `refused` as the caller's error, another failure, or a value. */
async function outcomeOf(call: () => unknown): Promise<unknown> {
  const error = await errorOf(call);
  if (error instanceof ConfigurationError || typeof error === 'string') return 'refused';
  return error ?? 'taken';
}

/** Whether a call fails by a Result, and throws nothing. That of `untilSettled` is what its `call` gives. */
const hasResult = ({ name, returns }: Taker): boolean =>
  /\bResult(?:Async)?</.test(returns?.getText() ?? '') && !/untilSettled/.test(name);

/** Whether a failure may be: an error of the SDK, or the word of a sandbox on what it does not have. */
const isTold = (name: string, error: unknown): boolean =>
  isSdkError(error) || (name.startsWith('Sandbox.') && fieldsOf(error).constructor === Error);

// The `fetch` of a sandbox does what `fetch` does.
const called = takers.filter(({ name }) => name !== 'Sandbox.fetch');
const ofContexts = (taker: Taker): boolean => taker.parameters.slice(0, 1).some(isPlatformContext);

/** What a function throws or comes to that is not the caller's error, whatever it is given. */
async function faultsOf(taker: Taker): Promise<readonly unknown[]> {
  const { name, call, parameters } = taker;
  const faults: unknown[] = [];
  for (const [what, given] of strangeCalls(parameters)) {
    let thrown: unknown;
    const outcome = await outcomeOf(() => {
      try {
        return call(...given);
      } catch (error) {
        thrown = error;
        throw error;
      }
    });
    const isRight = outcome === 'refused' || outcome === 'taken' || isTold(name, outcome);
    if (!isRight || (thrown !== undefined && hasResult(taker))) faults.push([what, outcome, thrown]);
  }
  return faults;
}

/** Calls without anything, and with each strange value in each place. */
function strangeCalls(
  parameters: readonly ts.Type[],
): readonly (readonly [what: string, given: readonly unknown[]])[] {
  return [
    ['nothing', []],
    ...parameters.flatMap((_, at) =>
      Object.entries(strange).map(
        ([what, make]) => [`${what} (${at})`, parameters.map(valueOf).with(at, make())] as const,
      ),
    ),
  ];
}

/** Which kind of value each of them is; that of an object is none that options have. */
function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'flag';
  return typeof value === 'object' ? (isList(value) ? 'list' : 'object') : typeof value;
}

function isList(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a parameter takes a value of this kind, or none, by its type. */
function takesKind(type: ts.Type, kind: string): boolean {
  const isOfOptions = objectsIn(type).some(isOptions);
  return kindsOf(type).includes(kind) && !(kind === 'object' && isOfOptions);
}

/** Parameters that take anything for a reason. */
const takesAnything = [
  // A count that was lost on the way must not let a job go on for ever: it comes to a person.
  /\breactTo \([12]\)/,
  // A rule, or what gives one later.
  /^Sandbox\.fault \(0\)/,
  // The functions are called with whatever context they take.
  /\bbind \(0\)/,
];

/** The values that a function takes although they are of another type. */
async function takenBySlip({ name, call, parameters }: Taker): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const [at, type] of parameters.entries()) {
    if (takesAnything.some((one) => one.test(`${name} (${at})`))) continue;
    for (const [what, make] of Object.entries(strange)) {
      const value = make();
      if (value === undefined || value === null || takesKind(type, kindOf(value))) continue;
      const outcome = await outcomeOf(() => call(...parameters.map(valueOf).with(at, value)));
      if (outcome === 'taken') taken.push(`${what} (${at})`);
    }
  }
  return taken;
}

test.each(called.filter((one) => !ofContexts(one)))(
  '$name throws nothing but the error of its caller, whatever it is given, and takes nothing else',
  async (taker) => {
    expect(await faultsOf(taker)).toEqual([]);
    expect(await takenBySlip(taker)).toEqual([]);
  },
);

test.each(called.filter(ofContexts))(
  '$name fails by the error of its caller, whatever it is given, and takes nothing else',
  { tags: 'long' },
  async (taker) => {
    expect(await faultsOf(taker)).toEqual([]);
    expect(await takenBySlip(taker)).toEqual([]);
  },
);
