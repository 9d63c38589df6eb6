import { ConfigurationError, TransportError } from '../core/errors.ts';
import { checkOptions, optional, that } from '../core/options/check.ts';
import { atomicJournal } from '../core/writes/journal/createJournal.ts';
import type { Journal } from '../core/writes/journal/types.ts';

/** Options of a journal over any store. */
export interface JournalAdapterOptions {
  /**
   * Stands before each key of this journal, so that those of several tenants are apart in one store: `acme:`. Up to 100
   * characters.
   * @default none
   */
  readonly prefix?: string | undefined;
}

/** Options of a journal over a database with tables. */
export interface JournalTableOptions extends JournalAdapterOptions {
  /**
   * The name of the table, of letters, digits and `_`, with that of its schema before a dot if need be. It is taken as it
   * stands: capitals count.
   * @default 'pagepics_journal'
   */
  readonly table?: string | undefined;
}

/** What journals of the SDK need of a store. */
type AtomicStore = Parameters<typeof atomicJournal>[0];

// With what stands after it in the name of its index, it is no longer than Postgres allows.
const tableName = /^(?:[a-z_]\w{0,62}\.)?[a-z_]\w{0,53}$/i;

const rules = {
  prefix: optional(
    that(
      (value) => typeof value === 'string' && /^[^\0\uD800-\uDFFF]{0,100}$/u.test(value),
      'up to 100 characters',
    ),
  ),
  table: optional(that((value) => typeof value === 'string' && tableName.test(value), 'the name of a table')),
};

/** Throws what is wrong with what a journal is made of. `methods`: it must have one of these. */
export function checkAdapter(
  name: string,
  given: unknown,
  methods: readonly string[],
  options: JournalTableOptions,
): void {
  const isGiven = methods.some((method) => {
    const { [method]: found } = Object(given) as Readonly<Record<string, unknown>>;
    return typeof found === 'function';
  });
  if (!isGiven) throw new ConfigurationError(`${name} must have the method ${methods.join(' or ')}`, name);
  checkTable(options);
}

export function checkTable(options: JournalTableOptions): void {
  const own = checkOptions(options, () => rules);
  if (own.isErr()) throw own.error;
}

/** A journal over a store, with a prefix before each key. */
export function journalOver(store: AtomicStore, { prefix = '' }: JournalAdapterOptions): Journal {
  return atomicJournal({
    get: (key) => store.get(prefix + key),
    transact: (replacements) =>
      store.transact(replacements.map((replacement) => ({ ...replacement, key: prefix + replacement.key }))),
    list: async function* (query) {
      for await (const [key, value] of store.list({ ...query, prefix: prefix + query.prefix })) {
        yield [key.slice(prefix.length), value];
      }
    },
  });
}

/** The names of a table: whole as SQL has it, and in parts. */
export function namesOf({ table = 'pagepics_journal' }: JournalTableOptions) {
  const [local = '', schema = ''] = table.split('.').toReversed();
  const whole = table.replaceAll(/\w+/g, '"$&"');
  return { table: whole, schema, local, index: `${local}_ends_at` };
}

/** A failure of the store that is told as it is: nothing in it is a secret. */
export function storeFailure(why: string): TransportError {
  return new TransportError('journal', `the journal failed: ${why}`);
}
