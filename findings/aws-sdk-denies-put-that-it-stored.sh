#!/usr/bin/env bash
# @aws-sdk/client-dynamodb 3.1169.0, with its default retries, against dynalite 4.0.0, an emulator of DynamoDB: the response
# to a conditional PutItem is lost on its way. The client sends the same request again by itself; that one meets what the first
# one stored, and the call rejects with ConditionalCheckFailedException, although its item is there.
#
# It matters wherever such a put decides who holds a lock, a lease or an idempotency key: the caller that got it is told that
# somebody else did, and nobody does the work. Read the item (consistently) and see whose it is, or use `maxAttempts: 1` and
# treat a lost response as unknown. `ReturnValuesOnConditionCheckFailure: 'ALL_OLD'` would bring the item along, but the
# emulator knows no such parameter.
#
# Seen:
#   requests that arrived: 2
#   the call: ConditionalCheckFailedException
#   the item: mine
#   with ReturnValuesOnConditionCheckFailure: no item in the error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @aws-sdk/client-dynamodb@3.1169.0 dynalite@4.0.0
cat >check.mjs <<'JS'
import { once } from 'node:events';
import { createServer, request } from 'node:http';

import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

const database = dynalite({ createTableMs: 0 }).listen(0, '127.0.0.1');
await once(database, 'listening');

// Passes requests on; the response to the first PutItem gets lost.
let puts = 0;
const proxy = createServer((from, to) => {
  const isPut = String(from.headers['x-amz-target']).endsWith('PutItem');
  const isLost = isPut && ++puts === 1;
  const { method, url, headers } = from;
  const on = request({ port: database.address().port, host: '127.0.0.1', method, path: url, headers }, (response) => {
    if (isLost) {
      response.resume();
      response.once('end', () => from.socket.destroy());
      return;
    }
    to.writeHead(response.statusCode, response.headers);
    response.pipe(to);
  });
  from.pipe(on);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');

const client = new DynamoDBClient({
  endpoint: `http://127.0.0.1:${proxy.address().port}`,
  region: 'eu-central-1',
  credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
});
await client.send(
  new CreateTableCommand({
    TableName: 'locks',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }),
);
const put = (holder, more) =>
  client
    .send(
      new PutItemCommand({
        TableName: 'locks',
        Item: { id: { S: 'a' }, holder: { S: holder } },
        ConditionExpression: 'attribute_not_exists(id)',
        ...more,
      }),
    )
    .then(
      () => ({ name: 'stored' }),
      (error) => error,
    );
const { name } = await put('mine');
const arrived = puts;
const { Item } = await client.send(new GetItemCommand({ TableName: 'locks', Key: { id: { S: 'a' } }, ConsistentRead: true }));
const other = await put('other', { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });

const seen = [
  `requests that arrived: ${arrived}`,
  `the call: ${name}`,
  `the item: ${Item.holder.S}`,
  `with ReturnValuesOnConditionCheckFailure: ${other.Item === undefined ? 'no item' : 'an item'} in the error`,
];
for (const line of seen) console.log(line);
const stated = [
  'requests that arrived: 2',
  'the call: ConditionalCheckFailedException',
  'the item: mine',
  'with ReturnValuesOnConditionCheckFailure: no item in the error',
];
process.exit(seen.join() === stated.join() ? 0 : 1);
JS
node check.mjs
