export { type Bound, bind, type Throwing, close, type CloseOptions } from './client.ts';
export type { Clock } from './options/clock.ts';
export type { Context, ContextOptions } from './context.ts';
export type * from './http/hooks.ts';
export type { Environment } from './settings.ts';
export { createWriteMemory, type WriteMemory } from './writes/memory.ts';
export { isRefreshDue, type RefreshableToken } from './options/time.ts';
export * from './errors.ts';
export { errorFromJSON } from './errorFromJSON.ts';
export type { Fetch, Fetcher, HttpContext, RequestBody } from './http/types.ts';
export { createJournal, memoryJournal } from './writes/journal/createJournal.ts';
export { forgetKey, journalState, openKeys, settleKey } from './writes/journal/operators.ts';
export type {
  Journal,
  JournalContext,
  JournalEngine,
  JournalEvent,
  JournalOptions,
  JournalQuery,
  JournalReplacement,
  JournalSettings,
  JournalState,
  JournalStore,
  KeyedOptions,
  OpenKey,
  OpenKeysOptions,
  SettledOutcome,
} from './writes/journal/types.ts';
export * from './lowLevel/request.ts';
export type { RequestParams } from './lowLevel/rules.ts';
export type { InnerComments, Withheld, WithWithheld } from './lists/inside.ts';
export type { List } from './lists/list.ts';
export * from './lowLevel/batch.ts';
export * from './lowLevel/paginate.ts';
export { livePlatform, type Platform, type PlatformWords } from './platform.ts';
export { appSecretProof } from './http/proof.ts';
export { defaultRetryPolicy, type RetryPolicy } from './http/retry.ts';
export { type ChangedOptions, withOptions } from './context.ts';
export { reactTo, type Reaction } from './reactTo.ts';
export { isFinal, untilSettled, type UntilSettledOptions, type Wait } from './untilSettled.ts';
