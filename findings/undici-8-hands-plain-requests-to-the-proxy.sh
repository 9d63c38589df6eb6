#!/usr/bin/env bash
# undici 8.13.1: its `ProxyAgent` no longer opens a tunnel for an address of `http:`, as that of 7.28.0 does, but hands the
# request itself to the proxy. What the proxy says is then the response, whose status nothing tells from that of the server.
#
# It matters for writes: with 7, a proxy that refuses fails the `fetch`, and nothing has left; with 8, the same proxy answers
# the POST itself, with a 403 or 503 that a client takes for the word of the API, retries or reports. `proxyTunnel: true`
# brings the tunnel back.
#
# Seen, of a POST to an address of http:, through a proxy that refuses all with 403:
#   undici 7: asked CONNECT, fetch failed
#   undici 8: asked POST, status 403
#   undici 8, proxyTunnel: asked CONNECT, fetch failed
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts undici-7@npm:undici@7.28.0 undici-8@npm:undici@8.13.1
cat >check.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';

import * as undici7 from 'undici-7';
import * as undici8 from 'undici-8';

const asked = [];
const proxy = createServer(({ method }, response) => {
  asked.push(method);
  response.writeHead(403).end();
}).listen(0, '127.0.0.1');
proxy.on('connect', (_, socket) => {
  asked.push('CONNECT');
  socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
});
await once(proxy, 'listening');
const uri = `http://127.0.0.1:${proxy.address().port}`;

async function look({ fetch, ProxyAgent }, options) {
  asked.splice(0);
  const dispatcher = new ProxyAgent({ uri, ...options });
  const init = { method: 'POST', body: 'a post', dispatcher };
  const outcome = await fetch('http://api.test/posts', init).then(
    ({ status }) => `status ${status}`,
    ({ message }) => message,
  );
  return `asked ${asked.join(' ')}, ${outcome}`;
}

const seen = [
  `undici 7: ${await look(undici7)}`,
  `undici 8: ${await look(undici8)}`,
  `undici 8, proxyTunnel: ${await look(undici8, { proxyTunnel: true })}`,
];
console.log(seen.join('\n'));
const expected = [
  'undici 7: asked CONNECT, fetch failed',
  'undici 8: asked POST, status 403',
  'undici 8, proxyTunnel: asked CONNECT, fetch failed',
];
process.exit(seen.join() === expected.join() ? 0 : 1);
JS
node check.mjs
