import type { Journal } from '../core/journal/types.ts';
import { createJournal } from '../core/journalEngine/createJournal.ts';

/** A client of `ioredis`. */
export interface IoRedisClient {
  readonly get: (key: string) => Promise<string | null>;
  readonly call: (command: string, ...values: string[]) => Promise<unknown>;
}

/** A connected client of `redis`. */
export interface NodeRedisClient {
  readonly get: (key: string) => Promise<unknown>;
  readonly sendCommand: (values: string[]) => Promise<unknown>;
}

/**
 * A journal in Redis. It takes a client of `ioredis`, or a connected one of `redis`. The server must keep what it
 * acknowledged: `appendonly yes`, `appendfsync always`, and no eviction of these keys (`pagepics…`).
 */
export function redisJournal(client: IoRedisClient | NodeRedisClient): Journal {
  return createJournal({
    get: async (key) => {
      const value = await client.get(key);
      return typeof value === 'string' ? value : undefined;
    },
    compareAndSet: async (key, expected, value, ttlMs) => {
      const values = [
        script,
        '1',
        key,
        value,
        String(Math.ceil(ttlMs)),
        ...(expected === undefined ? [] : [expected]),
      ];
      const stored = await ('call' in client
        ? client.call('EVAL', ...values)
        : client.sendCommand(['EVAL', ...values]));
      return Number(stored) === 1;
    },
  });
}

/** A script is atomic. An absent key reads as false, and an absent argument as nil. */
const script = `local held = redis.call('GET', KEYS[1])
if (held or nil) ~= ARGV[3] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;
