import type { Result, ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import type { ConfigurationError, Failure, RequestFailure } from '../errors.ts';
import { hashOf } from '../http/proof.ts';
import { secretsIn } from '../http/secretsIn.ts';
import { perform } from '../http/send.ts';
import type { CallOptions, Params } from '../http/types.ts';
import { collect, type List, type ListRequest, walk, walkPages } from '../lists/list.ts';
import { fieldsOf } from '../objects.ts';
import { check } from '../options/check.ts';
import * as rule from '../options/rules.ts';
import * as input from './rules.ts';
import type { RequestParams, StandardSchema } from './rules.ts';

/** An entry of a list, as the platform sent it. */
export type Entry = Record<string, unknown>;

export interface PaginateOptions<TEntry = Entry> extends CallOptions {
  /**
   * Sent with each request as `access_token`, or as the context's `tokenTransport` says, with its proof where the context
   * has an app secret. Replaces `access_token` and `appsecret_proof` in `params` or the address; only for the graph.
   */
  readonly token?: string | undefined;
  /**
   * Sent in the query. An `access_token` and an `appsecret_proof`, here or in the address, are sent with each request.
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
  /**
   * Reads each entry: any synchronous [Standard Schema](https://standardschema.dev), such as those of valibot, zod,
   * arktype and `pagepics/models`. An entry that does not
   * fit it ends the list with an ApiError.
   * @default any object, as it came
   */
  readonly schema?: StandardSchema<TEntry> | undefined;
  /**
   * Called with the failure of each entry that the platform cannot deliver, not even alone. Anything it throws is
   * ignored.
   * @default `paginate` counts such entries in `unreadable` of its list; `iterate` yields each failure as an Err, and
   * the client's throws the first one at its end
   */
  readonly onUnreadable?: ((error: RequestFailure) => unknown) | undefined;
}

/**
 * Collects the entries of a list over all its pages, following `paging.next`. An entry that the platform lists twice
 * is returned twice.
 *
 * `url` is a path joined to the context's `graphBase`, or an absolute address, such as a `paging.next`.
 *
 * Fails with ConfigurationError when `token` is combined with an `access_token`, or would go to a host other than the
 * graph's. Fails with ApiError when a link leads to another origin, when the links form a loop, and after 50 pages in a
 * row that are empty or only repeat earlier entries.
 *
 * @example
 * const posts = await paginate(context, `${pageId}/feed`, { token, maxItems: 50 });
 */
export function paginate<TEntry = Entry>(
  context: Context,
  url: string,
  options: PaginateOptions<TEntry> = {},
): ResultAsync<List<TEntry>, Failure> {
  return perform(context, 'paginate', toListRequest(context, url, options, 500), (call, request) =>
    collect(context, { ...call, ...request }),
  );
}

/**
 * Yields the entries that {@link paginate} collects, one by one, and requests each page when it is needed: all of them,
 * unless `maxItems` is given. A failure comes last. One that concerns a single entry, which the platform cannot deliver,
 * is yielded in its place, or goes to `onUnreadable`; without that, the iterator of a client throws the first one at its
 * end.
 *
 * @example
 * for await (const post of iterate(context, `${pageId}/feed`, { token })) {
 *   if (post.isOk()) console.log(post.value['id']);
 * }
 */
export function iterate<TEntry = Entry>(
  context: Context,
  url: string,
  options: PaginateOptions<TEntry> = {},
): AsyncGenerator<Result<TEntry, Failure>, void, undefined> {
  return walk(context, 'iterate', toListRequest(context, url, options, Infinity), (call, request) =>
    walkPages(context, { ...call, ...request }),
  );
}

function toListRequest<TEntry>(
  context: Context,
  url: string,
  options: PaginateOptions<TEntry>,
  most: number,
): Result<Omit<ListRequest<TEntry>, 'trace' | 'deadline' | 'token'>, ConfigurationError> {
  return check(
    context,
    options,
    {
      token: rule.optional(rule.token),
      params: rule.optional(input.params),
      maxItems: rule.optional(rule.countOrAll),
      pageSize: rule.optional(rule.count),
      schema: input.schemaRule,
      onUnreadable: rule.optional(rule.hook),
    },
    (options) =>
      input.checkTarget(url) ??
      input.checkToken(context, url, options.token, [options.params]) ??
      input.checkMethod(context, 'GET', url, options.params),
  ).map((options) => {
    const { token, maxItems = most, pageSize, schema, onUnreadable, signal } = options;
    const { path, taken } = input.takeOut(url);
    const query = { ...taken, ...(options.params && given(input.toParams(options.params))) };
    const secrets = secretsIn({ url, query, params: options.params });
    return {
      path,
      token,
      tokens: 'all',
      ownFields: null,
      ...input.placed(context, path, query),
      secrets,
      limit: maxItems,
      pageSize,
      ...readEntries(schema),
      keepsRepeats: true,
      onUnreadable,
      signal,
    };
  });
}

/** How entries are read and told apart: by what the platform sent, whatever a schema makes of it. */
function readEntries<TEntry>(
  schema: StandardSchema<TEntry> | undefined,
): Pick<ListRequest<TEntry>, 'item' | 'idOf'> {
  const ids = new Map<unknown, string>();
  return {
    item:
      schema === undefined
        ? // Without a schema, the type is that of any object, unless the caller says otherwise.
          (entrySchema as v.GenericSchema<unknown, unknown> as v.GenericSchema<unknown, TEntry>)
        : input.readBy(schema, (entry, output) => ids.set(output, idOfEntry(entry))),
    idOf: (entry) => {
      const id = ids.get(entry) ?? idOfEntry(entry);
      ids.delete(entry);
      return id;
    },
  };
}

/** Any object, as it is. */
const entrySchema = v.custom<Entry>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/**
 * Identifies an entry: by its id, or by its content if it has none. Where the hashes of two contents agree, both entries
 * are returned, and only a page of nothing but such entries counts as empty.
 */
function idOfEntry(entry: unknown): string {
  const { id } = fieldsOf(entry);
  try {
    return typeof id === 'string' ? id : `${hashOf(JSON.stringify(entry), 0)}`;
  } catch {
    // Nested too deep to serialize, which no entry of the platform is.
    return '';
  }
}

/** The parameters that have a value. */
function given(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).filter(([, value]) => value !== null && value !== undefined),
  );
}
