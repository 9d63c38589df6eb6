#!/usr/bin/env bash
# Deno 2.9.6: when a kept connection is closed without a response, `fetch` sends the request again on a new one, also a
# POST that the server has read whole. If the server is gone by then, the failure is that of a refused connection, as if
# nothing had ever been sent. A body that is a Blob is sent once.
#
# It matters for whatever must not be done twice: a payment or a post of a server that dies after its work is done twice,
# or is reported as never sent. RFC 9110 (9.2.2) says that a client should not repeat such a request by itself. Send a
# Blob, and take no code of a failure as proof that nothing was sent.
#
# Seen:
#   a text, the server stays: read 2 times, then answered
#   a Blob, the server stays: read 1 time, then failed: connection closed before message completed
#   a text, the server ends: read 1 time, then failed: Connection refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts deno@2.9.6
cat >check.mjs <<'JS'
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { promisify } from 'node:util';

const client = `
const [url, kind] = Deno.args;
const post = () => fetch(url, { method: 'POST', body: kind === 'Blob' ? new Blob(['x']) : 'x' });
await (await post()).text();
try {
  await (await post()).text();
  console.log('answered');
} catch (error) {
  const said = String(error.cause?.message ?? error.message);
  console.log('failed: ' + (/Connection refused|connection closed before message completed/.exec(said)?.[0] ?? said));
}
`;

/** Answers the first POST, and closes the connection of the second once it is read; `ends` closes the server with it. */
async function run(kind, ends) {
  let read = 0;
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    read++;
    if (read !== 2) return response.end('done');
    if (ends) server.close();
    request.socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const args = ['node_modules/deno/bin.cjs', 'eval', client, `http://127.0.0.1:${port}/`, kind];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  server.close();
  server.closeAllConnections();
  // Without the first POST, which only opened the connection.
  return `read ${read - 1} ${read === 2 ? 'time' : 'times'}, then ${stdout.trim()}`;
}

const seen = [
  ['a text, the server stays', await run('text', false)],
  ['a Blob, the server stays', await run('Blob', false)],
  ['a text, the server ends', await run('text', true)],
];
for (const [name, value] of seen) console.log(`${name}: ${value}`);
const stated = [
  'read 2 times, then answered',
  'read 1 time, then failed: connection closed before message completed',
  'read 1 time, then failed: Connection refused',
];
process.exit(seen.every(([, value], at) => value === stated[at]) ? 0 : 1);
JS
node check.mjs
