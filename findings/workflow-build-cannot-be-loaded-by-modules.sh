#!/usr/bin/env bash
# workflow 4.8.9: `workflow build`, whose default target is `standalone`, writes flow.js and step.js as CommonJS with the ending
# .js, also into a package whose package.json says "type": "module". Node takes them for ES modules there, and the first import
# fails. The build says nothing of it, and succeeds. With a package.json of "type": "commonjs" beside them, they load.
#
# It matters for servers of one's own that mount these routes, as the plugins of frameworks do with builds of another format.
#
# Seen:
#   as built: ReferenceError: module is not defined in ES module scope
#   with "type": "commonjs" beside it: POST is a function
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >package.json <<'JSON'
{ "name": "finding", "private": true, "type": "module" }
JSON
npm install --silent --no-audit --no-fund --ignore-scripts workflow@4.8.9
mkdir workflows
cat >workflows/greet.ts <<'TS'
export async function greet(name: string) {
  'use workflow';
  return await say(name);
}

async function say(name: string) {
  'use step';
  return `Hello ${name}`;
}
TS
node_modules/.bin/workflow build >build.log 2>&1 || { cat build.log; exit 2; }
cat >check.mjs <<'JS'
import { writeFileSync } from 'node:fs';

const load = (query) =>
  import(`./.well-known/workflow/v1/flow.js${query}`).then(
    ({ POST }) => `POST is a ${typeof POST}`,
    (error) => `${error.name}: ${error.message.split('\n')[0]}`,
  );
// A process that has met a package.json keeps what it said.
if (process.argv[2] !== undefined) writeFileSync('.well-known/package.json', '{ "type": "commonjs" }');
console.log(await load(''));
process.exit(0);
JS
first=$(node check.mjs)
second=$(node check.mjs commonjs)
echo "as built: $first"
echo "with \"type\": \"commonjs\" beside it: $second"
[ "$first" = 'ReferenceError: module is not defined in ES module scope' ] && [ "$second" = 'POST is a function' ]
