import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../context.ts';
import { ApiError, type RequestFailure } from '../errors.ts';
import { isTooMuchData } from '../http/category.ts';
import { isSameOrigin, withLimit, withoutSecrets } from '../http/path.ts';
import { deadlineOf, named, sendForResponse } from '../http/send.ts';
import type { CallLimits, CallOf, GraphRequest, GraphResponse, Params } from '../http/types.ts';
import { fieldsOf } from '../options/check.ts';
import { entriesOf, objectOf, type Schema } from '../schema.ts';

/** Entries of a list, and whether the platform has more of them than were requested. */
export type List<TItem> = TItem[] & {
  /** Not enumerable. `true` if the list ends at its `limit` and the platform says that there is more. */
  readonly hasMore: boolean;
};

/** Collects the entries of a list over all its pages, each once. */
export function list<TItem extends { readonly id: string }>(
  context: Context,
  request: Omit<ListRequest<TItem>, 'idOf'>,
): ResultAsync<List<TItem>, RequestFailure> {
  return collect(context, { idOf, ...request });
}

/** What distinguishes most entries. */
export function idOf({ id }: { readonly id: string }): string {
  return id;
}

/** Collects the entries of a list over all its pages. */
export function collect<TItem>(
  context: Context,
  request: ListRequest<TItem>,
): ResultAsync<List<TItem>, RequestFailure> {
  return new ResultAsync(collected(walkPages(context, request)));
}

async function collected<TItem>(
  pages: AsyncGenerator<Result<readonly TItem[], RequestFailure>, boolean, undefined>,
): Promise<Result<List<TItem>, RequestFailure>> {
  const items: TItem[] = [];
  // Not `for await`, which would drop the return value of the walk.
  for (;;) {
    const step = await pages.next();
    if (step.done === true) {
      // `defineProperty` does not add to the type.
      return ok(Object.defineProperty(items, 'hasMore', { value: step.value }) as List<TItem>);
    }
    const page = step.value;
    if (page.isErr()) return err(page.error);
    // One by one, since the number of arguments of a call is limited.
    for (const item of page.value) items.push(item);
  }
}

/** After how many pages in a row without a new entry a walk ends: the platform sends some, but not endlessly many. */
const emptyPages = 50;

/** A list to walk page by page. */
export interface ListRequest<TItem> extends CallLimits {
  readonly path: string;
  readonly token?: string | undefined;
  /** A `limit` in it overrides `pageSize`. */
  readonly query?: Params | undefined;
  readonly headers?: GraphRequest<unknown>['headers'];
  readonly secrets?: GraphRequest<unknown>['secrets'];
  readonly tokens?: GraphRequest<unknown>['tokens'];
  /** Entries to return, over all pages. */
  readonly limit: number;
  /**
   * Entries to request per page.
   * @default 100
   */
  readonly pageSize?: number | undefined;
  readonly item: Schema<TItem>;
  /**
   * Name of the list in a response.
   * @default 'data'
   */
  readonly key?: string | undefined;
  /**
   * Whether the platform gives a cursor instead of a link, on the last page too: the list then ends with a page without
   * entries. Some cursors stay the same, and yet lead on.
   * @default false
   */
  readonly byCursor?: boolean | undefined;
  /** Identifies an entry: one that the platform lists again is returned once. */
  readonly idOf: (item: TItem) => string;
  /**
   * Whether an entry is returned as often as the platform lists it. Pages with only repeated entries still count as
   * empty.
   * @default false
   */
  readonly keepsRepeats?: boolean | undefined;
}

/**
 * The entries of pages, one by one; a failure comes last. It is one call, which begins when the first entry is
 * requested, and ends with the last entry, with a failure, or when the consumer stops.
 */
export async function* walk<TOptions, TInvalid extends object, TItem, TFailure>(
  context: Context,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  pagesOf: (
    call: CallOf<TOptions>,
    options: TOptions,
  ) => AsyncGenerator<Result<readonly TItem[], TFailure>, unknown, undefined>,
): AsyncGenerator<Result<TItem, TFailure | TInvalid>, void, undefined> {
  const own = named(operation, checked);
  if (own.isErr()) return yield err(own.error);
  const { fetcher } = context;
  const call = fetcher.begin(context, operation, own.value);
  let end: Result<void, TFailure> = ok();
  try {
    for await (const page of pagesOf(call, own.value)) {
      if (page.isErr()) {
        end = fetcher.end(context, call.trace, err(page.error));
        break;
      }
      for (const entry of page.value) yield ok(entry);
    }
  } finally {
    if (end.isOk()) fetcher.end(context, call.trace, end);
  }
  if (end.isErr()) yield err(end.error);
}

type Page = Readonly<Record<string, unknown>>;

