import { err, errAsync, ok, ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { ConfigurationError, RateLimitError, TransportError } from '../core/errors.ts';
import type { Attempt } from '../core/http/attempt.ts';
import { type Governor, type Lane, lanes as laneNames, type LimitState } from '../core/http/governor.ts';
import { guardHook } from '../core/http/hooks.ts';
import {
  between,
  checkContext,
  checkOptions,
  fields,
  fieldsOf,
  hook,
  optional,
  type Rule,
  that,
} from '../core/options/check.ts';
import { longestTimer, within } from '../core/options/clock.ts';
import { createKnown } from './known.ts';
import type { GovernorStore } from './limit.ts';
import { createQueue, type Pass } from './queue.ts';
import { type Use, useOf } from './uses.ts';

/** How long an exchange with the store may take, in milliseconds. */
const exchangeMs = 1000;

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
const shareOfLanes = fields(Object.fromEntries(laneNames.map((name) => [name, optional(between(1, 100))])));

/** The shares of lanes. Unknown names are refused: no call would keep to such a share. */
const lanesRule: Rule = (value) => {
  const other = Object.keys(Object(value)).find((name) => !Object.hasOwn(shares, name));
  return other === undefined || Array.isArray(value) ? shareOfLanes(value) : `.${other} is not a lane`;
};

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
      that((value) => {
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
  const shareOf = { ...shares, ...lanes };
  const own = laneNames.map((name) => shareOf[name]);
  const onError = guardHook(onStoreError);
  const self = Math.random().toString(36).slice(2, 8);
  let isUp = store !== undefined;

  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const done = await within(exchangeMs, work);
      isUp = true;
      return done;
    } catch (thrown) {
      isUp = false;
      onError?.(thrown);
      return undefined;
    }
  }

  const settings = {
    self,
    store,
    syncMs,
    shares: own,
    below: own.map((_, lane) => Math.max(0, ...own.slice(lane + 1))),
    attempt,
    isUp: () => isUp,
    onChange: guardHook(onChange),
  };
  const known = createKnown(settings);
  const queue = createQueue(maxWaitMs, syncMs);

  async function send(use: Use, attemptOnce: Attempt, ...args: Parameters<Attempt>): ReturnType<Attempt> {
    const [prepared] = args;
    const { context, request, deadline } = prepared;
    let limits = known.limitsOf(use);
    while ('then' in limits) {
      const reading = limits;
      try {
        const leftMs = deadline - context.clock.monotonic();
        // It has a time limit of its own: what another request began may never end, and afterwards nothing is waited for.
        const limitMs = leftMs < exchangeMs ? leftMs : Infinity;
        const read = () =>
          within(exchangeMs, () => reading).catch((thrown: unknown) => attempt(() => Promise.reject(thrown)));
        limits = (await context.fetcher.withTimeout(limitMs, request.signal, read)) ?? known.limitsOf(use);
      } catch (thrown) {
        // `withTimeout` rejects with nothing else: the reading does not.
        return { error: thrown as TransportError, isRejected: true };
      }
    }
    const entered = queue.enter(prepared, use, limits);
    const pass = 'then' in entered ? await entered : entered;
    const { error, isLetThrough } = pass;
    if (!isLetThrough) return { error: error ?? refusalOf(pass), isRejected: true };
    try {
      // It may have been aborted just as it was let through.
      if (error) return { error, isRejected: true };
      const result = await attemptOnce(...args);
      known.learn(pass, result);
      return result;
    } finally {
      queue.leave(pass, prepared);
    }
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
        return ok(await within(exchangeMs, () => known.list(context)));
      } catch {
        return err(new TransportError('journal', 'the store of the governor failed'));
      }
    },
  };
}

function refusalOf({ use, limit, waitMs }: Pass): RateLimitError {
  const { kind = '', id = '', percent = 0 } = limit?.state(use.clock) ?? {};
  const message = `not sent: ${Math.floor(percent)} % of the limit ${kind} of ${id} is used, too much for the lane ${laneNames[use.lane]}`;
  const details = { category: 'rate_limit', outcome: 'rejected' } as const;
  return Object.assign(new RateLimitError(message, details, Math.ceil(waitMs)), {
    limit: { kind, id, percent },
  });
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
