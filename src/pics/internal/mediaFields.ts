import { errAsync, type ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../../core/errors.ts';
import type { PicsContext } from '../context.ts';

const safe =
  'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count';
/** One unknown field fails a whole request, and the platform's papers disagree on these two in login mode. */
const contested = ['caption', 'media_product_type'];

/** Reads media with the fields that the caller chose, or with all that are of use. */
export function withMediaFields<TValue>(
  { mode }: PicsContext,
  chosen: readonly string[] | undefined,
  read: (fields: string) => ResultAsync<TValue, RequestFailure>,
): ResultAsync<TValue, RequestFailure> {
  if (chosen !== undefined) return read(chosen.join(','));
  return read([safe, ...contested].join(',')).orElse((failure) =>
    mode === 'login' && isUnknownField(failure) ? read(safe) : errAsync(failure),
  );
}

/** Only this refusal names the field: code 100 stands for every invalid parameter. */
function isUnknownField(failure: RequestFailure): boolean {
  return (
    failure.name === 'ApiError' &&
    failure.code === 100 &&
    contested.some((field) => failure.message.includes(field))
  );
}
