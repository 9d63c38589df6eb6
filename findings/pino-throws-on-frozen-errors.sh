#!/usr/bin/env bash
# pino 10.1.0 (pino-std-serializers 7.0.0), the serializer for `err` that pino uses by default: it marks the error that it
# is given with a symbol, so logging an error that is frozen, sealed or not extensible throws a TypeError, and the line is
# lost. The same error as `{ error }`, or with an added property only, is logged.
#
# It matters to libraries that hand out errors which nobody should change: read-only fields on an extensible error keep
# both, a frozen error loses the line of the log, and in a hook whose exceptions are ignored all that comes after it.
#
# Seen, on Node 20 and 24:
#   plain: logged
#   read-only fields: logged
#   not extensible: TypeError
#   frozen: TypeError
#   frozen, under another name: logged
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund pino@10.1.0 pino-std-serializers@7.0.0
cat >check.mjs <<'JS'
import { Writable } from 'node:stream';

import { pino } from 'pino';

const logger = pino(new Writable({ write: (_line, _encoding, done) => done() }));
function log(fields) {
  try {
    logger.error(fields, 'it failed');
    return 'logged';
  } catch (error) {
    return error.name;
  }
}
const readOnly = new Error('no');
Object.defineProperty(readOnly, 'message', { writable: false, configurable: false });
const seen = {
  plain: log({ err: new Error('no') }),
  'read-only fields': log({ err: readOnly }),
  'not extensible': log({ err: Object.preventExtensions(new Error('no')) }),
  frozen: log({ err: Object.freeze(new Error('no')) }),
  'frozen, under another name': log({ failure: Object.freeze(new Error('no')) }),
};
for (const [name, value] of Object.entries(seen)) console.log(`${name}: ${value}`);

const stated = ['logged', 'logged', 'TypeError', 'TypeError', 'logged'];
process.exit(Object.values(seen).every((value, at) => value === stated[at]) ? 0 : 1);
JS
node check.mjs
