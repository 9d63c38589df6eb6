import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  paginateScan,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { createJournal, type Journal } from 'pagepics/journal';

/** The table has the partition key `id`, a string, and `expires` as its time to live, by which DynamoDB deletes days later. */
export function dynamodbJournal(client: DynamoDBClient, TableName: string): Journal {
  const seconds = (ms: number) => ({ N: `${Math.ceil(ms / 1000)}` });

  async function get(key: string): Promise<string | undefined> {
    const get = new GetItemCommand({ TableName, Key: { id: { S: key } }, ConsistentRead: true });
    const { Item: item } = await client.send(get);
    return Number(item?.['expires']?.N) > Date.now() / 1000 ? item?.['value']?.S : undefined;
  }
  return createJournal({
    get,
    async compareAndSet(key, expected, value, ttlMs) {
      const put = new PutItemCommand({
        TableName,
        Item: { id: { S: key }, value: { S: value }, expires: seconds(Date.now() + ttlMs) },
        ConditionExpression:
          expected === undefined
            ? 'attribute_not_exists(id) or expires < :now'
            : '#value = :expected and expires >= :now',
        ...(expected !== undefined && { ExpressionAttributeNames: { '#value': 'value' } }),
        ExpressionAttributeValues: {
          ':now': seconds(Date.now()),
          ...(expected !== undefined && { ':expected': { S: expected } }),
        },
      });
      try {
        await client.send(put);
        return true;
      } catch (thrown) {
        if (!(thrown instanceof ConditionalCheckFailedException)) throw thrown;
        // The client repeats a request whose response was lost: then what is stored is its own. No text is written twice.
        return (await get(key)) === value;
      }
    },
    // For `openKeys`. It reads the whole table.
    async *list({ prefix, without }) {
      const pages = paginateScan(
        { client },
        {
          TableName,
          ConsistentRead: true,
          FilterExpression: 'begins_with(id, :prefix) and not contains(#value, :without) and expires > :now',
          ExpressionAttributeNames: { '#value': 'value' },
          ExpressionAttributeValues: {
            ':prefix': { S: prefix },
            ':without': { S: without },
            ':now': seconds(Date.now()),
          },
        },
      );
      for await (const { Items: items = [] } of pages) {
        for (const { id, value } of items) yield [id?.S ?? '', value?.S ?? ''] as const;
      }
    },
  });
}
