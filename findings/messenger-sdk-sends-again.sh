#!/usr/bin/env bash
# @warriorteam/messenger-sdk 1.5.8: send.message is sent again, up to three times, when the connection is lost before the
# response. The platform may have delivered the first one: then the customer reads the same message several times. A
# 5xx is repeated in the same way. `maxRetries: 0` does not turn it off: 0 counts as left out.
#
# Seen, on Node 20 and 24, with a server that takes each request and closes the connection without a response:
#   by default: 4 requests
#   with maxRetries 0: 4 requests
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @warriorteam/messenger-sdk@1.5.8
cat >check.mjs <<'JS'
import { createServer } from 'node:http';

import { Messenger } from '@warriorteam/messenger-sdk';

let requests = 0;
const server = createServer((request) => {
  request.resume().on('end', () => {
    requests += 1;
    request.socket.destroy();
  });
}).listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
const baseUrl = `http://127.0.0.1:${server.address().port}`;

async function sent(options) {
  requests = 0;
  const messenger = new Messenger({ accessToken: 'x', baseUrl, ...options });
  await messenger.send.message({ recipient: { id: '1' }, message: { text: 'Hi' } }).catch(() => undefined);
  return requests;
}

const seen = [await sent({})];
seen.push(await sent({ maxRetries: 0 }));
server.close();
console.log(`by default: ${seen[0]} requests`);
console.log(`with maxRetries 0: ${seen[1]} requests`);
process.exit(seen.every((count) => count === 4) ? 0 : 1);
JS
node check.mjs
