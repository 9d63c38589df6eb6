#!/usr/bin/env bash
# @electric-sql/pglite 0.5.17 reads a `bigint` column by its value: up to 2^53 as a number, above as a bigint, in the same column.
# The sum of such a column, which is `numeric`, is a text. The same id within `jsonb` is rounded, though the database holds it
# exactly.
#
# It matters for ids of platforms, which have 15 to 17 digits: tests with short ids pass; with the first long one,
# `JSON.stringify` throws, and `===` with an id of the other type is false. Keep ids as texts.
#
# Seen:
#   180143985094819: number, in jsonb 180143985094819
#   17841400000000001: bigint, in jsonb 17841400000000000, exact as text
#   the sum: string 18021543985094820
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @electric-sql/pglite@0.5.17
cat >check.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';

const database = await PGlite.create();
await database.exec('create table pages (id bigint)');
await database.exec('insert into pages values (180143985094819), (17841400000000001)');
const { rows } = await database.query(
  `select id, jsonb_build_object('id', id) as json, jsonb_build_object('id', id)::text as text, sum(id) over () as sum
     from pages order by id`,
);
const [short, long] = rows;
const seen = [
  `${short.id}: ${typeof short.id}, in jsonb ${short.json.id}`,
  `${long.id}: ${typeof long.id}, in jsonb ${long.json.id}, ${long.text.includes(long.id) ? 'exact' : 'rounded'} as text`,
  `the sum: ${typeof short.sum} ${short.sum}`,
];
await database.close();
console.log(seen.join('\n'));
const expected = `180143985094819: number, in jsonb 180143985094819
17841400000000001: bigint, in jsonb 17841400000000000, exact as text
the sum: string 18021543985094820`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
