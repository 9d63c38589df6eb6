// The journal that docs/stores.md has for DynamoDB, on an emulator.
import { once } from 'node:events';

import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { keepsItsWord } from '../../support/journalContract.ts';
import { dynamodbJournal } from './dynamodb.ts';

describe('a journal in DynamoDB', () => {
  const server = dynalite({ createTableMs: 0 });
  const connect = () =>
    new DynamoDBClient({
      endpoint: `http://127.0.0.1:${server.address().port}`,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    });
  let client;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect();
    await client.send(
      new CreateTableCommand({
        TableName: 'journal',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    );
  });
  afterAll(async () => {
    client?.destroy();
    await new Promise((resolve) => void server.close(resolve));
  });
  keepsItsWord(() => [dynamodbJournal(client, 'journal'), dynamodbJournal(client, 'journal')]);

  test('stores a text once whose response is lost, and says so', async () => {
    const hasty = connect();
    let puts = 0;
    // As it meets a connection that breaks: the client sends the request again.
    hasty.middlewareStack.add(
      (next, { commandName }) =>
        async (request) => {
          const isFirst = commandName === 'PutItemCommand' && puts++ === 0;
          const response = await next(request);
          if (isFirst) throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError' });
          return response;
        },
      { step: 'finalizeRequest', priority: 'low' },
    );
    const journal = dynamodbJournal(hasty, 'journal');
    expect(await journal.compareAndSet('lost', undefined, '1', 60_000)).toBe(true);
    expect(puts).toBe(2);
    expect(await journal.compareAndSet('lost', undefined, '2', 60_000)).toBe(false);
    hasty.destroy();
  });
});
