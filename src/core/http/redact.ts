const mask = '[secret]';

/**
 * Names under which the platform, or one of our requests, carries a secret. Cursors are not secrets, whatever their
 * name.
 */
const secretName = /(?:(?<!__paging_)token|secret|_proof|authorization|cookie)$/i;
const secretMember = /(?:token|secret|_proof|authorization|cookie)"\s*:/i;
/**
 * What the platform's tokens look like: those of people and Pages, those of photo-sharing accounts, and those of apps. No
 * word has a digit and so many letters.
 */
const shapes = String.raw`(?:EAA|IG[A-Z]{2})(?=[\dA-Za-z]{0,99}\d)[\dA-Za-z]{12,}[\w-]*|(?<!\d)\d{8,}\|[\w-]{16,}`;
const tokenShape = /* @__PURE__ */ new RegExp(shapes, 'g');
/** What comes before a secret: its name, and a separator as in an address, in quotes, in a tag, or in prose. */
const before = String.raw`(?:(?<!__paging_)token|_proof|secret|(?<![a-z_])code)(?:=|["']?\s?(?:=>?|:)\s?\[?["'])|(?:token|_proof|secret)(?:>|["']?\s?(?:=>|:)\s?(?=\S{0,99}\d)(?=\S{6}))|(?:OAuth|Bearer) (?=\S{0,99}\d)(?=\S{6})`;
const secretInText = /* @__PURE__ */ new RegExp(String.raw`(${before})([^&\s"'\\<>]+)`, 'gi');

/** Whether a value under this name is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** The secrets in a low-level request, found by their names, in values and in addresses. */
export function secretsIn(request: unknown): string[] {
  const found: string[] = [];
  const text = JSON.stringify(request, (name, value: unknown) => {
    if (name === 'code' || isSecretName(name)) JSON.stringify(value, collect);
    // An object is sent as JSON.
    if (typeof value === 'string' && isJson(value)) return JSON.parse(value);
    return typeof value === 'bigint' ? `${value}` : value;
  });
  for (const reading of [text, withoutBackslashes(text)]) {
    for (const [, , value = ''] of reading.matchAll(secretInText)) {
      found.push(value, new URLSearchParams(`v=${value}`).get('v') ?? '');
    }
  }
  return found;

  function collect(_: string, value: unknown): unknown {
    // A list is sent comma-separated; a header may say `OAuth <token>`.
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      const text = `${value}`;
      found.push(text, ...text.split(','), text.replace(/^\w+ /, ''));
      if (isJson(text)) JSON.parse(text, collect);
    }
    return typeof value === 'bigint' ? undefined : value;
  }
}

/** Whether a text is a JSON object or list. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object' && text !== 'null';
  } catch {
    return false;
  }
}

/**
 * Which tokens of a response were requested. `only`: nothing but a token, so errors show nothing of the response;
 * `named`: those under `access_token`, among other fields; `all`: all tokens except the request's own; `parts`: those of
 * parts, which are read separately.
 */
export type RequestedTokens = 'only' | 'named' | 'all' | 'parts';

/** Removes the secrets of a call from what the platform sent, before it is shown to anyone. */
export type Redact = <T>(value: T) => T;

/**
 * Creates the redactor of one call.
 *
 * Secrets are found as they are, and as they are encoded in addresses, in JSON and in HTML: those of the call, which are
 * known, and others, which only the platform's body holds, by what tokens look like and by their names.
 */
export function createRedact(secrets: Iterable<string | undefined>): Redact {
  const known = Array.from(secrets, (secret = '') => secret);
  const maskKnown = createMask(known);
  let maskName: typeof maskKnown | undefined;
  return (value) =>
    maskAll(value, {
      left: maxShown,
      text: (text) => maskUnknown(maskKnown(text)),
      name: (name) =>
        (maskName ??= createMask(known.filter(canStandInNames)))(name).replace(tokenShape, mask),
      member: maskMember,
    });
}

/** Masks what looks like a token, or stands under the name of a secret, also if it is encoded. */
function maskUnknown(text: string): string {
  const masked = maskPlain(text);
  if (!mayBeEscaped.test(masked)) return masked;
  const decoded = withoutBackslashes(masked);
  const shown = maskPlain(decoded);
  return shown === decoded ? masked : shown;
}

function maskPlain(text: string): string {
  return text.replace(tokenShape, mask).replace(secretInText, `$1${mask}`);
}

/** A name with secrets masked. Short ones stay: they may be ordinary words. */
export function redactName(redact: Redact, name: string): string {
  return Object.keys(redact({ [name]: 0 })).join('');
}

