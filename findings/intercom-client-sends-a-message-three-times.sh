#!/usr/bin/env bash
# intercom-client 7.0.3: `messages.create` and `conversations.reply` send their POST again after a 500, a 502 and the like,
# three times in all by default, and without an idempotency key, by which a server could tell. `maxRetries: 0` in the
# options of the request sends it once.
#
# It matters for whoever hands comments to a help desk, or answers in it: a server that failed after it had stored the message
# gets it three times.
#
# Seen, of a server that stores what it gets, and then answers 500:
#   messages.create: 3 requests, 1 different
#   conversations.reply: 3 requests, 1 different
#   conversations.reply, maxRetries 0: 1 request, 1 different
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts intercom-client@7.0.3
cat >check.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';

import { IntercomClient } from 'intercom-client';

const stored = [];
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  const { 'idempotency-key': key } = request.headers;
  stored.push(`${request.method} ${request.url} ${key} ${body}`);
  response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const environment = `http://127.0.0.1:${server.address().port}`;
const client = new IntercomClient({ token: 'none', environment });

const from = { type: 'admin', id: '1' };
const message = { message_type: 'inapp', body: 'Hello', from, to: { type: 'user', id: '2' } };
const reply = { message_type: 'comment', type: 'admin', admin_id: '1', body: 'Hello' };
const calls = {
  'messages.create': () => client.messages.create(message),
  'conversations.reply': () => client.conversations.reply({ conversation_id: '3', body: reply }),
  'conversations.reply, maxRetries 0': () =>
    client.conversations.reply({ conversation_id: '3', body: reply }, { maxRetries: 0 }),
};
const seen = [];
for (const [name, call] of Object.entries(calls)) {
  stored.splice(0);
  await call().catch(() => undefined);
  const { length } = stored;
  seen.push(`${name}: ${length} ${length === 1 ? 'request' : 'requests'}, ${new Set(stored).size} different`);
}
console.log(seen.join('\n'));
const expected = `messages.create: 3 requests, 1 different
conversations.reply: 3 requests, 1 different
conversations.reply, maxRetries 0: 1 request, 1 different`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
