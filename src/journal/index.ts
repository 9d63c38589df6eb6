export { createJournal } from '../core/journalEngine/createJournal.ts';
export type { Journal, JournalStore } from '../core/journal/types.ts';
export { type DenoKv, type DenoKvAtomic, type DenoKvEntry, denoKvJournal } from './denoKvJournal.ts';
export {
  durableObjectJournal,
  type DurableObjectStorage,
  type DurableObjectTransaction,
} from './durableObjectJournal.ts';
export { postgresJournal, type PostgresPool, type PostgresSql } from './postgresJournal.ts';
export { type IoRedisClient, type NodeRedisClient, redisJournal } from './redisJournal.ts';
export { type SqliteDatabase, sqliteJournal } from './sqliteJournal.ts';
