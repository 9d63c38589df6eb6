import { fieldsOf } from '../../options/check.ts';
import { canHaveMade, digestsOf, findEqualWrites } from '../memory.ts';
import type { EffectLookup, RecentEntry } from '../types.ts';
import { isSending, type Sending, type Span, spanOf } from './entry.ts';
import { journalFailure } from './failures.ts';
import { hmac, signerOf } from './fingerprint.ts';
import { openSlot, type Slot, type SlotLimits, storeKey } from './slot.ts';
import type { JournalReplacement, KeyedContext } from './types.ts';

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
  /** Withdraws the announcement: what it created is recorded, or it created nothing. */
  readonly leave: () => Promise<void>;
  /** Reads what the others may have made. */
  readonly read: () => Promise<RivalsSeen>;
}

/** What the rivals of a write may have made. */
interface RivalsSeen {
  /** Whether what was made at a time may be a rival's. */
  readonly isDoubtful: (createdAt: number) => boolean;
  /** The entry that this key gets of those that nobody owns: see `shareOut`. */
  readonly shareOf: (entries: readonly RecentEntry[]) => RecentEntry | undefined;
}

export const noRivals: RivalsSeen = { isDoubtful: () => false, shareOf: () => undefined };

/** Stores replacements together with something else, and resolves to which of them it stored. */
type StoreWith = (others: readonly JournalReplacement[]) => Promise<readonly boolean[]>;

interface RivalsOptions {
  /** Writes with the same `by` are not rivals of each other. */
  readonly by: string;
  readonly limits: SlotLimits;
  /** Digest of all that this key publishes: see `SignedContent`. */
  readonly sign: string | undefined;
}

interface RivalWrite extends Sending {
  readonly by: string;
  readonly sign?: string | undefined;
}

/**
 * The longest pause before another attempt at a change that others came before, in milliseconds: in each round, one of
 * them succeeds.
 */
const longestPauseMs = 1000;

/** The rivals of a write that a list shows. A write that no list shows has none. */
export function rivalsOf(context: KeyedContext, lookup: Sign, { by, limits, sign }: RivalsOptions): Rivals {
  const places = placesOf(context, lookup, limits);
  let opened: Promise<Opened> | undefined;
  const ownSlot = (): Promise<Opened> | undefined => (opened ??= places[0]?.());
  const keptMs = 2 * context.journal.journalTtlMs;
  /** The replacement that withdraws the write while it is the only one. */
  let alone: { readonly key: string; readonly expected: string; readonly value: undefined } | undefined;

  return {
    enter: async (sending, store) => {
      const own = await ownSlot();
      const write = { by, sign, ...sending };
      if (own?.slot.isTrusted !== true || lookup.isAlone === true) {
        const waitMs = own === undefined ? 0 : await change(own.slot, write);
        if (waitMs === 0) await store([]);
        return waitMs;
      }
      // Mostly there is no other write: then this is one step.
      const { key } = own.slot;
      const text = toText([write]);
      const [isStored] = await store([{ key, expected: alone?.expected, value: text, ttlMs: keptMs }]);
      alone = isStored === true ? { key, expected: text, value: undefined } : undefined;
      return isStored === true ? 0 : change(own.slot, write);
    },
    left: () => (alone === undefined ? [] : [alone]),
    leave: async () => {
      const own = await ownSlot();
      if (own !== undefined) await change(own.lastly, undefined);
    },
    read: async () => {
      const texts = await Promise.all(places.map(async (open) => (await open()).slot.read()));
      const writes = texts.flatMap(readWrites);
      const spans = writes.filter((write) => write.by !== by).map((write) => spanOf(context, write));
      // With or without a key.
      const known = findEqualWrites(context, await digestsOf(context, lookup));
      const open = known.filter(({ id, resource }) => id === undefined && resource !== by);
      const { timeAt } = context.platformClock;
      return {
        isDoubtful: (createdAt) =>
          spans.some((span) => mayBeIn(span, createdAt)) ||
          open.some((write) => canHaveMade(write, createdAt, timeAt)),
        shareOf: (entries) => {
          const { content, hidesContent, isAlone, dueAt } = lookup;
          const isTold = open.every(({ resource }) => writes.some((write) => write.by === resource));
          return content === undefined || hidesContent || isAlone || dueAt !== undefined || !isTold
            ? undefined
            : shareOut(context, writes, entries, by);
        },
      };
    },
  };

  /** Replaces this key's write; drops expired ones. */
  async function change(slot: Slot, write: RivalWrite | undefined): Promise<number> {
    const { journal, clock, timeoutMs } = context;
    const endsAt = Math.min(limits.deadline, clock.monotonic() + timeoutMs);
    const oldest = clock.now() - keptMs;
    for (let mostMs = 4; ; mostMs = Math.min(2 * mostMs, longestPauseMs)) {
      const stored = await slot.read();
      const known = readWrites(stored);
      const kept = known.filter((other) => other.by !== by && other.at > oldest);
      if (write === undefined && kept.length === known.length) return 0;
      if (write !== undefined && lookup.isAlone === true) {
        const waitMs = Math.max(0, ...kept.map((other) => spanOf(context, other).until)) - platformNow();
        if (waitMs > 0) return waitMs;
      }
      const writes = write === undefined ? kept : [...kept, write];
      const text = toText(writes);
      const ttlMs = writes.length === 0 ? journal.journalLeaseMs : keptMs;
      if (text === stored || (await slot.swap(stored, text, ttlMs))) return 0;
      const pauseMs = mostMs * Math.random();
      if (clock.monotonic() + pauseMs > endsAt) throw journalFailure('it did not store in many tries');
      await clock.sleep(pauseMs, limits.signal);
    }
  }

  /** The latest that the time can be by the platform's clock, if that is known. */
  function platformNow(): number {
    const { clock, platformClock } = context;
    const { latest } = platformClock.timeAt(clock.monotonic());
    return Number.isFinite(latest) ? latest : clock.now();
  }
}

