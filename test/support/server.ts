import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Sandbox, ServedSandbox } from '../../src/sandbox/index.ts';

interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  readonly close: () => Promise<void>;
}

/** Lets a server listen on a free port of this machine. */
export async function listen(server: Server): Promise<Listening> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port, origin: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

/** What the variable `PAGEPICS_PLATFORM` holds for a served sandbox. */
export function platformVariable({ platform }: ServedSandbox): string {
  return JSON.stringify(platform);
}

/** The variables from which commands take a served sandbox, its user and its first Page. */
export function pageVariables(
  { app, user, pages }: Sandbox,
  server: ServedSandbox,
): Readonly<Record<string, string>> {
  return {
    PAGE_APP_ID: app.id,
    PAGE_APP_SECRET: app.secret,
    PAGEPICS_PLATFORM: platformVariable(server),
    PAGE_TOKEN: user.token,
    PAGE_ID: pages[0]?.id ?? '',
  };
}
