#!/usr/bin/env bash
# MariaDB 10.11 (Debian 12): `utf8mb4_bin`, which compares texts by their code points, still takes two texts for one that
# differ in the spaces at their end only, also in a unique index. `utf8mb4_nopad_bin` and `varbinary` do not. The default
# collation also takes letters of other case and with accents for the same.
#
# It matters where a key of an application is the key of a row: the row of `job-1 ` cannot be inserted beside that of `job-1`,
# and reading the one returns the other, on the collation that is chosen for being exact.
#
# Seen, of the texts `job-1`, `JOB-1`, `jöb-1` and `job-1 `:
#   default: 1 distinct, job-1 found by "job-1 ": yes
#   utf8mb4_bin: 3 distinct, job-1 found by "job-1 ": yes
#   utf8mb4_nopad_bin: 4 distinct, job-1 found by "job-1 ": no
#   varbinary: 4 distinct, job-1 found by "job-1 ": no
#
# It needs MariaDB's server on the PATH (Debian's mariadb-server), of which it starts one of its own.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$folder"' EXIT
cd "$folder"
command -v mariadbd >/dev/null || { echo 'this needs a mariadbd on the PATH'; exit 2; }
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund mysql2@3.24.6
flags=(--no-defaults "--datadir=$folder/data")
[ "$(id -u)" != 0 ] || flags+=(--user=root)
mariadb-install-db "${flags[@]}" >/dev/null 2>&1
mariadbd "${flags[@]}" --skip-grant-tables --skip-networking "--socket=$folder/socket" >/dev/null 2>&1 &
server=$!
cat >check.mjs <<'JS'
import { existsSync } from 'node:fs';

import { createConnection } from 'mysql2/promise';

while (!existsSync('socket')) await new Promise((resolve) => setTimeout(resolve, 100));
const connection = await createConnection({ socketPath: 'socket', user: 'root', charset: 'utf8mb4' });
await connection.query('create database finding character set utf8mb4');
await connection.query('use finding');
const types = {
  default: 'varchar(50)',
  utf8mb4_bin: 'varchar(50) collate utf8mb4_bin',
  utf8mb4_nopad_bin: 'varchar(50) collate utf8mb4_nopad_bin',
  varbinary: 'varbinary(50)',
};
const seen = [];
for (const [name, type] of Object.entries(types)) {
  await connection.query(`create table t_${name} (id ${type} primary key)`);
  for (const text of ['job-1', 'JOB-1', 'jöb-1', 'job-1 '])
    await connection.query(`insert ignore into t_${name} values (?)`, [text]);
  const [[{ count }]] = await connection.query(`select count(*) as count from t_${name}`);
  await connection.query(`delete from t_${name} where id <> ? or length(id) <> 5`, ['job-1']);
  const [found] = await connection.query(`select id from t_${name} where id = ?`, ['job-1 ']);
  seen.push(`${name}: ${count} distinct, job-1 found by "job-1 ": ${found.length > 0 ? 'yes' : 'no'}`);
}
for (const line of seen) console.log(line);
await connection.end();
const stated = [
  'default: 1 distinct, job-1 found by "job-1 ": yes',
  'utf8mb4_bin: 3 distinct, job-1 found by "job-1 ": yes',
  'utf8mb4_nopad_bin: 4 distinct, job-1 found by "job-1 ": no',
  'varbinary: 4 distinct, job-1 found by "job-1 ": no',
];
process.exit(seen.join() === stated.join() ? 0 : 1);
JS
node check.mjs
