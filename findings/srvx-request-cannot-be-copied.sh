#!/usr/bin/env bash
# srvx 1.0.8, the server under h3 2, on Node: the request that a handler gets is an `instanceof Request`, and it cannot be
# copied by `new Request(request)`, which throws a TypeError about a private member. `new Request(url, request)` and
# `request.clone()` work, and so does `new Request(request.clone())`. @hono/node-server 2.1.9, which has such light requests
# too, copies them.
#
# It matters for libraries and middleware that take a standard `Request` and change its headers or its address by a copy: they
# pass their own tests, and work on Hono, Deno and Bun, but not on srvx and Node.
#
# Seen, on Node 24:
#   srvx: a Request, new Request(request): TypeError, new Request(request.clone()): POST hello
#   @hono/node-server: a Request, new Request(request): POST hello, new Request(request.clone()): POST hello
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts srvx@1.0.8 @hono/node-server@2.1.9 hono@4.13.19
cat >check.mjs <<'JS'
import { serve as serveHono } from '@hono/node-server';
import { serve } from 'srvx';

async function look(request, copy) {
  try {
    const made = copy(request);
    return `${made.method} ${await made.text()}`;
  } catch (error) {
    return error.name;
  }
}

async function respond(request) {
  const isRequest = request instanceof Request ? 'a Request' : 'no Request';
  // The clone comes first: a copy takes the body along.
  const clone = request.clone();
  const copied = await look(request, (one) => new Request(one));
  const cloned = await look(clone, (one) => new Request(one));
  return new Response(`${isRequest}, new Request(request): ${copied}, new Request(request.clone()): ${cloned}`);
}

const ask = async (url) => (await fetch(url, { method: 'POST', body: 'hello' })).text();
const seen = [];

const server = serve({ port: 0, hostname: '127.0.0.1', silent: true, fetch: respond });
await server.ready();
seen.push(`srvx: ${await ask(server.url)}`);

const port = await new Promise((resolve) => {
  serveHono({ fetch: respond, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port));
});
seen.push(`@hono/node-server: ${await ask(`http://127.0.0.1:${port}/`)}`);

for (const line of seen) console.log(line);
const stated = [
  'srvx: a Request, new Request(request): TypeError, new Request(request.clone()): POST hello',
  '@hono/node-server: a Request, new Request(request): POST hello, new Request(request.clone()): POST hello',
];
process.exit(seen.join() === stated.join() ? 0 : 1);
JS
node check.mjs