/** The entries of a page that were not seen before, or all but `null`. */
function newIn<TItem>(
  listed: readonly (TItem | null)[],
  seen: Set<string>,
  idOf: (entry: TItem) => string,
  keepsRepeats: boolean,
): readonly TItem[] {
  // The predicate drops `null`, which its type cannot say.
  return listed.filter((entry) => {
    if (entry === null) return false;
    const { size } = seen;
    return seen.add(idOf(entry)).size > size || keepsRepeats;
  }) as TItem[];
}

/**
 * The entries of a list, page by page; a failure comes last. Its return value says whether the platform has more
 * entries than `limit`. A page that the platform finds too large is requested again with half as many entries.
 */
export async function* walkPages<TItem>(
  context: Context,
  {
    limit,
    pageSize = 100,
    item,
    idOf,
    keepsRepeats = false,
    key = 'data',
    byCursor = false,
    query,
    ...request
  }: ListRequest<TItem>,
): AsyncGenerator<Result<readonly TItem[], RequestFailure>, boolean, undefined> {
  const home = /^https?:/i.test(request.path) ? request.path : context.graphBase;
  const deadline = request.deadline ?? deadlineOf(context);
  const schema: Schema<Page> = objectOf({ [key]: entriesOf(item) });
  function requestPage(path: string, query: Params) {
    return sendForResponse(context, { ...request, method: 'GET', deadline, schema, path, query });
  }
  const seen = new Set<string>();
  const links = new Set<string>();
  let path: string | undefined = request.path;
  let size = Number(query?.['limit'] ?? Math.min(limit, pageSize));
  let isHalved = false;
  let sent: Params = { ...query, limit: query?.['limit'] ?? size };
  let left = limit;
  let empty = 0;

  while (path !== undefined) {
    const response: Result<GraphResponse<Page>, RequestFailure> = await requestPage(path, sent);
    if (response.isErr()) {
      const { error } = response;
      if (error.name === 'TransportError' || !isTooMuchData(error) || !(size > 1)) {
        yield err(error);
        return false;
      }
      size = Math.floor(size / 2);
      isHalved = true;
      path = withLimit(path, size);
      if (sent['limit'] !== undefined) sent = { ...sent, limit: size };
      continue;
    }
    const { value, body } = response.value;
    const known = seen.size;
    // valibot cannot infer the output of a schema that is a type parameter.
    const listed = value[key] as readonly (TItem | null)[];
    const found = newIn(listed, seen, idOf, keepsRepeats);
    const entries = found.slice(0, left);
    left -= entries.length;
    empty = seen.size === known ? empty + 1 : 0;
    yield ok(entries);

    const next = nextOf(body, byCursor && listed.length > 0);
    if (left === 0) return next !== undefined || found.length > entries.length;
    if (next === undefined) return false;
    const fault = faultOf(next, { home, links, empty, byCursor });
    if (fault !== undefined) {
      yield err(asFault(response.value, next, fault));
      return false;
    }
    links.add(next.at);
    if (next.isLink) {
      path = isHalved ? withLimit(next.at, size) : next.at;
      // A link carries the query but not the proof; its secrets are replaced with the call's own.
      sent = kept(query);
    } else {
      ({ path } = request);
      sent = { ...query, limit: size, after: next.at };
    }
  }
  return false;
}

/** Where the next page of a list is: at a link, or behind a cursor. */
interface NextPage {
  readonly at: string;
  readonly isLink: boolean;
}

/** Why a walk must not go on, if so. */
function faultOf(
  { at, isLink }: NextPage,
  {
    home,
    links,
    empty,
    byCursor,
  }: {
    readonly home: string;
    readonly links: ReadonlySet<string>;
    readonly empty: number;
    readonly byCursor: boolean;
  },
): string | undefined {
  // The token may only be sent to the list's own host.
  if (isLink && !isSameOrigin(at, home)) return 'the next page is at another address than the list';
  // A cursor may stay the same while it brings new entries.
  if (links.has(at) && !(byCursor && empty === 0)) return 'the pages repeat in a loop';
  return empty >= emptyPages ? `the list has ${emptyPages} empty pages in a row` : undefined;
}

function asFault(
  { status, redact, body }: GraphResponse<Page>,
  { isLink }: NextPage,
  fault: string,
): ApiError {
  const field = isLink ? 'next' : 'cursors.after';
  return new ApiError(`paging.${field}: ${fault}`, { status, payload: redact(body) });
}

/** Where the next page is; a link is without token and proof. */
function nextOf(body: unknown, byCursor: boolean): NextPage | undefined {
  const { next, cursors } = fieldsOf(fieldsOf(body)['paging']);
  if (typeof next === 'string' && next !== '') return { at: withoutSecrets(next), isLink: true };
  const { after } = fieldsOf(cursors);
  return byCursor && typeof after === 'string' && after !== '' ? { at: after, isLink: false } : undefined;
}

/** Token and proof, if the caller of a low-level function passed them as parameters. */
function kept(query: Params | undefined): Params {
  const { access_token, appsecret_proof } = query ?? {};
  return { access_token, appsecret_proof };
}
