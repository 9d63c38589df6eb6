#!/usr/bin/env bash
# @modelcontextprotocol/server 2.4.0 tells clients of a tool whose `outputSchema` is a zod object that its result has no members
# besides (`additionalProperties: false`), and then checks the result by the schema itself, by which zod leaves such members out:
# the result passes, and goes out as the tool made it, with them. @modelcontextprotocol/client 2.4.0 refuses it. Of the input,
# the schema that is told allows what zod drops.
#
# It matters for tools that do something and return what an API answered: the tool has run, and the caller is told that it
# failed by a fault of the protocol, so a model calls it again. One field more in the answer of the API is enough. Return only
# what the schema names, or make it a `z.looseObject`.
#
# Seen, of a tool that returns `{ id, more }`:
#   told of the output: additionalProperties false
#   z.object: ran 1 time, -32602 Structured content does not match the tool's output schema: data must NOT have additional properties
#   z.looseObject: ran 1 time, returned id and more
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/client@2.4.0 zod@4.6.7
cat >check.mjs <<'JS'
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const ran = { strict: 0, loose: 0 };
const server = new McpServer({ name: 'server', version: '1.0.0' });
for (const [name, outputSchema] of [
  ['strict', z.object({ id: z.string() })],
  ['loose', z.looseObject({ id: z.string() })],
])
  server.registerTool(name, { inputSchema: z.object({}), outputSchema }, async () => {
    ran[name]++;
    return { content: [], structuredContent: { id: '1', more: 2 } };
  });
const [here, there] = InMemoryTransport.createLinkedPair();
await server.connect(here);
const client = new Client({ name: 'client', version: '1.0.0' });
await client.connect(there);

const { tools } = await client.listTools();
const call = (name) =>
  client.callTool({ name, arguments: {} }).then(
    ({ structuredContent }) => `returned ${Object.keys(structuredContent).join(' and ')}`,
    ({ code, message }) => `${code} ${message}`,
  );
const shown = async (name) => {
  const became = await call(name);
  return `ran ${ran[name]} time, ${became}`;
};
const seen = [
  `told of the output: additionalProperties ${tools[0].outputSchema.additionalProperties}`,
  `z.object: ${await shown('strict')}`,
  `z.looseObject: ${await shown('loose')}`,
];
console.log(seen.join('\n'));
const expected = `told of the output: additionalProperties false
z.object: ran 1 time, -32602 Structured content does not match the tool's output schema: data must NOT have additional properties
z.looseObject: ran 1 time, returned id and more`;
process.exit(seen.join('\n') === expected ? 0 : 1);
JS
node check.mjs
