import type { ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../core/errors.ts';
import { createOwnFields } from '../core/http/fields.ts';
import type { OwnFields } from '../core/http/types.ts';
import type { InsideParts } from '../core/lists/askInside.ts';
import type { WithWithheld } from '../core/lists/inside.ts';
import { collectPages, type List, type ListRequest, listRules, walkPages } from '../core/lists/list.ts';
import { withHidden } from '../core/objects.ts';
import * as rule from '../core/options/rules.ts';
import type { Media } from '../models/media.ts';
import type { PicsContext } from './context.ts';

/** The rules of a call about one media object. */
export const ofMedia = { mediaId: rule.id, token: rule.token };

export const mediaListRules = { ...ofMedia, ...listRules };

const safe =
  'id,media_type,media_url,thumbnail_url,permalink,shortcode,timestamp,username,like_count,comments_count';

/** Fields on which the platform's documents disagree in login mode. */
const contested = ['caption', 'media_product_type'];
/** Fields that not every version has. */
const recent = ['alt_text', 'is_comment_enabled', 'is_shared_to_feed', 'owner', 'children'];

const childFields = '{id,media_type,media_url,thumbnail_url,permalink,timestamp}';
const documented = `${safe},${[...contested, ...recent].join(',')}${childFields}`;

/** The fields to read media with: the caller's, or else all documented ones. */
export function fieldsOfMedia(chosen: readonly string[] | undefined): string {
  return chosen?.join(',') ?? documented;
}

/** How a call goes on without fields of media that the platform does not know: where it lacks one, it lacks its kind. */
export function ownMediaFields({ mode }: PicsContext): OwnFields {
  return createOwnFields((failure) => {
    if (mode === 'login' && isUnknown(failure, contested)) return [...contested, ...recent];
    return isUnknown(failure, recent) ? recent : [];
  });
}

type MediaList = Omit<ListRequest<Media>, 'item'>;

/** Yields the pages of a list of media with what belongs to them. */
export function walkMedia(
  context: PicsContext,
  request: MediaList,
  { query, ...parts }: InsideParts<Media>,
): ReturnType<typeof walkPages<Media>> {
  const ownFields = ownMediaFields(context);
  return walkPages(context, { ...request, ...parts, query: { ...request.query, ...query }, ownFields });
}

/** Lists media with what belongs to them. */
export function listMedia(
  context: PicsContext,
  request: MediaList,
  parts: InsideParts<Media>,
): ResultAsync<List<Media> & WithWithheld, RequestFailure> {
  const { withheld } = parts;
  return collectPages(walkMedia(context, request, parts), request).map((list) =>
    withHidden(list, { withheld }),
  );
}

/** Whether the refusal is about one of these fields. Code 100 alone stands for any invalid parameter. */
function isUnknown(failure: RequestFailure, fields: readonly string[]): boolean {
  return (
    failure.name === 'ApiError' &&
    failure.code === 100 &&
    fields.some((field) => failure.message.includes(field))
  );
}
