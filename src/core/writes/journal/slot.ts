import { TransportError } from '../../errors.ts';
import { journalFailure } from './failures.ts';
import type { JournalReplacement, KeyedContext } from './types.ts';

/** The longest that a write after the end of the call may take, in milliseconds, after its deadline or an abort. */
const leastMs = 5000;

/** The text that a journal stores under one key. Whatever the store does, it ends in time, or throws why not. */
export interface Slot {
  readonly key: string;
  /** Whether the store does several replacements as one: then what it says that it stored is not read back. */
  readonly isTrusted: boolean;
  readonly read: () => Promise<string | undefined>;
  /** Replaces what is stored, by default for `journalTtlMs`. */
  readonly swap: (expected: string | undefined, text: string, ttlMs?: number) => Promise<boolean>;
  /** The same together with replacements that belong to it, where the store is trusted: tells which of all stored. */
  readonly swapWith: (
    expected: string | undefined,
    text: string,
    others: readonly JournalReplacement[],
  ) => Promise<readonly boolean[]>;
}

/** How long an operation may take, and what ends it before. */
export interface SlotLimits {
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

export function openSlot(
  { journal, clock, timeoutMs, fetcher }: KeyedContext,
  key: string,
  { deadline, signal }: SlotLimits,
): { readonly slot: Slot; readonly lastly: Slot } {
  /** Does an operation that the signal and the end of the context end. */
  function within<T>(work: () => Promise<T>): Promise<T> {
    const leftMs = Math.max(0, deadline - clock.monotonic());
    return fetcher.withTimeout(Math.min(timeoutMs, leftMs), signal, work);
  }

  /** Does an operation that is to be done also after those. */
  async function lastly<T>(work: () => Promise<T>): Promise<T> {
    const leftMs = signal?.aborted === true ? 0 : deadline - clock.monotonic();
    let end = (): void => undefined;
    const late = new Promise<never>((_, reject) => {
      const endIn = (ms: number) =>
        setTimeout(() => reject(journalFailure('it did not respond in time')), Math.min(timeoutMs, ms));
      let timer = endIn(Math.max(leastMs, leftMs));
      const shorten = (): void => {
        clearTimeout(timer);
        timer = endIn(leastMs);
      };
      signal?.addEventListener('abort', shorten);
      end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', shorten);
      };
    });
    try {
      return await Promise.race([work(), late]);
    } finally {
      end();
    }
  }

  function slotOf(run: typeof within): Slot {
    const slot: Slot = {
      key,
      isTrusted: journal.journal.transact !== undefined,
      read: async () => {
        const text: unknown = await guard(() => run(async () => journal.journal.get(key)));
        if (typeof text === 'string') return text;
        if (text === undefined || text === null) return undefined;
        throw journalFailure(`get resolved to ${typeof text}`);
      },
      swap: async (expected, text, ttlMs = journal.journalTtlMs) => {
        const isStored: unknown = await guard(() =>
          run(async () => journal.journal.compareAndSet(key, expected, text, ttlMs)),
        );
        if (typeof isStored === 'boolean') return isStored;
        throw journalFailure(`compareAndSet resolved to ${typeof isStored}`);
      },
      swapWith: async (expected, text, others) => {
        const { transact } = journal.journal;
        if (transact === undefined || others.length === 0) return [await slot.swap(expected, text)];
        const own = { key, expected, value: text, ttlMs: journal.journalTtlMs };
        const isStored: unknown = await guard(() => run(() => transact([own, ...others])));
        if (Array.isArray(isStored) && isStored.every((one) => typeof one === 'boolean')) return isStored;
        throw journalFailure('transact did not resolve to what it stored');
      },
    };
    return slot;
  }

  return { slot: slotOf(within), lastly: slotOf(lastly) };
}

/** Keys of one platform address are apart from those of another, but the same for all its versions. */
export function storeKey({ graphBase }: KeyedContext, key: string, kind = ''): string {
  return `pagepics${kind} ${new URL(graphBase).origin} ${key}`;
}

/** Does an operation of a store. Throws what it rejects with as a failure. */
export async function guard<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof TransportError)) throw journalFailure(nameOf(thrown));
    throw thrown.reason === 'timeout' ? journalFailure('it did not respond in time') : thrown;
  }
}

/** What a store's error is called. Its text is left out: it may hold an address with a password. */
function nameOf(thrown: unknown): string {
  try {
    const { name, code } = Object(thrown) as { readonly name?: unknown; readonly code?: unknown };
    const words = [name, code].filter((word) => typeof word === 'string' && /^\w{1,60}$/.test(word));
    return words.join(' ') || 'no reason was given';
  } catch {
    // Anything can be thrown, even what cannot be looked into.
    return 'no reason was given';
  }
}
