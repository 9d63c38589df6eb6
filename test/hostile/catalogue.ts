import * as core from '../../src/core/index.ts';
import * as page from '../../src/page/index.ts';
import * as pics from '../../src/pics/index.ts';
import { type Contexts, endpoints, type Realm } from '../functions/index.ts';
import type { Facts } from '../functions/table.ts';
import { request, secrets as plainSecrets } from '../functions/values.ts';
import { graphBase, picsGraphBase, platform } from '../support/context.ts';
import { coreFunctions } from './core.ts';
import type { Kind } from './kinds.ts';

export type { Contexts } from '../functions/index.ts';

/** An exported function, and all that a test has to know to call it and to judge what comes back. */
export interface Subject {
  /** Such as `pics/publish (viaPages)`. */
  readonly name: string;
  readonly realm: Realm;
  readonly exported: string;
  readonly call: (contexts: Contexts, options: unknown) => unknown;
  /** What each option is: all of them, the `signal` included. */
  readonly kinds: Readonly<Record<string, Kind>>;
  /** Valid options; together, all of the options are given. */
  readonly variants: readonly Options[];
  /** Valid responses by `METHOD path`, the path without address and version. */
  readonly routes: Readonly<Record<string, unknown>>;
  /** Names of the errors that the function can fail with, when its options are valid. */
  readonly failures: readonly string[];
  /** What a success promises. */
  readonly holds: (value: unknown) => boolean;
  readonly isLowLevel: boolean;
}

export type Options = Readonly<Record<string, unknown>>;

/** What stands where the tables have a token, or a code. */
export type Secrets = Readonly<typeof plainSecrets>;

/** The catalogue: every function that can be imported from the three entries. */
export function catalogue(secrets: Secrets = plainSecrets): readonly Subject[] {
  return [
    ...endpoints.flatMap(({ platform: entry, name, entry: { inMode, ...facts }, realms, call }) =>
      realms.map((realm) => {
        const own = { ...facts, ...(realm !== 'page' && inMode?.[realm]) };
        // Bad options are what the suites give as well.
        return subjectOf(entry, realm, name, own, (contexts, options) =>
          call(contexts[realm], options as object),
        );
      }),
    ),
    ...coreFunctions.map(({ name, call, ...facts }) => subjectOf('core', 'page', name, facts, call)),
  ].map((subject) => ({
    ...subject,
    variants: withSecrets(subject.variants, secrets),
    routes: withSecrets(subject.routes, secrets),
  }));
}

function subjectOf(
  entry: string,
  realm: Realm,
  exported: string,
  { kinds, variants, routes = {}, failures = request, holds }: Facts<object>,
  call: Subject['call'],
): Subject {
  const isPlain = exported === 'loginUrl' || exported === 'appSecretProof';
  const { signal } = new AbortController();
  return {
    name: `${entry}/${exported} (${realm})`,
    realm,
    exported,
    call: (contexts, options) => {
      const made = call(contexts, options);
      return isWalk(made) ? lastOf(made) : made;
    },
    kinds: isPlain ? kinds : { ...kinds, signal: 'signal' },
    variants: variants.map((one) => (isPlain ? { ...one } : { ...one, signal })),
    routes,
    failures,
    holds: holds as Subject['holds'],
    isLowLevel: entry === 'core',
  };
}

/** Puts secrets in the place of what the tables have, in texts, and in addresses as a query has them. */
function withSecrets<T>(value: T, secrets: Secrets): T;
function withSecrets(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') {
    let text: string = value;
    for (const [name, plain] of Object.entries(plainSecrets) as [keyof Secrets, string][]) {
      if (text === plain) return secrets[name];
      text = text.replaceAll(plain, encodeURIComponent(secrets[name]));
    }
    return text;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => withSecrets(item, secrets));
  if (value instanceof URLSearchParams) {
    return new URLSearchParams([...value].map((pair) => withSecrets(pair, secrets)));
  }
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withSecrets(item, secrets)]));
}

/** A ResultAsync can be iterated as well, but is no iterator. */
function isWalk(made: unknown): made is AsyncIterableIterator<Entry> {
  return typeof made === 'object' && made !== null && 'next' in made;
}

/** The last entry of a walk: its failure, where it has one. That ends the walk. */
async function lastOf(entries: AsyncIterable<Entry>): Promise<unknown> {
  let last: Entry = { isOk: () => true, isErr: () => false, value: undefined };
  for await (const entry of entries) {
    if (last.isErr()) throw new Error('an entry comes after a failure');
    last = entry;
  }
  return last;
}

interface Entry {
  readonly isOk: () => boolean;
  readonly isErr: () => boolean;
  readonly value?: unknown;
}

/** Functions that create or end something, and send nothing. Their inputs are tested outside the catalogue. */
export const makers = {
  page: ['createPageContext', 'createPageContextFromEnv', 'splitMessage'],
  pics: [
    'createPicsContext',
    'createPicsContextViaPages',
    'createPicsContextFromEnv',
    'createPicsContextViaPagesFromEnv',
    'splitMessage',
  ],
  core: [
    'bind',
    'close',
    'createJournal',
    'createWriteMemory',
    'forgetKey',
    'errorFromJSON',
    'isFinal',
    'isRefreshDue',
    'isSdkError',
    'reactTo',
    // A function of the caller's is its input.
    'untilSettled',
    'journalState',
    'memoryJournal',
    'openKeys',
    'settleKey',
    'withOptions',
  ],
};

/** Names of the functions that can be imported, by entry; error classes are not among them. */
export const exportedFunctions: Readonly<Record<'page' | 'pics' | 'core', readonly string[]>> = {
  page: functionsOf(page),
  pics: functionsOf(pics),
  core: functionsOf(core),
};

/** Every origin that a token may go to. */
export const trustedOrigins = new Set(
  [graphBase, picsGraphBase, ...Object.values(platform)].map((address) => new URL(address).origin),
);

function functionsOf(module: object): readonly string[] {
  return Object.entries(module)
    .filter(([name, value]) => typeof value === 'function' && !/^[A-Z]/.test(name))
    .map(([name]) => name);
}
