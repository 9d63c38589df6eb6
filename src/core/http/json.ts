const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const longInteger = /^-?[1-9]\d{15,}$/;

/**
 * `JSON.parse`, with integers beyond 2^53 as strings: the platform sends some 17-digit ids as bare
 * numbers, and a number would round them.
 *
 * Throws a SyntaxError as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  // The plain parse comes first, so that what is no JSON is refused before digits are quoted in it.
  const value: unknown = JSON.parse(text);
  if (!/[^"\d]\d{16}|^-?\d{16}/.test(text)) return value;
  return JSON.parse(
    text.replace(token, (part) =>
      longInteger.test(part) && !Number.isSafeInteger(Number(part)) ? `"${part}"` : part,
    ),
  );
}
