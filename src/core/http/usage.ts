import type { Usage } from '../errors.ts';

const headerNames = ['x-app-usage', 'x-page-usage', 'x-business-use-case-usage', 'x-ad-account-usage'];

/** Milliseconds in the units that the platform states waiting times in. */
const waits: Readonly<Record<string, number>> = {
  estimated_time_to_regain_access: 60_000,
  reset_time_duration: 1000,
};

/**
 * Reads the usage headers, in all their shapes: percentages by name (`call_count`, `call_volume`,
 * `acc_id_util_pct` …), a bare percentage, or lists of these by business object.
 */
export function readUsage(headers: Headers): Usage | undefined {
  let percent = -1;
  let regainMs = 0;

  function read(name: string, value: unknown): void {
    if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) read(key, part);
    } else if (typeof value === 'number') {
      const unit = waits[name];
      if (unit === undefined) percent = Math.max(percent, value);
      else regainMs = Math.max(regainMs, value * unit);
    }
  }

  for (const name of headerNames) {
    const header = headers.get(name);
    if (header === null) continue;
    try {
      read('', JSON.parse(header));
    } catch {
      // A header that cannot be read says nothing; the answer itself is as good as without it.
    }
  }
  if (percent < 0 && regainMs === 0) return undefined;
  return { percent: Math.max(0, percent), ...(regainMs > 0 && { regainMs }) };
}

/** Milliseconds that a `Retry-After` header asks to wait, or `undefined` where it is no use. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const wait = /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
