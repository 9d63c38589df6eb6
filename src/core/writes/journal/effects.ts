import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../../errors.ts';
import { findsOwnOnly } from '../lookUp.ts';
import type { EffectLookup, LookupResult } from '../types.ts';
import { journalFailure, toFailure } from './failures.ts';
import { hmac } from './fingerprint.ts';
import { noRivals, type Rivals, rivalsOf } from './rivals.ts';
import { openSlot, type SlotLimits, storeKey } from './slot.ts';
import type { JournalReplacement, KeyedContext } from './types.ts';

/**
 * Which key owns each effect: the id of what a key published is recorded for that key, so that a lookup under another
 * key never mistakes it for its own. Until the id is known, the write may have created anything that looks the same.
 */
export interface Effects {
  /** A lookup that leaves out what others have published. Calls of one key are not rivals of each other. */
  readonly withoutOthers: <TValue>(lookup: EffectLookup<TValue>) => OwnLookup<TValue>;
  /** The replacement that records an id for this key, to be stored with its entry. */
  readonly owned: (id: string) => JournalReplacement;
  /** Records an id for this key. */
  readonly own: (id: string) => Promise<void>;
  /** Records that no key may claim this id of this key any more. */
  readonly disown: (id: string) => Promise<void>;
}

interface OwnLookup<TValue> extends Pick<Rivals, 'enter' | 'left' | 'leave'> {
  readonly lookup: EffectLookup<TValue>;
}

/** Distinguishes the effects and writes of a key from those of others. */
export interface Mark {
  readonly text: string;
  /** Whether what is stored is of this key. */
  readonly isIn: (stored: string) => boolean;
}

export function markOf(key: string): Mark {
  const text = `key ${key}`;
  return {
    text,
    // Version 1 wrote a digest.
    isIn: (stored) =>
      stored === text || (/^[\da-f]{64}$/.test(stored) && stored === hmac(key, '["effect",{}]')),
  };
}

/** The effects of the key with this mark. */
export function effectsOf(context: KeyedContext, mark: Mark, limits: SlotLimits, sign?: string): Effects {
  // Longer than the entry of any key that existed when the effect was created.
  const ownedMs = 2 * context.journal.journalTtlMs;
  return {
    withoutOthers: (lookup) => {
      const { query, resource } = lookup;
      const by: Mark =
        resource === undefined ? mark : { text: resource, isIn: (stored) => stored === resource };
      const { enter, left, leave, read } = rivalsOf(context, lookup, { mark: by, limits, sign });
      const readRivals = findsOwnOnly(lookup) ? undefined : read;
      return {
        lookup: {
          ...lookup,
          resource: by.text,
          query:
            query &&
            (({ until, ...bounds }) =>
              query(bounds).andThen((seen) => {
                // The call that sends the write may still match a lone entry if the write certainly took effect; a
                // later call may not.
                const isHidden = lookup.hidesContent === true && (until !== undefined || !seen.isApplied);
                const latest = until?.() ?? Infinity;
                const entries = seen.entries
                  // An entry with hidden content that came too late cannot match, so its owner need not be read.
                  .filter((entry) => !entry.isHidden || entry.createdAt <= latest)
                  .map((entry) => (isHidden ? { ...entry, isHidden } : entry));
                return new ResultAsync(
                  ownIn({ ...seen, entries }, readRivals, (id) => ownerOf(id, by.text), until !== undefined),
                );
              })),
        },
        enter,
        left,
        leave,
      };
    },
    owned: (id) => ({ key: slotOf(id).slot.key, expected: undefined, value: mark.text, ttlMs: ownedMs }),
    own: async (id) => {
      const { lastly } = slotOf(id);
      if (await lastly.swap(undefined, mark.text, ownedMs)) return;
      if (!mark.isIn((await lastly.read()) ?? '')) {
        throw journalFailure('another key has the same effect');
      }
    },
    disown: async (id) => {
      const { lastly } = slotOf(id);
      const stored = (await lastly.read()) ?? '';
      if (mark.isIn(stored)) await lastly.swap(stored, 'forgotten', ownedMs);
    },
  };

  /** Which key owns this id, as far as it is recorded or this process knows. */
  async function ownerOf(id: string, resource: string): Promise<Owner> {
    for (const write of context.memory.writes) {
      if (write.id === id && write.resource !== resource) return { by: write.resource ?? '' };
    }
    const stored = await slotOf(id).slot.read();
    return stored === undefined ? undefined : mark.isIn(stored) ? 'this key' : { by: stored };
  }

  function slotOf(id: string): ReturnType<typeof openSlot> {
    return openSlot(context, storeKey(context, id, '-effect'), limits);
  }
}

/** Another owner is known by its mark. */
type Owner = 'this key' | { readonly by: string } | undefined;

/**
 * The entries that others have not published. Without rivals, they can only come from the write; if their content is
 * hidden, they may be a person's, unless they are recorded for this key. In a later call, what identical writes
 * created is shared out.
 */
async function ownIn(
  seen: LookupResult,
  readRivals: Rivals['read'] | undefined,
  ownerOf: (id: string) => Promise<Owner>,
  isLater: boolean,
): Promise<Result<LookupResult, RequestFailure>> {
  try {
    // In this order: a write records what it created before it stops being a rival.
    const rivals = (await readRivals?.()) ?? noRivals;
    const entries = await Promise.all(
      seen.entries.map(async (entry) => ({ entry, owner: await ownerOf(entry.id) })),
    );
    const owned = entries.flatMap(({ entry, owner }) =>
      typeof owner === 'object' ? [{ ...owner, createdAt: entry.createdAt }] : [],
    );
    const { isDoubtful, settledAt, shareOf } = rivals(owned);
    const recorded = entries.filter(({ owner }) => owner === 'this key');
    const open = entries.filter(({ owner }) => owner === undefined);
    const share = isLater && recorded.length === 0 ? shareOf(open.map(({ entry }) => entry)) : undefined;
    if (share !== undefined) return ok({ ...seen, entries: [share] });
    return ok({
      ...seen,
      settledAt,
      entries: (recorded.length > 0 ? recorded : open).map(({ entry, owner }) => ({
        ...entry,
        isDoubtful: owner === undefined && (entry.isHidden === true || isDoubtful(entry.createdAt)),
      })),
    });
  } catch (thrown) {
    return err(toFailure(thrown));
  }
}