type Sign = Pick<EffectLookup<unknown>, 'list' | 'within' | 'content' | 'hidesContent' | 'isAlone' | 'dueAt'>;
type Opened = ReturnType<typeof openSlot>;

/** Whether a time is in a span; one that cannot be read may be. */
function mayBeIn({ from, until }: Span, time: number): boolean {
  return !(time < from) && !(time > until);
}

/**
 * Hands out what equal writes made, as many entries as writes, in the order of sending; gives that of one key. Which
 * write made which entry makes no difference, since their content is equal in every option. All requests must be over,
 * with the time to settle: whoever still waits for a response would learn the id that another key was given. Two keys
 * that do this at the same time see the same order, and each records its entry before it takes it.
 */
function shareOut(
  context: KeyedContext,
  writes: readonly RivalWrite[],
  entries: readonly RecentEntry[],
  by: string,
): RecentEntry | undefined {
  const { journal, clock } = context;
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
  const isOver = ({ sign, at, endsAt = at }: RivalWrite): boolean =>
    sign === own.sign && endsAt + journal.journalSettleMs <= clock.now();
  const fits = (write: RivalWrite, at: number): boolean => {
    const { createdAt = NaN, isHidden } = made[at] ?? {};
    const span = spanOf(context, write);
    return isOver(write) && isHidden !== true && createdAt >= span.from && createdAt <= span.until;
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
): readonly (() => Promise<Opened>)[] {
  if (list === undefined) return [];
  // Without a secret, short content could be guessed from its digest, so all writes to the list are rivals.
  const signer = signerOf(context);
  const signs = [list, ...(within === undefined ? [] : [within])].flatMap((one) =>
    content === undefined || signer === undefined ? [{ list: one }] : [{ list: one, content }, { list: one }],
  );
  return signs.map((sign) => async () => {
    const text = JSON.stringify([`rivals ${JSON.stringify(sign)}`, {}]);
    const digest = await (signer?.sign(text) ?? hmac(sign.list, text));
    return openSlot(context, storeKey(context, digest, '-rivals'), limits);
  });
}

function toText(writes: readonly RivalWrite[]): string {
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
