import type { Result } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { HttpContext } from '../http/types.ts';
import { anyOption } from '../options/check.ts';
import type { PlatformClock } from '../options/clock.ts';
import { unicode } from '../unicode.ts';
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
  /** Those of them that are in flight, in the order in which they began. */
  readonly open: Set<RecentWrite>;
  /** Those without a key whose id is not known. */
  readonly unkeyed: Set<RecentWrite>;
  /**
   * All of them by what they are looked for by, so that no call walks the writes of ten minutes: by the digest of their
   * text, or without one of their list; by their resource; and by the id of what they created.
   */
  readonly places: Readonly<
    Record<'content' | 'resource' | 'id', Map<string, RecentWrite | Set<RecentWrite>>>
  >;
  /** What is known about media containers, by platform and id, in the order in which it was learned. */
  readonly containers: Map<string, unknown>;
}

/**
 * Creates a memory for the option `memory` of contexts. Contexts that can reach the same accounts should share one;
 * without the option, all contexts of one `fetch` function do. It has no options, and throws a ConfigurationError for one.
 *
 * @example
 * const memory = createWriteMemory();
 * const context = createPageContext({ appId, appSecret, memory });
 */
export function createWriteMemory(): WriteMemory;
export function createWriteMemory(options?: unknown): WriteMemory {
  const invalid = anyOption(options);
  if (invalid) throw invalid;
  return emptyMemory();
}

function emptyMemory(): WriteMemory {
  return {
    writes: new Set(),
    open: new Set(),
    unkeyed: new Set(),
    places: { content: new Map(), resource: new Map(), id: new Map() },
    containers: new Map(),
  };
}

/** What a write is looked for by. */
const names = {
  content: ({ content, list }: RecentWrite) => content ?? list,
  resource: ({ resource }: RecentWrite) => resource,
  id: ({ id }: RecentWrite) => id,
};
const placeNames = ['content', 'resource', 'id'] as const;

/** The writes of a place. */
function at(
  { places }: WriteMemory,
  of: keyof typeof names,
  name: string | undefined,
): readonly RecentWrite[] {
  const there = name === undefined ? undefined : places[of].get(name);
  return there === undefined ? [] : there instanceof Set ? [...there] : [there];
}

function add(memory: WriteMemory, write: RecentWrite): void {
  if (memory.writes.has(write)) return;
  memory.writes.add(write);
  if (write.endedAt === undefined) memory.open.add(write);
  if (!write.isKeyed && write.id === undefined) memory.unkeyed.add(write);
  for (const of of placeNames) {
    const name = names[of](write);
    if (name === undefined) continue;
    const there = memory.places[of].get(name);
    // Mostly there is one, which needs no set.
    if (there instanceof Set) there.add(write);
    else memory.places[of].set(name, there === undefined ? write : new Set([there, write]));
  }
}

function remove(memory: WriteMemory, write: RecentWrite): boolean {
  if (!memory.writes.delete(write)) return false;
  memory.open.delete(write);
  memory.unkeyed.delete(write);
  for (const of of placeNames) {
    const name = names[of](write);
    const there = name === undefined ? undefined : memory.places[of].get(name);
    if (there instanceof Set) there.delete(write);
    if (name !== undefined && (there === write || (there instanceof Set && there.size === 0)))
      memory.places[of].delete(name);
  }
  return true;
}

const memories = new WeakMap<object, WriteMemory>();

/** The memory of all contexts that use a `fetch`, by default the global one. */
export function memoryOf(fetch: object = globalThis.fetch): WriteMemory {
  const key = fetch === globalThis.fetch ? globalThis : fetch;
  const memory = memories.get(key) ?? emptyMemory();
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
  const { clock, keyedCall, memory } = context;
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
  for (const old of memory.writes) {
    // A write without an end, because the runtime ended its call, ended by its time limit at the latest.
    const { endedAt = old.startedAt + old.lastsMs } = old;
    if (endedAt <= startedAt - memoryMs) remove(memory, old);
    // The rest ended later. A write in flight does not end the search.
    else if (old.endedAt !== undefined) break;
  }
  const remember = (): void => {
    if (write.list !== undefined) add(memory, write);
  };
  remember();
  return {
    write,
    remember,
    end: (id) => {
      // Adding it again moves it to the end, which keeps the set in the order of their ends.
      const isKnown = remove(memory, write);
      write.endedAt = clock.monotonic();
      write.id = id;
      if (isKnown) add(memory, write);
    },
    forget: () => void remove(memory, write),
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
    content: text === '' ? sign || undefined : digest(contentOf(text)),
  };
}

/** The other writes that could have created the entries of a write. */
export function rivalsOf({ memory }: WriteContext, write: RecentWrite): readonly RecentWrite[] {
  const { list, within, content, resource } = write;
  const named = digest(mentioning);
  // One without a text may have created any entry of the list, and any other one what has none. Nobody knows how one with
  // a name in its text is shown.
  const all = [content ?? list, list, within, named].flatMap((name) => at(memory, 'content', name));
  return [...new Set(all)].filter(
    (other) =>
      other !== write &&
      (other.resource === undefined || other.resource !== resource) &&
      (other.list === list || other.list === within) &&
      [content, undefined, named].includes(other.content),
  );
}

