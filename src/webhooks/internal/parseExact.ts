/** A number, or a list of them, behind the name of a member: within a text, a quote has a backslash before it. */
const numbers = /([_"]u?ids?|\w)("\s*:\s*)(-?\d+|\[[-\d,\s]+])(?=\s*[,}])/g;

/**
 * `JSON.parse`, with ids as text, and so are integers beyond 2^53 of any name, which would lose digits as numbers. Throws a
 * SyntaxError as `JSON.parse` does.
 */
export function parseExact(text: string): unknown {
  // Most deliveries have neither, and are not searched further.
  if (!/ids?"\s*:\s*\[?\s*[-\d]|[:[,\s-]\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(
    text.replace(numbers, (all, name: string, colon: string, values: string) =>
      name.length > 1 || /\d{16}/.test(values)
        ? name +
          colon +
          values.replace(/-?\d+/g, (digits) =>
            name.length > 1 || !Number.isSafeInteger(Number(digits)) ? `"${digits}"` : digits,
          )
        : all,
    ),
  );
}
