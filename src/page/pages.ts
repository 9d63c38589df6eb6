import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { Failure, RequestFailure, TransportError } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { mapConcurrent, perform, performRequest } from '../core/http/send.ts';
import type { FieldOptions, List, ListOptions, ListRequest } from '../core/lists/list.ts';
import { fieldRules, isEntryFailure, list, listRules, performList, walkPages } from '../core/lists/list.ts';
import { withHidden } from '../core/objects.ts';
import { check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { entriesAt, fieldsFor, idSchema, objectOf } from '../models/fields.ts';
import type { Page, PageProfile, PageStatus, Place } from '../models/profile.ts';
import { pageProfileSchema, pageSchema, pageStatusSchema, placeSchema } from '../models/profile.ts';
import type { PageContext, UserCallOptions } from './context.ts';
import { type OnePageOptions, pageRules } from './pageOptions.ts';

interface MoreFieldsOptions {
  /**
   * Fields to request beside those of Page, such as `fan_count`; their values are in `raw`. An unknown one fails the
   * whole call. `access_token` comes anyhow.
   * @default none
   */
  readonly fields?: readonly string[] | undefined;
}

export interface PagesOptions extends UserCallOptions, MoreFieldsOptions {}

/**
 * Lists the Pages that a user manages, at most 500, each with its page token and its linked photo-sharing
 * professional account.
 *
 * A page token from a long-lived user token does not expire. Pages that the user can only reach through a business
 * portfolio may be missing: see `portfolioPages`. The list has been seen empty for a person who had granted a Page, which
 * `pageDetails` then read by its id.
 *
 * Without `business_management`, a Page that a portfolio holds is left out; without `pics_basic`, the linked account.
 * Source: platform reference, User accounts.
 *
 * @example
 * const managed = await pages(context, { token });
 * if (managed.isOk()) console.log(managed.value.map((page) => page.name));
 */
export function pages(context: PageContext, options: PagesOptions): ResultAsync<List<Page>, Failure> {
  const checked = check(context, options, { token: rule.token, fields: moreFields });
  return perform(context, 'pages', checked, (call, { fields }) =>
    list(context, { ...call, ...pageList(context, fields), path: 'me/accounts', limit: 500 }),
  );
}

export interface PageDetailsOptions extends UserCallOptions, MoreFieldsOptions {
  readonly pageId: string;
}

/**
 * Reads one Page with its page token and its linked photo-sharing professional account.
 *
 * Its `tasks` are empty: the platform gives them in the list of `pages` only. Without a task on the Page, its
 * `access_token` is empty (unverified), and the platform refuses what the app may not see.
 *
 * Without `pics_basic`, the linked account is left out. Source: platform guide, Manage a Page.
 *
 * @example
 * const page = await pageDetails(context, { token, pageId });
 * if (page.isOk()) console.log(page.value.name, page.value.access_token !== '');
 */
export function pageDetails(context: PageContext, options: PageDetailsOptions): ResultAsync<Page, Failure> {
  const checked = check(context, options, {
    token: rule.token,
    pageId: rule.id,
    fields: moreFields,
  });
  return performRequest(context, 'pageDetails', checked, ({ pageId, fields }) => {
    const { linkedAccount } = context.platform.words;
    return {
      path: path`${pageId}`,
      query: { fields: withMore(`${nodeFields},${linkedAccount}{id,username}`, fields) },
      ownFields,
      tokens: 'named',
      schema: pageSchema(linkedAccount),
    };
  });
}

export interface PortfolioPagesOptions extends UserCallOptions {
  /** User token, or the token of a system user. */
  readonly token: string;
}

/** The Pages that a user can reach, directly or through a portfolio. */
export interface PortfolioPages {
  /** Each Page once: those that the user manages first, then those of the portfolios. */
  readonly pages: readonly Page[];
  /** The lists that the platform refused, as a whole or from some page on. */
  readonly skipped: readonly SkippedList[];
  /** Not enumerable. How many Pages and portfolios are missing, since the platform cannot deliver them, not even alone. */
  readonly unreadable: number;
}

export interface SkippedList {
  /** The portfolio; `undefined` if the list of portfolios itself was refused. */
  readonly business_id: string | undefined;
  readonly edge: 'businesses' | PortfolioEdge;
  readonly error: Exclude<RequestFailure, TransportError>;
}

type PortfolioEdge = 'owned_pages' | 'client_pages';

const withId = objectOf({ id: idSchema });

/**
 * Lists the Pages that a user manages, and also those of their business portfolios and of the portfolios' clients,
 * which `pages` does not list.
 *
 * A Page on which the user has no task has an empty `access_token`. Lists that the platform refuses are left out and
 * named in `skipped`; a refusal of the user's own Pages and a network failure are errors.
 *
 * Linked accounts need `pics_basic` too. Source: platform reference, User businesses, Business owned pages and client
 * pages.
 *
 * @example
 * const found = await portfolioPages(context, { token });
 * if (found.isOk()) console.log(found.value.pages.length, found.value.skipped.length);
 */
export function portfolioPages(
  context: PageContext,
  options: PortfolioPagesOptions,
): ResultAsync<PortfolioPages, Failure> {
  const checked = check(context, options, { token: rule.token });
  return perform(context, 'portfolioPages', checked, (call) => {
    const request = { ...call, limit: Infinity };
    return new ResultAsync(find());

    async function find(): Promise<Result<PortfolioPages, RequestFailure>> {
      const [direct, businesses] = await Promise.all([
        collectUntilFailure(context, { ...request, ...pageList(context), path: 'me/accounts' }),
        collectUntilFailure(context, {
          ...request,
          path: 'me/businesses',
          query: { fields: 'id,name' },
          item: withId,
        }),
      ]);
      if (direct.failure) return err(direct.failure);

      const ids = new Set(businesses.items.map(({ id }) => id));
      const edges = [...ids].flatMap((business_id) =>
        (['owned_pages', 'client_pages'] as const).map((edge) => ({ business_id, edge })),
      );
      const lists = await mapConcurrent(edges, async (source) => {
        const list = { ...pageList(context), path: `${path`${source.business_id}`}/${source.edge}` };
        return { ...source, ...(await collectUntilFailure(context, { ...request, ...list })) };
      });

      const skipped: SkippedList[] = [];
      const other = { business_id: undefined, edge: 'businesses' as const, ...businesses };
      for (const { business_id, edge, failure: error } of [other, ...lists]) {
        if (error?.name === 'TransportError') return err(error);
        if (error) skipped.push({ business_id, edge, error });
      }
      const unreadable = [direct, other, ...lists].reduce((sum, list) => sum + list.unreadable, 0);
      const pages = unique([direct.items, ...lists.map(({ items }) => items)].flat());
      return ok(withHidden({ pages, skipped }, { unreadable }));
    }
  });
}

/** The entries of a list, up to the point where it failed, and without those that the platform cannot deliver. */
async function collectUntilFailure<TItem>(context: PageContext, request: ListRequest<TItem>) {
  const items: TItem[] = [];
  let failure: RequestFailure | undefined;
  let unreadable = 0;
  for await (const page of walkPages(context, request)) {
    if (page.isOk()) items.push(...page.value);
    else if (isEntryFailure(page.error)) unreadable++;
    else failure = page.error;
  }
  return { items, failure, unreadable };
}

/** Each Page once. An entry with a token takes precedence: the same Page may be listed with and without one. */
function unique(pages: readonly Page[]): Page[] {
  const byId = new Map<string, Page>();
  for (const page of pages) {
    const known = byId.get(page.id);
    if (known === undefined || (known.access_token === '' && page.access_token !== ''))
      byId.set(page.id, page);
  }
  return [...byId.values()];
}

/** The rule for further fields of a Page. Its own token comes anyhow. */
const moreFields = rule.optional(
  rule.listOf(
    rule.refine(rule.text, (name) =>
      name !== 'access_token' && /token/i.test(name) ? 'must not name a token of anything else' : undefined,
    ),
    1,
  ),
);

/** How to read a list of Pages, whichever edge it is on. */
function pageList(
  context: PageContext,
  more?: readonly string[],
): Pick<ListRequest<Page>, 'query' | 'tokens' | 'item'> {
  const { linkedAccount } = context.platform.words;
  return {
    query: { fields: withMore(`${nodeFields},tasks,${linkedAccount}{id,username}`, more) },
    tokens: 'named',
    item: pageSchema(linkedAccount),
  };
}

/** The fields of a Page, besides its linked account, and `tasks`, which only lists have. */
const nodeFields = 'id,name,access_token';

/** These fields, and more that are not among them. */
function withMore(fields: string, more: readonly string[] = []): string {
  const known = fields.split(',');
  return [...known, ...more.filter((name) => !known.includes(name))].join(',');
}

export interface PageProfileOptions extends OnePageOptions {
  /**
   * Fields to request. An unknown one fails the call. Fields that are not part of the profile are in `raw`.
   * @default those of the profile
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * Reads what a Page says about itself: names, texts, addresses, opening hours, pictures, figures and the linked
 * photo-sharing account.
 *
 * The linked account needs `pics_basic` too. Source: platform reference, Page.
 *
 * @example
 * const profile = await pageProfile(context, { pageId, pageToken });
 * if (profile.isOk()) console.log(profile.value.name, profile.value.followers_count);
 */
export function pageProfile(
  context: PageContext,
  options: PageProfileOptions,
): ResultAsync<PageProfile, Failure> {
  const checked = check(context, options, { ...pageRules, ...fieldRules });
  return performRequest(context, 'pageProfile', checked, (options) => {
    const { linkedAccount } = context.platform.words;
    const { pageId, fields } = options;
    const schema = pageProfileSchema(linkedAccount);
    // Of these fields, the platform is asked for what is read.
    const parts: Readonly<Record<string, string>> = {
      picture: 'picture{url}',
      cover: 'cover{source}',
      [linkedAccount]: `${linkedAccount}{id,username}`,
    };
    const all = fieldsFor(schema)
      .split(',')
      .map((name) => parts[name] ?? name);
    return {
      path: path`${pageId}`,
      query: { fields: (fields ?? all).join(',') },
      ownFields,
      schema,
    };
  });
}

export interface PageStatusOptions extends OnePageOptions {}

/**
 * Reads whether a Page keeps the platform's rules: its status, what it violated, what it may not do until when, and what
 * can be done about it.
 *
 * It is read as documented; no response of a live Page was seen.
 *
 * Source: platform reference, Page Status.
 *
 * @example
 * const integrity = await pageStatus(context, { pageId, pageToken });
 * if (integrity.isOk()) console.log(integrity.value.status, integrity.value.restrictions.map(({ feature }) => feature));
 */
export function pageStatus(
  context: PageContext,
  options: PageStatusOptions,
): ResultAsync<PageStatus, Failure> {
  const checked = check(context, options, pageRules);
  return performRequest(context, 'pageStatus', checked, ({ pageId }) => ({
    path: path`${pageId}/page_status`,
    // Without `fields`, the platform returns all fields, and no unknown field can fail the call.
    schema: pageStatusSchema,
  }));
}

export interface SearchPlacesOptions extends UserCallOptions, ListOptions, FieldOptions {
  /** What to look for, such as a name and a city. */
  readonly query: string;
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
  const checked = check(context, options, { token: rule.token, query: rule.text, ...listRules });
  return performList(context, 'searchPlaces', checked, 25, (options) =>
    entriesAt('pages/search', placeSchema, options, { q: options.query }),
  );
}
