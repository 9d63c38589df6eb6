#!/usr/bin/env bash
# SQLite 3.54.1 (sql.js 1.16.0): `PRAGMA busy_timeout = 0` takes effect when it is prepared. A prepared statement that is run
# again sets nothing, and says so nowhere: it even returns the value that it did not set. The documentation says that "some
# pragmas run during the SQL compilation stage"; which ones, it does not say. `node:sqlite` does the same.
#
# It matters for whoever prepares the statement to save its compilation, to wait for a lock at times and not at others: the
# connection then keeps the timeout that it had.
#
# Seen:
#   prepared, and not run: 0
#   set to 777, then the prepared one is run, which returns 0: 777
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts sql.js@1.16.0
cat >check.mjs <<'JS'
import initSqlJs from 'sql.js';

const { Database } = await initSqlJs();
const db = new Database();
const timeout = () => db.exec('PRAGMA busy_timeout')[0].values[0][0];
db.run('PRAGMA busy_timeout = 5000');
const off = db.prepare('PRAGMA busy_timeout = 0');
const prepared = timeout();
console.log(`prepared, and not run: ${prepared}`);
db.run('PRAGMA busy_timeout = 777');
off.step();
const [returned] = off.get();
const run = timeout();
console.log(`set to 777, then the prepared one is run, which returns ${returned}: ${run}`);
if (prepared !== 0 || run !== 777) process.exit(1);
JS
node check.mjs
