/** An address without token and proof, otherwise unchanged. */
export function withoutSecrets(address: string): string {
  const start = address.indexOf('?');
  if (start < 0) return address;
  const rest = address
    .slice(start + 1)
    .split('&')
    // `access_token=EAAB1x`
    .filter((pair) => !/^(?:access_token|appsecret_proof)=/i.test(pair));
  return address.slice(0, start) + (rest.length === 0 ? '' : `?${rest.join('&')}`);
}

/**
 * A JSON text without the tokens in its links to other pages. The platform puts them into every link, including those
 * of lists within an entry.
 */
export function withoutLinkSecrets(json: string): string {
  // Links are within objects and lists: in a large page of HTML, looking for them could take seconds.
  if (!json.includes('access_token=') || !/^\s*[[{]/.test(json)) return json;
  // Bounded, since a regular expression for any number of escapes could overflow.
  return json.replace(
    // `"next": "https:\/\/…?access_token=EAAB1x"`
    /("(?:next|previous)"\s*:\s*)("[^"\\]*(?:\\.[^"\\]*){0,9999}")/g,
    // Parsed, since the platform may write `&` as an escape.
    (_, name: string, link: string) => name + JSON.stringify(withoutSecrets(String(JSON.parse(link)))),
  );
}
