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
  return causes(thrown).some((cause) => unsentCodes.some((code) => code === cause.code));
}

/** What a thrown value and its causes say. */
export function describeCause(thrown: unknown): string {
  // What ky wraps a failure in says no more than the address, which the caller knows.
  const texts = causes(thrown).map(({ name, message, code }) => name !== 'NetworkError' && (message || code));
  return [...new Set(texts)].filter((text) => typeof text === 'string').join(': ') || 'no reason was given';
}

interface Cause {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
}

function causes(thrown: unknown): readonly Cause[] {
  const chain: Cause[] = [];
  try {
    // Not `instanceof`: where tests run in a realm of their own, the errors of `fetch` are of another.
    for (let thing = thrown; typeof thing === 'object' && thing !== null && chain.length < 5;) {
      const { name, message, code, cause } = thing as Cause & { readonly cause?: unknown };
      chain.push({ name, message, code });
      thing = cause;
    }
  } catch {
    // Anything can be thrown, even what cannot be looked into.
  }
  return chain;
}
