import { errAsync, type ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../core/errors.ts';
import { type ListRequest, listRules, walkPages } from '../core/lists/list.ts';
import * as rule from '../core/options/rules.ts';
import type { Media } from '../models/media.ts';
import type { PicsContext } from './context.ts';
import type { MediaInside } from './inside.ts';

/** The rules of a call about one media object. */
export const ofMedia = { mediaId: rule.id, token: rule.token };

export const mediaListRules = { ...ofMedia, ...listRules };

const safe =
  'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count';

/** Fields on which the platform's documents disagree in login mode. One unknown field fails a whole request. */
const contested = 'caption,media_product_type';
/** Fields that not every version has. */
const recent =
  'alt_text,is_comment_enabled,is_shared_to_feed,owner,children{id,media_type,media_url,thumbnail_url,permalink,timestamp}';

const documented = `${safe},${contested},${recent}`;

/** Reads media with the caller's fields, or else with all documented fields that the platform accepts. */
export function withMediaFields<TValue>(
  context: PicsContext,
  chosen: readonly string[] | undefined,
  read: (fields: string) => ResultAsync<TValue, RequestFailure>,
): ResultAsync<TValue, RequestFailure> {
  if (chosen !== undefined) return read(chosen.join(','));
  return read(documented).orElse((failure) => {
    const fewer = fewerFields(context, failure);
    return fewer === undefined ? errAsync(failure) : read(fewer);
  });
}

/** Walks a list of media with the fields that {@link withMediaFields} reads them with, and what belongs to them. */
export async function* walkMedia(
  context: PicsContext,
  chosen: readonly string[] | undefined,
  request: Omit<ListRequest<Media>, 'item'>,
  { start }: MediaInside,
): ReturnType<typeof walkPages<Media>> {
  const walkWith = (wanted: string) => {
    const { fields, ...parts } = start(wanted);
    const query = { ...request.query, fields };
    return walkPages(context, { ...request, ...parts, query, keepsFields: true });
  };
  if (chosen !== undefined) return yield* walkWith(chosen.join(','));
  const pages = walkWith(documented);
  const first = await pages.next();
  if (first.done === true) return first.value;
  const fewer = first.value.isErr() ? fewerFields(context, first.value.error) : undefined;
  if (fewer !== undefined) return yield* walkWith(fewer);
  yield first.value;
  return yield* pages;
}

/** The fields to request instead of all documented ones, if the platform does not know all of those. */
function fewerFields({ mode }: PicsContext, failure: RequestFailure): string | undefined {
  if (mode === 'login' && isUnknown(failure, contested)) return safe;
  return isUnknown(failure, recent) ? `${safe},${contested}` : undefined;
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
