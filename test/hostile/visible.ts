import { inspect } from 'node:util';

/** All that anyone can get out of an error, or of what a hook is told: every property, hidden or not. */
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
  return [...texts, shown(value), inspect(value, { depth: Infinity, showHidden: true, getters: true })].join(
    '\n',
  );
}

/** What a value shows by itself: in a log, as JSON, spread, as text, with its hidden properties unread. */
export function shown(value: unknown): string {
  const parts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return [
    inspect(value, { depth: Infinity, maxArrayLength: null, maxStringLength: null }),
    inspect(value, { depth: Infinity, showHidden: true, maxStringLength: null }),
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

/** Which of the marks are in a text, however they are written there. */
export function marksIn(text: string, marks: readonly string[]): readonly string[] {
  const readings = [text];
  // Written in an address, in JSON or in HTML, once or several times over.
  for (let times = 0; times < 3; times++) {
    const last = readings.at(-1) ?? '';
    readings.push(
      last
        .replace(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
        .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
        .replace(/&#x([\da-f]+);/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
        .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
    );
  }
  const all = readings.join('\n').toLowerCase();
  return marks.filter((mark) => all.includes(mark.toLowerCase()));
}
