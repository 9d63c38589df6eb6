#!/usr/bin/env bash
# libsql 0.5.29, whose API is that of better-sqlite3: a row from get() has a member that no column has, `_metadata` with
# the query's duration; the same row from all() has none. A column of that name is lost from get(), and kept by all().
#
# It matters where a row is compared, spread, stored as JSON or checked against a strict schema: the same statement gives
# two shapes. Read named columns only.
#
# Seen, on Node 20 and 24:
#   get: k,v,_metadata
#   all: k,v
#   get, column _metadata: {"duration":…}
#   all, column _metadata: "mine"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund libsql@0.5.29
cat >check.mjs <<'JS'
import Database from 'libsql';

const database = new Database(':memory:');
database.exec('create table plain (k text, v text); create table own (k text, _metadata text)');
database.prepare('insert into plain values (?, ?)').run('a', '1');
database.prepare('insert into own values (?, ?)').run('a', 'mine');

const plain = database.prepare('select * from plain');
const own = database.prepare('select * from own');
const seen = {
  get: Object.keys(plain.get()).join(),
  all: Object.keys(plain.all()[0]).join(),
  'get, column _metadata': JSON.stringify(own.get()['_metadata']).replace(/\d[\d.e-]*/, '…'),
  'all, column _metadata': JSON.stringify(own.all()[0]['_metadata']),
};
for (const [name, value] of Object.entries(seen)) console.log(`${name}: ${value}`);

const stated = ['k,v,_metadata', 'k,v', '{"duration":…}', '"mine"'];
process.exit(Object.values(seen).every((value, at) => value === stated[at]) ? 0 : 1);
JS
node check.mjs
