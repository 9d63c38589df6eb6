import { type Coded, type ErrorAction, type ErrorCategory, factOf } from './codes.ts';

/**
 * Whether a failed write took effect: `rejected`, it did not; `applied`, it did, although its id could not be learned,
 * or a later step failed; `unknown`, it may have. A failed read is always `rejected`.
 */
export type Outcome = 'rejected' | 'applied' | 'unknown';

/** The fields of an error that decide what helps, and when. Those without a response have no category. */
interface FailedCall extends Partial<Coded> {
  readonly outcome: Outcome;
  readonly category?: ErrorCategory | undefined;
  readonly status?: number | undefined;
  readonly statusCode?: string | undefined;
}

/** The times that were named for errors, whether or not another call may come after them. */
const told = /* @__PURE__ */ new WeakMap<object, number>();

/** How long the platform, a governor or the journal asked to wait. A default is no such time. */
export function askedMsOf(error: object): number | undefined {
  return told.get(error);
}

/**
 * A new error, with what helps and when: the only place that decides it. There are two kinds: the same call may help
 * later and cannot take effect twice, or somebody has to change something. `askedMs` is the time that was named for it;
 * where the effect is unknown, only the journal may name one. `ofRefusal` is what helps if there was no effect, which
 * whoever knows of codes passes: without a response, the network or the caller ended the call, and the same one may help.
 * Errors that nothing passing can mend are left as they are.
 */
export function withRemedy<TError extends object>(
  error: TError,
  askedMs: number | undefined,
  ofRefusal: ErrorAction = 'retry',
): TError {
  if (!('retryAfterMs' in error)) return error;
  // The errors with such a time have these fields.
  const failed = error as unknown as FailedCall;
  const { outcome, category } = failed;
  // Never 0, which callers could take for none.
  const waitMs = askedMs === undefined ? undefined : Math.max(1, Math.min(askedMs, longestRetryAfterMs));
  if (waitMs !== undefined) told.set(error, waitMs);
  const isAwaited = outcome === 'unknown' && waitMs !== undefined;
  const action = outcome === 'rejected' ? ofRefusal : isAwaited ? 'wait' : 'fix';
  const isPassing = action === 'retry' || action === 'wait';
  // If neither the platform nor the fact of a code names a time, these pass in hours, and the others in minutes.
  const defaultMs = category === 'quota' || category === 'policy' ? 3_600_000 : 60_000;
  return Object.assign(error, 'action' in error && { action }, {
    retryAfterMs: isPassing ? (waitMs ?? defaultMs) : undefined,
  });
}

/** What helps after a refusal that had no effect. */
export function actionOf(failed: FailedCall, askedMs?: number): ErrorAction {
  const { category, code, subcode, message, status = 0 } = failed;
  // Without a response, the network or the caller ended the call.
  if (category === undefined) return 'retry';
  // A container that is neither in ERROR nor EXPIRED may still become ready.
  if ('statusCode' in failed && !String(failed.statusCode).startsWith('E')) return 'wait';
  const fact = factOf({ code, subcode, message });
  const action = fact?.action ?? actions[category];
  if (action !== undefined) return action;
  // Of what no code tells, a time does, and so does a fault of the server.
  if (fact === undefined && askedMs !== undefined) return 'wait';
  return category === 'unknown' && status >= 500 ? 'retry' : 'fix';
}

/** What helps, by category; `fix` for the others. */
const actions: Partial<Record<ErrorCategory, ErrorAction>> = {
  auth: 'login',
  rate_limit: 'wait',
  quota: 'wait',
  policy: 'wait',
  transient: 'retry',
};

/** The longest `retryAfterMs`: a day. Callers pass it to timers, whose reach is 24 days; what comes later is asked again. */
const longestRetryAfterMs = 86_400_000;
