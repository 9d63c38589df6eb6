import type { Context } from '../context.ts';
import type { RecentWrite } from '../options/writeMemory.ts';
import { digest } from './digest.ts';
import type { EffectLookup } from './effectLookup.ts';

/** Milliseconds for which a write that ended is remembered: a lost one may still take effect. */
export const memoryMs = 600_000;

/** A write under way. */
export interface OngoingWrite {
  readonly write: RecentWrite;
  /** Resolves when its digests are there. The request does not wait for them. */
  readonly ready: Promise<void>;
  /** Remembers that it ended, and what it made, where that is known. */
  readonly end: (id?: string) => void;
  /** Forgets it, as one that did not happen. */
  readonly forget: () => void;
}

/** Remembers that a write begins, unless no other could be taken for it. */
export function beginWrite(
  { clock, graphBase, graphVersion, memory: { writes } }: Context,
  { list, content, resource }: Pick<EffectLookup<unknown>, 'list' | 'content' | 'resource'>,
): OngoingWrite {
  const startedAt = clock.monotonic();
  const write: RecentWrite = { list: undefined, content: undefined, resource, startedAt };
  for (const old of writes) {
    // One that is under way is kept, and holds back none of those after it.
    if (old.endedAt === undefined) continue;
    if (old.endedAt > startedAt - memoryMs) break;
    writes.delete(old);
  }
  if (list !== undefined) writes.add(write);
  return {
    write,
    ready: addDigests(),
    end: (id) => {
      write.endedAt = clock.monotonic();
      write.id = id;
      // Set anew, it comes last: the first ones ended first.
      if (writes.delete(write)) writes.add(write);
    },
    forget: () => void writes.delete(write),
  };

  async function addDigests(): Promise<void> {
    if (list === undefined) return;
    if (content !== undefined) write.content = await digest(content);
    // All versions of the platform show the same lists.
    write.list = await digest(`${graphBase.slice(0, -graphVersion.length)} ${list}`);
  }
}

/** The writes that could have made the entries of a write, those of the same resource included. */
export function findEqualWrites({ memory }: Context, { list, content }: RecentWrite): readonly RecentWrite[] {
  return [...memory.writes].filter(
    ({ list: itsList = list, content: itsContent = content }) => itsList === list && itsContent === content,
  );
}
