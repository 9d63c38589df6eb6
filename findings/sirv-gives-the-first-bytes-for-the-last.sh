#!/usr/bin/env bash
# sirv 3.0.2, which serves files for Vite and for SvelteKit's adapter-node: asked for the last 100 bytes of a file, by
# `Range: bytes=-100`, it answers 206 with the first 101, `Content-Range: bytes 0-100/…`. express.static and serve-handler answer
# with the last 100, as RFC 9110 (14.1.2) says. koa-static 5.0.0 and @koa/send 6.0.0 know no ranges, and send the whole file.
#
# It matters for readers of formats with their index at the end, such as MP4, ZIP and PDF: a reader that asks for it in this
# way, and does not read the header of the answer, takes the beginning of the file for its end.
#
# Seen, for a file of 1000 bytes:
#   sirv: 206, 101 bytes, bytes 0-100/1000
#   express.static: 206, 100 bytes, bytes 900-999/1000
#   serve-handler: 206, 100 bytes, bytes 900-999/1000
#   koa-static: 200, 1000 bytes, none
#   @koa/send: 200, 1000 bytes, none
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund sirv@3.0.2 express@5.3.0 serve-handler@6.1.8 koa@3.3.0 koa-static@5.0.0 @koa/send@6.0.0
mkdir files
head -c 1000 /dev/zero >files/clip.mp4
cat >check.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';

import { send } from '@koa/send';
import express from 'express';
import Koa from 'koa';
import koaStatic from 'koa-static';
import serveHandler from 'serve-handler';
import sirv from 'sirv';

const servers = {
  sirv: sirv('files'),
  'express.static': express().use(express.static('files')),
  'serve-handler': (request, response) => serveHandler(request, response, { public: 'files' }),
  'koa-static': new Koa().use(koaStatic('files')).callback(),
  '@koa/send': new Koa().use((ctx) => send(ctx, ctx.path, { root: 'files' })).callback(),
};
const seen = [];
for (const [name, listener] of Object.entries(servers)) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${server.address().port}/clip.mp4`;
  const response = await fetch(address, { headers: { range: 'bytes=-100' } });
  const { byteLength } = await response.arrayBuffer();
  seen.push(`${name}: ${response.status}, ${byteLength} bytes, ${response.headers.get('content-range') ?? 'none'}`);
}
console.log(seen.join('\n'));
const expected = `sirv: 206, 101 bytes, bytes 0-100/1000
express.static: 206, 100 bytes, bytes 900-999/1000
serve-handler: 206, 100 bytes, bytes 900-999/1000
koa-static: 200, 1000 bytes, none
@koa/send: 200, 1000 bytes, none`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
