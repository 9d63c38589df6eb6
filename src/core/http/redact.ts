import { createMask, mask } from './maskText.ts';
import type { GraphRequest } from './types.ts';

/** Names under which the platform, or a request of ours, carries a secret. A cursor is none, whatever it is called. */
const secretName = /(?:(?<!__paging_)token|secret|_proof|authorization|cookie)$/i;
const secretMember = /(?:token|secret|_proof|authorization|cookie)"\s*:/i;
const quote = String.raw`(?:\\*["']|&#?\w+;)`;
const named = String.raw`(?:(?<!__paging_)token|_proof|secret|(?<![a-z_])code)(?:=|%3D|${quote}\s?:\s?\[?${quote})`;
const tag = '(?:token|_proof|secret)>';
const scheme = String.raw`(?:OAuth|Bearer) (?=\S*\d)(?=\S{6})`;
const secretInText = /* @__PURE__ */ new RegExp(String.raw`(${named}|${tag}|${scheme})([^&\s"'\\<>]+)`, 'gi');

/** Whether what goes by this name is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** The secrets in a request that a caller made up: by their names, in values and in the texts of addresses. */
export function secretsIn(request: unknown): string[] {
  const found: string[] = [];
  const text = JSON.stringify(request, (name, value: unknown) => {
    if (name === 'code' || isSecretName(name)) JSON.stringify(value, collect);
    // An object travels as JSON.
    if (typeof value === 'string' && isJson(value)) return JSON.parse(value) as unknown;
    return typeof value === 'bigint' ? `${value}` : value;
  });
  for (const [, , value = ''] of text.matchAll(secretInText)) {
    found.push(value, new URLSearchParams(`v=${value}`).get('v') ?? '');
  }
  return found;

  function collect(_: string, value: unknown): unknown {
    // A list travels with commas; `OAuth <token>` in a header.
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
      const text = `${value}`;
      found.push(text, ...text.split(','), text.replace(/^\w+ /, ''));
      if (isJson(text)) JSON.parse(text, collect);
    }
    return typeof value === 'bigint' ? undefined : value;
  }
}

/** Whether a text is an object or a list as JSON. */
function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object' && text !== 'null';
  } catch {
    return false;
  }
}

/** Takes the secrets of a call out of what the platform sent, before it is shown to anyone. */
export type Redact = <T>(value: T) => T;

/**
 * Makes the redactor of one call.
 *
 * Values are looked for as they are, and as they stand in an address, in JSON and in HTML.
 */
export function createRedact(secrets: Iterable<string | undefined>): Redact {
  const known = Array.from(secrets, (secret = '') => secret);
  const maskKnown = createMask(known);
  const maskName = createMask(known.filter(canStandInNames));
  return (value) =>
    maskAll(value, {
      left: mostShown,
      text: (text) => maskKnown(text).replace(secretInText, `$1${mask}`),
      name: maskName,
      named: maskNamed,
    });
}

/** A name with secrets masked: only those that are no word, so that it stays what it is. */
export function redactName(redact: Redact, name: string): string {
  return Object.keys(redact({ [name]: 0 })).join('');
}

/** Whether a JSON text may hold a token, that one or another; few do. */
export function mayHoldSecrets(json: string, token: string): boolean {
  return json.includes(/[a-z\d]{4,12}/i.exec(token)?.[0] ?? '') || secretMember.test(json);
}

/**
 * A response without the token that it was asked for with, wherever it repeats it, and without tokens of others; but
 * under `access_token` where tokens are what was asked for.
 */
export function withoutEcho(body: unknown, token: string, tokens: GraphRequest<unknown>['tokens']): unknown {
  const maskToken = createMask([token].filter(canStandInNames));
  return maskAll(body, {
    left: Infinity,
    text: maskToken,
    name: maskToken,
    named: (name, item, depth) =>
      name === 'access_token' && tokens !== undefined && depth < 3
        ? item
        : tokens === 'all'
          ? undefined
          : maskNamed(name, item),
  });
}

/** What is shown of a value whose name tells that it is a secret. */
function maskNamed(name: string, item: unknown): string | undefined {
  return isSecretName(name) && item !== null && typeof item !== 'boolean' ? mask : undefined;
}

/** Shorter ones may be words of the platform. */
function canStandInNames({ length }: string): boolean {
  return length >= 8;
}

/** So many signs and values are shown at most: masking takes time, in which nothing else is done. */
const mostShown = 65_536;
/** Stands for what is not shown. */
const cut = '[…]';

interface Masks {
  /** How many signs and values may still be shown. */
  left: number;
  readonly text: (text: string) => string;
  readonly name: (name: string) => string;
  /** What stands for the value of a name; `undefined` where its texts are masked. */
  readonly named: (name: string, value: unknown, depth: number) => unknown;
}

/** A copy of a value, masked, as far as it is shown. */
function maskAll<TValue>(value: TValue, masks: Masks, depth = 0): TValue {
  const most = masks.left--;
  const maskWithin = (part: unknown): unknown => maskAll(part, masks, depth + 1);
  const masked =
    // Deeper than any response of the platform: a body made to exhaust the stack.
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
                    masks.named(name, item, depth) ?? maskWithin(item),
                  ]),
              );
  return masked as TValue;
}

function maskText(text: string, maskIt: Masks['text'], masks: Masks): string {
  const shown = text.slice(0, Math.max(0, masks.left));
  masks.left -= text.length;
  return maskIt(shown) + (shown === text ? '' : cut);
}
