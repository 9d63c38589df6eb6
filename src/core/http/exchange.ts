import ky from 'ky';

import { withoutLinkSecrets } from './address.ts';
import { toRequestInit } from './body.ts';
import { parseJson } from './json.ts';
import { withoutEcho } from './redact.ts';
import type { Fetch, GraphRequest } from './types.ts';

/** A response that arrived whole. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body, parsed where it is JSON, the text where not. */
  readonly body: unknown;
  readonly isJson: boolean;
}

/** Sends a request once, and reads what comes back. It rejects with what `fetch` rejects with. */
export type Exchange = (
  address: string,
  request: GraphRequest<unknown>,
  signal: AbortSignal,
) => Promise<RawResponse>;

/** Methods whose responses may have no body, whatever their status. */
const bodiless = ['HEAD', 'OPTIONS'];

/** Makes the exchange over ky and the caller's `fetch`. */
export function createExchange(fetch: Fetch | undefined): Exchange {
  const client = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // A redirect could carry the call elsewhere.
    redirect: 'manual',
  });

  return async (address, request, signal) => {
    const response = await client(address, {
      method: request.method,
      // The global one is looked up at each call, so that what replaces it later is used. The signal goes
      // in here: ky would join it with another of its own, a third of the cost of a call.
      fetch: (input, init) => (fetch ?? globalThis.fetch)(input, { ...init, signal }),
      ...toRequestInit(request),
    });
    const text = await response.text();
    const raw = { status: response.status, headers: response.headers };
    if (text === '' && (response.status === 204 || bodiless.includes(request.method))) {
      return { ...raw, body: undefined, isJson: true };
    }
    try {
      // What a caller of the low-level functions asked for with a token of its own comes as it is.
      const { token, tokens } = request;
      if (token === undefined) return { ...raw, body: parseJson(text), isJson: true };
      const shown = withoutLinkSecrets(text);
      const body = parseJson(shown);
      const isEcho = shown.includes(/[a-z\d]{4,99}/i.exec(token)?.[0] ?? '');
      return { ...raw, body: isEcho ? withoutEcho(body, token, tokens !== undefined) : body, isJson: true };
    } catch {
      return { ...raw, body: text, isJson: false };
    }
  };
}
