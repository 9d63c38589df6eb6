/// <reference lib="esnext.disposable" preserve="true" />
import type { Platform } from '../core/platform.ts';
import { sandboxPlatform } from './hosts.ts';
import type { Sandbox } from './types.ts';

export interface ServeOptions {
  /** 0: any free one. @default 0 */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
}

export interface ServedSandbox {
  readonly url: string;
  readonly port: number;
  /** Addresses on this server. */
  readonly platform: Platform;
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Puts a sandbox on a loopback HTTP server. Node only. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions = {}): Promise<ServedSandbox> {
  const { createServer } = await nodeHttp();
  const host = options.host ?? '127.0.0.1';
  const server = createServer((incoming, outgoing) => void serve(answer, url, incoming, outgoing));
  void (await new Promise<void>((resolve, reject) => {
    void server.once('error', reject);
    void server.listen(options.port ?? 0, host, resolve);
  }));
  const { port } = server.address();
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const platform = sandboxPlatform(url);
  const answer = sandbox.serveAt(platform);
  return { url, port, platform, close, [Symbol.asyncDispose]: close };

  function close(): Promise<void> {
    return new Promise((resolve) => {
      void server.close(() => resolve());
      void server.closeAllConnections();
    });
  }
}

type Answer = (request: Request) => Promise<Response>;

async function serve(answer: Answer, url: string, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const gone = new AbortController();
  const chunks = incoming.iterator({ destroyOnReturn: false });
  void outgoing.once('close', () => gone.abort());
  try {
    const response = await answer(toRequest(url, incoming, chunks, gone.signal));
    void (await drained(chunks));
    void (await send(response, outgoing));
  } catch {
    // A lost connection is what the client is meant to see; whatever else went wrong looks the same from there.
    void incoming.socket.resetAndDestroy();
  }
}

function toRequest(url: string, incoming: Incoming, chunks: Chunks, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    void headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
  }
  const bare =
    incoming.method === 'GET' ||
    incoming.method === 'HEAD' ||
    ((incoming.headers['content-length'] ?? '0') === '0' &&
      incoming.headers['transfer-encoding'] === undefined);
  const init: RequestInit & { readonly duplex: 'half' } = {
    method: incoming.method,
    headers,
    body: bare ? null : bodyOf(chunks),
    signal,
    redirect: 'manual',
    duplex: 'half',
  };
  return new Request(new URL(incoming.url, url), init);
}

/** The body as it comes in, chunk by chunk, never faster than it is read. */
function bodyOf(chunks: Chunks): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) void controller.close();
        else void controller.enqueue(new Uint8Array(value));
      },
    },
    { highWaterMark: 0 },
  );
}

/** Lets the client finish sending: an answer in the middle of a body reads like a lost connection. */
async function drained(chunks: Chunks): Promise<void> {
  for (;;) {
    const { done } = await chunks.next();
    if (done === true) return;
  }
}

async function send(response: Response, outgoing: Outgoing): Promise<void> {
  outgoing.sendDate = false;
  void outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      void (await written(outgoing, chunk.value));
    }
    void outgoing.end();
  } catch {
    // Half an answer: what is written still goes out, then the connection ends.
    void outgoing.socket?.destroySoon();
  }
}

function written(outgoing: Outgoing, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    void outgoing.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

type Chunks = AsyncIterator<Uint8Array>;

/** The little of `node:http` that is needed, so that the entry compiles and loads without Node. */
interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly socket: { readonly resetAndDestroy: () => void };
  readonly iterator: (options: { destroyOnReturn: boolean }) => Chunks;
}

interface Outgoing {
  sendDate: boolean;
  readonly socket: { readonly destroySoon: () => void } | null;
  readonly once: (event: string, listener: () => void) => void;
  readonly writeHead: (status: number, headers: Readonly<Record<string, string>>) => void;
  readonly write: (bytes: Uint8Array, done: (error?: Error | null) => void) => void;
  readonly end: () => void;
}

interface Server {
  readonly once: (event: string, listener: (error: Error) => void) => void;
  readonly listen: (port: number, host: string, ready: () => void) => void;
  readonly address: () => { readonly port: number };
  readonly close: (done: () => void) => void;
  readonly closeAllConnections: () => void;
}

interface NodeHttp {
  readonly createServer: (listener: (incoming: Incoming, outgoing: Outgoing) => void) => Server;
}

function nodeHttp(): Promise<NodeHttp> {
  const name: string = 'node:http';
  return import(name) as Promise<NodeHttp>;
}
