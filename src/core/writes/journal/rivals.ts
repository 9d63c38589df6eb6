import { platformNow } from '../../http/platformClock.ts';
import { fieldsOf } from '../../options/check.ts';
import { canHaveMade, digestsOf, findEqualWrites } from '../memory.ts';
import type { EffectLookup, RecentEntry } from '../types.ts';
import type { Mark } from './effects.ts';
import { isSending, type Sending, settledAt, type Span, spanOf } from './entry.ts';
import { journalFailure } from './failures.ts';
import { hmac, signerOf } from './fingerprint.ts';
import { openSlot, type Slot, type SlotLimits, storeKey } from './slot.ts';
import type { Journal, JournalReplacement, KeyedContext } from './types.ts';

/**
 * Writes of other keys whose effect looks the same. What each of them created is not known until its response arrives,
 * so they announce themselves to one another: a lookup accepts nothing that one of them may have created.
 */
export interface Rivals {
  /**
   * Announces a write to the others before it is sent. `store` stores the entry of its key, and the announcement with
   * it if it can. Resolves to how many milliseconds the write has to wait first, if identical ones are sent one after
   * another.
   */
  readonly enter: (sending: Sending, store: StoreWith) => Promise<number>;
  /**
   * The replacement that withdraws the announcement, if nobody has announced another write since; to be stored with the
   * entry.
   */
  readonly left: () => readonly JournalReplacement[];
  /**
   * Withdraws the announcement, unless that was stored with the entry: what it created is recorded, or it created
   * nothing.
   */
  readonly leave: (isLeft?: boolean) => Promise<void>;
  /** Reads what the others may have made. */
  readonly read: () => Promise<RivalsSeen>;
}

/** An entry whose owner is recorded, by its mark. */
interface OwnedEntry extends Pick<RecentEntry, 'createdAt'> {
  readonly by: string;
}

/** What the rivals of a write may have made, given what is known to be theirs. */
type RivalsSeen = (owned: readonly OwnedEntry[]) => {
  /** Whether what was made at a time may be a rival's. */
  readonly isDoubtful: (createdAt: number) => boolean;
  /** When all of them have settled, in milliseconds since 1970. */
  readonly settledAt: number;
  /** The entry that this key gets of those that nobody owns: see `shareOut`. */
  readonly shareOf: (entries: readonly RecentEntry[]) => RecentEntry | undefined;
};

export const noRivals: RivalsSeen = () => ({
  isDoubtful: () => false,
  settledAt: 0,
  shareOf: () => undefined,
});

/** Stores where a write is announced, and replacements together with that; resolves to which of these it stored. */
type StoreWith = (
  told: Pick<Sending, 'rivals' | 'by'>,
  others: readonly JournalReplacement[],
) => Promise<readonly boolean[]>;

interface RivalsOptions {
  /** Writes with the same mark are not rivals of each other. */
  readonly mark: Mark;
  readonly limits: SlotLimits;
  /** Digest of all that this key publishes: see `SignedContent`. */
  readonly sign: string | undefined;
}

interface RivalWrite extends Sending {
  /** The mark of those whose writes are no rivals of each other. */
  readonly by: string;
  readonly sign?: string | undefined;
}

/**
 * The longest pause before another attempt at a change that others came before, in milliseconds: in each round, one of
 * them succeeds.
 */
const longestPauseMs = 1000;

/** The rivals of a write that a list shows. A write that no list shows has none. */
export function rivalsOf(context: KeyedContext, lookup: Sign, { mark, limits, sign }: RivalsOptions): Rivals {
  const places = placesOf(context, lookup, limits);
  let opened: Place | undefined;
  const ownPlace = (): Place | undefined => (opened ??= places[0]?.());
  const ttlMs = keptMs(context);
  /** The replacement that withdraws the write while it is the only one. */
  let alone: { readonly key: string; readonly expected: string; readonly value: undefined } | undefined;

  return {
    enter: async (sending, store) => {
      const own = ownPlace();
      const told = { rivals: own?.digest, by: lookup.resource };
      const write = { ...sending, by: mark.text, sign };
      if (own?.slot.isTrusted !== true || lookup.isAlone === true) {
        const waitMs = own && (await change(context, own.slot, { mark, write, isAlone: lookup.isAlone }));
        if (!waitMs) await store(told, []);
        return waitMs ?? 0;
      }
      // Mostly there is no other write: then this is one step.
      const { key } = own.slot;
      const text = textOfWrites([write]);
      const [isStored] = await store(told, [{ key, expected: alone?.expected, value: text, ttlMs }]);
      alone = isStored === true ? { key, expected: text, value: undefined } : undefined;
      return isStored === true ? 0 : change(context, own.slot, { mark, write });
    },
    left: () => (alone === undefined ? [] : [alone]),
    leave: async (isLeft = false) => {
      const own = ownPlace();
      if (own !== undefined && !isLeft) await change(context, own.lastly, { mark });
      alone = undefined;
    },
    read: () => readRivals(context, lookup, mark, places),
  };
}

