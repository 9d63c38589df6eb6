import type { RateLimit } from '../core/errors.ts';
import { fieldsOf } from '../core/options/check.ts';

/** What a process knows of a limit. Its times are by the monotonic clock. */
export interface Limit {
  readonly kind: string;
  readonly id: string;
  percent: number;
  /** When that was learned, and when by the wall clock. */
  seenAt: number;
  observedAt: number;
  /** How much of a percent a call uses. */
  cost: number;
  /** Calls that were let through and are not in `percent`: those in flight. */
  flying: number;
  /** Until when the platform refuses all calls. */
  blockedUntil: number;
}

/** What a response says about a limit. */
export interface Reading extends RateLimit {
  /** Milliseconds until the platform lets calls through again; 0 if it does. */
  readonly regainMs: number;
}

const minuteMs = 60_000;

/** Reads the usage headers. What is odd in them is left out. */
export function readHeaders(headers: Headers, owner: string): Reading[] {
  const readings: Reading[] = [];
  const read = (kind: unknown, id: string, usage: unknown): void => {
    const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = fieldsOf(usage);
    const percent = Math.max(...[call_count, total_cputime, total_time].map(amount));
    if (percent < 0 || typeof kind !== 'string' || !/^\w{1,40}$/.test(kind) || !/^[\w-]{1,64}$/.test(id))
      return;
    const regainMs = Math.max(0, amount(estimated_time_to_regain_access)) * minuteMs;
    readings.push({ kind, id, percent, regainMs });
  };
  read('app', owner, parsed(headers.get('x-app-usage')));
  read('page', owner, parsed(headers.get('x-page-usage')));
  for (const [id, entries] of Object.entries(fieldsOf(parsed(headers.get('x-business-use-case-usage'))))) {
    if (Array.isArray(entries)) for (const usage of entries) read(fieldsOf(usage)['type'], id, usage);
  }
  return readings;
}

function amount(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : -1;
}

function parsed(text: string | null): unknown {
  try {
    return text && JSON.parse(text);
  } catch {
    return undefined;
  }
}
