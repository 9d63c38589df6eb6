import { withoutBackslashes } from './readings.ts';
import { isSecretName, secretInText } from './unknownSecrets.ts';

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
