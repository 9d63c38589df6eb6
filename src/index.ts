export * from './core/errors.ts';
export type { Clock } from './core/options/clock.ts';
export type { Context, ContextOptions } from './core/context.ts';
export type {
  CallEndEvent,
  CallEvent,
  FailureEvent,
  Hooks,
  Purpose,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  VersionEvent,
} from './core/http/hooks.ts';
export type { List } from './core/lists/list.ts';
export { isRefreshDue, type RefreshableToken } from './core/options/time.ts';
export type { Platform, PlatformWords } from './core/platform.ts';
export type { Fetch, RequestBody } from './core/http/types.ts';
export type { RetryPolicy } from './core/http/retry.ts';
export type * from './models/index.ts';
export * from './page/client.ts';
export * from './page/context.ts';
export * from './pics/client.ts';
export * from './pics/context.ts';
