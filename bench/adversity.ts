// More that can go wrong around a write: strangers post the same text, lists repeat entries, bodies never end.
import { parseJson } from '../src/core/http/json.ts';
import type { Fetch } from '../src/core/index.ts';
import type { Sandbox } from '../src/sandbox/index.ts';

/** The path of a request that comments in public. */
const commentPath = /\/(\d[\d_]*)\/(?:comments|replies)$/;
/** More bytes than the contexts here read of a response. */
export const endlessBytes = 256 * 1024;

/**
 * A `fetch` that sometimes lists an entry twice, and sometimes answers a write with an endless body: the write took
 * effect, but its id is not known.
 */
export function hostileFetch(random: () => number, writePath: RegExp, send: Fetch = fetch): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await send(request);
    const isWrite = request.method === 'POST' && writePath.test(new URL(request.url).pathname);
    if (isWrite && response.ok && random() < 0.02) return new Response(endlessBody(), response);
    if (request.method !== 'GET' || random() >= 0.1) return response;
    const text = await response.text();
    return new Response(withRepeat(text), { status: response.status, headers: response.headers });
  };
}

function endlessBody(): ReadableStream<Uint8Array> {
  const chunk = new TextEncoder().encode('{"id":"1"}'.padEnd(16_384));
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }, { highWaterMark: 0 });
}

/** A list that has its first entry twice. */
function withRepeat(text: string): string {
  const body: unknown = text.startsWith('{') ? parseJson(text) : undefined;
  const { data } = Object(body) as { readonly data?: unknown };
  return Array.isArray(data)
    ? JSON.stringify({ ...Object(body), data: [...data.slice(0, 1), ...data] })
    : text;
}

/** A sandbox in which visitors sometimes post the text of a call, right before or after it. */
export function amongStrangers(sandbox: Sandbox, random: () => number): Sandbox {
  return {
    ...sandbox,
    serveAt: (platform) => {
      const respond = sandbox.serveAt(platform);
      return async (request) => {
        const on = commentPath.exec(new URL(request.url).pathname)?.[1];
        if (request.method !== 'POST' || on === undefined || random() >= 0.3) return respond(request);
        const message = new URLSearchParams(await request.clone().text()).get('message');
        const say = (): void => {
          if (message !== null) sandbox.addComment({ on, message, by: 'A visitor' });
        };
        const isFirst = random() < 0.5;
        if (isFirst) say();
        try {
          return await respond(request);
        } finally {
          if (!isFirst) say();
        }
      };
    },
  };
}
