import { isObject } from '../objects.ts';

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

/** Whether a number in a parsed value may have lost digits. To look for one in the text takes eight times as long. */
function hasRounded(parsed: unknown): boolean {
  // Not recursive, which a body of nested lists could overflow.
  const left = [parsed];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'number') {
      if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return true;
    } else if (Array.isArray(value)) {
      for (const item of value) if (isNumberOrObject(item)) left.push(item);
    } else if (isObject(value)) {
      for (const name in value) if (isNumberOrObject(value[name])) left.push(value[name]);
    }
  }
  return false;
}

function isNumberOrObject(value: unknown): boolean {
  return typeof value === 'object' || typeof value === 'number';
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
