import { tokenShape } from '../platform.ts';
import type { Visit } from './json.ts';
import { createMask, mask } from './knownSecrets.ts';
import { withoutSecrets } from './links.ts';
import { isSecretName, maskMember, maskUnknown } from './unknownSecrets.ts';

/**
 * Which tokens of a response were requested.
 * - `only`: nothing but a token, so errors show nothing of the response
 * - `named`: those under `access_token`, among other fields
 * - `all`: all tokens except the request's own
 * - `parts`: those of parts, which are read separately
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
export function createRedact(secrets: readonly (string | undefined)[]): Redact {
  const known = secrets.map((secret = '') => secret);
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

/** A name with secrets masked. Short ones stay: they may be ordinary words. */
export function redactName(redact: Redact, name: string): string {
  return Object.keys(redact({ [name]: 0 })).join('');
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

/** A walk through a body that takes tokens out of its links. */
export interface LinkCleaner {
  /** Begins a walk. */
  readonly start: () => Visit;
  /** Whether something else in the body may hold the request's or another token: few bodies do. */
  readonly mayHoldSecrets: () => boolean;
}

/**
 * Takes the tokens out of a body's links to other pages, into each of which the platform puts them, also into those of
 * lists within an entry.
 */
export function createLinkCleaner(text: string, token: string): LinkCleaner {
  const part = /[a-z\d]{4,12}/i.exec(token)?.[0] ?? '';
  let removed = 0;
  let hasSecretName = false;
  const visit: Visit = (value, name, owner) => {
    if ((name === 'next' || name === 'previous') && typeof value === 'string') {
      const link = withoutSecrets(value);
      removed += countOf(part, value) - countOf(part, link);
      owner[name] = link;
    }
    if (!hasSecretName && name !== '') hasSecretName = isSecretName(name);
  };
  return {
    start: () => {
      removed = 0;
      return visit;
    },
    mayHoldSecrets: () => {
      // A letter or digit that is escaped hides the token in the text. Few texts have an escape by number at all.
      const mayBeOfEscapes =
        text.includes(String.raw`\u00`) && /\\u00(?:3\d|[46][1-9a-f]|[57][\da])/i.test(text);
      return hasSecretName || part === '' || mayBeOfEscapes || countOf(part, text) !== removed;
    },
  };
}

function countOf(part: string, text: string): number {
  // A token may have no such part.
  if (part === '') return 0;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
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
  // Deeper than any response of the platform: a body designed to exhaust the stack.
  const masked: unknown =
    most < 1 || depth > 99
      ? cut
      : typeof value === 'string'
        ? maskText(value, masks.text, masks)
        : typeof value === 'object' && value !== null
          ? maskWithin(value, most, masks, depth)
          : value;
  // Masking keeps the shape, apart from what is cut.
  return masked as TValue;
}

function maskWithin(value: object, most: number, masks: Masks, depth: number): unknown {
  return Array.isArray(value)
    ? value.slice(0, most).map((item: unknown) => maskAll(item, masks, depth + 1))
    : Object.fromEntries(
        Object.entries(value)
          .slice(0, most)
          .map(([name, item]: [string, unknown]) => [
            maskText(name, masks.name, masks),
            masks.member(name, item, depth) ?? maskAll(item, masks, depth + 1),
          ]),
      );
}

function maskText(text: string, maskIt: Masks['text'], masks: Masks): string {
  const shown = text.slice(0, Math.max(0, masks.left));
  masks.left -= text.length;
  return maskIt(shown) + (shown === text ? '' : cut);
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
