/** A number of 16 digits or with an exponent, and its parts: no other one can be an integer beyond 2^53. */
const longNumber = /(?<![^\s,:[])(-?)(?=\d{16}|[\d.]+e)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?(?![^\s,\]}])/gi;

/**
 * `JSON.parse`, with integers beyond 2^53 as strings: the platform sends some 17-digit ids as bare
 * numbers, and a number would round them.
 *
 * `start` gives what to call with each value within, with its name in its object, or `''` in a list: in the walk that looks
 * for such numbers, so that a body is gone through once. After one was found, the walk starts again.
 *
 * Throws a SyntaxError like `JSON.parse`.
 */
export function parseJson(json: string, start: () => Visit = () => ignore): unknown {
  // The plain parse comes first, so that invalid JSON is refused before digits in it are quoted. To look for long numbers
  // in the text takes several times as long as in the value.
  const value: unknown = JSON.parse(json);
  if (!visitAll(value, start())) return value;
  let quote = json.indexOf('"');
  let textEnd = 0;
  const exact = json.replace(
    longNumber,
    (written, sign, whole, fraction = '', exponent = '0', place: number) => {
      const digits = integerOf(whole, fraction, Number(exponent));
      if (digits === undefined) return written;
      while (quote >= 0 && quote < place) {
        textEnd = endOfText(json, quote);
        quote = json.indexOf('"', textEnd);
      }
      return place < textEnd ? written : `"${sign}${digits}"`;
    },
  );
  const whole: unknown = JSON.parse(exact);
  visitAll(whole, start());
  return whole;
}

/** Gets a value within a parsed one. */
export type Visit = (value: unknown, name: string, owner: Record<string, unknown>) => void;

function ignore(): void {}

/** Returns whether a number in a parsed value may have lost digits. */
function visitAll(parsed: unknown, visit: Visit): boolean {
  let hasRounded = false;
  // Not recursive, which a body of nested lists could overflow.
  const left: unknown[] = [[parsed]];
  const enter = (value: unknown, name: string, owner: Record<string, unknown>): void => {
    visit(value, name, owner);
    if (typeof value === 'object') left.push(value);
    else if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) hasRounded = true;
  };
  for (const within of left) {
    // JSON makes plain objects, which have no other members; of a list, only those that are read here.
    const owner = within as Record<string, unknown>;
    if (Array.isArray(within)) for (const item of within) enter(item, '', owner);
    else for (const name in owner) enter(owner[name], name, owner);
  }
  return hasRounded;
}

/** The digits of an integer beyond 2^53 that is written with all of them: `17841400000000001`, also as `1.7841400000000001e16`. */
function integerOf(whole: string, fraction: string, exponent: number): string | undefined {
  const all = whole + fraction;
  const length = whole.length + exponent;
  if (length < 16 || length > all.length || /[1-9]/.test(all.slice(length))) return undefined;
  const digits = all.slice(0, length).replace(/^0+/, '');
  return Number(digits) > Number.MAX_SAFE_INTEGER ? digits : undefined;
}

/**
 * Where the string ends that begins with the quote at `start`, in valid JSON. Not a regular expression, which could
 * overflow.
 */
function endOfText(json: string, start: number): number {
  let end = start;
  let isEscaped: boolean;
  do {
    end = json.indexOf('"', end + 1);
    isEscaped = false;
    for (let i = end - 1; json[i] === '\\'; i--) isEscaped = !isEscaped;
  } while (isEscaped);
  return end + 1;
}
