import { day } from '../auth/tokens.ts';
import { invalid } from '../errors.ts';
import type { Call } from '../route.ts';
import { flag, oneOf, timeParam } from './values.ts';

const leastMs = 600_000;
/** According to the platform's reference for posts; its guide says 30 days. */
const mostPostMs = 75 * day;
export const mostVideoMs = 183 * day;
/** Allows for the time of the request, and for rounding to whole seconds. */
const slackMs = 10_000;
const kinds = [
  'ADS_POST',
  'DRAFT',
  'INLINE_CREATED',
  'PUBLISHED',
  'PUBLISH_PENDING',
  'REVIEWABLE_BRANDED_CONTENT',
  'SCHEDULED',
  'SCHEDULED_RECURRING',
];

export interface Schedule {
  readonly published: boolean;
  /** By the sandbox clock. */
  readonly scheduledAt: number | undefined;
}

/** Reads whether to publish at once, later, or not at all. */
export function readSchedule(call: Call, mostMs = mostPostMs): Schedule {
  const published = flag(call.params, 'published') ?? true;
  const scheduledAt = scheduleOf(call, mostMs);
  const kind = oneOf(call.params, 'unpublished_content_type', kinds);
  if (published && scheduledAt !== undefined) {
    return invalid('You cannot specify a scheduled publish time on a published post');
  }
  if (published && kind !== undefined && kind !== 'PUBLISHED') {
    return invalid('unpublished_content_type is only for unpublished posts');
  }
  if (kind === 'SCHEDULED' && scheduledAt === undefined) {
    return invalid('The parameter scheduled_publish_time is required');
  }
  return { published, scheduledAt };
}

/** When to publish, in milliseconds of the sandbox clock. */
export function scheduleOf(call: Call, mostMs = mostPostMs): number | undefined {
  const seconds = timeParam(call, 'scheduled_publish_time');
  if (seconds === undefined) return undefined;
  const at = seconds * 1000;
  const now = call.world.now();
  return at < now + leastMs - slackMs || at > now + mostMs
    ? invalid('The specified scheduled publish time is invalid.')
    : at;
}
