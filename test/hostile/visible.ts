import { inspect } from 'node:util';

const whole = { depth: Infinity, maxArrayLength: null, maxStringLength: null };

/** Everything in an error or in a hook's event: every property, enumerable or not. */
export function everythingIn(value: unknown): string {
  const texts: string[] = [];
  const seen = new Set<unknown>();

  function walk(part: unknown): void {
    if (typeof part === 'string' || typeof part === 'symbol') texts.push(String(part));
    if ((typeof part !== 'object' && typeof part !== 'function') || part === null || seen.has(part)) return;
    seen.add(part);
    if (part instanceof Map || part instanceof Set) [...part].forEach(walk);
    if (part instanceof Headers) walk([...part]);
    for (const name of Reflect.ownKeys(part)) {
      walk(name);
      walk((part as Readonly<Record<PropertyKey, unknown>>)[name]);
    }
  }

  walk(value);
  return [...texts, shown(value, true)].join('\n');
}

/** What a value shows in a log, as JSON, spread and as text, without its properties that are not enumerable. */
export function shown(value: unknown, getters = false): string {
  const parts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return [
    // With what is hidden, it has all that a log has.
    inspect(value, { ...whole, showHidden: true, getters }),
    String(JSON.stringify(value)),
    ...parts.map((part) => JSON.stringify(typeof part === 'object' ? { ...part } : part)),
    ...parts.map((part) => (part instanceof Error ? `${String(part)} ${part.stack}` : '')),
    JSON.stringify(structuredCloneOf(value)) ?? '',
  ].join('\n');
}

function structuredCloneOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

/** Which of the marks a text holds, in any encoding. */
export function marksIn(text: string, marks: readonly string[]): readonly string[] {
  const readings = [text];
  // Encoded for an address, for JSON or for HTML, once or several times.
  for (let times = 0; times < 3; times++) {
    const last = readings.at(-1) ?? '';
    const decoded = last
      .replace(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    if (decoded === last) break;
    readings.push(decoded);
  }
  const all = readings.join('\n').toLowerCase();
  return marks.filter((mark) => all.includes(mark.toLowerCase()));
}
