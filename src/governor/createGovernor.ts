import { errAsync, ok, ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import { ConfigurationError, RateLimitError, type TransportError } from '../core/errors.ts';
import type { PreparedRequest } from '../core/http/attempt.ts';
import type { RawResponse } from '../core/http/exchange.ts';
import { type Governor, type Lane, lanes as laneNames, type LimitState } from '../core/http/governor.ts';
import { guardHook } from '../core/http/hooks.ts';
import type { FailedAttempt } from '../core/http/retry.ts';
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
import { longestTimer } from '../core/options/clock.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import { type Limit, readHeaders } from './limit.ts';
import { type Use, useOf } from './uses.ts';

/** Options of {@link createGovernor}. */
export interface GovernorOptions {
  /**
   * Where processes tell each other what they know: a journal, such as those of `pagepics/journal`.
   * @default none: the governor of one process
   */
  readonly store?: Pick<JournalStore, 'get' | 'compareAndSet' | 'list'> | undefined;
  /**
   * Percent of a limit up to which the calls of a lane are let through, from 1 to 100.
   * @default { publish: 100, interact: 90, read: 75, background: 50 }
   */
  readonly lanes?: Partial<Record<Lane, number>> | undefined;
  /**
   * Milliseconds that a call may wait to be let through, from 0 to 2_147_483_647.
   * @default 0
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Milliseconds between two exchanges with the store, from 100 to 2_147_483_647.
   * @default 1000
   */
  readonly syncMs?: number | undefined;
  /** Called when what is known of a limit changes. Anything it throws is ignored. */
  readonly onChange?: ((limit: LimitState) => unknown) | undefined;
  /** Called when the store fails: calls go on by what the process knows. Anything it throws is ignored. */
  readonly onStoreError?: ((error: unknown) => unknown) | undefined;
}

const shareOfLanes = fields(Object.fromEntries(laneNames.map((name) => [name, optional(between(1, 100))])));

/** The shares of lanes; a name that is none would be a share that nothing keeps to. */
const lanesRule: Rule = (value) => {
  const verdict = shareOfLanes(value);
  const other = Object.keys(Object(value)).find((name) => !laneNames.some((lane) => lane === name));
  return typeof verdict === 'string' || other === undefined ? verdict : `.${other} is no lane`;
};

/**
 * Creates a governor, which keeps calls under the platform's rate limits: for the option `governor` of all contexts of a
 * process, and of all processes that share its store.
 *
 * Throws a ConfigurationError that names an option which is out of bounds.
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
  const { lanes } = checked.value;
  const shares = { publish: 100, interact: 90, read: 75, background: 50, ...lanes };
  const onChange = guardHook(checked.value.onChange);
  const all = new Map<string, Limit>();
  const uses = new Map<string, Set<Limit>>();

  const toState = (
    { kind, id, percent: used, blockedUntil, observedAt, seenAt }: Limit,
    now: number,
  ): LimitState => ({
    kind,
    id,
    percent: used,
    ...(blockedUntil > now && { blockedUntil: new Date(observedAt + blockedUntil - seenAt) }),
    observedAt: new Date(observedAt),
  });

  function learn(prepared: PreparedRequest, { key }: Use, result: RawResponse | FailedAttempt): void {
    const { clock } = prepared.context;
    if (!result.headers) return;
    const { appId } = fieldsOf(prepared.context);
    const owner = typeof appId === 'string' ? appId : 'app';
    for (const { kind, id, percent: used, regainMs } of readHeaders(result.headers, owner)) {
      const name = `${kind} ${id}`;
      const limit: Limit = all.get(name) ?? {
        kind,
        id,
        percent: 0,
        seenAt: 0,
        observedAt: 0,
        cost: 1,
        flying: 0,
        blockedUntil: 0,
      };
      all.set(name, limit);
      const known = uses.get(key) ?? new Set();
      uses.set(key, known.add(limit));
      limit.percent = used;
      limit.seenAt = clock.monotonic();
      limit.observedAt = clock.now();
      if (regainMs > 0) limit.blockedUntil = limit.seenAt + regainMs;
      onChange?.(toState(limit, limit.seenAt));
    }
  }

  return {
    govern: (attemptOnce) => async (prepared, attempt) => {
      const use = useOf(prepared);
      if (!use) return attemptOnce(prepared, attempt);
      const known = [...(uses.get(use.key) ?? [])];
      const now = prepared.context.clock.monotonic();
      const full = known.find(
        (limit) =>
          limit.blockedUntil > now ||
          limit.percent + (limit.flying + use.calls) * limit.cost > shares[use.lane],
      );
      if (full)
        return { isRejected: true, error: refusal(full, use.lane, Math.max(1000, full.blockedUntil - now)) };
      for (const limit of known) limit.flying += use.calls;
      const result = await attemptOnce(prepared, attempt);
      for (const limit of known) limit.flying -= use.calls;
      learn(prepared, use, result);
      return result;
    },
    limits: async ({ clock }) => ok([...all.values()].map((limit) => toState(limit, clock.monotonic()))),
  };
}

function refusal({ kind, id, percent: used }: Limit, lane: Lane, retryAfterMs: number): RateLimitError {
  const message = `not sent: ${Math.floor(used)} % of the limit ${kind} of ${id} are used, which is too much for ${lane}`;
  const details = { category: 'rate_limit', outcome: 'rejected', transient: true } as const;
  return Object.assign(new RateLimitError(message, details, retryAfterMs), {
    limit: { kind, id, percent: used },
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
