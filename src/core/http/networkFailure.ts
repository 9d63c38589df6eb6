import type { TransportCause } from '../errors.ts';

/** Codes of failures that come before a request is sent: nobody listens, no such host, no connection in time. */
const unsentCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
];

/** Whether the platform cannot have received the request. */
export function isUnsent(thrown: unknown): boolean {
  return causes(thrown).some(({ code = '' }) => unsentCodes.includes(code));
}

/** What a thrown value and its causes say. */
export function describeCause(thrown: unknown): string {
  return [...new Set(telling(thrown).map(({ message }) => message))].join(': ') || 'no reason was given';
}

/** Of a thrown value and its causes, the innermost that says something. */
export function causeOf(thrown: unknown): TransportCause | undefined {
  return telling(thrown).at(-1);
}

function telling(thrown: unknown): readonly TransportCause[] {
  // What ky wraps a failure in says no more than the address, which the caller knows.
  return causes(thrown).filter(({ name, message }) => name !== 'NetworkError' && message !== '');
}

/** A thrown value and its causes, as plain data; or a signal, and the reason why it was aborted. */
export function causes(thrown: unknown): readonly TransportCause[] {
  const chain: TransportCause[] = [];
  try {
    // Not `instanceof`: where tests run in a realm of their own, the errors of `fetch` are of another.
    for (let thing = thrown; typeof thing === 'object' && thing !== null && chain.length < 5;) {
      const { name, message, code, cause, reason } = thing as Readonly<Record<string, unknown>>;
      const text = textOf(code);
      chain.push({ name: textOf(name) ?? 'Error', code: text, message: textOf(message) ?? text ?? '' });
      thing = cause ?? reason;
    }
  } catch {
    // Anything can be thrown, even what cannot be looked into.
  }
  return chain;
}

/** A text, if it is one and says something. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
