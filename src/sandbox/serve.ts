/// <reference lib="esnext.disposable" preserve="true" />
import type { Platform } from '../core/platform.ts';
import { sandboxPlatform } from './http.ts';
import { checked, checksOf, checkTool } from './members.ts';
import type { Sandbox } from './types.ts';

export interface ServeOptions {
  /** 0 takes any free port. @default 0 */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
}

export interface ServedSandbox {
  readonly url: string;
  readonly port: number;
  /** The addresses of this server, for a context's `platform`. */
  readonly platform: Platform;
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Puts a sandbox on a loopback HTTP server. Node only. */
export async function serveSandbox(sandbox: Sandbox, options: ServeOptions = {}): Promise<ServedSandbox> {
  // Node would take a text for the path of a socket.
  checked('serveSandbox', options, checksOf('port:whole host'));
  checkTool('sandbox', sandbox, 'serveAt', 'made by createSandbox');
  return listen((platform) => sandbox.serveAt(platform), options);
}

/** Listens, and responds with the function that `respondAt` makes for the server's addresses. */
export async function listen(
  respondAt: (platform: Platform, url: string) => Respond,
  options: ServeOptions,
): Promise<ServedSandbox> {
  const { createServer } = nodeHttp();
  const host = options.host ?? '127.0.0.1';
  const server = createServer((incoming, outgoing) => void serve(respond, url, incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = 'code' in error && error.code === 'EADDRINUSE';
      const message = `port ${options.port} is in use: pass another one`;
      reject(isTaken ? Object.assign(new Error(message), { code: error.code }) : error);
    });
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address();
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const platform = sandboxPlatform(url);
  const respond = respondAt(platform, url);
  return { url, port, platform, close, [Symbol.asyncDispose]: close };

  function close(): Promise<void> {
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

export type Respond = (request: Request) => Promise<Response>;

async function serve(respond: Respond, url: string, incoming: Incoming, outgoing: Outgoing): Promise<void> {
  const gone = new AbortController();
  const chunks = incoming.iterator({ destroyOnReturn: false });
  outgoing.once('close', () => gone.abort());
  // A `Request` can have neither this method nor a malformed address.
  if (incoming.method === 'TRACE' || !URL.canParse(incoming.url, url))
    return send(new Response('Bad Request', { status: 400 }), outgoing);
  try {
    const response = await respond(toRequest(url, incoming, chunks, gone.signal));
    await send(response, outgoing);
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'ECONNRESET' || gone.signal.aborted) return incoming.socket.resetAndDestroy();
    const failure =
      code === 'ENOTFOUND' ? 'Nothing is served here.' : `The sandbox failed: ${String(thrown)}`;
    await send(new Response(failure, { status: code === 'ENOTFOUND' ? 404 : 500 }), outgoing);
  }
}

/** The error code in the cause of a rejected `fetch`. */
function codeOf(thrown: unknown): unknown {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
}

function toRequest(url: string, incoming: Incoming, chunks: Chunks, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
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

/** The body as it arrives, chunk by chunk, no faster than it is read. */
function bodyOf(chunks: Chunks): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
    },
    { highWaterMark: 0 },
  );
}

async function send(response: Response, outgoing: Outgoing): Promise<void> {
  outgoing.sendDate = false;
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (chunk === undefined || chunk.done) break;
      await written(outgoing, chunk.value);
    }
    outgoing.end();
  } catch {
    // The response ends early: what was written is delivered, then the connection is closed.
    outgoing.socket?.destroySoon();
  }
}

function written(outgoing: Outgoing, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    outgoing.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

type Chunks = AsyncIterator<Uint8Array>;

/** The used part of `node:http`, declared here so that the entry compiles and loads without Node. */
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

/** `node:http`, looked up at run time: bundles for browsers must not import it. */
function nodeHttp(): NodeHttp {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => NodeHttp | undefined };
  };
  const http = process?.getBuiltinModule?.('node:http');
  if (http === undefined) throw new TypeError('this runtime has no node:http to serve a sandbox with');
  return http;
}
