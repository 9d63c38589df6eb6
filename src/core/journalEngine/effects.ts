import { err, ok, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { JournalContext, KeyedLookup, LookedUp } from '../journal/types.ts';
import { journalFailure, Stop } from './failures.ts';
import { openSlot, type SlotLimits } from './slot.ts';

/**
 * Whose effects are: the id of what a key published is recorded for that key, so that a lookup under another key never
 * takes it for its own.
 */
export interface Effects {
  /** A lookup that does not show what others have published. Calls of one key are no rivals of each other. */
  readonly withoutOthers: <TValue, TLookup extends KeyedLookup<TValue>>(lookup: TLookup) => TLookup;
  /** Records an id for this key. */
  readonly own: (id: string) => Promise<void>;
}

interface EffectsOptions {
  /** What stands before an id in the store, and what is stored there for this key. */
  readonly prefix: string;
  readonly mark: string;
  readonly limits: SlotLimits;
}

export function effectsOf(context: JournalContext, { prefix, mark, limits }: EffectsOptions): Effects {
  return {
    withoutOthers: (lookup) => {
      const { query, resource = mark } = lookup;
      return {
        ...lookup,
        resource,
        query: query && ((bounds) => query(bounds).andThen((seen) => withoutOthers(seen, resource))),
      };
    },
    own: async (id) => {
      const { lastly } = slotOf(id);
      if (await lastly.swap(undefined, mark)) return;
      if ((await lastly.read()) !== mark) throw new Stop(journalFailure('another key has the same effect'));
    },
  };

  function withoutOthers(seen: LookedUp, resource: string): ResultAsync<LookedUp, RequestFailure> {
    const filtered = Promise.all(seen.entries.map(({ id }) => isOthers(id, resource))).then(
      (others) => ok({ ...seen, entries: seen.entries.filter((_, at) => others[at] !== true) }),
      (thrown: unknown) =>
        err(thrown instanceof Stop ? (thrown.failure as RequestFailure) : journalFailure('')),
    );
    return new ResultAsync(filtered);
  }

  /** Whether another key, or another call of this process, has published what has this id. */
  async function isOthers(id: string, resource: string): Promise<boolean> {
    for (const write of context.memory.writes) {
      if (write.id === id && write.resource !== resource) return true;
    }
    const stored = await slotOf(id).slot.read();
    return stored !== undefined && stored !== mark;
  }

  function slotOf(id: string): ReturnType<typeof openSlot> {
    return openSlot(context, `${prefix}${id}`, limits);
  }
}
