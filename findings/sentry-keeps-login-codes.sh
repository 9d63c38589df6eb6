#!/usr/bin/env bash
# @sentry/node 11.12.0 filters the values of a query by their names, in events and spans of the requests that a server gets. Of
# what logins by OAuth put there, it takes out tokens and secrets, and keeps `code`, the code of a login, whole, beside `state`:
# in `request.url` and `request.query_string` of events, and in `url.full` and `url.query` of spans.
#
# It matters for the address that a login comes back to: a call that fails there, so that its code is still unused, is what
# sends an event, and whoever reads that event within minutes has a code that may still work. `beforeSend` can take it out.
#
# Seen, in an event:
#   filtered: access_token, id_token, client_secret, fb_exchange_token, hub.verify_token
#   kept: code, state, signed_request
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @sentry/node@11.12.0
cat >check.mjs <<'JS'
import * as Sentry from '@sentry/node';

const sent = [];
Sentry.init({
  dsn: 'http://key@127.0.0.1:1/1',
  transport: (options) =>
    Sentry.createTransport(options, async ({ body }) => {
      sent.push(String(body));
      return { statusCode: 200 };
    }),
});
const { createServer } = await import('node:http');

const names = ['access_token', 'id_token', 'client_secret', 'fb_exchange_token', 'hub.verify_token', 'code', 'state', 'signed_request'];
const query = new URLSearchParams(names.map((name) => [name, `value-of-${name}`]));
const server = createServer((_request, response) => {
  Sentry.captureMessage('a login that failed');
  response.end();
}).listen(0, '127.0.0.1', async () => {
  await (await fetch(`http://127.0.0.1:${server.address().port}/callback?${query}`)).text();
  await Sentry.flush(5000);
  const [event] = sent
    .flatMap((body) => body.split('\n'))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ message }) => message === 'a login that failed');
  const { url, query_string: text } = event.request;
  const kept = names.filter((name) => url.includes(`value-of-${name}`) && String(text).includes(`value-of-${name}`));
  const filtered = names.filter((name) => !url.includes(`value-of-${name}`));
  const seen = [`filtered: ${filtered.join(', ')}`, `kept: ${kept.join(', ')}`];
  for (const line of seen) console.log(line);
  const stated = [
    'filtered: access_token, id_token, client_secret, fb_exchange_token, hub.verify_token',
    'kept: code, state, signed_request',
  ];
  process.exit(seen.join() === stated.join() ? 0 : 1);
});
JS
node check.mjs
