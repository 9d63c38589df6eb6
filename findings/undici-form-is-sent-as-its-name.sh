#!/usr/bin/env bash
# The `FormData` of undici 7.30.2 is not that of Node 24, although the one comes from the other: Node's `fetch` sends it as a
# text, "[object FormData]", of the type text/plain, and undici's `fetch` does the same with that of Node. No error is thrown.
# So it is with that of jsdom 29.1.1, which tests in it have as their global one beside Node's `fetch`; a `Blob` of jsdom or of
# fetch-blob 4.0.0 is sent as "[object Blob]". axios 1.21.1 sends the form of undici as what it is.
#
# It matters where a program imports `FormData` or `fetch` from undici, such as for a proxy, and takes the other one as it is
# there: a server that takes any text answers 200, and what was to be uploaded is 17 letters.
#
# Seen, of a form with one file, and of a Blob alone:
#   form of Node, fetch of Node: multipart/form-data
#   form of undici, fetch of Node: text/plain;charset=UTF-8, [object FormData]
#   form of Node, fetch of undici: text/plain;charset=UTF-8, [object FormData]
#   form of jsdom, fetch of Node: text/plain;charset=UTF-8, [object FormData]
#   Blob of jsdom, fetch of Node: text/plain;charset=UTF-8, [object Blob]
#   Blob of fetch-blob, fetch of Node: text/plain;charset=UTF-8, [object Blob]
#   form of undici, axios: multipart/form-data
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts undici@7.30.2 jsdom@29.1.1 fetch-blob@4.0.0 axios@1.21.1
cat >check.mjs <<'JS'
import { createServer } from 'node:http';

import axios from 'axios';
import { Blob as FetchBlob } from 'fetch-blob';
import { JSDOM } from 'jsdom';
import undici from 'undici';

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const type = request.headers['content-type'].replace(/; boundary.*/, '');
  response.end(type.startsWith('multipart') ? type : `${type}, ${Buffer.concat(parts)}`);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${server.address().port}/`;

const { window } = new JSDOM();
const formOf = (Form, File) => {
  const form = new Form();
  form.append('photo', new File(['a photo']), 'photo.jpg');
  return form;
};
const by = (send) => async (body) => (await send(url, { method: 'POST', body })).text();
const node = by(fetch);
const byAxios = async (body) => (await axios.post(url, body)).data;
const seen = [
  `form of Node, fetch of Node: ${await node(formOf(FormData, Blob))}`,
  `form of undici, fetch of Node: ${await node(formOf(undici.FormData, Blob))}`,
  `form of Node, fetch of undici: ${await by(undici.fetch)(formOf(FormData, Blob))}`,
  `form of jsdom, fetch of Node: ${await node(formOf(window.FormData, window.Blob))}`,
  `Blob of jsdom, fetch of Node: ${await node(new window.Blob(['a photo']))}`,
  `Blob of fetch-blob, fetch of Node: ${await node(new FetchBlob(['a photo']))}`,
  `form of undici, axios: ${await byAxios(formOf(undici.FormData, Blob))}`,
];
server.close();
server.closeAllConnections();
console.log(seen.join('\n'));
const expected = `form of Node, fetch of Node: multipart/form-data
form of undici, fetch of Node: text/plain;charset=UTF-8, [object FormData]
form of Node, fetch of undici: text/plain;charset=UTF-8, [object FormData]
form of jsdom, fetch of Node: text/plain;charset=UTF-8, [object FormData]
Blob of jsdom, fetch of Node: text/plain;charset=UTF-8, [object Blob]
Blob of fetch-blob, fetch of Node: text/plain;charset=UTF-8, [object Blob]
form of undici, axios: multipart/form-data`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
