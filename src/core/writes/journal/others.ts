import type { ListedEntry, Place } from '../lookups.ts';
import { contentOf, isOutside, isShownAs, mentioning, mentionsIn } from '../memory.ts';
import { otherKeyMs } from '../tolerances.ts';
import { entryIn, idsIn, type KeyEntry } from './entry.ts';
import { bareLock, isShownBare, lockName, locksOf, requestsUnder } from './lock.ts';
import { keyOf } from './owners.ts';
import { openSlot, type SlotLimits, storeKey } from './slot.ts';
import { effectSpan, msUntilMore } from './times.ts';
import type { KeyedContext } from './types.ts';

/** Another key that may have made an entry of a list: it was sent at that time, and has the entry's text. */
export interface OtherKey {
  readonly key: string;
  /** Whether a call of it may still find the entry. */
  readonly isOpen: boolean;
  /** Whether the text is that of both keys: neither can then be told from the other. */
  readonly isEqual: boolean;
  /**
   * If it is that of the other key only where its mentions are shown as nothing: after how many milliseconds a call of that
   * one may know more; 0 if that one waits for this one.
   */
  readonly waitMs?: number | undefined;
  /** Whether the entry also shows a photo or a video of that key: then it is certainly its. */
  readonly isSure: boolean;
}

/** An entry that another key has taken. */
export interface Taken {
  readonly id: string;
  readonly key: string;
  readonly isByHand: boolean;
  /** Whether that key's call is yet to record its end: it may have heard the id. */
  readonly isEnding?: boolean;
}

/** What other keys have to do with the entries of a list. */
export interface Others {
  /** The other keys that may have made entries, by the locks of the entries' texts; by the entries' ids. */
  readonly of: (entries: readonly ListedEntry[]) => Promise<ReadonlyMap<string, OtherKey>>;
  /**
   * The first of some entries that may be this key's, although it is on record as that of another key, which has another
   * text: because a person said so; or because of what it says, which this key's text may be shown like, with a name in it.
   */
  readonly taken: (
    entries: readonly ListedEntry[],
    ownerOf: (id: string) => string | undefined,
  ) => Promise<Taken | undefined>;
}

export function othersOf(
  context: KeyedContext,
  key: string,
  place: Pick<Place, 'list' | 'within' | 'text'>,
  limits: SlotLimits,
): Others {
  const own = lockName(context, place.list, place.text);
  const hasMentions = contentOf(place.text ?? '') === mentioning;
  const read = (name: string): Promise<string | undefined> =>
    openSlot(context, storeKey(context, name), limits).slot.read();

  return { of, taken };

  async function of(entries: readonly ListedEntry[]): Promise<ReadonlyMap<string, OtherKey>> {
    const requests = new Map<string, ReturnType<typeof requestsUnder>>();
    const keys = new Map<string, ReturnType<typeof entryOf>>();
    const found = await Promise.all(
      entries.map(async (entry): Promise<readonly [string, OtherKey] | undefined> => {
        const { id, says, text = says, createdAt, shows = [] } = entry;
        if (text === undefined || id === '') return undefined;
        const isOwnText = entry.text !== undefined && isShownAs(place.text ?? '', text);
        const locks = locksOf(context, place, text);
        for (const lock of locks.all) {
          for (const { key: other, sending } of await known(requests, lock, (name) =>
            requestsUnder(context, name, limits),
          )) {
            if (other === key || other === '') continue;
            const its = await known(keys, other, entryOf);
            if (its?.sending === undefined) continue;
            const isIn = [its.sending, sending].some(
              (one) =>
                one !== undefined &&
                !isOutside(effectSpan(context, one, its.scheduledAt !== undefined), createdAt),
            );
            // This text is what another one with a mention may be shown as.
            const isByMention = isOwnText && !hasMentions && !locks.plain.includes(lock);
            if (isByMention && !isShownBare(its.sending, locks)) continue;
            const isEqual = (isOwnText && lock === own) || isByMention;
            const waitMs = isByMention ? msUntilKnown(its, id) : undefined;
            const media = [...idsIn(its.value), ...Object.values(its.ids).flat()];
            // Photos that were there before may be in the posts of both.
            const isSure = !isEqual && media.some((one) => shows.includes(one));
            if (isIn) return [id, { key: other, isOpen: isOpen(its), isEqual, waitMs, isSure }];
          }
        }
        return undefined;
      }),
    );
    return new Map(found.filter((one) => one !== undefined));
  }

  async function taken(
    entries: readonly ListedEntry[],
    ownerOf: (id: string) => string | undefined,
  ): Promise<Taken | undefined> {
    for (const { id, text = '', isOwn = false } of entries) {
      const maker = keyOf(ownerOf(id) ?? '');
      const isOurs = isOwn || (text !== '' && isShownAs(place.text ?? '', text, 0));
      if (maker === undefined || maker === key || !isOurs) continue;
      const { settled, sending, value } = (await entryOf(maker)) ?? {};
      // An equal text has one of these locks: then the entry may be that key's.
      const alike = [...locksOf(context, place, text).all, bareLock(context, place.list, place.text)];
      const isEqual = settled !== undefined && !isOwn && alike.includes(settled);
      if (settled !== undefined && !isEqual) return { id, key: maker, isByHand: true };
      // What was taken by its text leaves the request open. Who had the same lock had it at another time.
      const isByText = sending !== undefined && sending.lock !== own && mentionsIn(place.text ?? '') > 0;
      if (isByText && !isOwn) return { id, key: maker, isByHand: false, isEnding: value === undefined };
    }
    return undefined;
  }

  /** After how long a key may know whether an entry is its own; 0 if its last lookup has left it to this one. */
  function msUntilKnown(its: KeyEntry, id: string): number {
    const leftMs = its.sending && msUntilMore(context, its.sending);
    return leftMs ?? (isOpen(its) && its.others?.[id] !== key ? otherKeyMs : 0);
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
