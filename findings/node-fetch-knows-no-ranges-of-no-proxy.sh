#!/usr/bin/env bash
# Node 24.21.0 with `NODE_USE_ENV_PROXY=1`: `NO_PROXY` may have ranges of addresses, such as `127.0.0.1-127.0.0.9`, as its
# documentation says. `http.request` goes by them, and `fetch` does not: it sends the request through the proxy. Nor does
# either take `127.0.0.0/8`, which curl does.
#
# It matters for services inside a network: of one process, one library reaches them, and another asks the proxy, which refuses
# or, worse, writes down what was private.
#
# Seen, of a server at 127.0.0.1 with a proxy in the variables:
#   NO_PROXY=127.0.0.1: fetch direct, http.request direct
#   NO_PROXY=127.0.0.1-127.0.0.9: fetch through the proxy, http.request direct
#   NO_PROXY=127.0.0.0/8: fetch through the proxy, http.request through the proxy
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund node@24.21.0
cat >check.mjs <<'JS'
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';

async function serve(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}
const target = await serve(createServer((_, response) => void response.end('direct')));
const through = 'through the proxy';
const proxy = createServer((_, response) => void response.end(through));
// A tunnel that leads to an answer of the proxy's own.
proxy.on('connect', (_, socket) => {
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${through.length}\r\n\r\n${through}`));
});
const HTTP_PROXY = await serve(proxy);

const programs = {
  fetch: `fetch('${target}').then((response) => response.text()).then(console.log)`,
  'http.request': `http.get('${target}', async (response) => console.log(String(await response.toArray())))`,
};
const seen = [];
for (const NO_PROXY of ['127.0.0.1', '127.0.0.1-127.0.0.9', '127.0.0.0/8']) {
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY, NO_PROXY };
  const told = Object.entries(programs).map(async ([name, code]) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { env });
    return `${name} ${stdout.trim()}`;
  });
  seen.push(`NO_PROXY=${NO_PROXY}: ${(await Promise.all(told)).join(', ')}`);
}
console.log(seen.join('\n'));
const expected = `NO_PROXY=127.0.0.1: fetch direct, http.request direct
NO_PROXY=127.0.0.1-127.0.0.9: fetch through the proxy, http.request direct
NO_PROXY=127.0.0.0/8: fetch through the proxy, http.request through the proxy`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node_modules/.bin/node check.mjs
