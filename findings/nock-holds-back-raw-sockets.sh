#!/usr/bin/env bash
# nock 15.0.6 (with @mswjs/interceptors 0.45.12): while it is active, also with enableNetConnect for an address, what is written
# to a plain socket of node:net is held back if it looks like an HTTP request, until that request is whole. A server of the
# same process does not see the request whose body has not ended: no `request` event, no answer. After nock.restore() it
# sees it at once.
#
# It matters for tests of servers against bodies that come to no end: with nock active, each of them waits for ever, or
# passes for the wrong reason. Such a file must restore the sockets first.
#
# Seen, on Node 24:
#   active: nothing
#   restored: 401
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund nock@15.0.6
cat >check.mjs <<'JS'
import { createServer } from 'node:http';
import { connect } from 'node:net';

import nock from 'nock';

const server = createServer((_request, response) => response.writeHead(401).end()).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address();

/** The status for a request whose body does not end, or nothing after a time. */
function ask(ms) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    socket.on('data', (data) => resolve(/ (\d+) /.exec(String(data))?.[1]));
    setTimeout(resolve, ms, 'nothing').unref();
  });
}

nock.disableNetConnect();
nock.enableNetConnect('127.0.0.1');
const active = await ask(1000);
nock.restore();
const restored = await ask(20_000);
console.log(`active: ${active}\nrestored: ${restored}`);
process.exit(active === 'nothing' && restored === '401' ? 0 : 1);
JS
node check.mjs