/** A cheap test for whether a JSON text may hold this or another token: few do. */
export function mayHoldSecrets(json: string, token: string): boolean {
  return json.includes(/[a-z\d]{4,12}/i.exec(token)?.[0] ?? '') || secretMember.test(json);
}

/**
 * A response without its request's token, wherever it repeats it, and without other tokens, except under `access_token`
 * if tokens were requested.
 */
export function withoutEcho(body: unknown, token: string, tokens: RequestedTokens | undefined): unknown {
  const maskToken = createMask([token].filter(canStandInNames));
  return maskAll(body, {
    left: Infinity,
    text: maskToken,
    name: maskToken,
    member: (name, item, depth) =>
      name === 'access_token' && tokens !== undefined && depth < 3
        ? item
        : tokens === 'all'
          ? undefined
          : maskMember(name, item),
  });
}

/** What is shown of a value whose name says that it is a secret. */
function maskMember(name: string, item: unknown): string | undefined {
  return isSecretName(name) && item !== null && typeof item !== 'boolean' ? mask : undefined;
}

/** Shorter ones may be ordinary words. */
function canStandInNames({ length }: string): boolean {
  return length >= 8;
}

/** How many characters and values are shown at most: masking takes time and blocks everything else. */
const maxShown = 65_536;
/** Replaces what is not shown. */
const cut = '[…]';

interface Masks {
  /** How many characters and values may still be shown. */
  left: number;
  readonly text: (text: string) => string;
  readonly name: (name: string) => string;
  /** What replaces the value under a name; `undefined` if only the strings in it are masked. */
  readonly member: (name: string, value: unknown, depth: number) => unknown;
}

/** A masked copy of a value, up to the limit. */
function maskAll<TValue>(value: TValue, masks: Masks, depth = 0): TValue {
  const most = masks.left--;
  const maskWithin = (part: unknown): unknown => maskAll(part, masks, depth + 1);
  const masked =
    // Deeper than any response of the platform: a body designed to exhaust the stack.
    most < 1 || depth > 99
      ? cut
      : typeof value === 'string'
        ? maskText(value, masks.text, masks)
        : typeof value !== 'object' || value === null
          ? value
          : Array.isArray(value)
            ? value.slice(0, most).map(maskWithin)
            : Object.fromEntries(
                Object.entries(value)
                  .slice(0, most)
                  .map(([name, item]: [string, unknown]) => [
                    maskText(name, masks.name, masks),
                    masks.member(name, item, depth) ?? maskWithin(item),
                  ]),
              );
  // Masking keeps the shape, apart from what is cut.
  return masked as TValue;
}

function maskText(text: string, maskIt: Masks['text'], masks: Masks): string {
  const shown = text.slice(0, Math.max(0, masks.left));
  masks.left -= text.length;
  return maskIt(shown) + (shown === text ? '' : cut);
}

const escape =
  /((?:%[\da-f]{2}){1,96})|(?<!\\)\\{1,99}(?:u([\da-f]{4})|(x[\da-f]{2}))|&#(x?[\da-f]{1,5});|&(amp|lt|gt|quot|apos);/gi;
/** Without one of these characters, all readings of a text are the same. */
const mayBeEscaped = /[%&\\]/;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The readings of a text, in turn: as it is, unescaped, and without the backslashes with which JSON escapes characters.
 */
const readings = [(text: string) => text, (text: string) => withoutEscapes(text), withoutBackslashes];

/** A search for secrets in one reading of a text. */
interface Search {
  readonly read: (text: string) => string;
  /** The secrets in that reading, folded. */
  readonly forms: readonly string[];
}

/**
 * Creates a function that masks secrets in a text: as they are, and as they are encoded in addresses, in JSON and in
 * HTML, once or repeatedly. A text with an encoded secret is shown decoded. A truncated secret is masked from 12
 * characters on.
 *
 * Secrets are not turned into regular expressions: both are normalized, and compared in that form. A text is read once
 * for all secrets, whatever they contain. Anything shorter than four characters is not searched for: it would occur by
 * chance.
 */
