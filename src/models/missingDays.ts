import { withHidden } from '../core/objects.ts';
import { dayMs } from '../core/options/time.ts';
import type { MetricDays } from './insights.ts';

/** How late numbers can be after the end of their day. */
const lagMs = 2 * dayMs;
const tooEarly = 'the last day has not ended, or its numbers are late, as they lag by up to 48 hours';

/** What was read of a metric so far. */
export interface MetricRead<T> {
  readonly values: T[];
  readonly failedDays: string[];
  /** Whether the platform has answered for it. */
  isRead?: boolean;
  /** Why the platform has no such metric. */
  refusal?: string | undefined;
  /** Why the first part that failed did. */
  failure?: string;
}

/**
 * The values of a metric with what explains the absence of others: of the `days` asked for, which end `hoursAfterUtc`
 * later than those of UTC, at most. `without` is why a metric that was read has no values.
 */
export function explained<T extends { readonly day?: string | undefined }>(
  { values, failedDays, isRead, refusal, failure }: MetricRead<T>,
  { days, now, hoursAfterUtc }: { days: readonly string[]; now: number; hoursAfterUtc: number },
  without: string,
): MetricDays<T> {
  const isLate = (day: string): boolean => Date.parse(day) + dayMs + hoursAfterUtc * 3_600_000 + lagMs > now;
  const known = new Set([...values.map(({ day }) => day), ...failedDays]);
  const missing = refusal === undefined && isRead === true ? days.filter((day) => !known.has(day)) : [];
  const available = values.length > 0;
  const late = missing.filter(isLate);
  const none = late.length > 0 ? `${tooEarly}; otherwise ${without}` : without;
  // All that is missing may still come.
  const isEarly = late.length > 0 && late.length === missing.length;
  return withHidden([...values], {
    available,
    reason: refusal ?? failure ?? (available || isEarly ? undefined : none),
    failedDays: failedDays.toSorted(),
    lateDays: late,
    emptyDays: missing.filter((day) => !isLate(day)),
  });
}
