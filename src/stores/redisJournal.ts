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
 * server must keep what it acknowledged: `appendonly yes`, `appendfsync always`, `maxmemory-policy noeviction`.
 *
 * Before its first operation, the journal asks each server once for that policy. While one may evict keys, every operation
 * fails with a TransportError, reason `journal`: a key that is evicted would be published again. Where a server does not
 * say, the context option `onJournalError` is told so, once.
 */
export function redisJournal(client: Client, options: JournalAdapterOptions = {}): Journal {
  checkAdapter('client', client, ['call', 'eval', 'sendCommand'], options);
  // Clients have more than their types here say.
  const { options: { keyPrefix = '' } = {}, isCluster, masters }: Nodes = Object(client);
  const get = async (key: string): Promise<string | undefined> => {
    const value = (await explained(client.get(key))) ?? undefined;
    // A client may return buffers: if one counted as a missing entry, its key would be published again.
    if (value === undefined || typeof value === 'string') return value;
    throw storeFailure('the client does not reply to GET with a string');
  };
  let warning: string | undefined;
  let checked: Promise<void> | undefined;
  /** Asks once; again only if the server did not respond, or until a policy that evicts is changed. */
  const check = (): Promise<void> =>
    (checked ??= checkPolicies(client).then(
      (isKnown) => {
        if (!isKnown)
          warning =
            'the journal may lose entries: Redis does not tell its maxmemory-policy, which must be noeviction';
      },
      (thrown: unknown) => {
        checked = undefined;
        throw thrown;
      },
    ));
  /** Whether a proxy hides a cluster, whose nodes the client does not know. */
  let isSplit = false;
  const journal = journalOver(
    {
      get: async (key) => {
        await check();
        return get(key);
      },
      compareAndSetAll: async (replacements) => {
        await check();
        const keys = replacements.map(({ key }) => key);
        // Nothing is replaced then, and each is stored by itself.
        if (isSplit && keys.length > 1) return false;
        const values = replacements.flatMap(({ expected, value, ttlMs }) => [
          // A missing value differs from an empty text.
          expected === undefined ? '' : `+${expected}`,
          value,
          `${Math.ceil(ttlMs)}`,
        ]);
        try {
          const stored = await ('call' in client || !('eval' in client)
            ? command(client, 'EVAL', script, `${keys.length}`, ...keys, ...values)
            : explained(client.eval(script, { keys, arguments: values })));
          return Number(stored) === 1;
        } catch (thrown) {
          isSplit ||= String(fieldsOf(thrown)['message']).endsWith('(CROSSSLOT)');
          if (isSplit && keys.length > 1) return false;
          throw thrown;
        }
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
    // The records of a key are on several nodes of a cluster.
    isCluster !== true && masters === undefined,
  );
  return Object.assign(journal, {
    takeWarning: () => {
      const told = warning;
      warning = undefined;
      return told;
    },
  });
}

/** Whether all servers say that they evict nothing. Throws if one may, and if one cannot be asked now. */
async function checkPolicies(client: Client): Promise<boolean> {
  const nodes = await nodesOf(client);
  // A cluster client that is not connected yet knows no nodes.
  const policies = await Promise.all((nodes.length === 0 ? [client] : nodes).map(policyOf));
  const evicting = policies.find((policy) => policy !== undefined && policy !== 'noeviction');
  if (evicting !== undefined)
    throw storeFailure(
      `Redis may evict keys, which would be published again: its maxmemory-policy is ${evicting} and must be noeviction`,
    );
  return policies.every((policy) => policy !== undefined);
}

/** The eviction policy of a server; `undefined` if it does not say. Hosts of Redis allow either question, both or none. */
async function policyOf(node: Client): Promise<string | undefined> {
  // Clients for which there are other types may have neither.
  if (!('call' in node) && !('sendCommand' in node)) return undefined;
  const questions: readonly [string, ...string[]][] = [
    ['INFO', 'memory'],
    ['CONFIG', 'GET', 'maxmemory-policy'],
  ];
  for (const question of questions) {
    const reply = await command(node, ...question).catch((thrown: unknown) => {
      // Anything else, such as a server that is not reached or still loading, fails the operation.
      if (!/\((?:ERR|NOPERM)\)$/.test(String(fieldsOf(thrown)['message']))) throw thrown;
      return '';
    });
    // The pairs of CONFIG GET are a list or an object, by the protocol's version.
    const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
    const [, policy] = /maxmemory[_-]policy\W+([a-z][a-z-]*)/.exec(text) ?? [];
    if (policy !== undefined) return policy;
  }
  return undefined;
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

/**
 * A script is atomic. A missing key reads as false. Its arguments, for each key: the expected value, the new one, and its
 * lifetime.
 */
const script = `for i, key in ipairs(KEYS) do
  local stored = redis.call('GET', key)
  if (stored and '+' .. stored or '') ~= ARGV[3 * i - 2] then return 0 end
end
for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[3 * i - 1], 'PX', ARGV[3 * i]) end
return 1`;
