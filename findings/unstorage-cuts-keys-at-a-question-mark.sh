#!/usr/bin/env bash
# unstorage 1.17.6 cuts a key at its first question mark, and takes `/`, `\` and `::` for `:`. So different keys are one: what was
# stored under `post?lang=de` is overwritten by `post?lang=fr`, and read under `post`.
#
# It matters where keys are made of addresses or of what people chose, such as keys of jobs or of requests that are to be done
# once: the second one finds the record of the first. Keep keys by their digest.
#
# Seen, of seven keys that are set to their own names:
#   keys: a, post, shop:1
#   post?lang=de: post?lang=fr
#   shop/1: shop\1
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts unstorage@1.17.6
cat >check.mjs <<'JS'
import { createStorage } from 'unstorage';

const storage = createStorage();
for (const key of ['a', 'post', 'post?lang=de', 'post?lang=fr', 'shop:1', 'shop/1', 'shop\\1']) await storage.setItem(key, key);
const seen = [
  `keys: ${(await storage.getKeys()).sort().join(', ')}`,
  `post?lang=de: ${await storage.getItem('post?lang=de')}`,
  `shop/1: ${await storage.getItem('shop/1')}`,
];
console.log(seen.join('\n'));
const expected = `keys: a, post, shop:1
post?lang=de: post?lang=fr
shop/1: shop\\1`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
