import type { Rule } from './check.ts';
import type { Clock } from './clock.ts';

/** From here on, a number of seconds lies in the year 5138: it is one of milliseconds. */
const likelyMs = 1e11;
const leastLeadSeconds = 600;

/** Unix seconds, with a fraction where there is one; `NaN` for a value that is no time. */
function toExactSeconds(value: unknown): number {
  return value instanceof Date ? value.getTime() / 1000 : typeof value === 'number' ? value : NaN;
}

/** Unix seconds as an integer; `NaN` for a value that is no time. */
export function toSeconds(value: unknown): number {
  return Math.floor(toExactSeconds(value));
}

/** The rule for a time. */
export const time = timeRule(() => undefined);

/**
 * The rule for a time to publish at. Each edge has its own ceiling, which is left to the platform; so is the lead time
 * of what has a key, since a repeated call comes later than the one that scheduled.
 */
export function scheduleSeconds(clock: Clock, own?: { readonly idempotencyKey?: unknown }): Rule {
  return timeRule((seconds) =>
    seconds >= clock.now() / 1000 + leastLeadSeconds || own?.idempotencyKey !== undefined
      ? undefined
      : 'must be at least 10 minutes ahead',
  );
}

function timeRule(faultIn: (seconds: number) => string | undefined): Rule {
  return (value) => {
    const seconds = toExactSeconds(value);
    if (!Number.isFinite(seconds) || seconds < 0) return 'must be unix seconds or a Date';
    if (typeof value === 'number' && value >= likelyMs)
      return 'must be in seconds: it looks like milliseconds';
    return faultIn(seconds) ?? (value instanceof Date ? { use: new Date(value) } : undefined);
  };
}