function createMask(secrets: readonly string[]): (text: string) => string {
  // A secret may be a part of another one, which is masked first.
  const rounds: string[][] = [];
  for (const secret of [...new Set(secrets)].sort((a, b) => b.length - a.length)) {
    const last = rounds.findLastIndex((round) => round.some((longer) => longer.includes(secret)));
    (rounds[last + 1] ??= []).push(secret);
  }
  const searchesOf = (most: number): readonly Search[] =>
    rounds.flatMap((round) =>
      readings.slice(0, most).map((read) => ({
        read,
        // A secret that ends with a backslash loses it in this reading if something follows, as in a text.
        forms: round
          .map((secret) => fold(read(`${secret}"`)).slice(0, -1))
          .filter(({ length }) => length > 3),
      })),
    );
  const isEscaped = secrets.some((secret) => mayBeEscaped.test(secret));
  let inPlain: readonly Search[] | undefined;
  let inAll: readonly Search[] | undefined;
  return (text) => {
    let hasTruncated = false;
    const searches =
      isEscaped || mayBeEscaped.test(text) ? (inAll ??= searchesOf(3)) : (inPlain ??= searchesOf(1));
    const shown = maskBy(searches, text, () => {
      hasTruncated = true;
    });
    // The most decoded reading first: the beginning of a secret may be plain, and the rest encoded.
    return hasTruncated ? maskBy(searches.toReversed(), shown) : shown;
  };
}

/**
 * Masks what the searches find, one after another. With `onTruncated`, masks whole secrets, and calls it for truncated
 * ones; without it, masks truncated ones too.
 */
function maskBy(searches: readonly Search[], text: string, onTruncated?: () => void): string {
  return searches.reduce((shown, { read, forms }) => {
    const readable = read(shown);
    const masked = maskIn(readable, forms, onTruncated);
    return masked === readable ? shown : masked;
  }, text);
}

function maskIn(text: string, forms: readonly string[], onTruncated: (() => void) | undefined): string {
  const folded = fold(text);
  const found: (readonly [start: number, end: number])[] = [];
  for (const form of forms) {
    // The app's token begins with the app's id, which is not a secret.
    const head = form.slice(0, 12 + (/^\d{1,20}\|/.exec(form)?.[0].length ?? 0));
    // The first 200 characters of a long secret count as the secret: comparing so few keeps the search linear.
    const least = onTruncated ? Math.min(form.length, 200) : 0;
    for (let at = 0; (at = folded.indexOf(head, at)) >= 0;) {
      const start = at;
      at += head.length;
      while (at - start < form.length && folded[at] === form[at - start]) at++;
      if (at - start >= least) found.push([start, at]);
      else {
        onTruncated?.();
        at = start + 1;
      }
    }
  }
  let masked = '';
  let shownTo = 0;
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    if (start >= shownTo) masked += text.slice(shownTo, start) + mask;
    shownTo = Math.max(shownTo, end);
  }
  return masked + text.slice(shownTo);
}

/** Lower-cased, and with spaces as a form encodes them. No character becomes two. */
function fold(text: string): string {
  return text.replaceAll('İ', 'i').toLowerCase().replaceAll(' ', '+');
}

function withoutEscapes(text: string, depth = 6): string {
  const resolved = text.replace(escape, (_, encoded, unit, hex = `x${unit}`, number = hex, name = '') =>
    encoded
      ? [...new URLSearchParams(encoded).keys()].join('')
      : (entities[name.toLowerCase()] ?? String.fromCharCode(Number(`0${number}`))),
  );
  // The result of decoding can be part of another escape. No platform encodes more often than this.
  return resolved === text || depth === 0 ? resolved : withoutEscapes(resolved, depth - 1);
}

function withoutBackslashes(text: string): string {
  return withoutEscapes(text).replace(/\\{1,999}(?=[^a-z\d])/gi, '');
}

/**
 * Adds properties that can only be read by name: logging, `JSON.stringify` and spreading leave them out. They are
 * getters, so that inspecting hidden properties does not show them either. An `undefined` property is not added.
 */
export function hide<TValue extends object, TSecrets extends object>(
  value: TValue,
  secrets: TSecrets,
): TValue & TSecrets {
  for (const [name, secret] of Object.entries(secrets)) {
    if (secret !== undefined) Object.defineProperty(value, name, { get: () => secret });
  }
  // `defineProperty` does not add to the type.
  return value as TValue & TSecrets;
}

/** An address without token and proof, otherwise unchanged. */
export function withoutSecrets(address: string): string {
  const start = address.indexOf('?');
  if (start < 0) return address;
  const rest = address
    .slice(start + 1)
    .split('&')
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
    /("(?:next|previous)"\s*:\s*)("[^"\\]*(?:\\.[^"\\]*){0,9999}")/g,
    // Parsed, since the platform may write `&` as an escape.
    (_, name: string, link: string) => name + JSON.stringify(withoutSecrets(String(JSON.parse(link)))),
  );
}
