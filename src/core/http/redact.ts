import { createMask, mask } from './maskText.ts';

/** Names under which the platform, or a request of ours, carries a secret. */
const secretName = /(?:token|secret|_proof|authorization|cookie)$/i;
const secretInText =
  /((?:token|_proof|secret|(?<![a-z_])code)(?:=|%3D|\\?["']\s?:\s?\\?["'])|(?:OAuth|Bearer) (?=\S*\d)(?=\S{6}))([^&\s"'\\<>]+)/gi;

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

/** Takes the secrets of a call out of what is shown to anyone. */
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

  function redactText(text: string): string {
    return maskKnown(text).replace(secretInText, `$1${mask}`);
  }

  function redact(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null) return value;
    // Deeper than any answer of the platform: a body made to exhaust the stack.
    if (depth > 99) return '[…]';
    if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        redactText(name),
        typeof item === 'string' && isSecretName(name) ? mask : redact(item, depth + 1),
      ]),
    );
  }

  return ((value: unknown) => redact(value, 0)) as Redact;
}
