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
 * What a journal stores several texts with: only if its `compareAndSet` is the one it was made with. Somebody may have
 * wrapped that, by a copy, a Proxy, an assignment or a spy, to see all that is stored.
 */
export function jointOf(journal: JournalStore): JournalStore['compareAndSetAll'] {
  return joint.has(writeOf(journal)) ? journal.compareAndSetAll : undefined;
}
