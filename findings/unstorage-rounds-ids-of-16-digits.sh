#!/usr/bin/env bash
# unstorage 1.17.6, the storage under Nitro and Nuxt: a text that `setItem` stored comes back from `getItem` parsed if it looks
# like JSON. By destr 2.0.5, which decides, a text of up to 16 digits does, and one of 17 does not. So an id of 15 digits is a
# number when it is read, one of 17 is a text, and one of 16 can be its neighbour, as numbers are not exact from 2^53 on;
# `getItem<string>` says of each that it is a text. `getItemRaw` gives what was stored.
#
# It matters for ids of platforms, which have 15 to 17 digits: those of some people and Pages are kept exactly, those of others
# are numbers, and those of few belong to somebody else.
#
# Seen:
#   180143985094819: number 180143985094819
#   9876543210987655: number 9876543210987656, raw 9876543210987655
#   17841400000000001: string 17841400000000001
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund unstorage@1.17.6 destr@2.0.5
cat >check.mjs <<'JS'
import { createStorage } from 'unstorage';

const storage = createStorage();
const seen = [];
for (const id of ['180143985094819', '9876543210987655', '17841400000000001']) {
  await storage.setItem('id', id);
  const read = await storage.getItem('id');
  const raw = await storage.getItemRaw('id');
  seen.push(`${id}: ${typeof read} ${read}${String(read) === id ? '' : `, raw ${raw}`}`);
}
console.log(seen.join('\n'));
const expected = `180143985094819: number 180143985094819
9876543210987655: number 9876543210987656, raw 9876543210987655
17841400000000001: string 17841400000000001`;
process.exitCode = seen.join('\n') === expected ? 0 : 1;
JS
node check.mjs
