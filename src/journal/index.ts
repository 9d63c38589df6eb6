export { createJournal } from '../core/writes/journal/createJournal.ts';
export type { Journal, JournalQuery, JournalStore } from '../core/writes/journal/types.ts';
export type { JournalAdapterOptions, JournalTableOptions } from './adapter.ts';
export {
  type DenoKv,
  type DenoKvAtomic,
  type DenoKvEntry,
  denoKvJournal,
  type DenoKvRow,
} from './denoKvJournal.ts';
export {
  durableObjectJournal,
  type DurableObjectStorage,
  type DurableObjectTransaction,
} from './durableObjectJournal.ts';
export { eventsOnce, type EventsOnceOptions, type EventStore } from './eventsOnce.ts';
export {
  postgresJournal,
  postgresJournalTable,
  type PostgresPool,
  type PostgresSql,
} from './postgresJournal.ts';
export {
  type IoRedisClient,
  type NodeRedisClient,
  type NodeRedisCluster,
  redisJournal,
} from './redisJournal.ts';
export {
  type SqliteDatabase,
  sqliteJournal,
  sqliteJournalTable,
  type SqliteStatement,
} from './sqliteJournal.ts';
