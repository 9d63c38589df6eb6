import ky from 'ky';

import { toRequestInit } from './body.ts';
import { parseJson } from './json.ts';
import { withoutLinkSecrets } from './path.ts';
import { mayHoldSecrets, withoutEcho } from './redact.ts';
import type { Fetch, GraphRequest, HttpContext } from './types.ts';

/** What a body says. */
interface Content {
  /** What JSON says; of another text the first 4 KiB; `undefined` where there is more than is read. */
  readonly body: unknown;
  readonly isJson: boolean;
}

/** A response. */
export interface RawResponse extends Content {
  readonly status: number;
  readonly headers: Headers;
}

/** Sends a request once, and reads what comes back. It rejects with what `fetch` rejects with. */
export type Exchange = (
  address: string,
  request: GraphRequest<unknown>,
  context: Pick<HttpContext, 'maxResponseBytes'>,
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

  return async (address, request, { maxResponseBytes }, signal) => {
    const response = await client(address, {
      method: request.method,
      // The global one is looked up at each call, so that what replaces it later is used. The signal goes
      // in here: ky would join it with another of its own, a third of the cost of a call.
      fetch: (input, init) => (fetch ?? globalThis.fetch)(input, { ...init, signal }),
      ...toRequestInit(request),
    });
    const text = await readText(response, maxResponseBytes ?? request.maxResponseBytes ?? 2 ** 24, signal);
    const { token, tokens } = request;
    return {
      status: response.status,
      headers: response.headers,
      ...(text === undefined
        ? { body: text, isJson: false }
        : text === '' && (response.status === 204 || bodiless.includes(request.method))
          ? { body: undefined, isJson: true }
          : readContent(text, tokens === 'parts' ? undefined : token, tokens)),
    };
  };
}

/** A body as text; `undefined` if it is larger than `mostBytes` once decoded, whose rest is not read. */
async function readText(
  response: Response,
  mostBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  // A `fetch` of the caller's may return another kind of stream.
  const reader = (response.body as Partial<ReadableStream<Uint8Array>> | null)?.getReader?.();
  if (reader === undefined) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > mostBytes || signal.aborted) {
      // Nothing depends on how the cancelling ends.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * Reads a body. What a caller of the low-level functions asked for with a token of its own comes as it is; with
 * `token`, links and echoes come without it.
 */
export function readContent(
  text: string,
  token: string | undefined,
  tokens: GraphRequest<unknown>['tokens'],
): Content {
  try {
    if (token === undefined) return { body: parseJson(text), isJson: true };
    const shown = withoutLinkSecrets(text);
    const body = parseJson(shown);
    return { body: mayHoldSecrets(shown, token) ? withoutEcho(body, token, tokens) : body, isJson: true };
  } catch {
    const { read } = new TextEncoder().encodeInto(text, new Uint8Array(4096));
    return { body: text.slice(0, read), isJson: false };
  }
}
