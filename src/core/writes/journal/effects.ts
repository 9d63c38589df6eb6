import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../../errors.ts';
import { findsOwnOnly } from '../lookUp.ts';
import type { EffectLookup, LookupResult } from '../types.ts';
import { journalFailure, toFailure } from './failures.ts';
import { hmac } from './fingerprint.ts';
import { type Rivals, rivalsOf } from './rivals.ts';
import { openSlot, type SlotLimits, storeKey } from './slot.ts';
import type { JournalReplacement, KeyedContext } from './types.ts';

/**
 * Whose effects are: the id of what a key published is recorded for that key, so that a lookup under another key never
 * takes it for its own. Until it is known, the write is one that may have made whatever looks the same.
 */
export interface Effects {
  /** A lookup that does not show what others have published. Calls of one key are no rivals of each other. */
  readonly withoutOthers: <TValue>(lookup: EffectLookup<TValue>) => OwnLookup<TValue>;
  /** What records an id for this key, to be stored with its entry. */
  readonly owned: (id: string) => JournalReplacement;
  /** Records an id for this key. */
  readonly own: (id: string) => Promise<void>;
  /** Records of an id of this key that no key may take it any more. */
  readonly disown: (id: string) => Promise<void>;
}

interface OwnLookup<TValue> extends Pick<Rivals, 'enter' | 'left' | 'leave'> {
  readonly lookup: EffectLookup<TValue>;
}

/** Tells the effects of a key from those of others. */
export function markOf(key: string): Promise<string> {
  return hmac(key, '["effect",{}]');
}

/** The effects of the key that a mark stands for. */
export function effectsOf(context: KeyedContext, mark: string, limits: SlotLimits): Effects {
  // Longer than the entry of another key that was there when it was made.
  const ownedMs = 2 * context.journal.journalTtlMs;
  return {
    withoutOthers: (lookup) => {
      const { query, resource = mark } = lookup;
      const { enter, left, leave, read } = rivalsOf(context, lookup, { by: resource, limits });
      const readRivals = findsOwnOnly(lookup) ? undefined : read;
      return {
        lookup: {
          ...lookup,
          resource,
          query:
            query &&
            (({ until, ...bounds }) =>
              query(bounds).andThen((seen) => {
                // The call that sends it still takes what it made for sure, if it is alone; a later one does not.
                const isHidden = lookup.hidesContent === true && (until !== undefined || !seen.isApplied);
                const latest = until?.() ?? Infinity;
                const entries = seen.entries
                  // What may be anything is not worth a look at whose it is where it came too late.
                  .filter((entry) => !entry.isHidden || entry.createdAt <= latest)
                  .map((entry) => (isHidden ? { ...entry, isHidden } : entry));
                return new ResultAsync(
                  ownIn({ ...seen, entries }, readRivals, (id) => ownerOf(id, resource)),
                );
              })),
        },
        enter,
        left,
        leave,
      };
    },
    owned: (id) => ({ key: slotOf(id).slot.key, expected: undefined, value: mark, ttlMs: ownedMs }),
    own: async (id) => {
      const { lastly } = slotOf(id);
      if (await lastly.swap(undefined, mark, ownedMs)) return;
      if ((await lastly.read()) !== mark) throw journalFailure('another key has the same effect');
    },
    disown: async (id) => {
      await slotOf(id).lastly.swap(mark, 'forgotten', ownedMs);
    },
  };

  /** Who has published what has this id, as far as it is recorded or this process knows. */
  async function ownerOf(id: string, resource: string): Promise<Owner> {
    for (const write of context.memory.writes) {
      if (write.id === id && write.resource !== resource) return 'another';
    }
    const stored = await slotOf(id).slot.read();
    return stored === undefined ? undefined : stored === mark ? 'this key' : 'another';
  }

  function slotOf(id: string): ReturnType<typeof openSlot> {
    return openSlot(context, storeKey(context, id, '-effect'), limits);
  }
}

type Owner = 'this key' | 'another' | undefined;

/**
 * What others have not published. Without rivals, it can only be what the write made; where its content is hidden, it
 * may be a person's, unless it is recorded for this key.
 */
async function ownIn(
  seen: LookupResult,
  readRivals: Rivals['read'] | undefined,
  ownerOf: (id: string) => Promise<Owner>,
): Promise<Result<LookupResult, RequestFailure>> {
  try {
    // In this order: whoever is a rival no more has recorded before what it made.
    const isDoubtful = (await readRivals?.()) ?? (() => false);
    const entries = await Promise.all(
      seen.entries.map(async (entry) => ({ entry, owner: await ownerOf(entry.id) })),
    );
    const recorded = entries.filter(({ owner }) => owner === 'this key');
    const open = entries.filter(({ owner }) => owner === undefined);
    return ok({
      ...seen,
      entries: (recorded.length > 0 ? recorded : open).map(({ entry, owner }) => ({
        ...entry,
        isDoubtful: owner === undefined && (entry.isHidden === true || isDoubtful(entry.createdAt)),
      })),
    });
  } catch (thrown) {
    return err(toFailure(thrown));
  }
}
