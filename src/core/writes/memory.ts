import type { Result } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { HttpContext } from '../http/types.ts';
import type { PlatformClock } from '../options/clock.ts';
import { type EffectLookup, type ListedEntry, type LookupLimits, type Place, placeOf } from './lookups.ts';
import { createdOffMs, memoryMs } from './tolerances.ts';

/** What is known about a once-only write. Its times are monotonic local time. */
export interface RecentWrite {
  /** Digest of the platform lists that show what it creates. */
  readonly list: string | undefined;
  /** Digest of a larger list that contains that one, if there is one. */
  readonly within: string | undefined;
  /** Digest of its text; without one, it may have created any entry of the list. */
  readonly content: string | undefined;
  /** What it uses up, such as a container: all writes of one resource create at most one entry. */
  readonly resource: string | undefined;
  /** Whether it has a key: the journal then says which entry it may have created. */
  readonly isKeyed: boolean;
  /** How long an attempt takes at most, in milliseconds. */
  readonly lastsMs: number;
  /** When its last attempt began: earlier ones were refused. */
  startedAt: number;
  /** By how much the local clock was ahead of monotonic time then. */
  aheadMs: number;
  /** `undefined` while it is in flight. */
  endedAt?: number;
  /** The id of what it created; `undefined` while it is in flight, and afterwards if the id is unknown. */
  id?: string | undefined;
  /** The lock for which it is in line, or that it has. */
  lock?: string | undefined;
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

/** The part of a context that a once-only write needs. */
export interface WriteContext extends HttpContext {
  readonly graphVersion: string;
  readonly memory: WriteMemory;
  /** Set for the work of a call with a key: what identifies the key. */
  readonly keyedCall?: { readonly resource: string } | undefined;
}

/** A write in flight. */
export interface OngoingWrite {
  readonly write: RecentWrite;
  /** Remembers it again, since it may have waited for so long that it was taken for dead. */
  readonly remember: () => void;
  /** Remembers that it ended, and what it created, if that is known. */
  readonly end: (id?: string) => void;
  /** Forgets it, because it did not happen. */
  readonly forget: () => void;
}

/** Remembers that a write begins, unless no list shows its effect. */
export function beginWrite<TValue>(
  context: WriteContext,
  lookup: EffectLookup<TValue>,
  lastsMs: number,
): OngoingWrite {
  const {
    clock,
    keyedCall,
    memory: { writes },
  } = context;
  // A write must be remembered before it is sent.
  const startedAt = clock.monotonic();
  const write: RecentWrite = {
    ...digestsOf(context, placeOf(lookup)),
    resource: keyedCall?.resource ?? (lookup.kind === 'object' ? lookup.resource : undefined),
    isKeyed: keyedCall !== undefined,
    lastsMs,
    startedAt,
    aheadMs: clock.now() - startedAt,
  };
  for (const old of writes) {
    // A write without an end, because the runtime ended its call, ended by its time limit at the latest.
    const { endedAt = old.startedAt + old.lastsMs } = old;
    if (endedAt <= startedAt - memoryMs) writes.delete(old);
    // The rest ended later. A write in flight does not end the search.
    else if (old.endedAt !== undefined) break;
  }
  const remember = (): void => {
    if (write.list !== undefined) writes.add(write);
  };
  remember();
  return {
    write,
    remember,
    end: (id) => {
      write.endedAt = clock.monotonic();
      write.id = id;
      // Adding it again moves it to the end, which keeps the set in the order of their ends.
      if (writes.delete(write)) writes.add(write);
    },
    forget: () => void writes.delete(write),
  };
}

/** The key under which a write is remembered. */
function digestsOf(
  { graphBase, graphVersion }: WriteContext,
  { list, within, text = '', sign = '' }: Partial<Place> = {},
): Pick<RecentWrite, 'list' | 'within' | 'content'> {
  // All versions of the platform show the same lists.
  const platform = graphBase.slice(0, -graphVersion.length);
  return {
    list: list && digest(`${platform} ${list}`),
    within: within && digest(`${platform} ${within}`),
    content: text === '' ? sign || undefined : digest(reduceText(text)),
  };
}

/** The other writes that could have created the entries of a write. */
export function rivalsOf({ memory }: WriteContext, write: RecentWrite): readonly RecentWrite[] {
  const { list, within, content, resource } = write;
  return [...memory.writes].filter(
    (other) =>
      other !== write &&
      (other.resource === undefined || other.resource !== resource) &&
      (other.list === list || other.list === within) &&
      (other.content ?? content) === content,
  );
}

/**
 * Puts the write of a key in line for a lock. Returns those of other keys that are ahead: they began before, and wait for
 * the lock or have it, unless the runtime ended them.
 */
export function aheadOf({ memory }: WriteContext, resource: string, lock: string): readonly RecentWrite[] {
  const line: RecentWrite[] = [];
  let own: RecentWrite | undefined;
  let ahead = 0;
  // Without copies of the writes of ten minutes, since each call does this.
  for (const write of memory.writes) {
    if (write.endedAt !== undefined) continue;
    if (write.resource === resource) [own, ahead] = [write, line.length];
    else if (write.lock === lock) line.push(write);
  }
  if (own !== undefined) own.lock = lock;
  return line.slice(0, ahead);
}

/** Whether a write with a key has ended since a time. */
export function hasEnded({ memory }: WriteContext, resource: string, since: number): boolean {
  for (const { resource: of, endedAt = -Infinity } of memory.writes)
    if (of === resource && endedAt > since) return true;
  return false;
}

/** Whether a write can have created an entry: if its id is unknown, at any time since it began. */
export function canHaveMade(
  { id, startedAt, endedAt = Infinity }: RecentWrite,
  createdAt: number,
  timeAt: PlatformClock['timeAt'],
): boolean {
  const end = id === undefined ? Infinity : endedAt;
  return (
    !(createdAt < timeAt(startedAt).earliest - createdOffMs) &&
    !(createdAt > timeAt(end).latest + createdOffMs)
  );
}

/** When the effect of a write can have been created, by the platform's clock. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** What is known when an entry is to be recognized. */
export interface Evidence {
  readonly entries: readonly ListedEntry[];
  readonly span: Span;
  /** The text of the write; without one, no entry shows that it is the write's. */
  readonly text: string | undefined;
  /** Whether a write without a text certainly created an entry: a single open entry without a text then is it. */
  readonly isCertain?: boolean;
  /** Whether this write or another one created an entry, if that is known. */
  readonly ownerOf: (entry: ListedEntry) => 'self' | 'other' | undefined;
  /** Whether another write, of unknown outcome, may have created an entry at this time. */
  readonly isDoubtful: (createdAt: number) => boolean;
}

/** What a lookup shows of a write. */
export interface Match {
  /** The entry that the write created. */
  readonly entry?: ListedEntry | undefined;
  /** Whether that only follows from its text and time. */
  readonly isInferred: boolean;
  /** All entries that it may have created, whatever their text. */
  readonly open: readonly ListedEntry[];
}

/**
 * Finds the entry that a write created: one that carries an id of the write, one that is recorded for it, or the only
 * open entry with its text.
 */
export function matchEntry(evidence: Evidence): Match {
  const { entries, span, text, isCertain = false, ownerOf, isDoubtful } = evidence;
  const owners = new Map(entries.map((entry) => [entry.id, { entry, owner: ownerOf(entry) }]));
  const known = [...owners.values()];
  const shown = known.find(
    ({ entry, owner }) =>
      owner === 'self' || (entry.isOwn === true && owner === undefined && entry.id !== ''),
  );
  const open = known
    .filter(({ entry, owner }) => owner === undefined && !isOutside(span, entry.createdAt))
    .map(({ entry }) => entry);
  if (shown !== undefined) return { entry: shown.entry, isInferred: false, open };
  const reduced = text && reduceText(text);
  const equal =
    reduced === undefined
      ? open.filter((entry) => isCertain && open.length === 1 && !entry.text)
      : open.filter((entry) => entry.text !== undefined && reduceText(entry.text) === reduced);
  const [only] = equal;
  const isMatch =
    only !== undefined &&
    equal.length === 1 &&
    only.id !== '' &&
    !Number.isNaN(only.createdAt) &&
    !isDoubtful(only.createdAt);
  return { entry: isMatch ? only : undefined, isInferred: true, open };
}

/** What a lookup says about a write. */
export interface Looked {
  readonly id?: string | undefined;
  /** It took effect, but its id could not be learned. */
  readonly isApplied?: boolean | undefined;
  /** Why its outcome is not known. */
  readonly why: string;
  /** Ids of what it may have created. */
  readonly candidates?: readonly string[] | undefined;
}

/** Looks once. */
export type Look = (
  write: RecentWrite,
  limits: LookupLimits,
  isLast: boolean,
) => Promise<Result<Looked, RequestFailure>>;

/** Whether a time is outside a span. A time that cannot be read may be in any span. */
export function isOutside({ from, until }: Span, time: number): boolean {
  return time < from || time > until;
}

/** A mention: the platform shows another text in its place, or none. */
const mention = /@\[\d+(?::[^\]]*)?\]/g;

/**
 * A text without what the platform may change: only its letters and digits, without mentions, or all but white space if it
 * has none.
 */
export function reduceText(text: string): string {
  const whole = text.normalize('NFKC');
  const unnamed = whole.replace(mention, '');
  // A text that is nothing else is compared as it stands: without a word of its own, any post could be it.
  const plain = unnamed.trim() === '' ? whole : unnamed;
  return plain.replace(/[^\p{L}\p{N}]/gu, '') || plain.replace(/[\s\p{M}\p{Cf}]/gu, '');
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
