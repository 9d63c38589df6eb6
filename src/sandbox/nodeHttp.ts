export type Chunks = AsyncIterator<Uint8Array>;

/** The part of `node:http` that is used, declared here so that the entry compiles and loads without Node. */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly socket: { readonly resetAndDestroy: () => void };
  readonly iterator: (options: { destroyOnReturn: boolean }) => Chunks;
}

export interface Outgoing {
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

/** `node:http`. Found at run time: bundles for browsers must not import it. */
export function nodeHttp(): NodeHttp {
  const { process } = globalThis as {
    readonly process?: { readonly getBuiltinModule?: (name: string) => NodeHttp | undefined };
  };
  const http = process?.getBuiltinModule?.('node:http');
  if (http === undefined) throw new TypeError('this runtime has no node:http to serve a sandbox with');
  return http;
}
