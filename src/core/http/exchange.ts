import ky from 'ky';

import { fieldsOf } from '../options/check.ts';
import { parseJson } from './json.ts';
import { toForm, withoutLinkSecrets } from './path.ts';
import { mayHoldSecrets, withoutEcho } from './redact.ts';
import type { Content, Fetch, GraphRequest, HttpContext, RawResponse } from './types.ts';

/** Sends a request once, and reads the response. It rejects with what `fetch` rejects with. */
export type Exchange = (
  address: string,
  request: GraphRequest<unknown>,
  context: Pick<HttpContext, 'maxResponseBytes'>,
  signal: AbortSignal,
) => Promise<RawResponse>;

/** Creates the exchange over ky and the caller's `fetch`. */
export function createExchange(fetch: Fetch | undefined): Exchange {
  const client = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    // A redirect could take the call to another host.
    redirect: 'manual',
  });

  // Making one takes as long as decoding a short body.
  const decoder = new TextDecoder();

  return async (address, request, { maxResponseBytes }, signal) => {
    const { method, form, headers, redirect, token, tokens } = request;
    let { json } = request;
    // `RequestBody` is `BodyInit`, spelled out for runtimes without the DOM types.
    let body = form ? toForm(form) : (request.body as BodyInit | undefined);
    // If a connection breaks that was used before, Deno re-sends what it can copy, even a POST that took effect. It
    // cannot copy a Blob.
    if ('Deno' in globalThis && (form || json || typeof body === 'string')) {
      body = await (json ? Response.json(json) : new Response(body)).blob();
      json = undefined;
    }
    // Each option costs ky some time, so only those that are there are given.
    const response = await client(address, {
      method,
      // The global one is looked up at each call, so that a later replacement is used. The signal is passed here: ky
      // would combine it with one of its own, which costs a third of a call.
      fetch: async (input, init) => {
        const response = await (fetch ?? globalThis.fetch)(input, { ...init, signal });
        // A stub may return anything, which ky would fail at in words of its own.
        if (!fieldsOf(fieldsOf(response)['headers'])['get'])
          throw new TypeError('fetch returned no Response');
        return response;
      },
      ...(body !== undefined && { body }),
      ...(json !== undefined && { json }),
      ...(headers && { headers }),
      ...(redirect && { redirect }),
    });
    const mostBytes = maxResponseBytes ?? request.maxResponseBytes ?? 2 ** 24;
    const text = await readText(response, mostBytes, signal, decoder);
    return {
      status: response.status,
      headers: response.headers,
      ...(text === undefined
        ? { body: text, isJson: false }
        : // Responses to these methods may have no body, whatever their status.
          text === '' && (response.status === 204 || /HEAD|OPTIONS/.test(method))
          ? { body: undefined, isJson: true }
          : readContent(text, tokens === 'parts' ? undefined : token, tokens)),
    };
  };
}

/** A body as text; `undefined` if it is larger than `mostBytes` once decoded: the rest is then not read. */
async function readText(
  response: Response,
  mostBytes: number,
  signal: AbortSignal,
  decoder: TextDecoder,
): Promise<string | undefined> {
  // The caller's `fetch` may return another kind of stream.
  const reader = (response.body as Partial<ReadableStream<Uint8Array>> | null)?.getReader?.();
  if (reader === undefined) return response.text();
  let streaming: TextDecoder | undefined;
  let text = '';
  let bytes = 0;
  let last: Uint8Array | undefined;
  for (;;) {
    const { value } = await reader.read();
    // A body in one piece, as most are, is decoded at once, which takes a sixth of the time.
    if (value === undefined) return text + (streaming ?? decoder).decode(last);
    bytes += value.byteLength;
    if (bytes > mostBytes || signal.aborted) {
      // Nothing depends on the result of cancelling.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    // One for this body, which may hold a part of a character until the next piece.
    if (last !== undefined) text += (streaming ??= new TextDecoder()).decode(last, { stream: true });
    last = value;
  }
}

/**
 * Reads a body. With `token`, links and echoes come without it; otherwise, as for low-level calls that add a token
 * themselves, the body comes as it is.
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
    // UTF-16 would show each character of a secret next to a null.
    return { body: text.slice(0, read).replaceAll('\0', ''), isJson: false };
  }
}
