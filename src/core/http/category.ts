import type { ErrorCategory } from '../errors.ts';

/**
 * The category of errors, by `code,subcode`, with a `!` if the platform says that the fault is temporary. The first
 * match counts.
 */
const categories: readonly (readonly [ErrorCategory, RegExp])[] = [
  ['policy', /^(?:368|508),|^4,2207051|^10,1893063|,(?:2534029|2534122|1390008)/],
  ['quota', /^9,2207042/],
  ['rate_limit', /^(?:4|17|32|341|613|8000[0-689]|80014),/],
  ['permission', /^2,2018344|,2534068|^25,2207050|^10904,|2018(?:300|321)/],
  ['validation', /^1,1446036/],
  ['transient', /!|^1200,|,1363047/],
  ['window', /^10,(?:2018065|2018278|2534022)|^-1,2534023/],
  ['media', /^(?:1,2207057|-1,2207053|-2,2207020|324,|389,)|,(?:2018047|1366046|1366051|2069019)/],
  ['transient', /^-?[12],(?!1357046)/],
  ['not_found', /^(?:21|803),|^100,(?:21|33)$|^110,2207013/],
  ['auth', /^(?:102|104|190),|^100,3600[789]/],
  ['validation', /^100,2534013/],
  ['recipient', /^(?:551|9010|1090[023]),|^100,2018001|^10,2018108|,(?:25340(?:01|13|14|25)|1545041)/],
  ['media', /^(?:6000|9004),|(?:1363|2207)\d{3}(?:,|$)/],
  ['permission', /^(?:3|10|36104|2\d\d),/],
  ['validation', /^(?:1|2|12|100|191|506|2200|3001|1609005),/],
];

/** The fields of an error that classify it. */
export interface ErrorEnvelope {
  readonly code: number | undefined;
  readonly subcode: number | undefined;
  readonly type: string | undefined;
  readonly message: string | undefined;
  /** Whether the platform says that the fault is temporary. */
  readonly isTransient: boolean;
  /** Whether it is the whole body, as the token endpoint sends it, whose codes are not those of the graph. */
  readonly isFlat: boolean;
}

/** The category of an error, by its code; `undefined` if the code is unknown. */
export function categoryOfCode(error: ErrorEnvelope): ErrorCategory | undefined {
  const { code, subcode = '', type, message = '', isFlat, isTransient } = error;
  if (isFlat && type === 'OAuthException') return 'auth';
  // Unlike other faults under code 1, this one is permanent: the same request fails again.
  if (isTooMuchData({ code, message })) return 'validation';
  const key = `${code},${subcode}${isTransient ? '!' : ''}`;
  const known = categories.find(([, pattern]) => pattern.test(key))?.[0];
  // One code for two faults, in the request and in its token, which only the message tells apart.
  return known ?? (code !== 2500 ? undefined : /path|syntax/i.test(message) ? 'validation' : 'auth');
}

/** Whether the platform asks for a smaller page, for which it has no code of its own. */
export function isTooMuchData({ code, message }: Pick<ErrorEnvelope, 'code' | 'message'>): boolean {
  return code === 1 && /reduce the amount of data/i.test(message ?? '');
}

/** The category of an error by its HTTP status, if its code says nothing. An unknown code may mean anything. */
export function categoryOfStatus(status: number, hasCode: boolean): ErrorCategory {
  return byStatus[status] ?? (status >= 400 && status < 500 && !hasCode ? 'validation' : 'unknown');
}

const byStatus: Readonly<Record<number, ErrorCategory>> = {
  401: 'auth',
  403: 'permission',
  404: 'not_found',
  429: 'rate_limit',
  500: 'transient',
  502: 'transient',
  503: 'transient',
  504: 'transient',
};
