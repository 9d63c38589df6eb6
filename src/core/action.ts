/**
 * Whether a failed write took effect: `rejected`, it did not; `applied`, it did, although its id could not be learned,
 * or a later step failed; `unknown`, it may have. A failed read is always `rejected`.
 */
export type Outcome = 'rejected' | 'applied' | 'unknown';

/** What a refusal is about, from its code, its subcode and then its HTTP status. */
export type ErrorCategory =
  | 'auth'
  | 'permission'
  | 'rate_limit'
  | 'quota'
  | 'policy'
  | 'recipient'
  | 'transient'
  | 'validation'
  | 'media'
  | 'window'
  | 'not_found'
  | 'unknown';

/**
 * What helps after a refusal: `login`, the person logs in again; `retry`, the same call later, only given if the call
 * did not take effect; `wait`, only waiting; `fix`, a change to the call, the app, a role, or something at the
 * platform.
 */
export type ErrorAction = 'login' | 'retry' | 'wait' | 'fix';

/** The fields of an error that decide what helps. */
interface ClassifiedError {
  readonly message: string;
  readonly outcome: Outcome;
  readonly category: ErrorCategory | undefined;
  readonly code: number | undefined;
  readonly subcode: number | undefined;
}

/** What helps after an error. */
export function actionOf(error: ClassifiedError): ErrorAction {
  const { message, outcome, code, subcode, category } = error;
  // A container that is neither in ERROR nor EXPIRED may still become ready.
  if ('statusCode' in error && !String(error.statusCode).startsWith('E')) return 'wait';
  const key = `${code},${subcode}`;
  // A write that may have taken effect is to be checked, not repeated. With these four subcodes, the person has to act at
  // the platform before a login helps.
  if (outcome !== 'rejected' || /^190,(?:459|464|49[02])$/.test(key)) return 'fix';
  // The second one is about a token that is too young to be refreshed.
  if (code === 9007 || (code === 100 && message.includes('24 hours old'))) return 'wait';
  return transientMediaErrors.test(key) ? 'retry' : (actions[category ?? 'unknown'] ?? 'fix');
}

/** Media that could not be fetched or processed, which is often temporary: `code,subcode`. */
const transientMediaErrors: RegExp = /^9004,|,2207(?:020|05[23]|077|082)$/;

/** What helps, by category; `fix` for the others. */
const actions: Partial<Record<ErrorCategory, ErrorAction>> = {
  auth: 'login',
  rate_limit: 'wait',
  quota: 'wait',
  policy: 'wait',
  transient: 'retry',
};
