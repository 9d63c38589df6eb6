import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform } from '../core/http/send.ts';
import { type List, list } from '../core/lists/list.ts';
import { check, countOrAll, fieldNames, optional, text, token } from '../core/options/check.ts';
import { type Place, placeSchema } from '../models/pages.ts';
import type { PageContext, UserCallOptions } from './context.ts';

export interface SearchPlacesOptions extends UserCallOptions {
  /** What to look for, such as a name and a city. */
  readonly query: string;
  /**
   * Places to return, over all pages of the list.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Fields of a place. An unknown one fails the whole call.
   * @default those of Place
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Searches all Pages, such as those of places: the `id` of one with a location is a `placeId` of `publishPost` and
 * others, and a `locationId` of the photo-sharing functions.
 *
 * It needs the token of a person who is logged in, and no permission. The token of a Page, and that of the app without
 * a reviewed feature, are refused. The documentation prints the address without a version; that it works with one is
 * unverified.
 *
 * Source: platform guide, Search for a Page.
 *
 * @example
 * const found = await searchPlaces(context, { token, query: 'Blue Bottle Berlin' });
 * if (found.isOk()) console.log(found.value.map(({ id, name, location }) => [id, name, location?.city]));
 */
export function searchPlaces(
  context: PageContext,
  options: SearchPlacesOptions,
): ResultAsync<List<Place>, Failure> {
  const checked = check(context, options, () => ({
    token,
    query: text,
    limit: optional(countOrAll),
    fields: optional(fieldNames),
  }));
  return perform(context, 'searchPlaces', checked, (call, { query, limit = 25, fields }) =>
    list(context, {
      ...call,
      path: 'pages/search',
      query: { q: query, fields: fields?.join(',') ?? placeFields },
      limit,
      item: placeSchema,
    }),
  );
}

const placeFields = 'id,name,link,location,is_eligible_for_branded_content,is_unclaimed,verification_status';
