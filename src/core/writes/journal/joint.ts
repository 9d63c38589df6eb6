import { fieldsOf } from '../../objects.ts';
import type { JournalStore } from './types.ts';

/** The functions `compareAndSet` of journals that were made with a `compareAndSetAll`. */
const joint = new WeakSet();

/** What a store replaces a text with: to be compared, not called. */
export function writeOf(store: JournalStore): object {
  // `createJournal` has checked that it is a function.
  return fieldsOf(store)['compareAndSet'] as object;
}

/** A journal that can store several texts in one step. */
export function withJoint<TJournal extends JournalStore>(
  journal: TJournal,
  value: NonNullable<JournalStore['compareAndSetAll']>,
): TJournal {
  joint.add(writeOf(journal));
  // A copy by spreading goes without it.
  return Object.defineProperty(journal, 'compareAndSetAll', { value, configurable: true, writable: true });
}

/**
 * What a store that somebody made a journal of stores several texts with. Of a journal, {@link jointOf} says it. Of any other
 * store, both functions must come from one place: an object or a class that replaces only `compareAndSet`, or a Proxy that
 * does, would be passed by.
 */
export function jointIn(store: JournalStore): JournalStore['compareAndSetAll'] {
  if ('engine' in store) return jointOf(store);
  let owner: object | null = store;
  while (owner !== null && !Object.hasOwn(owner, 'compareAndSet')) owner = Object.getPrototypeOf(owner);
  if (owner === null || !Object.hasOwn(owner, 'compareAndSetAll')) return undefined;
  const { value }: PropertyDescriptor = Object(Object.getOwnPropertyDescriptor(owner, 'compareAndSet'));
  return value === writeOf(store) ? store.compareAndSetAll : undefined;
}

/**
 * What a journal stores several texts with: only if its `compareAndSet` is the one it was made with. Somebody may have
 * wrapped that, by a copy, a Proxy, an assignment or a spy, to see all that is stored.
 */
export function jointOf(journal: JournalStore): JournalStore['compareAndSetAll'] {
  return joint.has(writeOf(journal)) ? journal.compareAndSetAll : undefined;
}
