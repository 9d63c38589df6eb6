import { tokenShape } from '../platform.ts';
import { mask } from './knownSecrets.ts';
import { mayBeEscaped, withoutBackslashes } from './readings.ts';

/**
 * Names under which the platform, or one of our requests, carries a secret. Cursors are not secrets, whatever their
 * name: `access_token` and `appsecret_proof`, but not `__paging_token`.
 */
const secretName = /(?:(?<!__paging_)token|secret|_proof|authorization|cookie)$/i;
/** The last letters of these names, and those before them, a bit each: they rule out most names faster than the expression. */
const lastLetters = /* @__PURE__ */ bitsOf('ntfe');
const lettersBefore = /* @__PURE__ */ bitsOf('eoi');
/**
 * What comes before a secret: its name, and a separator as in an address, in quotes, in a tag, or in prose.
 * `access_token=`, `"secret": "`, `<token>`, `token: ` before a word with a digit, `Bearer `.
 */
const before = String.raw`(?:(?<!__paging_)token|_proof|secret|(?<![a-z_])code)(?:=|["']?\s?(?:=>?|:)\s?\[?["'])|(?:token|_proof|secret)(?:>|["']?\s?(?:=>|:)\s?(?=\S{0,99}\d)(?=\S{6}))|(?:OAuth|Bearer) (?=\S{0,99}\d)(?=\S{6})`;
export const secretInText = /* @__PURE__ */ new RegExp(String.raw`(${before})([^&\s"'\\<>]+)`, 'gi');

/** Whether a value under this name is a secret. */
export function isSecretName(name: string): boolean {
  const end = name.length - 1;
  // A shift takes five bits of a code, which small and capital letters share.
  const mayBe = (lastLetters >> name.charCodeAt(end)) & (lettersBefore >> name.charCodeAt(end - 1)) & 1;
  return mayBe === 1 && secretName.test(name);
}

function bitsOf(letters: string): number {
  let bits = 0;
  for (let at = 0; at < letters.length; at++) bits |= 1 << letters.charCodeAt(at);
  return bits;
}

/** Masks what looks like a token, or stands under the name of a secret, also if it is encoded. */
export function maskUnknown(text: string): string {
  const masked = maskPlain(text);
  if (!mayBeEscaped.test(masked)) return masked;
  const decoded = withoutBackslashes(masked);
  const shown = maskPlain(decoded);
  return shown === decoded ? masked : shown;
}

function maskPlain(text: string): string {
  return text.replace(tokenShape, mask).replace(secretInText, `$1${mask}`);
}

/** What is shown of a value whose name says that it is a secret. */
export function maskMember(name: string, item: unknown): string | undefined {
  return isSecretName(name) && item !== null && typeof item !== 'boolean' ? mask : undefined;
}