/** What the other writes of a kind may have made. */
async function readRivals(
  context: KeyedContext,
  lookup: Sign,
  mark: Mark,
  places: ReturnType<typeof placesOf>,
): Promise<RivalsSeen> {
  const texts = await Promise.all(places.map((open) => open().slot.read()));
  const announced = texts.flatMap(readWrites);
  // With or without a key.
  const known = findEqualWrites(context, digestsOf(context, lookup));
  return (owned) => {
    // A write makes one entry, which may be recorded even if the process died before it withdrew the announcement.
    const isDone = (write: RivalWrite): boolean =>
      owned.some(({ by, createdAt }) => by === write.by && isIn(spanOf(context, write), createdAt));
    const writes = announced.filter((write) => !isDone(write));
    const done = new Set(announced.filter(isDone).map(({ by }) => by));
    const others = othersIn(writes, mark);
    const spans = others.map((write) => spanOf(context, write));
    const open = known.filter(
      ({ id, resource = '' }) => id === undefined && resource !== mark.text && !done.has(resource),
    );
    const { timeAt } = context.platformClock;
    return {
      isDoubtful: (createdAt) =>
        spans.some((span) => mayBeIn(span, createdAt)) ||
        open.some((write) => canHaveMade(write, createdAt, timeAt)),
      settledAt: Math.max(0, ...others.map((write) => settledAt(context, write))),
      shareOf: (entries) => {
        const { content, hidesContent, isAlone, dueAt } = lookup;
        const isTold = open.every(({ resource }) => writes.some((write) => write.by === resource));
        return content === undefined || hidesContent || isAlone || dueAt !== undefined || !isTold
          ? undefined
          : shareOut(context, writes, entries, mark.text);
      },
    };
  };
}

/** Withdraws a write of an earlier call whose outcome a person has recorded. */
export async function leaveRivals(
  context: KeyedContext,
  { rivals, by }: Sending,
  mark: Mark,
  limits: SlotLimits,
): Promise<void> {
  if (rivals === undefined) return;
  const { lastly } = openSlot(context, storeKey(context, rivals, '-rivals'), limits);
  const isIn = (stored: string): boolean => stored === by || mark.isIn(stored);
  await change(context, lastly, { mark: { ...mark, isIn } });
}

/** How many milliseconds a write stays announced: longer than any entry that depends on it. */
function keptMs({ journal }: KeyedContext): number {
  return 2 * journal.journalTtlMs;
}

function othersIn(writes: readonly RivalWrite[], mark: Mark): readonly RivalWrite[] {
  return writes.filter(({ by }) => !mark.isIn(by));
}

interface Change extends Pick<Sign, 'isAlone'> {
  readonly mark: Mark;
  /** `undefined`: there is none any more. */
  readonly write?: RivalWrite;
}

/** A change that waits to be made together with others. */
interface WaitingChange extends Change {
  readonly context: KeyedContext;
  /** Whether its caller has given up. */
  isOver: boolean;
  readonly resolve: (waitMs: number) => void;
  readonly reject: (thrown: unknown) => void;
}

/** The waiting changes, by journal and by store key, while a change of the same key is under way. */
const queues = new WeakMap<Journal, Map<string, WaitingChange[]>>();

/**
 * Replaces the write of a key, and drops expired ones. Resolves to how many milliseconds it must wait instead. If each
 * of a thousand concurrent calls replaced the text itself, most would fail each time, so those of a process are
 * combined.
 */
async function change(context: KeyedContext, slot: Slot, own: Change): Promise<number> {
  const { journal } = context.journal;
  const queue = queues.get(journal) ?? new Map<string, WaitingChange[]>();
  queues.set(journal, queue);
  const waiting = queue.get(slot.key);
  let waits: WaitingChange | undefined;
  const done = new Promise<number>((resolve, reject) => {
    waits = { ...own, context, isOver: false, resolve, reject };
    if (waiting === undefined) queue.set(slot.key, [waits]);
    else waiting.push(waits);
  });
  if (waiting === undefined) void changeAll(context, slot.key, queue);
  try {
    return await slot.bound(() => done);
  } finally {
    if (waits) waits.isOver = true;
  }
}

async function changeAll(
  context: KeyedContext,
  key: string,
  queue: Map<string, WaitingChange[]>,
): Promise<void> {
  for (;;) {
    const changes = queue.get(key)?.splice(0) ?? [];
    if (changes.length === 0) break;
    try {
      const waits = await changeTogether(context, key, changes);
      for (const [index, { resolve }] of changes.entries()) resolve(waits[index] ?? 0);
    } catch (thrown) {
      for (const { reject } of changes) reject(thrown);
    }
  }
  queue.delete(key);
}

