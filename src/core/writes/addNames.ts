import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { withOutcome } from '../deriveError.ts';
import { ApiError, type RequestFailure, type TransportError } from '../errors.ts';
import type { CallLimits } from '../http/types.ts';
import { longestTimer } from '../options/clock.ts';
import type { JournalContext } from './journal/types.ts';

/** A set of names that the platform takes only as a whole. */
export interface AddNames extends Required<CallLimits> {
  /** Identifies the set: additions to one set are made one after another. */
  readonly set: string;
  /** The names to add. */
  readonly names: readonly string[];
  readonly read: () => ResultAsync<readonly string[], RequestFailure>;
  readonly write: (names: readonly string[]) => ResultAsync<boolean, RequestFailure>;
}

/** How often to write names that another process may have removed again. */
const most = 3;

/**
 * Adds names to a set, and reads them back, since another process may write the set between the read and the write.
 * Calls that share a memory run one after another.
 */
export function addNames(context: JournalContext, request: AddNames): ResultAsync<boolean, RequestFailure> {
  return new ResultAsync(inTurn(context, request, () => addUntilShown(request)));
}

async function addUntilShown({ names, read, write }: AddNames): Promise<Result<boolean, RequestFailure>> {
  for (let writes = 0; ; writes++) {
    const known = await read();
    if (known.isErr()) return err(writes === 0 ? known.error : withOutcome(known.error, 'applied'));
    const missing = names.filter((name) => !known.value.includes(name));
    if (writes > 0 && missing.length === 0) return ok(true);
    if (writes === most) {
      const message = `the platform took these names, and does not show them: ${missing.join(', ')}`;
      return err(new ApiError(message, { payload: { missing }, outcome: 'unknown' }));
    }
    const written = await write([...new Set([...known.value, ...names])]);
    if (written.isErr()) return written;
  }
}

/** The last addition to each set, by memory. */
const turns = new WeakMap<object, Map<string, Promise<unknown>>>();

async function inTurn<T>(
  { memory, graphBase, graphVersion, clock, fetcher }: JournalContext,
  { set, signal, deadline = Infinity }: AddNames,
  work: () => Promise<Result<T, RequestFailure>>,
): Promise<Result<T, RequestFailure>> {
  const sets = turns.get(memory) ?? new Map<string, Promise<unknown>>();
  turns.set(memory, sets);
  const key = graphBase.slice(0, -graphVersion.length) + set;
  const before = sets.get(key);
  const own = wait().then((stopped) => (stopped === undefined ? work() : err(stopped)));
  // A call that is stopped while it waits still lets those before it finish first.
  const last = Promise.allSettled([before, own]);
  sets.set(key, last);
  const result = await own;
  if (sets.get(key) === last) sets.delete(key);
  return result;

  async function wait(): Promise<TransportError | undefined> {
    // A closing context has no deadline; the first request then fails.
    if (before === undefined || Number.isNaN(deadline)) return undefined;
    try {
      const ms = Math.min(deadline - clock.monotonic(), longestTimer);
      await fetcher.withTimeout(ms, signal, async () => before);
      return undefined;
    } catch (thrown) {
      // `withTimeout` rejects with nothing else.
      return thrown as TransportError;
    }
  }
}
