import { fieldsOf } from '../core/objects.ts';
import type { Journal } from '../core/writes/journal/types.ts';
import { checkAdapter, type JournalAdapterOptions, journalOver, storeFailure } from './adapter.ts';

/** A client of `ioredis`, or a cluster client. */
export interface IoRedisClient {
  readonly get: (key: string) => Promise<string | null>;
  readonly call: (command: string, ...values: string[]) => Promise<unknown>;
}

/** A connected client of `redis`. */
export interface NodeRedisClient {
  readonly get: (key: string) => Promise<unknown>;
  readonly sendCommand: (values: string[]) => Promise<unknown>;
}

/** A connected client of `redis` for a cluster. */
export interface NodeRedisCluster {
  readonly get: (key: string) => Promise<unknown>;
  readonly eval: (script: string, values: { keys: string[]; arguments: string[] }) => Promise<unknown>;
  readonly masters: readonly unknown[];
}

type Client = IoRedisClient | NodeRedisClient | NodeRedisCluster;
/**
 * What clients may also have: for clusters, the nodes; for `ioredis`, the prefix that it adds to each key, but not in a
 * SCAN.
 */
interface Nodes {
  readonly options?: { readonly keyPrefix?: string };
  readonly isCluster?: boolean;
  readonly nodes?: (role: 'master') => readonly Client[];
  readonly masters?: readonly unknown[];
  readonly nodeClient?: (node: unknown) => Promise<Client>;
}

const keysPerScan = 1000;

/**
 * A journal in Redis. It takes a client of `ioredis`, a connected client of `redis`, or a cluster client of either. The
 * server must keep what it acknowledged: `appendonly yes`, `appendfsync always`, and no eviction of these keys
 * (`pagepics…`).
 */
export function redisJournal(client: Client, options: JournalAdapterOptions = {}): Journal {
  checkAdapter('client', client, ['call', 'eval', 'sendCommand'], options);
  // Clients have more than their types here say.
  const { options: { keyPrefix = '' } = {} }: Nodes = Object(client);
  const get = async (key: string): Promise<string | undefined> => {
    const value = (await explained(client.get(key))) ?? undefined;
    // A client may return buffers: if one counted as a missing entry, its key would be published again.
    if (value === undefined || typeof value === 'string') return value;
    throw storeFailure('the client does not reply to GET with a string');
  };
  return journalOver(
    {
      get,
      compareAndSet: async (key, expected, value, ttlMs) => {
        // A missing value differs from an empty text.
        const values = [expected === undefined ? '' : `+${expected}`, value, `${Math.ceil(ttlMs)}`];
        const stored = await ('call' in client || !('eval' in client)
          ? command(client, 'EVAL', script, '1', key, ...values)
          : explained(client.eval(script, { keys: [key], arguments: values })));
        return Number(stored) === 1;
      },
      list: async function* ({ prefix, without }) {
        const clientPrefix = 'call' in client ? keyPrefix : '';
        const options = ['MATCH', `${escaped(clientPrefix + prefix)}*`, 'COUNT', `${keysPerScan}`];
        for (const node of await nodesOf(client)) {
          let cursor = '0';
          do {
            const scanned = await command(node, 'SCAN', cursor, ...options);
            // What SCAN replies.
            const [next, found] = scanned as [unknown, unknown[]];
            cursor = String(next);
            const keys = found.map((key) => String(key).slice(clientPrefix.length));
            const values = await Promise.all(keys.map(get));
            for (const [index, key] of keys.entries()) {
              const value = values[index];
              if (value?.includes(without) === false) yield [key, value];
            }
          } while (cursor !== '0');
        }
      },
    },
    options,
  );
}

function command(client: Client, ...[name, ...values]: [string, ...string[]]): Promise<unknown> {
  return explained(
    'call' in client
      ? client.call(name, ...values)
      : // Only clients of `ioredis` lack `sendCommand`, and they have `call`.
        (client as NodeRedisClient).sendCommand([name, ...values]),
  );
}

/** The first word of a refusal says why: a missing right, or too little memory. */
async function explained<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (thrown) {
    const { message } = fieldsOf(thrown);
    const [code] = /^[A-Z]{3,}(?= )/.exec(String(message)) ?? [];
    if (code === undefined) throw thrown;
    const why = code === 'NOPERM' ? 'the user may not run GET and EVAL with these keys' : 'Redis refused';
    throw storeFailure(`${why} (${code})`);
  }
}

async function nodesOf(client: Client): Promise<readonly Client[]> {
  // Clients have more than their types here say.
  const { isCluster, nodes, masters, nodeClient }: Nodes = Object(client);
  if (isCluster === true && nodes) return nodes.call(client, 'master');
  if (masters && nodeClient) return Promise.all(masters.map((node) => nodeClient.call(client, node)));
  return [client];
}

function escaped(prefix: string): string {
  return prefix.replaceAll(/[*?[\]\\^-]/g, String.raw`\$&`);
}

/** A script is atomic. A missing key reads as false. Its arguments: the expected value, the new one, and its lifetime. */
const script = `local stored = redis.call('GET', KEYS[1])
if (stored and '+' .. stored or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;
