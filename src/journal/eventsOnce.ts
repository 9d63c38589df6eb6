import { hookValue } from '../core/deriveError.ts';
import { ConfigurationError } from '../core/errors.ts';
import { between, checkOptions, optional } from '../core/options/check.ts';
import { longestTimer, systemClock, within } from '../core/options/clock.ts';
import { checkKey, journalFailure } from '../core/writes/journal/failures.ts';
import { guard } from '../core/writes/journal/slot.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import type { Once } from '../webhooks/createWebhookHandler.ts';

export interface EventsOnceOptions {
  /**
   * Milliseconds for which a process that died keeps others off an event. It is renewed while an event is handled, up to
   * ten times this long: work that takes longer is taken for hung. From 1 on.
   * @default 60_000
   */
  readonly leaseMs?: number | undefined;
  /**
   * Milliseconds for which it is remembered that an event was handled. More than `leaseMs`, and longer than the event can
   * come again: the platform delivers for 36 hours, a poll as long as it lists.
   * @default 604_800_000, seven days
   */
  readonly ttlMs?: number | undefined;
}

/** Of what {@link eventsOnce} is made: any journal. */
export type EventStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'transact'>;

/** After so many leases, work is taken for hung. */
const mostLeases = 10;
/** How often it is tried to store that an event was handled, and the first pause between, which doubles. */
const most = 6;
const pauseMs = 100;

/**
 * Has each event handled once, over all machines that share the store of a journal: for the option `once` of
 * `createWebhookHandler`, and with `eventKey` for what a poll reads. Its function resolves to `done` when the work is done
 * and that is stored, to `already` if it was before, and to `busy` while another one is at it. Work that throws, rejects
 * or hands out an `Err` of neverthrow has failed: the function rejects with its error, and the event can be handled again
 * at once. The event of a process that died can be handled again when its lease is over.
 *
 * So an event that comes again until then is handled at least once, and its handling never begins again after `done`.
 * It can be handled twice where a process dies, or the store fails, between the end of the work and its being stored; and
 * where a process stands still, or loses the store, for longer than its lease. Give what the work publishes an
 * `idempotencyKey`, and that is published once even then. The clocks of the machines must agree within half a lease.
 *
 * Throws a ConfigurationError for what is no journal, and for options out of their bounds. The function rejects with a
 * TransportError, reason `journal`, when the store fails, and with a ConfigurationError for a key that has not 1 to 255
 * characters.
 *
 * @example
 * const outcome = await eventsOnce(memoryJournal())('comment 1742', () => console.log('a new comment'));
 * console.log(outcome); // 'done'
 */
export function eventsOnce(journal: EventStore, options: EventsOnceOptions = {}): Once {
  // Callers without types may pass anything: each member may be missing, and is checked.
  const { get, compareAndSet } = Object(journal) as Partial<EventStore>;
  if (typeof get !== 'function' || typeof compareAndSet !== 'function') {
    throw new ConfigurationError('journal must have the methods get and compareAndSet', 'journal');
  }
  const own = checkOptions(
    options,
    () => ({ leaseMs: optional(between(1, longestTimer)), ttlMs: optional(between(1, Infinity)) }),
    ({ leaseMs = 60_000, ttlMs = 604_800_000 }) =>
      ttlMs > leaseMs ? undefined : new ConfigurationError('ttlMs must be more than leaseMs', 'ttlMs'),
  );
  if (own.isErr()) throw own.error;
  const { leaseMs = 60_000, ttlMs = 604_800_000 } = own.value;

  return async (key, work) => {
    const invalid = checkKey(key, 'key');
    if (invalid) throw invalid;
    const claim = openClaim(journal, `pagepics-event ${key}`, { leaseMs, ttlMs });
    const found = await claim.take();
    if (found !== undefined) return found;
    const endRenewal = renewing(claim, leaseMs);
    try {
      hookValue(await work());
    } catch (thrown) {
      await endRenewal();
      // If that fails, the event is free when its lease is over.
      await claim.free().catch(() => undefined);
      throw thrown;
    }
    await endRenewal();
    await claim.finish();
    return 'done';
  };
}

/** What is stored of an event. */
interface Entry {
  /** When it was handled. */
  readonly done?: number;
  /** Until when its owner keeps others off. */
  readonly until?: number;
  readonly owner?: string;
}

/** An event that this call is to handle. */
interface Claim {
  /** Keeps others off, unless one is at it, or it is done. */
  readonly take: () => Promise<'already' | 'busy' | undefined>;
  /** Keeps others off for another lease, if it is this call's still. */
  readonly renew: () => Promise<void>;
  /** Lets others at it, if it is this call's still. */
  readonly free: () => Promise<void>;
  /** Stores that it is handled, also over a call that took it meanwhile: that is true all the same. */
  readonly finish: () => Promise<void>;
}

function openClaim(
  journal: EventStore,
  key: string,
  { leaseMs, ttlMs }: { readonly leaseMs: number; readonly ttlMs: number },
): Claim {
  const owner = crypto.randomUUID();

  async function take(): Promise<'already' | 'busy' | undefined> {
    const until = Date.now() + leaseMs;
    const text = JSON.stringify({ until, owner } satisfies Entry);
    // Mostly, nobody was at it: then nothing is read.
    if (!(await swap(undefined, text))) {
      const stored = await read();
      const entry = toEntry(stored);
      if (entry.done !== undefined) return 'already';
      // Of a store that says no and stores all the same, it is this call's.
      if (entry.owner !== owner && ((entry.until ?? 0) > Date.now() || !(await swap(stored, text))))
        return 'busy';
    }
    // After a slow claim, or a standstill, another one may be at it soon.
    return Date.now() < until - leaseMs / 2 ? undefined : 'busy';
  }

  async function replaceOwn(entry: Entry): Promise<void> {
    const stored = await read();
    if (toEntry(stored).owner === owner) await swap(stored, JSON.stringify(entry));
  }

  async function finish(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const stored = await read();
        if (toEntry(stored).done !== undefined) return;
        if (await swap(stored, JSON.stringify({ done: Date.now() } satisfies Entry))) return;
      } catch (thrown) {
        if (tries === most) throw thrown;
      }
      if (tries === most) throw journalFailure('others wrote first each time', 'applied');
      await systemClock.sleep(pauseMs * 2 ** tries);
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
    // What a store did not keep, whatever it says, keeps nobody off.
    if (isStored && !journal.transact && (await read()) !== text) {
      throw journalFailure('it did not keep what it said to have stored');
    }
    return isStored;
  }

  return {
    take,
    renew: () => replaceOwn({ until: Date.now() + leaseMs, owner }),
    free: () => replaceOwn({}),
    finish,
  };
}

function toEntry(text: string | undefined): Entry {
  try {
    // Only this file writes under these keys, and each member may be missing.
    return Object(JSON.parse(text ?? '{}')) as Entry;
  } catch {
    throw journalFailure('an entry cannot be read', 'unknown');
  }
}

/** Renews a claim again and again. What is returned ends that, and waits for what is under way. */
function renewing({ renew }: Claim, leaseMs: number): () => Promise<void> {
  let renewal: Promise<void> | undefined;
  let left = 3 * mostLeases;
  const timer = setInterval(() => {
    if (--left < 0) clearInterval(timer);
    // What fails is tried again the next time.
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
