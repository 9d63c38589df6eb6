import type { PlatformClock } from '../http/platformClock.ts';
import type { JournalContext } from './journal/types.ts';
import type { EffectLookup } from './types.ts';

/** What is known about a once-only write. Its times are monotonic local time. */
export interface RecentWrite {
  /** Digest of the platform list that shows what it creates. */
  readonly list: string;
  /** Digest of a larger list that contains that one, if there is one. */
  readonly within?: string | undefined;
  /** Digest of its content; if that is unknown, it may have created any entry of the list. */
  readonly content: string | undefined;
  /** What it uses up, such as a container: all writes of one resource create at most one entry. */
  readonly resource: string | undefined;
  /** When its last attempt began: earlier ones were refused. */
  startedAt: number;
  /** `undefined` while it is under way. */
  endedAt?: number;
  /** The id of what it created; `undefined` while it is under way, and forever if it could not be learned. */
  id?: string | undefined;
}

/**
 * What a process remembers of its once-only writes, so that a lost one is never given the id of an identical one. It
 * holds digests, times and ids, but no text and no token: for ten minutes for writes, for a day for media containers.
 * Mutable; its contents are internal to the SDK.
 */
export interface WriteMemory {
  /** In the order in which they ended, or began if they have not ended. */
  readonly writes: Set<RecentWrite>;
  /** What is known about media containers, by platform and id, in the order in which it was learned. */
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

/** The memory of all contexts that use a `fetch`, by default the global one. */
export function memoryOf(fetch: object = globalThis.fetch): WriteMemory {
  const key = fetch === globalThis.fetch ? globalThis : fetch;
  const memory = memories.get(key) ?? createWriteMemory();
  memories.set(key, memory);
  return memory;
}

/** How long a write is remembered after it ended, in milliseconds: a lost one may still take effect. */
export const memoryMs = 600_000;

/** A write under way. */
export interface OngoingWrite {
  readonly write: RecentWrite;
  /** Remembers that it ended, and what it created, if that is known. */
  readonly end: (id?: string) => void;
  /** Forgets it, because it did not happen. */
  readonly forget: () => void;
}

/** Remembers that a write begins, unless nothing else could be mistaken for it. */
export function beginWrite(
  context: JournalContext,
  lookup: Pick<EffectLookup<unknown>, 'list' | 'within' | 'content' | 'resource'>,
): OngoingWrite {
  const {
    clock,
    memory: { writes },
  } = context;
  const { list, resource } = lookup;
  // A write must be remembered before it is sent.
  const startedAt = clock.monotonic();
  const write: RecentWrite = { ...digestsOf(context, lookup), resource, startedAt };
  for (const old of writes) {
    // A write that is under way is kept, but does not keep later ones from being forgotten.
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
      // Setting it again moves it to the end, so the first ones ended first.
      if (writes.delete(write)) writes.add(write);
    },
    forget: () => void writes.delete(write),
  };
}

/** The key under which a write is remembered. */
export function digestsOf(
  { graphBase, graphVersion }: JournalContext,
  { list, within, content }: Pick<EffectLookup<unknown>, 'list' | 'within' | 'content'>,
): Pick<RecentWrite, 'list' | 'within' | 'content'> {
  // All versions of the platform show the same lists.
  const platform = graphBase.slice(0, -graphVersion.length);
  return {
    list: digest(`${platform} ${list}`),
    within: within && digest(`${platform} ${within}`),
    content: content === undefined ? content : digest(content),
  };
}

/** The writes that could have created the entries of a write, including those of the same resource. */
export function findEqualWrites(
  { memory }: JournalContext,
  { list, within, content }: Pick<RecentWrite, 'list' | 'within' | 'content'>,
): readonly RecentWrite[] {
  return [...memory.writes].filter(
    (other) => (other.list === list || other.list === within) && (other.content ?? content) === content,
  );
}

/** By how much `created_time`, which is rounded down, may differ from the `Date` header, in milliseconds. */
const skewMs = 5000;

/** Whether a write can have created an entry: if its id is unknown, at any time since it began. */
export function canHaveMade(
  { id, startedAt, endedAt = Infinity }: RecentWrite,
  createdAt: number,
  timeAt: PlatformClock['timeAt'],
): boolean {
  const end = id === undefined ? Infinity : endedAt;
  return !(createdAt < timeAt(startedAt).earliest - skewMs) && !(createdAt > timeAt(end).latest + skewMs);
}

/**
 * A 64-bit digest of a text, from which the text cannot be read. If two texts share one, their writes count as equal, so
 * a lost one has an unknown outcome rather than a wrong id. Web Crypto is not used: it computes each digest on another
 * thread, which took a tenth of the time of a call.
 */
export function digest(text: string): string {
  let [a, b] = [1, 2];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x85ebca77) ^ a;
  }
  return `${a} ${b}`;
}