/** Other writes of the same resource and content. */
export function siblingsOf({ memory }: WriteContext, write: RecentWrite): readonly RecentWrite[] {
  const { resource, list, content } = write;
  return at(memory, 'resource', resource).filter(
    (other) => other !== write && other.list === list && other.content === content,
  );
}

/** Another write of its list that has the text of an entry, and may have created it. */
export function writerOf(
  { memory, platformClock }: WriteContext,
  write: RecentWrite,
  { text, createdAt }: ListedEntry,
): RecentWrite | undefined {
  if (text === undefined) return undefined;
  return at(memory, 'content', digest(reduceText(text))).find(
    (other) =>
      other !== write &&
      other.list === write.list &&
      other.id === undefined &&
      (other.resource === undefined || other.resource !== write.resource) &&
      canHaveMade(other, createdAt, platformClock.timeAt),
  );
}

/**
 * Those without a key whose id is not known, and which may show the content of a place: nothing but this process knows of
 * them. One list may have several names, so that only texts tell.
 */
export function unkeyedOf(context: WriteContext, place: Place | undefined): readonly RecentWrite[] {
  const { content } = digestsOf(context, place);
  const any = [undefined, digest(mentioning)];
  const like = [content, ...any];
  return [...context.memory.unkeyed].filter((one) => any.includes(content) || like.includes(one.content));
}

/** The writes that have created the entry of an id. */
export function makersOf({ memory }: WriteContext, id: string): readonly RecentWrite[] {
  return at(memory, 'id', id);
}

/**
 * Puts the write of a key in line for a lock. Returns those of other keys that are ahead: they began before, and wait for
 * the lock or have it, unless the runtime ended them.
 */
export function aheadOf({ memory }: WriteContext, resource: string, lock: string): readonly RecentWrite[] {
  const line: RecentWrite[] = [];
  let own: RecentWrite | undefined;
  let ahead = 0;
  for (const write of memory.open) {
    if (write.resource === resource) [own, ahead] = [write, line.length];
    else if (write.lock === lock) line.push(write);
  }
  if (own !== undefined) own.lock = lock;
  return line.slice(0, ahead);
}

/** Whether a write with a key has ended since a time. */
export function hasEnded({ memory }: WriteContext, resource: string, since: number): boolean {
  return at(memory, 'resource', resource).some(({ endedAt = -Infinity }) => endedAt > since);
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
  /** Whether another write, of unknown outcome, may have created an entry. */
  readonly isDoubtful: (entry: ListedEntry) => boolean;
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
  const equal = open.filter((entry) =>
    text === undefined
      ? isCertain && open.length === 1 && !entry.text
      : entry.text !== undefined && isShownAs(text, entry.text),
  );
  const [only] = equal;
  const isMatch =
    only !== undefined &&
    equal.length === 1 &&
    only.id !== '' &&
    !Number.isNaN(only.createdAt) &&
    !isDoubtful(only);
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

/** A mention: the platform shows a name in its place, or nothing. */
const mention = /@\[\d+(?::[^\]]*)?\]/g;

/** How many letters and digits of a shown text a name takes at most, and how many words of its own a text then needs. */
const longestName = 75;
const fewestOwn = 5;

/**
 * A text without what the platform may change: only its letters and digits, without mentions, or all but white space if it
 * has none.
 */
export function reduceText(text: string): string {
  const whole = text.normalize('NFKC');
  const unnamed = whole.replace(mention, '');
  // A text that is nothing else is compared as it stands: without a word of its own, any post could be it.
  const plain = unnamed.trim() === '' ? whole : unnamed;
  return lettersOf(plain) || plain.replace(unicode(String.raw`[\s\p{M}\p{Cf}]`), '');
}

function lettersOf(text: string): string {
  return text.replace(unicode(String.raw`[^\p{L}\p{N}]`), '');
}

/** What the texts of a list count as that have a name in a place: nobody knows how they are shown. */
export const mentioning = '@';

/** What a text has in common with all that may be taken for it. */
export function contentOf(text: string): string {
  return namesIn(text) > 0 ? mentioning : reduceText(text);
}

/** How many mentions a text has, beside words of its own. */
function namesIn(text: string): number {
  return text.normalize('NFKC').replace(mention, '').trim() === '' ? 0 : mentionsIn(text);
}

/** How many mentions a text has. */
export function mentionsIn(text: string): number {
  return text.match(mention)?.length ?? 0;
}

/** Whether the platform may show a text like this, which beside names has at least the `fewest` letters and digits of its own. */
export function isShownAs(text: string, shown: string, fewest: number = fewestOwn): boolean {
  const reduced = reduceText(shown);
  return reduced === reduceText(text) || hasNamesIn(text, reduced, fewest);
}

/** Whether a reduced text is another one with a name in place of each mention, or of some. */
function hasNamesIn(text: string, shown: string, fewest: number): boolean {
  const own = text.normalize('NFKC').split(mention).map(lettersOf);
  const length = own.join('').length;
  const [first = '', ...others] = own;
  const last = others.pop() ?? '';
  const isOfLength = shown.length > length && shown.length <= length + longestName * mentionsIn(text);
  if (length < fewest || !isOfLength || !shown.startsWith(first) || !shown.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = shown.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= shown.length - last.length;
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
