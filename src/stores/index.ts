export { createJournal } from '../core/writes/journal/createJournal.ts';
export type {
  Journal,
  JournalQuery,
  JournalReplacement,
  JournalStore,
} from '../core/writes/journal/types.ts';
export * from '../webhooks/eventsOnce.ts';
export type { JournalAdapterOptions, JournalTableOptions } from './adapter.ts';
export * from './d1Journal.ts';
export * from './denoKvJournal.ts';
export * from './durableObjectJournal.ts';
export * from './postgresJournal.ts';
export * from './redisJournal.ts';
export * from './sqliteJournal.ts';
