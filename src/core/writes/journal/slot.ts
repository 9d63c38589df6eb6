import { TransportError } from '../../errors.ts';
import { fieldsOf } from '../../objects.ts';
import { finalMs } from '../tolerances.ts';
import { journalFailure } from './failures.ts';
import { jointOf } from './joint.ts';
import type { JournalReplacement, KeyedContext } from './types.ts';

/** The text that a journal stores under one key. Each operation ends in time, whatever the store does, or throws why not. */
export interface Slot {
  readonly read: () => Promise<string | undefined>;
  /** Replaces the stored text, to be kept for some milliseconds. */
  readonly swap: (expected: string | undefined, text: string, ttlMs: number) => Promise<boolean>;
  /** Replaces the stored text and other records in one step, all or none; `undefined` if the store cannot. */
  readonly swapWith:
    | ((others: readonly JournalReplacement[], ...swap: Parameters<Slot['swap']>) => Promise<boolean>)
    | undefined;
}

/** How long an operation may take, and what ends it early. */
export interface SlotLimits {
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** When the final operations of the call must be over, by the monotonic clock. The first of them sets it. */
  finalEndsAt?: number;
}

/** Opens what is stored under a key; `finalSlot` is for final operations, which must be done even after an abort. */
export function openSlot(
  { journal, clock, timeoutMs, fetcher }: KeyedContext,
  key: string,
  limits: SlotLimits,
): { readonly slot: Slot; readonly finalSlot: Slot } {
  const { deadline, signal } = limits;
  const leftMs = (): number => Math.max(0, deadline - clock.monotonic());

  /** Does an operation that an abort, or closing the context, ends early. */
  function within<T>(work: () => Promise<T>): Promise<T> {
    return fetcher.withTimeout(Math.min(timeoutMs, leftMs()), signal, work);
  }

  /** Does a final operation. All those of a call together may take as long as one operation. */
  async function insist<T>(work: () => Promise<T>): Promise<T> {
    limits.finalEndsAt ??= performance.now() + Math.min(timeoutMs, Math.max(finalMs, leftMs()));
    const restMs = (): number => Math.max(0, (limits.finalEndsAt ?? 0) - performance.now());
    const done = work();
    if (restMs() === 0) {
      done.catch(() => undefined);
      throw journalFailure('it did not respond in time');
    }
    try {
      return await fetcher.withTimeout(restMs(), signal, () => done);
    } catch (thrown) {
      if (!(thrown instanceof TransportError && /aborted|closed/.test(thrown.reason))) throw thrown;
      limits.finalEndsAt = Math.min(limits.finalEndsAt, performance.now() + finalMs);
      return inTime(done, restMs());
    }
  }

  function slotOf(run: typeof within): Slot {
    const compareAndSetAll = jointOf(journal.journal);
    const store = async (name: string, work: () => Promise<boolean>): Promise<boolean> => {
      const isStored: unknown = await guard(() => run(work));
      if (typeof isStored === 'boolean') return isStored;
      throw journalFailure(`${name} resolved to ${typeof isStored}`);
    };
    return {
      read: async () => {
        const text: unknown = await guard(() => run(async () => journal.journal.get(key, clock.now())));
        if (typeof text === 'string') return text;
        if (text === undefined || text === null) return undefined;
        throw journalFailure(`get resolved to ${typeof text}`);
      },
      swap: (expected, text, ttlMs) =>
        store('compareAndSet', async () =>
          journal.journal.compareAndSet(key, expected, text, ttlMs, clock.now()),
        ),
      swapWith:
        compareAndSetAll &&
        ((others, expected, value, ttlMs) =>
          store('compareAndSetAll', async () =>
            compareAndSetAll([...others, { key, expected, value, ttlMs }], clock.now()),
          )),
    };
  }

  return { slot: slotOf(within), finalSlot: slotOf(insist) };
}

/** What a promise resolves to, if that comes in time. */
function inTime<T>(done: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(journalFailure('it did not respond in time')), ms);
    done.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A key as the store has it: another one for each platform address, the same one for all API versions. */
export function storeKey({ graphBase }: KeyedContext, key: string, kind = ''): string {
  return `pagepics${kind} ${new URL(graphBase).origin} ${key}`;
}

/** Does an operation of a store. If it rejects, throws a TransportError with the reason `journal`. */
export async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof TransportError)) throw journalFailure(nameOf(thrown));
    throw thrown.reason === 'timeout' ? journalFailure('it did not respond in time') : thrown;
  }
}

/** The name of a store's error. Its message is left out, since it may contain an address with a password. */
function nameOf(thrown: unknown): string {
  try {
    const { name, code } = fieldsOf(thrown);
    const words = [name, code].filter((word) => typeof word === 'string' && /^\w{1,60}$/.test(word));
    return words.join(' ') || 'no reason was given';
  } catch {
    // Anything can be thrown, even a value that throws when it is read.
    return 'no reason was given';
  }
}
