#!/usr/bin/env bash
# msgpackr 2.1.4, which is under lmdb and others: an Error that `pack` took comes back from `unpack` as a list of its name, its
# message and its cause: it is no Error any more, and has no `message`. Only with `structuredClone: true` is it one again.
# cbor-x 1.6.9, of the same hand, gives back an Error, of the name Error whatever it was, and without its cause, also with
# `structuredClone: true`, although the function of that name keeps the cause. seroval 1.8.2 keeps all.
#
# It matters for outcomes that are stored, or handed to another process, as values: nothing fails when they are written, and who
# reads them and asks for `error.name` or `instanceof Error` takes a failure for something else. Store plain data.
#
# Seen, of an error with a name, a cause and a field:
#   msgpackr: a list, name undefined, cause undefined, retryAfterMs undefined
#   msgpackr, structuredClone: an Error, name RateLimitError, cause inner, retryAfterMs undefined
#   cbor-x: an Error, name Error, cause undefined, retryAfterMs undefined
#   cbor-x, structuredClone: an Error, name Error, cause undefined, retryAfterMs undefined
#   structuredClone of Node: an Error, name Error, cause inner, retryAfterMs undefined
#   seroval: an Error, name RateLimitError, cause inner, retryAfterMs 5000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts msgpackr@2.1.4 cbor-x@1.6.9 seroval@1.8.2
cat >check.mjs <<'JS'
import * as cbor from 'cbor-x';
import * as messagePack from 'msgpackr';
import { deserialize, serialize } from 'seroval';

const error = Object.assign(new Error('limited', { cause: new Error('inner') }), {
  name: 'RateLimitError',
  retryAfterMs: 5000,
});
const packr = new messagePack.Packr({ structuredClone: true });
const encoder = new cbor.Encoder({ structuredClone: true });
const seen = Object.entries({
  msgpackr: messagePack.unpack(messagePack.pack(error)),
  'msgpackr, structuredClone': packr.unpack(packr.pack(error)),
  'cbor-x': cbor.decode(cbor.encode(error)),
  'cbor-x, structuredClone': encoder.decode(encoder.encode(error)),
  'structuredClone of Node': structuredClone(error),
  seroval: deserialize(serialize(error)),
}).map(([how, back]) => {
  const kind = back instanceof Error ? 'an Error' : Array.isArray(back) ? 'a list' : typeof back;
  return `${how}: ${kind}, name ${back.name}, cause ${back.cause?.message}, retryAfterMs ${back.retryAfterMs}`;
});
console.log(seen.join('\n'));
const expected = `msgpackr: a list, name undefined, cause undefined, retryAfterMs undefined
msgpackr, structuredClone: an Error, name RateLimitError, cause inner, retryAfterMs undefined
cbor-x: an Error, name Error, cause undefined, retryAfterMs undefined
cbor-x, structuredClone: an Error, name Error, cause undefined, retryAfterMs undefined
structuredClone of Node: an Error, name Error, cause inner, retryAfterMs undefined
seroval: an Error, name RateLimitError, cause inner, retryAfterMs 5000`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
