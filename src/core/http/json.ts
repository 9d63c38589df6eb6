/**
 * Whether there may be a long integer: few texts have one after a space or a comma, and ids of posts are never there.
 */
const mayHaveLong = /[,:[]\s*-?[1-9]\d{15}/;
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
  // A number alone has nothing before it. Looking for it as well would treble the time of the search.
  if (typeof value !== 'number' && !mayHaveLong.test(json)) return value;
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
