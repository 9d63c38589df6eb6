import type { ListedEntry, Place } from '../lookups.ts';
import { isOutside, isShownAs } from '../memory.ts';
import { entryIn, idsIn, type KeyEntry, type Sending } from './entry.ts';
import { lockName, locksOf, parseLock } from './lock.ts';
import { keyOf } from './owners.ts';
import { openSlot, type SlotLimits, storeKey } from './slot.ts';
import { effectSpan } from './times.ts';
import type { KeyedContext } from './types.ts';

/** Another key that may have made an entry of a list: it was sent at that time, and has the entry's text. */
export interface OtherKey {
  readonly key: string;
  /** Whether a call of it may still find the entry. */
  readonly isOpen: boolean;
  /** Whether the text is that of both keys: neither can then be told from the other. */
  readonly isEqual: boolean;
  /** Whether the entry also shows a photo or a video of that key: then it is certainly its. */
  readonly isSure: boolean;
}

/** What other keys have to do with the entries of a list. */
export interface Others {
  /** The other keys that may have made entries, by the locks of the entries' texts; by the entries' ids. */
  readonly of: (entries: readonly ListedEntry[]) => Promise<ReadonlyMap<string, OtherKey>>;
  /**
   * The first of some entries that is on record as another key's only because a person said so, although that key has
   * another text than this one; and that key.
   */
  readonly takenByHand: (
    entries: readonly ListedEntry[],
    ownerOf: (id: string) => string | undefined,
  ) => Promise<{ readonly id: string; readonly key: string } | undefined>;
}

export function othersOf(
  context: KeyedContext,
  key: string,
  place: Pick<Place, 'list' | 'within' | 'text'>,
  limits: SlotLimits,
): Others {
  const own = lockName(context, place.list, place.text);
  const read = (name: string): Promise<string | undefined> =>
    openSlot(context, storeKey(context, name), limits).slot.read();

  return { of, takenByHand };

  async function of(entries: readonly ListedEntry[]): Promise<ReadonlyMap<string, OtherKey>> {
    const requests = new Map<string, ReturnType<typeof requestsUnder>>();
    const keys = new Map<string, ReturnType<typeof entryOf>>();
    const found = await Promise.all(
      entries.map(async (entry): Promise<readonly [string, OtherKey] | undefined> => {
        const { id, says, text = says, createdAt, shows = [] } = entry;
        if (text === undefined || id === '') return undefined;
        const isOwnText = entry.text !== undefined && isShownAs(place.text ?? '', text);
        for (const lock of locksOf(context, place, text)) {
          for (const { key: other, sending } of await known(requests, lock, requestsUnder)) {
            if (other === key || other === '') continue;
            const its = await known(keys, other, entryOf);
            if (its?.sending === undefined) continue;
            const isIn = [its.sending, sending].some(
              (one) =>
                one !== undefined &&
                !isOutside(effectSpan(context, one, its.scheduledAt !== undefined), createdAt),
            );
            const isEqual = isOwnText && lock === own;
            const media = [...idsIn(its.value), ...Object.values(its.ids).flat()];
            // Photos that were there before may be in the posts of both.
            const isSure = !isEqual && media.some((one) => shows.includes(one));
            if (isIn) return [id, { key: other, isOpen: isOpen(its), isEqual, isSure }];
          }
        }
        return undefined;
      }),
    );
    return new Map(found.filter((one) => one !== undefined));
  }

  async function takenByHand(
    entries: readonly ListedEntry[],
    ownerOf: (id: string) => string | undefined,
  ): Promise<{ readonly id: string; readonly key: string } | undefined> {
    for (const { id, text = '', isOwn = false } of entries) {
      const maker = keyOf(ownerOf(id) ?? '');
      const isOurs = isOwn || (text !== '' && isShownAs(place.text ?? '', text));
      if (maker === undefined || maker === key || !isOurs) continue;
      const settled = (await entryOf(maker))?.settled;
      // An equal text has one of these locks: then the entry may be that key's.
      const isEqual = settled !== undefined && !isOwn && locksOf(context, place, text).includes(settled);
      if (settled !== undefined && !isEqual) return { id, key: maker };
    }
    return undefined;
  }

  /** The keys that have, or had, a lock. */
  async function requestsUnder(
    name: string,
  ): Promise<readonly { readonly key: string; readonly sending?: Sending | undefined }[]> {
    const lock = parseLock(await openSlot(context, storeKey(context, name, '-lock'), limits).slot.read());
    return lock === undefined ? [] : [{ key: lock.key }, ...lock.past];
  }

  async function entryOf(name: string): Promise<KeyEntry | undefined> {
    return entryIn(await read(name), 'unknown');
  }
}

/** Whether the outcome of a key's request is open, so that a call of it may find out. */
export function isOpen({ sending, value, made, applied }: KeyEntry): boolean {
  return sending !== undefined && value === undefined && made === undefined && applied !== true;
}

function known<T>(all: Map<string, T>, name: string, learn: (name: string) => T): T {
  const one = all.get(name) ?? learn(name);
  all.set(name, one);
  return one;
}
