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
 * Makes a memory for the option `memory` of contexts. Contexts that can reach the same accounts should share one;
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
