#!/usr/bin/env bash
# smee-client 5.0.0, which brings webhooks to a machine behind a firewall: what it sends there is not the body that came, but
# that body parsed and written anew. Escapes of JSON are gone (`\/`, `é` for its escape), and integers beyond 2^53 are rounded.
# The signature that it passes on beside it, over the bytes that came, does not match. Its README says nothing of it.
#
# It matters for webhooks of senders that escape, as platforms with a PHP past do: each delivery is refused as a forgery, on the
# machine of a developer only, and ids in the body are off by a digit. Those of GitHub, for which it is made, escape nothing.
#
# The service is played here. It sends an event of the form that the client reads, with the body as it came.
#
# Seen:
#   sent: {"url":"https:\/\/example.org","text":"caf\u00e9","id":17841400000000001}
#   arrived: {"url":"https://example.org","text":"café","id":17841400000000000}
#   its signature: another
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund smee-client@5.0.0
cat >check.mjs <<'JS'
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import SmeeClient from 'smee-client';

const sent = String.raw`{"url":"https:\/\/example.org","text":"caf\u00e9","id":17841400000000001}`;
const sign = (body) => `sha256=${createHmac('sha256', 'made up').update(body).digest('hex')}`;

const service = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: ready\ndata: {}\n\n');
  response.write(`data: {"x-hub-signature-256":"${sign(sent)}","body":${sent},"query":{},"timestamp":1}\n\n`);
}).listen(0, '127.0.0.1');
const target = createServer().listen(0, '127.0.0.1');
await Promise.all([once(service, 'listening'), once(target, 'listening')]);
const at = (server) => `http://127.0.0.1:${server.address().port}/`;

const arrival = once(target, 'request');
const logger = { info: () => undefined, error: console.error };
const client = new SmeeClient({ source: `${at(service)}made-up`, target: at(target), logger });
await client.start();
const [request, response] = await arrival;
const arrived = await text(request);
response.end();

const isSame = request.headers['x-hub-signature-256'] === sign(arrived);
const seen = [`sent: ${sent}`, `arrived: ${arrived}`, `its signature: ${isSame ? 'the same' : 'another'}`];
console.log(seen.join('\n'));
const expected = [
  `sent: ${sent}`,
  'arrived: {"url":"https://example.org","text":"café","id":17841400000000000}',
  'its signature: another',
];
process.exit(seen.join() === expected.join() ? 0 : 1);
JS
node check.mjs
