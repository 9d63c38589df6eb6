import type { RateLimit } from '../errors.ts';

/**
 * What calls are for. Each lane has its share of a limit: see `createGovernor`. `publish`, all that publishes, lookups
 * of lost writes, and requests for the status of media; `interact`, messages, replies and moderation; `read`, all
 * else; `background`, what a context was moved down to by `withOptions`.
 */
export type Lane = 'publish' | 'interact' | 'read' | 'background';

/** The lanes, the most urgent first. */
export const lanes: readonly Lane[] = ['publish', 'interact', 'read', 'background'];

/** What is known of a rate limit. */
export interface LimitState extends RateLimit {
  /** Until when the platform refuses all calls; absent if it does not. */
  readonly blockedUntil?: Date;
  /** When that was learned from the platform, or counted. */
  readonly observedAt: Date;
}
