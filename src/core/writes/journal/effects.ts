import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../../errors.ts';
import type { EffectLookup, LookupLimits, LookupResult } from '../types.ts';
import { journalFailure, toFailure } from './failures.ts';
import { hmac } from './fingerprint.ts';
import type { OwnLookupResult } from './matchEffect.ts';
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

export interface OwnLookup<TValue> extends Pick<Rivals, 'enter' | 'left' | 'leave'> {
  /** For the call that sends: of what may be another's, it shows no time, so that it is never taken. */
  readonly lookup: EffectLookup<TValue>;
  /** For one that looks for what an earlier call has sent, which was made until a time. */
  readonly query: OwnQuery | undefined;
}

type Query = NonNullable<EffectLookup<unknown>['query']>;
type OwnQuery = (limits: LookupLimits, until?: () => number) => ResultAsync<OwnLookupResult, RequestFailure>;

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
      const { query: ask, resource = mark } = lookup;
      const rivals = rivalsOf(context, lookup, { by: resource, limits });
      const shared = lookup.list === undefined || lookup.findsOwnOnly === true ? undefined : rivals;
      const owner = (id: string): Promise<Owner> => ownerOf(id, resource);
      /** The call that sends it still takes what it made for sure, if it is alone; a later one does not. */
      const queryOwn = (query: Query, isLater: boolean): OwnQuery => {
        return (bounds, until = () => Infinity) =>
          query(bounds).andThen(({ entries, ...seen }) => {
            const isHidden = lookup.hidesContent === true && (isLater || seen.isApplied !== true);
            const possible = entries
              // What may be anything is not worth a look at whose it is where it came too late.
              .filter((entry) => !entry.isHidden || entry.createdAt <= until())
              .map((entry) => (isHidden ? { ...entry, isHidden } : entry));
            return new ResultAsync(ownIn({ ...seen, entries: possible }, shared, owner));
          });
      };
      const ownQuery = ask && queryOwn(ask, false);
      return {
        lookup: {
          ...lookup,
          resource,
          query: ownQuery && ((bounds: LookupLimits) => ownQuery(bounds).map(withoutDoubtful)),
        },
        query: ask && queryOwn(ask, true),
        enter: rivals.enter,
        left: rivals.left,
        leave: rivals.leave,
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
  rivals: Rivals | undefined,
  ownerOf: (id: string) => Promise<Owner>,
): Promise<Result<OwnLookupResult, RequestFailure>> {
  try {
    // In this order: whoever is a rival no more has recorded before what it made.
    const isDoubtful = (await rivals?.read()) ?? (() => false);
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

/** What may be another's has no time, so that it is never taken. */
function withoutDoubtful(seen: OwnLookupResult): LookupResult {
  return {
    ...seen,
    entries: seen.entries.map((entry) => (entry.isDoubtful ? { ...entry, createdAt: NaN } : entry)),
  };
}