/** Makes several changes in one replacement, which is repeated while other processes replace the text. */
async function changeTogether(
  context: KeyedContext,
  key: string,
  changes: readonly WaitingChange[],
): Promise<readonly number[]> {
  const { journal, clock, timeoutMs } = context;
  const deadline = clock.monotonic() + timeoutMs;
  // The first caller may be aborted, or its context closed; the others must not fail with it.
  const { lastly } = openSlot(context, key, { deadline });
  for (let mostMs = 4; ; mostMs = Math.min(2 * mostMs, longestPauseMs)) {
    const stored = await lastly.read();
    let writes = readWrites(stored);
    const waits: number[] = [];
    for (const each of changes) {
      const changed = each.isOver ? { writes, waitMs: 0 } : changeIn(writes, each);
      ({ writes } = changed);
      waits.push(changed.waitMs);
    }
    const text = stored === undefined && writes.length === 0 ? stored : textOfWrites(writes);
    const ttlMs = writes.length === 0 ? journal.journalLeaseMs : keptMs(context);
    if (text === undefined || text === stored || (await lastly.swap(stored, text, ttlMs))) return waits;
    const pauseMs = mostMs * Math.random();
    if (clock.monotonic() + pauseMs > deadline) throw journalFailure('concurrent writes kept changing it');
    await clock.sleep(pauseMs);
  }
}

function changeIn(
  known: readonly RivalWrite[],
  { context, mark, write, isAlone }: WaitingChange,
): { readonly writes: readonly RivalWrite[]; readonly waitMs: number } {
  const oldest = context.clock.now() - keptMs(context);
  const kept = othersIn(known, mark).filter(({ at }) => at > oldest);
  if (write === undefined) return { writes: kept, waitMs: 0 };
  if (isAlone === true) {
    const waitMs = Math.max(0, ...kept.map((other) => spanOf(context, other).until)) - platformNow(context);
    if (waitMs > 0) return { writes: known, waitMs };
  }
  return { writes: [...kept, write], waitMs: 0 };
}

type Sign = Pick<
  EffectLookup<unknown>,
  'list' | 'within' | 'content' | 'hidesContent' | 'isAlone' | 'dueAt' | 'resource'
>;

interface Place extends ReturnType<typeof openSlot> {
  readonly digest: string;
}

function isIn({ from, until }: Span, time: number): boolean {
  return time >= from && time <= until;
}

/** The same, but a time that cannot be read may be in any span. */
function mayBeIn(span: Span, time: number): boolean {
  return Number.isNaN(time) || isIn(span, time);
}

/**
 * Hands out what equal writes made, as many entries as writes, in the order of sending; gives that of one key. Which
 * write made which entry makes no difference, since their content is equal in every option. All requests must be over,
 * including the time to settle: a call that still waits for its response could otherwise return an id that another key
 * was given. Two keys that do this at the same time see the same order, and each records its entry before it takes it.
 */
function shareOut(
  context: KeyedContext,
  writes: readonly RivalWrite[],
  entries: readonly RecentEntry[],
  by: string,
): RecentEntry | undefined {
  const own = writes.find((write) => write.by === by);
  if (own?.sign === undefined) return undefined;
  const { from } = spanOf(context, own);
  const made = [...new Map(entries.map((entry) => [entry.id, entry])).values()]
    .filter(({ createdAt }) => !(createdAt < from))
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const senders = writes
    .filter(
      (write) => write === own || made.some((entry) => mayBeIn(spanOf(context, write), entry.createdAt)),
    )
    .toSorted((a, b) => a.since - b.since || (a.by < b.by ? -1 : 1));
  const isOver = (write: RivalWrite): boolean =>
    write.sign === own.sign && settledAt(context, write) <= context.clock.now();
  const fits = (write: RivalWrite, at: number): boolean => {
    const { createdAt = NaN, isHidden } = made[at] ?? {};
    return isOver(write) && isHidden !== true && isIn(spanOf(context, write), createdAt);
  };
  return senders.length === made.length && senders.every(fits) ? made[senders.indexOf(own)] : undefined;
}

/**
 * Where writes with this list and content are announced; followed by where writes are announced that may have any
 * content, or may have gone to any part of a larger list.
 */
function placesOf(
  context: KeyedContext,
  { list, within, content }: Sign,
  limits: SlotLimits,
): readonly (() => Place)[] {
  if (list === undefined) return [];
  // Without a secret, short content could be guessed from its digest, so all writes to the list are rivals.
  const signer = signerOf(context);
  const signs = [list, ...(within === undefined ? [] : [within])].flatMap((one) =>
    content === undefined || signer === undefined ? [{ list: one }] : [{ list: one, content }, { list: one }],
  );
  return signs.map((sign) => () => {
    const text = JSON.stringify([`rivals ${JSON.stringify(sign)}`, {}]);
    const digest = signer?.sign(text) ?? hmac(sign.list, text);
    return { digest, ...openSlot(context, storeKey(context, digest, '-rivals'), limits) };
  });
}

function textOfWrites(writes: readonly RivalWrite[]): string {
  return JSON.stringify({ version: 1, writes });
}

function readWrites(text: string | undefined): readonly RivalWrite[] {
  if (text === undefined) return [];
  try {
    const { version, writes } = fieldsOf(JSON.parse(text));
    if (version === 1 && Array.isArray(writes) && writes.every(isRivalWrite)) return writes;
  } catch {
    // Invalid JSON is reported below.
  }
  throw journalFailure('what it holds of other keys cannot be read');
}

function isRivalWrite(write: unknown): write is RivalWrite {
  return isSending(write) && typeof fieldsOf(write)['by'] === 'string';
}
