const mask = '[secret]';

/** Names under which the platform, or a body of ours, carries a secret. */
const secretName = /^(?:\w*_token|appsecret_proof|client_secret|app_secret|authorization)$/i;
const secretInText =
  /((?:access_token|input_token|exchange_token|appsecret_proof|client_secret|code)(?:=|%3D)|(?:OAuth|Bearer) )[^&\s"'\\<>]+/gi;

/** Whether what goes by this name is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Takes the secrets of a call out of what is shown to anyone. */
export type Redact = <T>(value: T) => T;

/**
 * Makes the redactor of one call.
 *
 * Values are looked for as they are, and as they stand in an address. Shorter ones than four
 * characters are no secrets of the platform, and would turn up by chance.
 */
export function createRedact(secrets: Iterable<string | undefined>): Redact {
  const values = new Set<string>();
  for (const secret of secrets) {
    if (secret === undefined || secret.length < 4) continue;
    values.add(secret);
    values.add(new URLSearchParams([['', secret]]).toString().slice(1));
  }
  // The longer first: a secret may be a part of another.
  const ordered = [...values].sort((a, b) => b.length - a.length);

  function redactText(text: string): string {
    let shown = text;
    for (const value of ordered) shown = shown.replaceAll(value, mask);
    return shown.replace(secretInText, `$1${mask}`);
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
