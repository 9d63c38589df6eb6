/** A number, or a list of them, behind the name of a member: within a text, a quote has a backslash before it. */
const numbers = /([_"]u?ids?|\w)("\s*:\s*)(-?\d+|\[[-\d,\s]+])(?=\s*[,}])/g;

/**
 * `JSON.parse`, with ids as text, and so are integers beyond 2^53 of any name, which would lose digits as numbers. Throws a
 * SyntaxError as `JSON.parse` does.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(
    text.replace(
      numbers,
      (_, name: string, colon: string, values: string) =>
        name +
        colon +
        values.replace(/-?\d+/g, (digits) =>
          name[1] || !Number.isSafeInteger(Number(digits)) ? `"${digits}"` : digits,
        ),
    ),
  );
}
