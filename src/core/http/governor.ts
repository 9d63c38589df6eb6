import type { Result } from 'neverthrow';

import type { RateLimit, TransportError } from '../errors.ts';
import type { Attempt } from './attempt.ts';
import type { HttpContext } from './types.ts';

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

/** Keeps the calls of all its contexts under the platform's rate limits. Created by `createGovernor`. */
export interface Governor {
  /** Gives what sends an attempt, which waits until the limits allow it. Internal to the SDK. */
  readonly govern: (attempt: Attempt) => Attempt;
  /** What is known of all limits. Internal to the SDK: see `limits`. */
  readonly limits: (context: HttpContext) => Promise<Result<readonly LimitState[], TransportError>>;
}
