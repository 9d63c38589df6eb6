import ky from 'ky';

import { fieldsOf } from '../objects.ts';
import { takingTurns } from '../options/clock.ts';
import { parseJson } from './json.ts';
import { isOfNode, isUnsent } from './networkFailure.ts';
import { createLinkCleaner, withoutEcho } from './redact.ts';
import type { Content, Fetch, GraphRequest, HttpContext, RawResponse } from './types.ts';

/**
 * Sends a request once, and reads the response. It rejects with what `fetch` rejects with, and calls `onUnsent` before,
 * if the request was certainly not sent.
 */
export type Exchange = (
  address: string,
  request: GraphRequest<unknown>,
  context: Pick<HttpContext, 'maxResponseBytes'>,
  signal: AbortSignal,
  onUnsent: () => void,
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

  // Shared, since to create a decoder takes as long as to decode a short body.
  const decoder = new TextDecoder();

  return async (address, request, { maxResponseBytes }, signal, onUnsent) => {
    const { method, headers, redirect, unwrap } = request;
    const { name, toBody } = method;
    const body = toBody?.(request);
    // `RequestBody` is `BodyInit`, spelled out for runtimes without the DOM types.
    const sent = (body instanceof Promise ? await body : body) as Pick<RequestInit, 'body'> | undefined;
    // ky spends time on each option, so absent ones are left out.
    const response = await client(address, {
      ...(name !== 'GET' && { method: name }),
      // The global `fetch` is read at each call, so that one that replaces it later is used. The signal is passed here,
      // since ky would combine it with one of its own, which takes a third of the time of a call.
      fetch: async (input, init) => {
        const current = fetch ?? globalThis.fetch;
        let response: Response;
        try {
          response = await current(input, { ...init, signal });
        } catch (thrown) {
          // What a `fetch` of the caller's does besides, such as to write a log, can be refused as well.
          if (fetch === undefined && isOfNode(current) && isUnsent(thrown, address)) onUnsent();
          throw thrown;
        }
        // Whatever else a stub returns, ky would fail with an error of its own.
        if (!fieldsOf(fieldsOf(response)['headers'])['get'])
          throw new TypeError('fetch returned no Response');
        return response;
      },
      ...sent,
      ...(headers && { headers }),
      ...(redirect && { redirect }),
    });
    const maxBytes = maxResponseBytes ?? request.maxResponseBytes ?? 2 ** 24;
    const text = await readText(response, maxBytes, signal, decoder);
    const { status, headers: given } = response;
    const { body: content, isJson } = contentOf(text, status, request);
    const part = unwrap?.(content);
    if (part === undefined) return { status, headers: given, body: content, isJson };
    return { status: part.code, headers: given, ...readContent(part.body, request.token, undefined) };
  };
}

function contentOf(
  text: string | undefined,
  status: number,
  { method, token, tokens, unwrap }: GraphRequest<unknown>,
): Content {
  if (text === undefined) return { body: text, isJson: false };
  // A response to HEAD or OPTIONS may have no body, whatever its status.
  return text === '' && (status === 204 || /HEAD|OPTIONS/.test(method.name))
    ? { body: undefined, isJson: true }
    : readContent(text, unwrap || tokens === 'parts' ? undefined : token, tokens);
}

/** Reads a body as text; `undefined` if it is longer than `maxBytes`. The rest of such a body is not read. */
async function readText(
  response: Response,
  maxBytes: number,
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
  const turn = takingTurns();
  for (;;) {
    const { value } = await reader.read();
    const others = turn();
    if (others) await others;
    // Most bodies come in one piece, and to decode that at once takes a sixth of the time.
    if (value === undefined) return text + (streaming ?? decoder).decode(last);
    bytes += value.byteLength;
    if (bytes > maxBytes || signal.aborted) {
      // Nothing depends on the result of cancelling.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    // Not the shared decoder: between two pieces it holds the beginning of a character.
    if (last !== undefined) text += (streaming ??= new TextDecoder()).decode(last, { stream: true });
    last = value;
  }
}

/**
 * Parses a body. With `token`, it takes the token out of links and echoes. Without one, as for low-level calls that add
 * a token themselves, it changes nothing.
 */
export function readContent(
  text: string,
  token: string | undefined,
  tokens: GraphRequest<unknown>['tokens'],
): Content {
  try {
    if (token === undefined) return { body: parseJson(text), isJson: true };
    const links = createLinkCleaner(text, token);
    const body = parseJson(text, links.start);
    return { body: links.mayHoldSecrets() ? withoutEcho(body, token, tokens) : body, isJson: true };
  } catch {
    const { read } = new TextEncoder().encodeInto(text, new Uint8Array(4096));
    // A body in UTF-16 has a null beside each character, by which a secret would escape redaction.
    return { body: text.slice(0, read).replaceAll('\0', ''), isJson: false };
  }
}
