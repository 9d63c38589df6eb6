/** A long integer, or what looks like one within a text. */
const longInteger = /(?<![^\s,:[])-?[1-9]\d{15,}(?![^\s,\]}])/g;

/**
 * `JSON.parse`, with integers beyond 2^53 as strings: the platform sends some 17-digit ids as bare
 * numbers, and a number would round them.
 *
 * Throws a SyntaxError as `JSON.parse` does.
 */
export function parseJson(json: string): unknown {
  // The plain parse comes first, so that what is no JSON is refused before digits are quoted in it.
  const value: unknown = JSON.parse(json);
  return json.search(longInteger) < 0 ? value : JSON.parse(withQuotedIntegers(json));
}

function withQuotedIntegers(json: string): string {
  let quoted = '';
  let done = 0;
  let textEnd = 0;
  let quote = json.indexOf('"');
  for (const { 0: digits, index } of json.matchAll(longInteger)) {
    while (quote >= 0 && quote < index) {
      textEnd = endOfText(json, quote);
      quote = json.indexOf('"', textEnd);
    }
    if (index < textEnd || Number.isSafeInteger(Number(digits))) continue;
    quoted += `${json.slice(done, index)}"${digits}"`;
    done = index + digits.length;
  }
  return quoted + json.slice(done);
}

/** Where the text ends that begins with the quote at `start`, in valid JSON. No expression: one could overflow. */
export function endOfText(json: string, start: number): number {
  let end = start;
  let isEscaped: boolean;
  do {
    end = json.indexOf('"', end + 1);
    isEscaped = false;
    for (let i = end - 1; json[i] === '\\'; i--) isEscaped = !isEscaped;
  } while (isEscaped);
  return end + 1;
}
