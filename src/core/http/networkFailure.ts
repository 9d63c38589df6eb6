import type { TransportCause } from '../errors.ts';
import { fieldsOf, nonEmpty } from '../objects.ts';

/**
 * Whether a function is the `fetch` of Node, the only one whose failures say for certain that nothing was sent. Deno sends
 * a POST again after its connection broke, and fails as that of a refused connection does if the server is gone by then;
 * Bun has one code for several failures; browsers and workerd have none. Node's is written in JavaScript: its source tells
 * it from what tools put in its place.
 */
export function isOfNode(fetch: unknown): boolean {
  return /^function fetch\(input, init = undefined\) \{[^}]*internal\/deps\/undici/.test(String(fetch));
}

/**
 * Whether Node's `fetch` failed because the address of the request refused the connection, or its name was not found, or
 * because a forward proxy did, or opened no tunnel: the platform has then not received anything.
 */
export function isUnsent(thrown: unknown, address: string): boolean {
  const { env } = fieldsOf(fieldsOf(globalThis)['process']);
  return (
    isRefused(thrown, address) ||
    causes(thrown).some(isNoTunnel) ||
    // Where Node, and undici's `EnvHttpProxyAgent`, look for a proxy.
    Object.entries(fieldsOf(env)).some(
      ([name, value]) => /^https?_proxy$/i.test(name) && isRefused(thrown, String(value)),
    )
  );
}

/** What undici says of a `CONNECT` that failed, without which it sends no request. It has no code for a refusal. */
function isNoTunnel({ code, message }: TransportCause): boolean {
  return code === 'UND_ERR_ABORTED'
    ? /^Proxy response \(\d+\) !== 200 when /.test(message)
    : code?.startsWith('UND_ERR_PRX_') === true;
}

/** Codes alone do not say whose connection it was. */
function isRefused(thrown: unknown, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, port, protocol } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const { cause } = fieldsOf(thrown);
  const { code, syscall, hostname: unknown, errors } = fieldsOf(cause);
  if (syscall === 'getaddrinfo') return /^(?:ENOTFOUND|EAI_AGAIN)$/.test(String(code)) && unknown === host;
  // A name that has several addresses has an error for each.
  const tried: readonly unknown[] = Array.isArray(errors) ? errors : [cause];
  const isOfAddress = tried
    .map(fieldsOf)
    .every(
      ({ syscall, port: to, address: at }) =>
        syscall === 'connect' &&
        to === Number(port || (protocol === 'https:' ? 443 : 80)) &&
        (at === host || !/^[\d.]+$|:/.test(host)),
    );
  return isOfAddress && tried.some((one) => fieldsOf(one)['code'] === 'ECONNREFUSED');
}

/** The messages and codes of a thrown value and its causes. */
export function describeCause(thrown: unknown): string {
  return [...new Set(withMessages(thrown).map(({ message }) => message))].join(': ') || 'no reason was given';
}

/** The innermost cause of a thrown value that has a message; the value itself if it has no such cause. */
export function causeOf(thrown: unknown): TransportCause | undefined {
  return withMessages(thrown).at(-1);
}

function withMessages(thrown: unknown): readonly TransportCause[] {
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
