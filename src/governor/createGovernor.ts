import { err, errAsync, ok, ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { ConfigurationError, RateLimitError, TransportError } from '../core/errors.ts';
import { type Lane, lanes as laneNames, type LimitState } from '../core/http/governor.ts';
import { guardHook } from '../core/http/hooks.ts';
import type { Attempt, Governor } from '../core/http/types.ts';
import {
  between,
  checkContext,
  checkOptions,
  fieldsOf,
  hook,
  objectRule,
  optional,
  satisfies,
} from '../core/options/check.ts';
import { longestTimer, within } from '../core/options/clock.ts';
import { createLimits, type GovernorStore } from './limits.ts';
import { createQueue, type Pass } from './queue.ts';
import { type Use, useOf } from './uses.ts';

/** Options of {@link createGovernor}. */
export interface GovernorOptions {
  /**
   * The store over which processes share what they know: a journal, such as those of `pagepics/journal`.
   * @default none: the governor of one process
   */
  readonly store?: GovernorStore | undefined;
  /**
   * Percent of a limit that the calls of a lane may use, from 1 to 100.
   * @default { publish: 100, interact: 90, read: 75, background: 50 }
   */
  readonly lanes?: Partial<Record<Lane, number>> | undefined;
  /**
   * Milliseconds that a call may wait for room, from 0 to 2_147_483_647.
   * @default 0
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Milliseconds between two exchanges with the store, from 100 to 2_147_483_647.
   * @default 1000
   */
  readonly syncMs?: number | undefined;
  /** Called when something new is known about a limit. Anything it throws is ignored. */
  readonly onChange?: ((limit: LimitState) => unknown) | undefined;
  /** Called when the store fails: calls then rely on what the process knows. Anything it throws is ignored. */
  readonly onStoreError?: ((error: unknown) => unknown) | undefined;
}

const shares: Readonly<Record<Lane, number>> = { publish: 100, interact: 90, read: 75, background: 50 };
/** The shares of lanes. Unknown names are refused: no call would keep to such a share. */
const lanesRule = objectRule(
  Object.fromEntries(laneNames.map((name) => [name, optional(between(1, 100))])),
  () => 'is not a lane',
);

/**
 * Creates a governor, which keeps calls under the platform's rate limits. Pass it as the option `governor` to all contexts
 * of a process; processes that share its store keep under the limits together.
 *
 * Throws a ConfigurationError that names the option that is out of bounds.
 *
 * @example
 * const governor = createGovernor({ maxWaitMs: 30_000 });
 * const context = createPageContext({ appId, appSecret, governor });
 */
export function createGovernor(options: GovernorOptions = {}): Governor {
  const checked = checkOptions(options, () => ({
    store: optional(
      satisfies((value) => {
        const { get, compareAndSet } = fieldsOf(value);
        return typeof get === 'function' && typeof compareAndSet === 'function';
      }, 'a journal'),
    ),
    lanes: optional(lanesRule),
    maxWaitMs: optional(between(0, longestTimer)),
    syncMs: optional(between(100, longestTimer)),
    onChange: optional(hook),
    onStoreError: optional(hook),
  }));
  if (checked.isErr()) throw checked.error;
  const { store, lanes, maxWaitMs = 0, syncMs = 1000, onChange, onStoreError } = checked.value;
  const own = laneNames.map((name) => ({ ...shares, ...lanes })[name]);
  const move = (): void => queue.move();
  const known = createLimits(store, own, syncMs, guardHook(onChange), guardHook(onStoreError), move);
  const queue = createQueue(maxWaitMs, syncMs, known.exchange);

  async function send(use: Use, attemptOnce: Attempt, ...args: Parameters<Attempt>): ReturnType<Attempt> {
    const [prepared] = args;
    const { context, request, deadline } = prepared;
    let limits = known.limitsOf(use);
    while ('then' in limits) {
      const reading = limits;
      try {
        const leftMs = deadline - context.clock.monotonic();
        const limitMs = leftMs < 10_000 ? leftMs : Infinity;
        await context.fetcher.withTimeout(limitMs, request.signal, async () => reading);
      } catch (thrown) {
        // `withTimeout` rejects with nothing else: the reading does not.
        return { error: thrown as TransportError, isRejected: true };
      }
      limits = known.limitsOf(use);
    }
    const entered = queue.enter(prepared, use, limits);
    const pass = 'then' in entered ? await entered : entered;
    if (!pass.isThrough) return { error: pass.error ?? refusalOf(pass), isRejected: true };
    // It may have been aborted just as it was let through.
    const { error } = pass;
    const result = error ? { error, isRejected: true } : await attemptOnce(...args);
    const urgent = known.learn(use, pass, result);
    queue.move();
    // It must not keep the result from a caller who no longer waits.
    if (urgent)
      await context.fetcher.withTimeout(Infinity, request.signal, () => urgent).catch(() => undefined);
    return result;
  }

  function refusalOf({ use, limit, waitMs }: Pass): RateLimitError {
    const { kind = '', id = '', percent = 0 } = limit ? known.stateOf(limit, use.clock) : {};
    const message = `not sent: ${Math.floor(percent)} % of the limit ${kind} of ${id} is used, too much for the lane ${laneNames[use.lane]}`;
    const details = { category: 'rate_limit', outcome: 'rejected' } as const;
    return Object.assign(new RateLimitError(message, details, Math.ceil(waitMs)), {
      limit: { kind, id, percent },
    });
  }

  return {
    govern:
      (attemptOnce) =>
      (...args) => {
        const use = useOf(args[0]);
        return use ? send(use, attemptOnce, ...args) : attemptOnce(...args);
      },
    limits: async (context) => {
      try {
        return ok(await within(2000, () => known.list(context)));
      } catch {
        return err(new TransportError('journal', 'the store of the governor failed'));
      }
    },
  };
}

/**
 * What the fleet knows of the platform's rate limits.
 *
 * Fails with a TransportError, reason `journal`, when the store fails, and with a ConfigurationError when `context` has
 * no governor.
 *
 * @example
 * const known = await limits(context);
 * if (known.isOk()) for (const { kind, id, percent } of known.value) console.log(kind, id, percent);
 */
export function limits(
  context: Context,
): ResultAsync<readonly LimitState[], TransportError | ConfigurationError> {
  const invalid = checkContext(context);
  if (invalid) return errAsync(invalid);
  const { governor } = context.fetcher;
  return governor
    ? new ResultAsync(governor.limits(context))
    : errAsync(new ConfigurationError('context must have a governor', 'governor'));
}
