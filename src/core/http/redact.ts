import { createMask, mask } from './maskText.ts';

/** Names under which the platform, or a request of ours, carries a secret. A cursor is none, whatever it is called. */
const secretName = /(?:(?<!__paging_)token|secret|_proof|authorization|cookie)$/i;
const secretInText =
  /((?:(?:(?<!__paging_)token|_proof|secret|(?<![a-z_])code)(?:=|%3D|(?:\\*["']|&#?\w+;)\s?:\s?\[?(?:\\*["']|&#?\w+;))|(?:token|_proof|secret)>)|(?:OAuth|Bearer) (?=\S*\d)(?=\S{6}))([^&\s"'\\<>]+)/gi;

/** Whether what goes by this name is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** The secrets in a request that a caller made up: by their names, in values and in the texts of addresses. */
export function secretsIn(request: unknown): string[] {
  const found: string[] = [];
  const text = JSON.stringify(request, (name, value: unknown) => {
    if (typeof value === 'string' && (name === 'code' || isSecretName(name))) {
      // `OAuth <token>` in a header.
      found.push(value, value.replace(/^\w+ /, ''));
    }
    return value;
  });
  for (const [, , value = ''] of text.matchAll(secretInText)) {
    found.push(value, new URLSearchParams(`v=${value}`).get('v') ?? '');
  }
  return found;
}

/** Takes the secrets of a call out of what the platform sent, before it is shown to anyone. */
export type Redact = <T>(value: T) => T;

/**
 * Makes the redactor of one call.
 *
 * Values are looked for as they are, and as they stand in an address, in JSON and in HTML.
 */
export function createRedact(secrets: Iterable<string | undefined>): Redact {
  // The longer first: a secret may be a part of another.
  const known = Array.from(secrets, (secret = '') => secret).sort((a, b) => b.length - a.length);
  const maskKnown = createMask(known);
  const maskName = createMask(known.filter(canStandInNames));
  return (value) =>
    maskAll(value, {
      text: (text) => maskKnown(text).replace(secretInText, `$1${mask}`),
      name: maskName,
      named: (name, item) =>
        isSecretName(name) && item !== null && typeof item !== 'boolean' ? mask : undefined,
    });
}

/** A name with secrets masked: only those that are no word, so that it stays what it is. */
export function redactName(redact: Redact, name: string): string {
  return Object.keys(redact({ [name]: 0 })).join('');
}

/**
 * A response without the token that it was asked for with, wherever it repeats it; but under `access_token` where
 * tokens are what was asked for.
 */
export function withoutEcho(body: unknown, token: string, keepsTokens: boolean): unknown {
  const maskToken = createMask([token].filter(canStandInNames));
  const named = (name: string, item: unknown): unknown =>
    keepsTokens && name === 'access_token' ? item : undefined;
  return maskAll(body, { text: maskToken, name: maskToken, named });
}

/** Shorter ones may be words of the platform. */
function canStandInNames({ length }: string): boolean {
  return length >= 8;
}

interface Masks {
  readonly text: (text: string) => string;
  readonly name: (name: string) => string;
  /** What stands for the value of a name; `undefined` where its texts are masked. */
  readonly named: (name: string, value: unknown) => unknown;
}

/** A copy of a value, masked. */
function maskAll<TValue>(value: TValue, masks: Masks, depth = 0): TValue {
  const maskWithin = (part: unknown): unknown => maskAll(part, masks, depth + 1);
  const masked =
    typeof value === 'string'
      ? masks.text(value)
      : typeof value !== 'object' || value === null
        ? value
        : // Deeper than any response of the platform: a body made to exhaust the stack.
          depth > 99
          ? '[…]'
          : Array.isArray(value)
            ? value.map(maskWithin)
            : Object.fromEntries(
                Object.entries(value).map(([name, item]: [string, unknown]) => [
                  masks.name(name),
                  masks.named(name, item) ?? maskWithin(item),
                ]),
              );
  return masked as TValue;
}
