import { hookValue } from '../core/deriveError.ts';
import { ConfigurationError } from '../core/errors.ts';
import { fieldsOf } from '../core/objects.ts';
import { checkOptions } from '../core/options/check.ts';
import { longestTimer, type MonotonicClock, systemClock, within } from '../core/options/clock.ts';
import { fromCaller } from '../core/options/given.ts';
import * as rule from '../core/options/rules.ts';
import { checkKey, journalFailure } from '../core/writes/journal/failures.ts';
import { guard } from '../core/writes/journal/slot.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import type { Once } from './createWebhookHandler.ts';

export interface EventsOnceOptions {
  /**
   * Milliseconds for which a dead process still blocks its event. The lease is renewed while an event is handled, up to
   * ten times this long: work that takes longer counts as hung. At least 1.
   * @default 60_000
   */
  readonly leaseMs?: number | undefined;
  /**
   * Milliseconds for which handled events are remembered. More than `leaseMs`, and longer than an event can come again:
   * the platform repeats deliveries for 36 hours, and a poll finds an event as long as it is listed.
   * @default 604_800_000, seven days
   */
  readonly ttlMs?: number | undefined;
}

/** The store of {@link eventsOnce}: any journal. */
export type EventStore = Pick<JournalStore, 'get' | 'compareAndSet'>;

/** After this many leases, work counts as hung. */
const maxLeases = 10;
/** How often it is tried to store that an event was handled, and the first pause in between, which doubles. */
const maxAttempts = 6;
const pauseMs = 100;

/**
 * Handles each event once, on all machines that share the store of a journal: for the option `once` of
 * `createWebhookHandler`, or called with an `eventKey` for what a poll reads. Its function resolves to `done` when the work
 * is done and the event is stored as handled, to `already` if it was handled before, and to `busy` while another process
 * handles it. Work that throws, rejects or returns an `Err` of neverthrow has failed: the function rejects with its error,
 * and the event can be handled again at once. The event of a process that died can be handled again when its lease expires.
 *
 * So an event that keeps coming until it is `done` is handled at least once, and never again afterwards. It can be handled
 * twice if a process dies, or the store fails, after the work and before the event is stored as handled; and if a process
 * is frozen, or cannot reach the store, for longer than its lease. If the work publishes with an `idempotencyKey`, it
 * publishes once even then. The clocks of the machines must agree within half a lease.
 *
 * Throws a ConfigurationError for an invalid journal, and for options out of bounds. The function rejects with a
 * TransportError, reason `journal`, when the store fails, and with a ConfigurationError for a key that does not have 1 to
 * 255 characters.
 *
 * @example
 * const outcome = await eventsOnce(memoryJournal())('comment 1742', () => console.log('a new comment'));
 * console.log(outcome); // 'done'
 */
export function eventsOnce(journal: EventStore, options: EventsOnceOptions = {}): Once {
  const { get, compareAndSet } = fromCaller('journal', () => {
    // Read here: a proxy may throw.
    const { get, compareAndSet } = fieldsOf(journal);
    return { get, compareAndSet };
  });
  if (typeof get !== 'function' || typeof compareAndSet !== 'function') {
    throw new ConfigurationError('journal must have the methods get and compareAndSet', 'journal');
  }
  const checked = checkOptions(options, {
    leaseMs: rule.optional(rule.between(1, longestTimer)),
    ttlMs: rule.optional(rule.between(1, Infinity)),
  });
  if (checked.isErr()) throw checked.error;
  const { leaseMs = 60_000, ttlMs = 604_800_000 } = checked.value;
  if (ttlMs <= leaseMs) throw new ConfigurationError('ttlMs must be more than leaseMs', 'ttlMs');

  const clock = createLeaseClock();
  return async (key, work) => {
    const invalid = checkKey(key, 'key');
    if (invalid) throw invalid;
    const claim = openClaim(journal, clock, `pagepics-event ${key}`, leaseMs, ttlMs);
    try {
      const found = await claim.take();
      if (found !== undefined) return found;
      const endRenewal = startRenewal(claim, leaseMs);
      try {
        void hookValue(await work());
      } catch (thrown) {
        await endRenewal();
        // If the store fails now, the event is free when its lease expires.
        await claim.free().catch(() => undefined);
        throw thrown;
      }
      await endRenewal();
      await claim.finish();
      return 'done';
    } finally {
      claim.end();
    }
  };
}

/** What is stored of an event. */
interface EventEntry {
  /** When it was handled. */
  readonly done?: number;
  /** Until when its owner blocks others. */
  readonly until?: number;
  readonly owner?: string;
}

interface LeaseClock extends Pick<MonotonicClock, 'monotonic' | 'sleep'> {
  /** Until when the claims of this process last, by their owners and its monotonic time: its clock may be set ahead. */
  readonly own: Map<string | undefined, number>;
  /**
   * The local time. What was `recorded` later than now was recorded before the clock was set back, if this process has seen
   * that: for it, the clock goes on as before, so that nothing lasts any longer.
   */
  readonly now: (recorded?: number) => number;
}

