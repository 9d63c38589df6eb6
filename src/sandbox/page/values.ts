import { invalid } from '../errors.ts';
import { parsed } from '../json.ts';
import type { Call } from '../route.ts';

/** `2026-01-02T03:04:05+0000`. */
export function isoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -5)}+0000`;
}

/** A boolean parameter. */
export function flag(params: Readonly<Record<string, string>>, name: string): boolean | undefined {
  const text = params[name];
  if (text === undefined) return undefined;
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : invalid(`Param ${name} must be a boolean`);
}

/** Whether a time lies between `since` and `until`, both inclusive; unix seconds or a date. */
export function timeWindow(call: Call): (ms: number) => boolean {
  const since = timeParam(call, 'since');
  const until = timeParam(call, 'until');
  if (since === undefined && until === undefined) return () => true;
  return (ms) => {
    const seconds = Math.floor(ms / 1000);
    return (since === undefined || seconds >= since) && (until === undefined || seconds <= until);
  };
}

/** A time parameter, in unix seconds or as a date. Returns unix seconds. */
export function timeParam(call: Call, name: string): number | undefined {
  const text = call.params[name];
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  return Number.isFinite(seconds) ? seconds : invalid(`Param ${name} must be a time`);
}

/** An object, as JSON text. */
export function jsonParam(
  params: Readonly<Record<string, string>>,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const text = params[name];
  if (text === undefined) return undefined;
  const value = parsed(text);
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : invalid(`Param ${name} must be an object`);
}

/** A parameter that must have one of the given values. */
export function oneOf(
  params: Readonly<Record<string, string>>,
  name: string,
  values: readonly string[],
): string | undefined {
  const text = params[name];
  if (text === undefined || values.includes(text)) return text;
  return invalid(`Param ${name} must be one of {${values.join(', ')}}`);
}

/** A list parameter: comma separated, or a JSON array. */
export function names(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  if (!text.startsWith('['))
    return text
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
  const list = parsed(text);
  return Array.isArray(list) ? list.map(String) : invalid('Param must be an array');
}

/** The fields of webhooks that a subscription names. */
export function subscribedFields(params: Call['params'], known: readonly string[]): string[] {
  const fields = names(params['subscribed_fields']);
  const at = fields.findIndex((name) => !known.includes(name));
  if (at === -1) return fields;
  return invalid(
    `Param subscribed_fields[${at}] must be one of {${known.join(', ')}} - got "${fields[at]}".`,
  );
}

/** The period of a metric. */
export function periodIn(params: Call['params']): string | undefined {
  return oneOf(params, 'period', ['day', 'days_28', 'lifetime', 'month', 'total_over_range', 'week']);
}

const daySeconds = 86_400;
const hourInPacific = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hour: 'numeric',
  hourCycle: 'h23',
});

/**
 * The ends of the platform's days after `since` and up to `until`, unix seconds. Its days end at midnight Pacific time:
 * at 07:00 UTC in summer, at 08:00 in winter.
 */
export function dayEnds(since: number, until: number): number[] {
  const found: number[] = [];
  for (let day = Math.floor(since / daySeconds) - 1; day * daySeconds <= until; day += 1) {
    const seven = day * daySeconds + 7 * 3600;
    const end = hourInPacific.format(seven * 1000) === '00' ? seven : seven + 3600;
    if (end >= since && end <= until) found.push(end);
  }
  return found;
}
