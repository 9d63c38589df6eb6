import type { JournalContext } from '../journal/types.ts';
import type { RecentWrite } from '../options/writeMemory.ts';
import { digest } from './digest.ts';
import type { EffectLookup } from './effectLookup.ts';

/** Milliseconds for which a write that ended is remembered: a lost one may still take effect. */
export const memoryMs = 600_000;

/** A write under way. */
export interface OngoingWrite {
  readonly write: RecentWrite;
  /** Remembers that it ended, and what it made, where that is known. */
  readonly end: (id?: string) => void;
  /** Forgets it, as one that did not happen. */
  readonly forget: () => void;
}

/** Remembers that a write begins, unless no other could be taken for it. */
export async function beginWrite(
  context: JournalContext,
  lookup: Pick<EffectLookup<unknown>, 'list' | 'within' | 'content' | 'resource'>,
): Promise<OngoingWrite> {
  const {
    clock,
    memory: { writes },
  } = context;
  const { list, resource } = lookup;
  const sign = await signOf(context, lookup);
  // Nothing is sent before it is remembered.
  const startedAt = clock.monotonic();
  const write: RecentWrite = { ...sign, resource, startedAt };
  for (const old of writes) {
    // One that is under way is kept, and holds back none of those after it.
    if (old.endedAt === undefined) continue;
    if (old.endedAt > startedAt - memoryMs) break;
    writes.delete(old);
  }
  if (list !== undefined) writes.add(write);
  return {
    write,
    end: (id) => {
      write.endedAt = clock.monotonic();
      write.id = id;
      // Set anew, it comes last: the first ones ended first.
      if (writes.delete(write)) writes.add(write);
    },
    forget: () => void writes.delete(write),
  };
}

/** What a write is remembered by. */
export async function signOf(
  { graphBase, graphVersion }: JournalContext,
  { list, within, content }: Pick<EffectLookup<unknown>, 'list' | 'within' | 'content'>,
): Promise<Pick<RecentWrite, 'list' | 'within' | 'content'>> {
  // All versions of the platform show the same lists.
  const platform = graphBase.slice(0, -graphVersion.length);
  const [listDigest, withinDigest, contentDigest] = await Promise.all([
    digest(`${platform} ${list}`),
    within === undefined ? undefined : digest(`${platform} ${within}`),
    content === undefined ? undefined : digest(content),
  ]);
  return { list: listDigest, within: withinDigest, content: contentDigest };
}

/** The writes that could have made the entries of a write, those of the same resource included. */
export function findEqualWrites(
  { memory }: JournalContext,
  { list, within, content }: Pick<RecentWrite, 'list' | 'within' | 'content'>,
): readonly RecentWrite[] {
  return [...memory.writes].filter(
    (other) => (other.list === list || other.list === within) && (other.content ?? content) === content,
  );
}
