import { err, errAsync, ok, ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { ConfigurationError, RateLimitError, TransportError } from '../core/errors.ts';
import { guardHook } from '../core/http/guardHook.ts';
import {
  type Lane,
  lanes as laneNames,
  type LimitState,
  type Attempt,
  type Governor,
} from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import { checkContext, checkOptions } from '../core/options/check.ts';
import { longestTimer, within } from '../core/options/clock.ts';
import * as rule from '../core/options/rules.ts';
import { createLimits, type Limit } from './limits.ts';
import { exchangeMs, type GovernorStore } from './shared.ts';
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
   * Milliseconds that a call may wait for room, from 0 to 2_147_483_647. It fails at once if none is expected by then.
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
  /**
   * Called when a call begins to wait for room, with the error that it fails with if none comes: `limit`, `retryAfterMs`,
   * `operation` and `callId`. Anything it throws is ignored.
   */
  readonly onHold?: ((held: RateLimitError) => unknown) | undefined;
  /** Called when the store fails: calls then rely on what the process knows. Anything it throws is ignored. */
  readonly onStoreError?: ((error: unknown) => unknown) | undefined;
}

const shares: Readonly<Record<Lane, number>> = { publish: 100, interact: 90, read: 75, background: 50 };
/** The shares of lanes. Unknown names are refused: no call would keep to such a share. */
const lanesRule = rule.closed(
  Object.fromEntries(laneNames.map((name) => [name, rule.optional(rule.between(1, 100))])),
  () => 'is not a lane',
);

/** A call on its way through its limits. */
interface Pass {
  readonly use: Use;
  limits: readonly Limit[];
  /** Until when other calls take its turn into account: a call whose request has died no longer renews this. */
  aliveUntil: number;
}

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
  const checked = checkOptions(options, {
    store: rule.optional(
      rule.satisfies((value) => {
        const { get, compareAndSet } = fieldsOf(value);
        return typeof get === 'function' && typeof compareAndSet === 'function';
      }, 'a journal'),
    ),
    lanes: rule.optional(lanesRule),
    maxWaitMs: rule.optional(rule.between(0, longestTimer)),
    syncMs: rule.optional(rule.between(100, longestTimer)),
    onChange: rule.optional(rule.hook),
    onHold: rule.optional(rule.hook),
    onStoreError: rule.optional(rule.hook),
  });
  if (checked.isErr()) throw checked.error;
  const { store, lanes, maxWaitMs = 0, syncMs = 1000, onChange, onStoreError } = checked.value;
  const onHold = guardHook(checked.value.onHold);
  const shareOf = laneNames.map((name) => ({ ...shares, ...lanes })[name]);
  const known = createLimits(store, shareOf, syncMs, guardHook(onChange), guardHook(onStoreError));
  /** Calls that wait for room. Each asks again by timers of its own. */
  const waiting = new Set<Pass>();
  let calls = 0;

  /** Whether a call may be sent: 0; in how many milliseconds to ask again; or what to wait for first. */
  function step(pass: Pass): number | Promise<unknown> {
    const { use } = pass;
    const limits = known.limitsOf(use);
    if ('then' in limits) return limits;
    pass.limits = limits;
    const heldMs = Math.max(0, ...limits.map((limit) => known.wait(limit, use)));
    if (heldMs > 0) return heldMs;
    const now = use.clock.monotonic();
    // It goes first: what is ahead may wait for the end of its try.
    const isTrying = limits.some((limit) => known.isTrying(limit, use.number));
    for (const other of waiting) {
      const isAhead = (other.use.lane - use.lane || other.use.number - use.number) < 0;
      // Its request has died.
      if (other.aliveUntil <= now) waiting.delete(other);
      // Behind it, whenever that is sent.
      else if (!isTrying && isAhead && other.limits.some((limit) => limits.includes(limit))) return 10;
    }
    const claims = limits.flatMap((limit) => known.claim(limit, use) ?? []);
    return claims.length > 0 ? Promise.all(claims) : 0;
  }

  async function send(use: Use, attemptOnce: Attempt, ...args: Parameters<Attempt>): ReturnType<Attempt> {
    const [{ context, request, deadline }] = args;
    const { clock, fetcher } = context;
    const endsAt = Math.min(clock.monotonic() + maxWaitMs, deadline);
    const pass: Pass = { use, limits: [], aliveUntil: 0 };
    try {
      for (let next = step(pass); next !== 0; next = step(pass)) {
        const now = clock.monotonic();
        if (typeof next === 'number') {
          if (next > endsAt - now) return { error: refusalOf(pass), isRejected: true };
          if (pass.aliveUntil === 0) onHold?.(Object.assign(refusalOf(pass), request.trace.of));
          const ms = Math.max(1, Math.min(next, syncMs));
          pass.aliveUntil = now + ms + exchangeMs;
          waiting.add(pass);
          const paused = await fetcher.pause(clock, ms, request.signal);
          if (paused.isErr()) return { error: paused.error, isRejected: true };
        } else {
          await fetcher.withTimeout(Math.max(0, deadline - now), request.signal, () => next);
        }
      }
    } catch (thrown) {
      // `withTimeout` rejects with nothing else.
      return { error: thrown as TransportError, isRejected: true };
    } finally {
      waiting.delete(pass);
    }
    const learn = known.sent(pass.limits, use);
    const result = await attemptOnce(...args);
    const urgent = learn(result);
    // The caller need not wait for it: after an abort, they get the result at once.
    if (urgent) await fetcher.withTimeout(Infinity, request.signal, () => urgent).catch(() => undefined);
    return result;
  }

  function refusalOf({ use, limits }: Pass): RateLimitError {
    // A call behind another one may have room itself.
    const waits = limits.map((limit) => Math.max(1, known.wait(limit, use)));
    const waitMs = Math.max(1, ...waits);
    const tightest = limits[waits.indexOf(waitMs)];
    const { kind = '', id = '', percent = 0 } = tightest ? known.stateOf(tightest) : {};
    const message = `not sent: the lane ${laneNames[use.lane]} has no room in the limit ${kind} of ${id}, of which ${Math.floor(percent)} % is used, not counting calls in flight`;
    const error = new RateLimitError(
      message,
      { category: 'rate_limit', outcome: 'rejected' },
      Math.ceil(waitMs),
    );
    return Object.assign(error, { limit: { kind, id, percent } });
  }

  return {
    govern:
      (attemptOnce) =>
      (...args) => {
        const use = useOf(args[0], calls++);
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
 * What all processes that share the governor's store know of the platform's rate limits.
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
