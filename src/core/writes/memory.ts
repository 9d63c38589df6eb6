import type { PlatformClock } from '../http/platformClock.ts';
import type { JournalContext } from './journal/types.ts';
import type { EffectLookup } from './types.ts';

/** A once-only write, as far as it is known. Its instants are monotonic local time. */
export interface RecentWrite {
  /** Digest of the platform's list that shows what it makes. */
  readonly list: string;
  /** Digest of a list that holds that one among others, if there is one. */
  readonly within?: string | undefined;
  /** Digest of its content; where that is not known, it may have made any entry of the list. */
  readonly content: string | undefined;
  /** What it uses up, such as a container: all writes of one resource make one entry at most. */
  readonly resource: string | undefined;
  /** When its last attempt began: those before were refused. */
  startedAt: number;
  /** `undefined` while it is under way. */
  endedAt?: number;
  /** What it made; `undefined` while it is under way, and for good where that could not be learnt. */
  id?: string | undefined;
}

/**
 * What a process remembers of its once-only writes, so that a lost one is never told the id of an equal one. It holds
 * digests, times and ids, no text and no token: those of ten minutes for writes, those of a day for media
 * containers. Mutable; its contents are the SDK's own.
 */
export interface WriteMemory {
  /** In the order in which they began, or ended where they did. */
  readonly writes: Set<RecentWrite>;
  /** What is known of media containers, by platform and id, in the order in which it was learnt. */
  readonly containers: Map<string, unknown>;
}

/**
 * Creates a memory for the option `memory` of contexts. Contexts that can reach the same accounts should share one;
 * without the option, all contexts of one `fetch` function do.
 *
 * @example
 * const memory = createWriteMemory();
 * const context = createPageContext({ appId, appSecret, memory });
 */
export function createWriteMemory(): WriteMemory {
  return { writes: new Set(), containers: new Map() };
}

const memories = new WeakMap<object, WriteMemory>();

/** The memory of all contexts that send through a `fetch`, the global one where none is given. */
export function memoryOf(fetch: object = globalThis.fetch): WriteMemory {
  const key = fetch === globalThis.fetch ? globalThis : fetch;
  const memory = memories.get(key) ?? createWriteMemory();
  memories.set(key, memory);
  return memory;
}

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

/** Milliseconds by which `created_time`, which is rounded down, and the `Date` header may differ. */
const skewMs = 5000;

/** Whether a write can have made an entry: one whose id is not known, at any later time. */
export function canHaveMade(
  { id, startedAt, endedAt = Infinity }: RecentWrite,
  createdAt: number,
  timeAt: PlatformClock['timeAt'],
): boolean {
  const end = id === undefined ? Infinity : endedAt;
  return !(createdAt < timeAt(startedAt).earliest - skewMs) && !(createdAt > timeAt(end).latest + skewMs);
}

/**
 * A digest of a text, 128 bits of SHA-256: equal for equal texts only, and nothing of them can be read from it.
 *
 * Without Web Crypto, as in a page that was not loaded over HTTPS, all digests are equal: writes then count as
 * equal too, and a lost one is rather of unknown outcome than told a wrong id.
 */
export async function digest(text: string): Promise<string> {
  try {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    return String.fromCharCode(...new Uint8Array(hash, 0, 16));
  } catch {
    return '';
  }
}
