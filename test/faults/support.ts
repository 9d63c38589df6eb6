import { once } from 'node:events';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

import type { ResultAsync } from 'neverthrow';
import nock from 'nock';
import { afterAll, beforeAll } from 'vitest';

import type { ContextOptions } from '../../src/core/index.ts';
import { createPageContext, type PageContext } from '../../src/page/index.ts';
import { createPicsContext, createPicsContextViaPages, type PicsContext } from '../../src/pics/index.ts';
import {
  createSandbox,
  serveSandbox,
  type Sandbox,
  type SandboxOptions,
  type SandboxPage,
} from '../../src/sandbox/index.ts';
import { firstPage } from '../functions/index.ts';
import type { AnyFailure, Said } from '../functions/table.ts';

/** Uses real sockets, since nock would hide the cuts. Call it once in a test file. */
export function useRealSockets(): void {
  beforeAll(() => {
    nock.restore();
  });
  afterAll(() => {
    nock.activate();
  });
}

/** How a connection is cut: closed without a response, reset before it, or reset within it. */
export type Cut = 'close' | 'reset' | 'truncate';

export interface Bench {
  readonly sandbox: Sandbox;
  readonly page: SandboxPage & { readonly picsId: string };
  readonly context: PageContext;
  /** Login mode. */
  readonly pics: PicsContext;
  /** Page mode. */
  readonly viaPages: PicsContext;
  /** Contexts with other settings, at the same sandbox. */
  readonly contexts: (options: ContextOptions) => Pick<Bench, 'context' | 'pics' | 'viaPages'>;
  /** Method and path of each request that reached the wire, in order. */
  readonly sent: readonly string[];
  /** Cuts the next request with this method and path, or a later one. */
  readonly cut: (fits: RegExp, how: Cut, applied: boolean, skip?: number) => void;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

let seed = 1000;

/** A sandbox served over HTTP, behind a proxy that can cut connections. Each one has its own ids. */
export async function bench(options: ContextOptions = {}, world: SandboxOptions = {}): Promise<Bench> {
  // The app's callback address responds to each challenge.
  const callbacks = async ({ url }: Request): Promise<Response> =>
    new Response(new URL(url).searchParams.get('hub.challenge'));
  const seeded = { seed: seed++, posts: 2, comments: 3, leads: 1 };
  const sandbox = createSandbox({ strict: true, callbacks, ...seeded, ...world });
  const served = await serveSandbox(sandbox);
  const wire = await layWire(served.port);
  const platform = {
    ...served.platform,
    graphUrl: served.platform.graphUrl.replace(served.url, wire.url),
    picsGraphUrl: served.platform.picsGraphUrl.replace(served.url, wire.url),
  };
  const page = firstPage(sandbox);

  function contexts(more: ContextOptions): Pick<Bench, 'context' | 'pics' | 'viaPages'> {
    const all = { platform, ...options, ...more, retry: { baseDelayMs: 5, ...options.retry, ...more.retry } };
    const appSecret = sandbox.app.secret;
    return {
      context: createPageContext({ ...all, appId: sandbox.app.id, appSecret })._unsafeUnwrap(),
      pics: createPicsContext({ ...all, appSecret: sandbox.picsApp.secret })._unsafeUnwrap(),
      viaPages: createPicsContextViaPages({ ...all, appSecret })._unsafeUnwrap(),
    };
  }

  return {
    ...contexts({}),
    contexts,
    sandbox,
    page,
    sent: wire.sent,
    cut: wire.cut,
    [Symbol.asyncDispose]: async () => {
      await wire.close();
      await served.close();
    },
  };
}

interface Wire extends Pick<Bench, 'sent' | 'cut'> {
  readonly url: string;
  readonly close: () => Promise<void>;
}

interface ArmedCut {
  readonly fits: RegExp;
  readonly how: Cut;
  readonly applied: boolean;
  skip: number;
}

const half = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n{"id": "12';

/** A proxy on this machine that forwards bytes, and cuts connections on demand. */
async function layWire(port: number): Promise<Wire> {
  const sent: string[] = [];
  const armed: ArmedCut[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    let cut: ArmedCut | undefined;
    let isStruck = false;
    for (const socket of [client, upstream]) {
      void sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => void sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      const line = /^(GET|POST|DELETE) (?:\/[a-z-]+\/v\d+\.\d+)?([^ ?]*)\S* HTTP/.exec(String(bytes));
      if (line !== null) {
        const what = `${line[1]} ${line[2]}`;
        sent.push(what);
        const at = armed.findIndex((one) => one.fits.test(what) && one.skip-- <= 0);
        [cut] = at < 0 ? [] : armed.splice(at, 1);
        isStruck = false;
      }
      if (cut === undefined || cut.applied) upstream.write(bytes);
      else strike(cut, Buffer.from(half));
    });
    upstream.on('data', (bytes) => {
      if (cut === undefined) client.write(bytes);
      else strike(cut, bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 7));
    });
    // If the sandbox resets a connection, the client's side is reset as well.
    upstream.on('error', () => client.resetAndDestroy());
    upstream.on('end', () => client.end());
    client.on('close', () => upstream.destroy());

    function strike({ how }: ArmedCut, bytes: Buffer): void {
      if (isStruck) return;
      isStruck = true;
      if (how === 'truncate') client.write(bytes, () => setTimeout(() => client.resetAndDestroy(), 5));
      else if (how === 'reset') client.resetAndDestroy();
      else client.end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    cut: (fits, how, applied, skip = 0) => void armed.push({ fits, how, applied, skip }),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

export interface Told {
  readonly said: Said;
  readonly value: unknown;
  readonly error: AnyFailure | undefined;
}

export async function tell(call: ResultAsync<unknown, AnyFailure>): Promise<Told> {
  const result = await call;
  if (result.isOk()) return { said: 'ok', value: result.value, error: undefined };
  const { error } = result;
  if (error.name === 'ConfigurationError') throw error;
  return { said: error.outcome, value: undefined, error };
}