function createLeaseClock(): LeaseClock {
  const { now: wall, monotonic, sleep } = systemClock;
  /** By how much the clock was ahead of its monotonic time at most. */
  let aheadMs = -Infinity;
  return {
    own: new Map(),
    monotonic,
    sleep,
    now: (recorded = -Infinity) => {
      const [now, at] = [wall(), monotonic()];
      aheadMs = Math.max(now - at, aheadMs);
      return recorded > now ? at + aheadMs : now;
    },
  };
}

/** An event that this call is to handle. */
function openClaim(journal: EventStore, clock: LeaseClock, key: string, leaseMs: number, ttlMs: number) {
  const owner = crypto.randomUUID();

  /** Claims the event, unless another call holds it, or it is done. */
  async function take(): Promise<'already' | 'busy' | undefined> {
    const begun = clock.monotonic();
    const until = clock.now() + leaseMs;
    const text = JSON.stringify({ until, owner } satisfies EventEntry);
    clock.own.set(owner, begun + leaseMs);
    // Usually the event is new: then nothing needs to be read.
    if (!(await swap(undefined, text))) {
      const stored = await read();
      const entry = toEntry(stored);
      if (entry.done !== undefined) return 'already';
      // A store may report a failure, but have stored the claim: then this call holds it.
      if (entry.owner !== owner && (isHeld(entry) || !(await swap(stored, text)))) return 'busy';
    }
    // After a slow claim, or if the process was frozen, another call may soon take over.
    const tookMs = Math.max(clock.monotonic() - begun, clock.now() + leaseMs - until);
    return tookMs < leaseMs / 2 ? undefined : 'busy';
  }

  /** Whether another call blocks the event. No clocks that agree give a lease that ends later: one was set back. */
  function isHeld({ until = 0, owner: by }: EventEntry): boolean {
    if ((clock.own.get(by) ?? 0) > clock.monotonic()) return true;
    const leftMs = until - clock.now(until - leaseMs);
    return leftMs > 0 && leftMs <= 1.5 * leaseMs;
  }

  /** Replaces the claim, if this call still holds it. */
  async function replaceOwn(entry: EventEntry): Promise<void> {
    const stored = await read();
    if (toEntry(stored).owner === owner) await swap(stored, JSON.stringify(entry));
  }

  /** Stores that the event was handled, even over the claim of a later call: it is true in any case. */
  async function finish(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const stored = await read();
        if (toEntry(stored).done !== undefined) return;
        if (await swap(stored, JSON.stringify({ done: Date.now() } satisfies EventEntry))) return;
      } catch (thrown) {
        if (attempt === maxAttempts) throw thrown;
      }
      if (attempt === maxAttempts) throw journalFailure('another write came first each time', 'applied');
      await clock.sleep(pauseMs * 2 ** attempt);
    }
  }

  async function read(): Promise<string | undefined> {
    const text: unknown = await guard(() => within(leaseMs, () => journal.get(key)));
    return typeof text === 'string' ? text : undefined;
  }

  async function swap(expected: string | undefined, text: string): Promise<boolean> {
    const isStored = await guard(() =>
      within(leaseMs, () => journal.compareAndSet(key, expected, text, ttlMs)),
    );
    if (typeof isStored !== 'boolean') throw journalFailure(`compareAndSet resolved to ${typeof isStored}`);
    // A claim that the store did not keep, whatever it reports, blocks nobody.
    if (isStored && (await read()) !== text) {
      throw journalFailure('it lost what it reported as stored');
    }
    return isStored;
  }

  return {
    take,
    /** Extends the claim by a lease. */
    renew: () => {
      clock.own.set(owner, clock.monotonic() + leaseMs);
      return replaceOwn({ until: clock.now() + leaseMs, owner });
    },
    /** Gives up the claim. */
    free: () => replaceOwn({}),
    finish,
    /** Forgets it. */
    end: () => void clock.own.delete(owner),
  };
}

function toEntry(text: string | undefined): EventEntry {
  try {
    // Only this file writes under these keys, and each member may be missing.
    return Object(JSON.parse(text ?? '{}'));
  } catch {
    throw journalFailure('an entry cannot be read', 'unknown');
  }
}

/** Renews a claim repeatedly. The returned function ends that, and waits for a renewal in progress. */
function startRenewal({ renew }: ReturnType<typeof openClaim>, leaseMs: number): () => Promise<void> {
  let renewal: Promise<void> | undefined;
  let left = 3 * maxLeases;
  const timer = setInterval(() => {
    if (--left < 0) clearInterval(timer);
    // The next renewal makes up for a failed one.
    else
      renewal ??= renew()
        .catch(() => undefined)
        .finally(() => (renewal = undefined));
  }, leaseMs / 3);
  return async () => {
    clearInterval(timer);
    await renewal;
  };
}
