import type { Result, ResultAsync } from 'neverthrow';

import type { Context } from '../context.ts';
import type { ConfigurationError, Failure } from '../errors.ts';
import { secretsIn } from '../http/redact.ts';
import { perform } from '../http/send.ts';
import type { Params } from '../http/types.ts';
import { collect, type List, type ListRequest, walk, walkPages } from '../lists/list.ts';
import { check, count, countOrAll, optional, token as tokenRule } from '../options/check.ts';
import { anObject } from '../schema.ts';
import {
  checkMethod,
  checkTarget,
  checkToken,
  params,
  placed,
  type RequestParams,
  takeOut,
  toParams,
} from './rules.ts';

/** An entry of a list, as the platform sent it. */
export type Entry = Record<string, unknown>;

export interface PaginateOptions {
  /**
   * Sent with each page as `access_token`, or as the context's `tokenTransport` says, with its proof where the context
   * has an app secret. Replaces `access_token` and `appsecret_proof` in `params` or the address; only for the graph.
   */
  readonly token?: string | undefined;
  /**
   * Sent in the query. An `access_token` and an `appsecret_proof`, here or in the address, are sent with each page.
   * Values given here override the token, proof and `limit` of the address.
   */
  readonly params?: RequestParams | undefined;
  /**
   * Entries to return at most, over all pages.
   * @default 500 for `paginate`, all for `iterate`
   */
  readonly maxItems?: number | undefined;
  /**
   * Entries to request per page, if neither `params` nor the address has a `limit`.
   * @default 100
   */
  readonly pageSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Collects the entries of a list over all its pages, following `paging.next`. An entry that the platform lists twice
 * is returned twice.
 *
 * `url` is a path joined to the context's `graphBase`, or an absolute address, such as a `paging.next`.
 *
 * Fails with ConfigurationError when `token` is combined with an `access_token`, or would go to a host other than the
 * graph's, and with ApiError when a link leads to another origin, when the links form a loop, and after 50 pages in a
 * row that are empty or only repeat earlier entries.
 *
 * @example
 * const posts = await paginate(context, `${pageId}/feed`, { token, maxItems: 50 });
 */
export function paginate(
  context: Context,
  url: string,
  options: PaginateOptions = {},
): ResultAsync<List<Entry>, Failure> {
  return perform(context, 'paginate', toListRequest(context, url, options, 500), (call, request) =>
    collect(context, { ...call, ...request }),
  );
}

/**
 * Yields the entries that {@link paginate} collects, one by one, and requests each page when it is needed: all of them,
 * unless `maxItems` is given. A failure comes last.
 *
 * @example
 * for await (const post of iterate(context, `${pageId}/feed`, { token })) {
 *   if (post.isOk()) console.log(post.value['id']);
 * }
 */
export function iterate(
  context: Context,
  url: string,
  options: PaginateOptions = {},
): AsyncGenerator<Result<Entry, Failure>, void, undefined> {
  return walk(context, 'iterate', toListRequest(context, url, options, Infinity), (call, request) =>
    walkPages(context, { ...call, ...request }),
  );
}

function toListRequest(
  context: Context,
  url: string,
  options: PaginateOptions,
  most: number,
): Result<Omit<ListRequest<Entry>, 'trace' | 'token'>, ConfigurationError> {
  return check(
    context,
    options,
    () => ({
      token: optional(tokenRule),
      params: optional(params),
      maxItems: optional(countOrAll),
      pageSize: optional(count),
    }),
    (own) =>
      checkTarget(url) ??
      checkToken(context, url, own.token, [own.params]) ??
      checkMethod(context, 'GET', url, own.params),
  ).map((own) => {
    const { token, maxItems = most, pageSize, signal } = own;
    const { path, taken } = takeOut(url);
    const query = { ...taken, ...(own.params && given(toParams(own.params))) };
    const secrets = secretsIn({ url, query, params: own.params });
    return {
      path,
      token,
      tokens: 'all',
      ...placed(context, path, query),
      secrets,
      limit: maxItems,
      pageSize,
      item: anObject,
      idOf: idOfEntry,
      keepsRepeats: true,
      signal,
    };
  });
}

/** What identifies an entry: its id, or if it has none, its whole content. */
function idOfEntry(entry: Entry): string {
  try {
    return typeof entry['id'] === 'string' ? entry['id'] : JSON.stringify(entry);
  } catch {
    // Deeper than any entry of the platform.
    return '';
  }
}

/** The parameters that have a value. */
function given(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== null && value !== undefined),
  );
}
