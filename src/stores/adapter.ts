import { ConfigurationError, TransportError } from '../core/errors.ts';
import { fieldsOf } from '../core/objects.ts';
import { checkOptions } from '../core/options/check.ts';
import { fromCaller } from '../core/options/given.ts';
import * as rule from '../core/options/rules.ts';
import { createJournal } from '../core/writes/journal/createJournal.ts';
import type { Journal, JournalStore } from '../core/writes/journal/types.ts';

/** Options of a journal over any store. */
export interface JournalAdapterOptions {
  /**
   * A prefix for each key of this journal, such as `acme:`, which separates several tenants in one store. Up to 100
   * characters.
   * @default none
   */
  readonly prefix?: string | undefined;
}

/** Options of a journal over a database with tables. */
export interface JournalTableOptions extends JournalAdapterOptions {
  /**
   * The name of the table: letters, digits and `_`, optionally with its schema before a dot. It is case-sensitive.
   * @default 'pagepics_journal'
   */
  readonly table?: string | undefined;
}

// Short enough that the name of its index, which has a suffix, is no longer than Postgres allows.
const tableName = /^(?:[a-z_]\w{0,62}\.)?[a-z_]\w{0,53}$/i;

const rules = {
  prefix: rule.optional(
    rule.satisfies(
      (value) => typeof value === 'string' && /^[^\0\uD800-\uDFFF]{0,100}$/u.test(value),
      'up to 100 characters',
    ),
  ),
  table: rule.optional(
    rule.satisfies((value) => typeof value === 'string' && tableName.test(value), 'the name of a table'),
  ),
};

/** Throws if the client or the options of a journal are wrong. The client must have one of the `methods`. */
export function checkAdapter(
  name: string,
  given: unknown,
  methods: readonly string[],
  options: JournalTableOptions,
): void {
  const isGiven = fromCaller(name, () =>
    methods.some((method) => {
      const { [method]: found } = fieldsOf(given);
      // Each function has a method `call`.
      return typeof found === 'function' && found !== Function.prototype.call;
    }),
  );
  if (!isGiven) {
    const what = typeof given === 'string' ? ', not its address or its file' : '';
    throw new ConfigurationError(
      `${name} must be a client of the store, with the method ${methods.join(' or ')}${what}`,
      name,
    );
  }
  checkTable(options);
}

export function checkTable(options: JournalTableOptions): void {
  const checked = checkOptions(options, rules);
  if (checked.isErr()) throw checked.error;
}

/** A store that does one replacement, or several, in one step. */
type ReplacingStore = Required<Pick<JournalStore, 'get' | 'compareAndSetAll' | 'list'>>;

/** A journal over a store, with a prefix for each key. `isWhole` unless the store cannot replace several texts in one step. */
export function journalOver(
  { get, compareAndSetAll, list }: ReplacingStore,
  { prefix = '' }: JournalAdapterOptions,
  isWhole = true,
): Journal {
  const replaceAll: ReplacingStore['compareAndSetAll'] = (replacements, now) =>
    compareAndSetAll(
      replacements.map((one) => ({ ...one, key: prefix + one.key })),
      now,
    );
  return createJournal({
    get: (key, now) => get(prefix + key, now),
    compareAndSet: (key, expected, value, ttlMs, now) => replaceAll([{ key, expected, value, ttlMs }], now),
    ...(isWhole && { compareAndSetAll: replaceAll }),
    list: async function* (query) {
      for await (const [key, value] of list({ ...query, prefix: prefix + query.prefix })) {
        yield [key.slice(prefix.length), value];
      }
    },
  });
}

/** The names of a table: as SQL writes it, and in parts. */
export function namesOf({ table = 'pagepics_journal' }: JournalTableOptions) {
  const [local = '', schema = ''] = table.split('.').toReversed();
  const whole = table.replaceAll(/\w+/g, '"$&"');
  return { table: whole, schema, local, index: `${local}_ends_at` };
}

/** How many entries are listed per request. */
export const listedAtOnce = 500;

/** The entries of a table. Each request gets the next ones, after the last key. */
export async function* entriesAfter(
  select: (last: string) => readonly unknown[] | Promise<readonly unknown[]>,
): AsyncGenerator<readonly [key: string, value: string], void, undefined> {
  for (let last = ''; ;) {
    const rows = await select(last);
    // The columns of our statements.
    for (const { key, value } of rows as readonly { readonly key: string; readonly value: string }[]) {
      last = key;
      yield [key, value];
    }
    if (rows.length < listedAtOnce) return;
  }
}

/** A value with the time of its expiry, for stores that delete late or not at all. */
export function expiring(value: string, ttlMs: number, now = Date.now()): object {
  return { value, endsAt: now + ttlMs };
}

/** The stored value, unless it has expired. */
export function readUnexpired(stored: unknown, now = Date.now()): string | undefined {
  const { value, endsAt } = fieldsOf(stored);
  return typeof value === 'string' && Number(endsAt) > now ? value : undefined;
}

/** A failure of the store whose message may be shown, since it contains no secret. */
export function storeFailure(why: string): TransportError {
  return new TransportError('journal', `the journal failed: ${why}`);
}
