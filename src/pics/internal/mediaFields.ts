import { errAsync, type ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../../core/errors.ts';
import type { PicsContext } from '../context.ts';

const safe =
  'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count';
/** Fields on which the platform's documents disagree in login mode. One unknown field fails a whole request. */
const contested = 'caption,media_product_type';
/** Fields that not every version knows. */
const recent =
  'alt_text,is_comment_enabled,is_shared_to_feed,owner,children{id,media_type,media_url,thumbnail_url,permalink,timestamp}';

/** Reads media with the caller's fields, or with all documented ones that the platform accepts. */
export function withMediaFields<TValue>(
  { mode }: PicsContext,
  chosen: readonly string[] | undefined,
  read: (fields: string) => ResultAsync<TValue, RequestFailure>,
): ResultAsync<TValue, RequestFailure> {
  if (chosen !== undefined) return read(chosen.join(','));
  return read(`${safe},${contested},${recent}`).orElse((failure) =>
    mode === 'login' && isUnknown(failure, contested)
      ? read(safe)
      : isUnknown(failure, recent)
        ? read(`${safe},${contested}`)
        : errAsync(failure),
  );
}

/** Whether the refusal is about one of these fields. Code 100 alone stands for any invalid parameter. */
function isUnknown(failure: RequestFailure, fields: string): boolean {
  return (
    failure.name === 'ApiError' &&
    failure.code === 100 &&
    fields
      .replace(/\{.*/, '')
      .split(',')
      .some((field) => failure.message.includes(field))
  );
}
