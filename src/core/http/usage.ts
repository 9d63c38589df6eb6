import type { Usage } from '../errors.ts';
import { fieldsOf } from '../options/check.ts';

const headerNames = ['x-app-usage', 'x-page-usage', 'x-business-use-case-usage', 'x-ad-account-usage'];

/** The units in which the platform states waiting times, in milliseconds. */
const waits: Readonly<Record<string, number>> = {
  estimated_time_to_regain_access: 60_000,
  reset_time_duration: 1000,
};

/** The kinds of use that a rate limit applies to, by its code. */
const types: Readonly<Record<number, RegExp>> = {
  613: /^(?!ads|custom)/,
  80000: /^ads_i/,
  80001: /^pages/,
  80002: /^(?!pages|messenger|leadgen|ads|custom)/,
  80003: /^custom/,
  80004: /^ads_m/,
  80005: /^leadgen/,
  80006: /^messenger/,
};
const anyContent = /^(?!messenger|leadgen|ads|custom)/;

/**
 * Reads the usage headers, in all their shapes: percentages by name (`call_count`, `call_volume`,
 * `acc_id_util_pct` …), a bare percentage, or lists of these by business object.
 *
 * Given the code of a rate limit, waiting times of other kinds of use are left out: a post need not wait because
 * messages are throttled for an hour.
 */
export function readUsage(headers: Headers, code?: number): Usage | undefined {
  let percent = -1;
  let regainMs = 0;

  function read(name: string, value: unknown, isMeant: boolean): void {
    if (typeof value === 'object' && value !== null) {
      const { type } = fieldsOf(value);
      const isOf = typeof type !== 'string' || code === undefined || (types[code] ?? anyContent).test(type);
      for (const [key, part] of Object.entries(value)) read(key, part, isOf);
    } else if (typeof value === 'number') {
      const unit = waits[name];
      if (unit === undefined) percent = Math.max(percent, value);
      else if (isMeant) regainMs = Math.max(regainMs, value * unit);
    }
  }

  for (const name of headerNames) {
    const header = headers.get(name);
    if (header === null) continue;
    try {
      read('', JSON.parse(header), true);
    } catch {
      // A header that cannot be read is ignored.
    }
  }
  if (percent < 0 && regainMs === 0) return undefined;
  return { percent: Math.max(0, percent), ...(regainMs > 0 && { regainMs }) };
}

/** How long a `Retry-After` header asks to wait, in milliseconds; `undefined` if it is useless. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  // A date is by the platform's clock, so it is compared with that: the local one may be wrong.
  const from = Date.parse(headers.get('date') ?? '') || now;
  // Headers with the same name arrive joined.
  const parts = headers.get('retry-after')?.split(/,(?=\s*(?:[\d.]+\s*(?:,|$)|[a-z]+,))/i) ?? [];
  const waitsMs = parts
    .map((part) => (/^\s*\d+(?:\.\d+)?\s*$/.test(part) ? Number(part) * 1000 : Date.parse(part) - from))
    .filter((ms) => !Number.isNaN(ms));
  return waitsMs.length === 0 ? undefined : Math.max(0, ...waitsMs);
}
