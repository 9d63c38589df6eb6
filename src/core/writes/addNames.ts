import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { withOutcome } from '../deriveError.ts';
import { ApiError, type RequestFailure, type TransportError } from '../errors.ts';
import type { CallLimits } from '../http/types.ts';
import { longestTimer } from '../options/clock.ts';
import type { JournalContext } from './journal/types.ts';

/** A set of names that the platform takes only as a whole. */
export interface AddNames extends Required<CallLimits> {
  /** Names the set: additions to one set are done one after another. */
  readonly set: string;
  /** The names to add. */
  readonly names: readonly string[];
  readonly read: () => ResultAsync<readonly string[], RequestFailure>;
  readonly write: (names: readonly string[]) => ResultAsync<boolean, RequestFailure>;
}

/** How often names are written that another process may have taken out again. */
const most = 3;

/**
 * Adds names to a set, one call of a memory after another, and reads them back: another process may write the set
 * between the read and the write.
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

/** What is done last to each set, by memory. */
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
  // One that is stopped while it waits leaves the turn to those before it.
  const last = Promise.allSettled([before, own]);
  sets.set(key, last);
  const result = await own;
  if (sets.get(key) === last) sets.delete(key);
  return result;

  async function wait(): Promise<TransportError | undefined> {
    // In a context that is closing, no deadline is known: the first request says so.
    if (before === undefined || Number.isNaN(deadline)) return undefined;
    try {
      const ms = Math.min(deadline - clock.monotonic(), longestTimer);
      await fetcher.withTimeout(ms, signal, async () => before);
      return undefined;
    } catch (thrown) {
      return thrown as TransportError;
    }
  }
}
