import type { TransportCause } from '../errors.ts';
import { fieldsOf } from '../options/check.ts';

/** Codes of failures that happen before a request is sent: connection refused, no such host, no connection in time. */
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

/** The messages and codes of a thrown value and its causes. */
export function describeCause(thrown: unknown): string {
  return [...new Set(telling(thrown).map(({ message }) => message))].join(': ') || 'no reason was given';
}

/** The innermost of a thrown value and its causes that says something. */
export function causeOf(thrown: unknown): TransportCause | undefined {
  return telling(thrown).at(-1);
}

function telling(thrown: unknown): readonly TransportCause[] {
  // The error in which ky wraps a failure only adds the address, which the caller knows.
  return causes(thrown).filter(({ name, message }) => name !== 'NetworkError' && message !== '');
}

/** A thrown value and its causes, as plain data; or a signal, and the reason why it was aborted. */
export function causes(thrown: unknown): readonly TransportCause[] {
  const chain: TransportCause[] = [];
  try {
    // Not `instanceof`: if tests run in a realm of their own, the errors of `fetch` come from another one.
    for (let thing = thrown; thing && chain.length < 5;) {
      const { name, message = thing, code, cause, reason } = fieldsOf(thing);
      const text = nonEmpty(code);
      chain.push({ name: nonEmpty(name) ?? 'Error', code: text, message: nonEmpty(message) ?? text ?? '' });
      thing = cause ?? reason;
    }
  } catch {
    // Anything can be thrown, even a value that throws when it is read.
  }
  return chain;
}

/** A string, if it is one and not blank. */
export function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && /\S/.test(value) ? value : undefined;
}
