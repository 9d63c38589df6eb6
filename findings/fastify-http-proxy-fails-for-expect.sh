#!/usr/bin/env bash
# @fastify/http-proxy 11.6.3 answers 500 to a request with `Expect: 100-continue`, which curl adds to uploads over a megabyte,
# and other senders of large bodies to theirs: what it sends on goes out by undici, which refuses this header. http-proxy
# 1.18.1 and http-proxy-middleware 3.0.11 pass the body on.
#
# It matters in front of webhooks and uploads: small requests come through, and the large ones of the same sender do not.
#
# Seen, of 100 kB:
#   @fastify/http-proxy: 200, with Expect 500
#   http-proxy: 200, with Expect 200
#   http-proxy-middleware: 200, with Expect 200
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @fastify/http-proxy@11.6.3 fastify@5.12.8 http-proxy@1.18.1 http-proxy-middleware@3.0.11
cat >check.mjs <<'JS'
import { once } from 'node:events';
import { createServer, request } from 'node:http';

import fastifyHttpProxy from '@fastify/http-proxy';
import Fastify from 'fastify';
import httpProxy from 'http-proxy';
import { createProxyMiddleware } from 'http-proxy-middleware';

const listen = async (server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
};
const behind = await listen(
  createServer(async (incoming, outgoing) => {
    const { length } = Buffer.concat(await incoming.toArray());
    outgoing.writeHead(length === 100_000 ? 200 : 400).end();
  }),
);
const target = `http://127.0.0.1:${behind}`;

const fastify = Fastify();
fastify.register(fastifyHttpProxy, { upstream: target });
await fastify.listen({ port: 0, host: '127.0.0.1' });
const proxy = httpProxy.createProxyServer({ target });
const middleware = createProxyMiddleware({ target });
const ports = {
  '@fastify/http-proxy': fastify.server.address().port,
  'http-proxy': await listen(createServer((...both) => proxy.web(...both))),
  'http-proxy-middleware': await listen(createServer((...both) => middleware(...both))),
};

async function statusOf(port, headers) {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/', agent: false, headers });
  const body = Buffer.alloc(100_000, 'a');
  if (headers.expect) sent.flushHeaders();
  else sent.end(body);
  sent.on('continue', () => sent.end(body));
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

const seen = [];
for (const [name, port] of Object.entries(ports)) {
  const headers = { 'content-type': 'application/json', 'content-length': 100_000 };
  const plain = await statusOf(port, headers);
  const expecting = await statusOf(port, { ...headers, expect: '100-continue' });
  seen.push(`${name}: ${plain}, with Expect ${expecting}`);
}
console.log(seen.join('\n'));
const expected = `@fastify/http-proxy: 200, with Expect 500
http-proxy: 200, with Expect 200
http-proxy-middleware: 200, with Expect 200`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
