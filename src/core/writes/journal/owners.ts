import type { ListedEntry } from '../lookups.ts';
import { makersOf } from '../memory.ts';
import type { KeyEntry } from './entry.ts';
import { openSlot, type SlotLimits, storeKey } from './slot.ts';
import { keptMs } from './times.ts';
import type { JournalReplacement, KeyedContext } from './types.ts';

/** Which key has published each effect: recorded under its id, so that no other key takes it. */
export interface Owners {
  /** How this key is named. */
  readonly name: string;
  /** Who owns which entries, as far as that is recorded or this process knows it: a key by its name, or `otherOwner`. */
  readonly of: (entries: readonly ListedEntry[]) => Promise<ReadonlyMap<string, string>>;
  /** Records an id for this key. Resolves to whether no other key has it. */
  readonly claim: (id: string) => Promise<boolean>;
  /** What records an id for this key, if no key has it yet. */
  readonly record: (id: string) => JournalReplacement;
  /** Gives up an id of this key, so that no key may ever claim it; unless it `isFree`, and may be another key's. */
  readonly release: (id: string, isFree: boolean) => Promise<void>;
}

/** An owner that is not this key. */
export const otherOwner = 'other';

/** How a key is named in records of owners, and in the memory of a context. */
export function ownerName(key: string): string {
  return `key ${key}`;
}

/** The key of such a name. */
export function keyOf(owner: string): string | undefined {
  return owner.startsWith('key ') ? owner.slice('key '.length) : undefined;
}

/** The effects of a key. */
export function ownersFor(
  context: KeyedContext,
  key: string,
  { limits, scheduledAt }: { readonly limits: SlotLimits } & Pick<KeyEntry, 'scheduledAt'>,
): Owners {
  const name = ownerName(key);
  // Longer than the entry of any key that existed when the effect was created.
  const ownedMs = keptMs(context, { scheduledAt }) + context.journal.journalTtlMs;
  const slotOf = (id: string): ReturnType<typeof openSlot> =>
    openSlot(context, storeKey(context, id, '-effect'), limits);

  return {
    name,
    of: async (entries) => {
      const owners = new Map<string, string>();
      await Promise.all(
        entries.map(async ({ id }) => {
          const stored = await slotOf(id).slot.read();
          const isUnkeyed = (): boolean => makersOf(context, id).some(({ resource }) => resource !== name);
          const owner = stored ?? (isUnkeyed() ? otherOwner : undefined);
          if (owner !== undefined) owners.set(id, owner);
        }),
      );
      return owners;
    },
    claim: async (id) => {
      const { finalSlot } = slotOf(id);
      return (await finalSlot.swap(undefined, name, ownedMs)) || (await finalSlot.read()) === name;
    },
    record: (id) => ({
      key: storeKey(context, id, '-effect'),
      expected: undefined,
      value: name,
      ttlMs: ownedMs,
    }),
    release: async (id, isFree) => {
      const { finalSlot } = slotOf(id);
      const stored = await finalSlot.read();
      // Stores have no delete.
      const ttlMs = isFree ? 1 : ownedMs;
      if (stored === undefined || stored === name) await finalSlot.swap(stored, 'forgotten', ttlMs);
    },
  };
}
