const longInteger = /(?<![^\s,:[])-?[1-9]\d{15,}(?![^\s,\]}])/g;

/**
 * `JSON.parse`, with integers beyond 2^53 as strings: the platform sends some 17-digit ids as bare
 * numbers, and a number would round them.
 *
 * Throws a SyntaxError like `JSON.parse`.
 */
export function parseJson(json: string): unknown {
  // The plain parse comes first, so that invalid JSON is refused before digits in it are quoted.
  const value: unknown = JSON.parse(json);
  if (!hasRounded(value)) return value;
  let quote = json.indexOf('"');
  let textEnd = 0;
  const exact = json.replace(longInteger, (digits, place: number) => {
    while (quote >= 0 && quote < place) {
      textEnd = endOfText(json, quote);
      quote = json.indexOf('"', textEnd);
    }
    return place < textEnd || Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`;
  });
  return JSON.parse(exact);
}

/** Whether a number in a parsed value may have lost digits. To look for one in the text takes several times as long. */
function hasRounded(parsed: unknown): boolean {
  return visitAll(
    [parsed],
    (value) => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER,
  );
}

/**
 * Calls `visit` with each value within a parsed one, with its name in its object, or `''` in a list. Returns whether it
 * said so of any.
 */
export function visitAll(
  parsed: unknown,
  visit: (value: unknown, name: string, owner: Record<string, unknown>) => boolean,
): boolean {
  let isAny = false;
  // Not recursive, which a body of nested lists could overflow.
  const left = [parsed];
  for (const within of left) {
    // JSON makes plain objects, which have no other members; of a list, only those that are read here.
    const owner = within as Record<string, unknown>;
    const enter = (value: unknown, name: string): void => {
      if (visit(value, name, owner)) isAny = true;
      if (typeof value === 'object') left.push(value);
    };
    if (Array.isArray(within)) for (const item of within) enter(item, '');
    else if (typeof within === 'object') for (const name in owner) enter(owner[name], name);
  }
  return isAny;
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
