import { err, ok, type Result, ResultAsync } from 'neverthrow';

import { withOutcome } from './deriveError.ts';
import { ApiError, type RequestFailure } from './errors.ts';
import { duringCall } from './http/lifecycle.ts';
import type { CallLimits } from './http/types.ts';
import { within } from './options/clock.ts';
import type { WriteContext } from './writes/memory.ts';

/** A set of names that the platform takes only as a whole. */
export interface AddNames extends CallLimits {
  /** Identifies the set: additions to one set are made one after another. */
  readonly set: string;
  /** The names to add. */
  readonly names: readonly string[];
  /** Reads the set; `undefined` if the platform does not show its names, so that the write cannot be verified. */
  readonly read: () => ResultAsync<readonly string[] | undefined, RequestFailure>;
  readonly write: (names: readonly string[]) => ResultAsync<boolean, RequestFailure>;
}

/** Whether the fields of a subscription are added to the set that it has. */
export interface AddOptions {
  /**
   * `true` adds the fields to those that the app is already subscribed to: these are read first, and if that fails,
   * nothing is changed. The context needs an `appId`. Concurrent calls that share a memory run one after another. The
   * fields are then read back, for up to 8 seconds if the list lags; those that another process has removed meanwhile
   * are written again, up to twice. If some are still missing, the call fails with an ApiError of outcome `unknown`,
   * whose payload lists them as `missing`. If the platform lists the app without fields, they cannot be compared: then
   * the platform's success counts.
   * @default false
   */
  readonly add?: boolean | undefined;
}

/** How often to write names that another process removes again. */
const maxWrites = 3;

/** Milliseconds between looks at a list that does not show a change yet. */
const pausesMs = [500, 1000, 2000, 4000];

/**
 * Adds names to a set, and reads them back, since another process may write the set between the read and the write.
 * Calls that share a memory run one after another.
 */
export function addNames(context: WriteContext, request: AddNames): ResultAsync<boolean, RequestFailure> {
  return new ResultAsync(inTurn(context, request, () => addUntilShown(context, request)));
}

async function addUntilShown(
  { fetcher, clock }: WriteContext,
  { names, read, write, signal, deadline }: AddNames,
): Promise<Result<boolean, RequestFailure>> {
  const before = await read();
  if (before.isErr()) return err(before.error);
  let known = before.value ?? [];
  for (let writes = 1; ; writes++) {
    const written = await write([...new Set([...known, ...names])]);
    if (written.isErr()) return written;
    const shown = await readBack(known);
    if (shown.isErr()) return err(withOutcome(shown.error, 'applied'));
    const { value } = shown;
    const missing = value === undefined ? [] : missingIn(value);
    if (missing.length === 0) return ok(true);
    if (writes === maxWrites || value === undefined || isSame(value, known)) {
      const message = `the platform accepted these names, but does not show them: ${missing.join(', ')}`;
      return err(new ApiError(message, { payload: { missing }, outcome: 'unknown' }));
    }
    known = value;
  }

  /** Reads the set until it differs from what it was before the write, or for some seconds: the platform's list lags. */
  async function readBack(
    previous: readonly string[],
  ): Promise<Result<readonly string[] | undefined, RequestFailure>> {
    for (let look = 0; ; look++) {
      const shown = await read();
      if (shown.isErr() || shown.value === undefined || missingIn(shown.value).length === 0) return shown;
      const pauseMs = pausesMs[look] ?? Infinity;
      if (!isSame(shown.value, previous) || clock.monotonic() + pauseMs >= deadline) return shown;
      const paused = await fetcher.pause(clock, pauseMs, signal);
      if (paused.isErr()) return err(paused.error);
    }
  }

  function missingIn(shown: readonly string[]): readonly string[] {
    return names.filter((name) => !shown.includes(name));
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return new Set(one).size === new Set(other).size && one.every((name) => other.includes(name));
}

/** How long a call waits for those before it: the runtime may have ended them. */
const longestTurnMs = 60_000;

/** The last addition to each set, by memory. */
const turns = new WeakMap<object, Map<string, Promise<unknown>>>();

async function inTurn<T>(
  context: WriteContext,
  request: AddNames,
  work: () => Promise<Result<T, RequestFailure>>,
): Promise<Result<T, RequestFailure>> {
  const { memory, graphBase, graphVersion } = context;
  const sets = turns.get(memory) ?? new Map<string, Promise<unknown>>();
  turns.set(memory, sets);
  const key = graphBase.slice(0, -graphVersion.length) + request.set;
  const earlier = sets.get(key);
  const before = earlier && within(longestTurnMs, () => earlier).catch(() => undefined);
  const turn = before ? workAfter(before) : work();
  // If this call is stopped while it waits, the next one still waits for those before it.
  const last = Promise.allSettled([before, turn]);
  sets.set(key, last);
  const result = await turn;
  if (sets.get(key) === last) sets.delete(key);
  return result;

  async function workAfter(others: Promise<unknown>): Promise<Result<T, RequestFailure>> {
    const waited = await duringCall(context, request, () => others);
    return waited.isErr() ? err(waited.error) : work();
  }
}
