import { err, errAsync, ok, ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { ConfigurationError, type RateLimitError, type TransportError } from '../core/errors.ts';
import { guardHook } from '../core/http/guardHook.ts';
import { stillMs } from '../core/http/polling.ts';
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
import { createLimits } from './limits.ts';
import { type Pass, stand } from './line.ts';
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
const lanesRule = rule.fields(
  Object.fromEntries(laneNames.map((name) => [name, rule.optional(rule.between(1, 100))])),
);

/** A call that may not be sent yet: for how long it is held, as far as is known, and in how many milliseconds it asks again. */
interface Hold {
  readonly heldMs: number;
  readonly askMs: number;
}

/** How often a call asks that has room, and waits for those ahead. */
const behindMs = 10;

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
  let calls = 0;

  /** Whether a call may be sent: `undefined`; or how it is held; or what to wait for first. */
  function step(pass: Pass): Hold | Promise<unknown> | undefined {
    const limits = known.limitsOf(pass.use);
    if ('then' in limits) return limits;
    pass.limits = limits;
    const { limit, heldMs, ahead } = known.holding(pass);
    stand(pass, limit);
    if (limit) {
      const soonMs = Math.min(heldMs || behindMs, syncMs);
      // Those far behind ask more seldom, but 500 can go in a second; and with others at a time, as to wake costs most.
      const isNear = heldMs <= syncMs && ahead <= soonMs;
      const everyMs = 2 ** Math.ceil(Math.log2(Math.max(soonMs, ahead)));
      return { heldMs, askMs: isNear ? soonMs : everyMs - (pass.use.clock.monotonic() % everyMs) };
    }
    const claims = limits.flatMap((one) => known.claim(one, pass.use) ?? []);
    return claims.length > 0 ? Promise.all(claims) : undefined;
  }

  async function send(use: Use, attemptOnce: Attempt, ...args: Parameters<Attempt>): ReturnType<Attempt> {
    const [{ context, request, deadline }] = args;
    const { clock, fetcher } = context;
    let endsAt = Math.min(clock.monotonic() + maxWaitMs, deadline);
    const pass: Pass = { use, limits: [], at: undefined, aliveUntil: 0 };
    try {
      for (let hold = step(pass); hold !== undefined; hold = step(pass)) {
        const now = clock.monotonic();
        if ('then' in hold) {
          const pending = hold;
          await fetcher.withTimeout(Math.max(0, deadline - now), request.signal, () => pending);
          continue;
        }
        const leftMs = endsAt - now;
        if (leftMs <= 0 || hold.heldMs > leftMs) return { error: refusalOf(pass), isRejected: true };
        if (pass.aliveUntil === 0) onHold?.(Object.assign(refusalOf(pass), request.trace.of));
        const ms = Math.max(1, Math.min(hold.askMs, leftMs));
        pass.aliveUntil = now + ms + exchangeMs;
        const paused = await fetcher.pause(clock, ms, request.signal);
        if (paused.isErr()) return { error: paused.error, isRejected: true };
        // While the process stood still, nothing that frees room could arrive.
        const lateMs = clock.monotonic() - now - ms;
        if (lateMs >= stillMs) endsAt = Math.min(endsAt + lateMs, deadline);
      }
    } catch (thrown) {
      // `withTimeout` rejects with nothing else.
      return { error: thrown as TransportError, isRejected: true };
    } finally {
      stand(pass, undefined);
    }
    const learn = known.sent(pass.limits, use);
    const result = await attemptOnce(...args);
    const urgent = learn(result);
    // The caller need not wait for it: after an abort, they get the result at once.
    if (urgent) await fetcher.withTimeout(Infinity, request.signal, () => urgent).catch(() => undefined);
    return result;
  }

  function refusalOf(pass: Pass): RateLimitError {
    const { limit, waitMs, ahead } = known.holding(pass);
    const { kind = '', id = '', percent = 0 } = limit ? known.stateOf(limit) : {};
    const others = ahead > 0 ? `, nor ${ahead} ahead in line` : '';
    const message = `not sent: the lane ${laneNames[pass.use.lane]} has no room in the limit ${kind} of ${id}, of which ${Math.floor(percent)} % is used, not counting calls in flight${others}`;
    const error = pass.use.context.fetcher.heldBack(message, Math.ceil(waitMs()));
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
        return err(context.fetcher.storeFailed('the store of the governor failed'));
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
