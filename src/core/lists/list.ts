import { err, ok, type Result, ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../context.ts';
import { withCaller, withMessage } from '../deriveError.ts';
import { ApiError, type RequestFailure } from '../errors.ts';
import { isSameOrigin } from '../http/addresses.ts';
import { guardHook } from '../http/guardHook.ts';
import { deadlineOf } from '../http/lifecycle.ts';
import { withoutSecrets } from '../http/links.ts';
import type { MayRepeat } from '../http/retry.ts';
import { perform, withOperation, sendForResponse } from '../http/send.ts';
import type { CallLimits, CallOf, GraphRequest, GraphResponse, Params } from '../http/types.ts';
import { fieldsOf } from '../objects.ts';
import * as rule from '../options/rules.ts';

/** Entries of a list, and whether the platform has more of them than were requested. */
export type List<TItem> = TItem[] & {
  /** Not enumerable. `true` if the list ends at its `limit` and the platform says that there is more. */
  readonly hasMore: boolean;
  /** Not enumerable. How many entries are missing, since the platform cannot deliver them, not even alone. */
  readonly unreadable: number;
  /**
   * Not enumerable. Whether these are all entries there are: `false` if `hasMore`, if some are `unreadable`, and for
   * lists that the platform itself cuts.
   */
  readonly isComplete: boolean;
};

/** Collects the entries of a list over all its pages, each once. */
export function list<TItem extends { readonly id: string }>(
  context: Context,
  request: ListRequest<TItem>,
): ResultAsync<List<TItem>, RequestFailure> {
  return collect(context, request);
}

/** What an endpoint lists; its call and its options add the rest. Entries without an `id` need an `idOf`. */
type EndpointList<TItem> = Omit<ListRequest<TItem>, 'limit' | keyof CallLimits> &
  (TItem extends { readonly id: string } ? unknown : Required<Pick<ListRequest<TItem>, 'idOf'>>);

/** Does the work of an endpoint that returns the entries of a list, up to its `limit`. */
export function performList<
  TOptions extends { readonly limit?: number | undefined },
  TInvalid extends object,
  TItem,
>(
  context: Context,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  defaultLimit: number,
  toRequest: (options: TOptions) => EndpointList<TItem>,
): ResultAsync<List<TItem>, RequestFailure | TInvalid> {
  return perform(context, operation, checked, (call, options) => {
    const request = { ...call, ...toRequest(options), limit: options.limit ?? defaultLimit };
    return collected(walkPages(context, request), request);
  });
}

/** Options of functions that yield the entries of a list one by one. */
export interface WalkOptions {
  /**
   * Entries to yield at most, over all pages. At least 1.
   * @default all
   */
  readonly limit?: number | undefined;
  /**
   * Called with the failure of each entry that the platform cannot deliver, not even alone. Anything it throws is
   * ignored.
   * @default such a failure is yielded as an Err; the iterator of a client throws the first one at its end
   */
  readonly onUnreadable?: ((error: RequestFailure) => unknown) | undefined;
}

/** The rules of a list with that of {@link WalkOptions}. */
export function walking<TGiven, TRules extends object>(
  rules: (given: TGiven) => TRules,
): (given: TGiven) => TRules & { readonly onUnreadable: rule.Rule } {
  return (given) => ({ ...rules(given), onUnreadable: rule.optional(rule.hook) });
}

/** Options of functions that return the entries of a list. */
export interface ListOptions {
  /**
   * Entries to return, over all pages. At least 1.
   * @default 25
   */
  readonly limit?: number | undefined;
}

/** Options of functions that request chosen fields. */
export interface FieldOptions {
  /**
   * Fields to request. An unknown one fails the whole call. What the returned type does not name is in its `raw`.
   * @default the fields that the returned type names
   */
  readonly fields?: readonly string[] | undefined;
}

/** The rules of {@link ListOptions} and {@link FieldOptions}. */
export const listRules = {
  limit: rule.optional(rule.countOrAll),
  fields: rule.optional(rule.fieldNames),
};

/** Does the work of an iterator over the same list: up to its `limit`, by default all entries. */
export function walkList<TOptions extends WalkOptions, TInvalid extends object, TItem>(
  context: Context,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  toRequest: (options: TOptions) => EndpointList<TItem>,
): AsyncGenerator<Result<TItem, RequestFailure | TInvalid>, void, undefined> {
  return walk(context, operation, checked, (call, options) =>
    walkPages(context, { ...call, ...toRequest(options), limit: options.limit ?? Infinity }),
  );
}

/** Identifies an entry by its `id`. */
function idOf(entry: unknown): string {
  return String(fieldsOf(entry)['id']);
}

/** Like {@link list}, also for entries without an `id`: the request needs an `idOf` then. */
export function collect<TItem>(
  context: Context,
  request: ListRequest<TItem>,
): ResultAsync<List<TItem>, RequestFailure> {
  return collectPages(walkPages(context, request), request);
}

/** Collects the entries of pages, until a failure that is not of a single entry. */
export function collectPages<TItem>(
  pages: AsyncGenerator<Result<readonly TItem[], RequestFailure>, boolean, undefined>,
  facts: Collection = {},
): ResultAsync<List<TItem>, RequestFailure> {
  return new ResultAsync(collected(pages, facts));
}

async function collected<TItem>(
  pages: AsyncGenerator<Result<readonly TItem[], RequestFailure>, boolean, undefined>,
  { cutAt = Infinity, onUnreadable }: Collection,
): Promise<Result<List<TItem>, RequestFailure>> {
  const items: TItem[] = [];
  const notify = guardHook(onUnreadable);
  let unreadable = 0;
  // Not `for await`, which would drop the return value of the walk.
  for (;;) {
    const step = await pages.next();
    if (step.done === true) {
      const isComplete = !step.value && unreadable === 0 && items.length < cutAt;
      const facts = {
        hasMore: { value: step.value },
        unreadable: { value: unreadable },
        isComplete: { value: isComplete },
      };
      // `defineProperties` does not add to the type.
      return ok(Object.defineProperties(items, facts) as List<TItem>);
    }
    const page = step.value;
    if (page.isOk()) {
      // One by one, since the number of arguments of a call is limited.
      for (const item of page.value) items.push(item);
    } else if (isEntryFailure(page.error)) {
      unreadable++;
      notify?.(page.error);
    } else {
      return err(page.error);
    }
  }
}

/** The failures of single entries. */
const entryFailures = new WeakSet<object>();

/** Whether a failure is of a single entry: the walk continues after that entry. */
export function isEntryFailure(failure: unknown): failure is RequestFailure {
  return entryFailures.has(Object(failure));
}

/** The failure of a single entry, which it names by its id. */
function entryFailure(failure: RequestFailure, entry: unknown): RequestFailure {
  const { id } = fieldsOf(entry);
  const which = typeof id === 'string' || typeof id === 'number' ? `entry ${id}` : 'an entry';
  const named = withMessage(failure, `the platform cannot deliver ${which}: ${failure.message}`);
  entryFailures.add(named);
  return named;
}

/** A walk ends after this many pages in a row without a new entry: the platform sends some, but not endlessly many. */
const emptyPages = 50;

/** A walk fails after this many entries that could not be read, if it has read none. */
const mostUnreadable = 10;

/** How to collect the entries of a list. */
interface Collection extends Pick<WalkOptions, 'onUnreadable'> {
  /**
   * How many entries the platform lists at most, so that as many may not be all; 0 if there is no telling.
   * @default Infinity
   */
  readonly cutAt?: number | undefined;
}

/** A list to walk page by page. */
export interface ListRequest<TItem> extends CallLimits, Collection {
  readonly path: string;
  readonly token?: string | undefined;
  /** A `limit` in it overrides `pageSize`; one that is `undefined` leaves it to the platform. */
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
  readonly item: v.GenericSchema<unknown, TItem>;
  /**
   * Name of the list in a response.
   * @default 'data'
   */
  readonly key?: string | undefined;
  /**
   * Whether the platform gives a cursor instead of a link, even on the last page: the list then ends with a page without
   * entries. Some cursors stay the same from page to page, and still lead to the next one.
   * @default false
   */
  readonly byCursor?: boolean | undefined;
  /**
   * Identifies an entry: one that the platform lists again is returned once.
   * @default its `id`
   */
  readonly idOf?: ((item: TItem) => string) | undefined;
  /**
   * Whether an entry is returned as often as the platform lists it. Pages with only repeated entries still count as
   * empty.
   * @default false
   */
  readonly keepsRepeats?: boolean | undefined;
  /**
   * Whether to end with the first page, as large as the platform makes it. If it finds that too large, the list ends
   * with as many entries as the page should have had.
   * @default false
   */
  readonly isOnePage?: boolean | undefined;
  /** Gets each page that the platform delivers. */
  readonly onPage?: ((page: GraphResponse<unknown>) => void) | undefined;
}

/**
 * Yields the entries of pages one by one. A failure comes last, unless it is of a single entry. It is one call, which
 * begins when the first entry is requested, and ends with the last entry, with a failure, or when the consumer stops.
 */
export async function* walk<
  TOptions extends Pick<WalkOptions, 'onUnreadable'>,
  TInvalid extends object,
  TItem,
  TFailure,
>(
  context: Context,
  operation: string,
  checked: Result<TOptions, TInvalid>,
  pagesOf: (
    call: CallOf<TOptions>,
    options: TOptions,
  ) => AsyncGenerator<Result<readonly TItem[], TFailure>, unknown, undefined>,
): AsyncGenerator<Result<TItem, TFailure | TInvalid>, void, undefined> {
  const options = withOperation(operation, checked);
  if (options.isErr()) return yield err(options.error);
  const { fetcher } = context;
  const call = fetcher.begin(context, operation, options.value);
  const onUnreadable = guardHook(options.value.onUnreadable);
  let end: Result<void, TFailure> = ok();
  try {
    for await (const page of pagesOf(call, options.value)) {
      if (page.isOk()) {
        for (const entry of page.value) {
          fetcher.inFlight.yielded++;
          try {
            yield ok(entry);
          } finally {
            fetcher.inFlight.yielded--;
          }
        }
      } else if (isEntryFailure(page.error)) {
        const failure = withCaller(page.error, call.trace.of);
        entryFailures.add(failure);
        if (onUnreadable) onUnreadable(failure);
        else yield err(failure);
      } else {
        end = fetcher.end(context, call.trace, err(page.error));
        break;
      }
    }
  } finally {
    if (end.isOk()) fetcher.end(context, call.trace, end);
  }
  if (end.isErr()) yield err(end.error);
}

type Page = Readonly<Record<string, unknown>>;

/** The entries of a page that were not seen before; with `keepsRepeats`, all of them. `null` is left out. */
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
 * Yields the entries of a list page by page; a failure comes last. The return value says whether the platform has more
 * entries than `limit`.
 *
 * A page that the platform finds too large is requested again with half as many entries. If that leads to a single entry
 * that it cannot deliver, the failure of that entry takes its place, and the walk continues after it.
 */
export async function* walkPages<TItem>(
  context: Context,
  {
    limit,
    pageSize = 100,
    item,
    idOf: identify = idOf,
    keepsRepeats = false,
    key = 'data',
    byCursor = false,
    isOnePage = false,
    onPage,
    query,
    cutAt: _cutAt,
    onUnreadable: _onUnreadable,
    ...request
  }: ListRequest<TItem>,
): AsyncGenerator<Result<readonly TItem[], RequestFailure>, boolean, undefined> {
  const home = /^https?:/i.test(request.path) ? request.path : context.graphBase;
  const deadline = request.deadline ?? deadlineOf(context);
  const schema: v.GenericSchema<unknown, Page> = v.looseObject({ [key]: v.array(v.nullable(item)) });
  function requestPage(path: string, query: Params, schema: v.GenericSchema<unknown, Page>) {
    // Where an entry may be the cause, only a page with that entry alone is attempted again: others become smaller.
    const isSuspect = size.suspects > 0 || size.fitted === Infinity;
    const mayRepeat: MayRepeat | undefined =
      isSuspect && size.next > 1 ? ({ error }) => !isUndeliverable(error) : undefined;
    return sendForResponse(context, { ...request, method: 'GET', deadline, schema, path, query, mayRepeat });
  }
  const anyPage: v.GenericSchema<unknown, Page> = v.looseObject({ [key]: v.array(v.unknown()) });
  const fields = query?.['fields'] ?? paramIn(request.path, 'fields');
  const seen = new Set<string>();
  const links = new Set<string>();
  let path: string | undefined = request.path;
  const wanted = Number(query?.['limit'] ?? Math.min(limit, pageSize));
  let size: PageSize = { next: wanted, most: wanted, failed: 0, suspects: 0, fitted: 0 };
  // Whether the platform has delivered each page as it was first requested.
  let isUnchanged = true;
  let sent: Params = { ...query, limit: query && 'limit' in query ? query['limit'] : wanted };
  let left = limit;
  let empty = 0;

  while (path !== undefined) {
    let response: Result<GraphResponse<Page>, RequestFailure> = await requestPage(path, sent, schema);
    let isCut = false;
    if (response.isOk()) {
      const known = seen.size;
      // valibot cannot infer the output of a schema that is a type parameter.
      const listed = response.value.value[key] as readonly (TItem | null)[];
      const found = newIn(listed, seen, identify, keepsRepeats);
      const entries = found.slice(0, left);
      isCut = found.length > entries.length;
      left -= entries.length;
      empty = seen.size === known ? empty + 1 : 0;
      size = afterPage(size);
      onPage?.(response.value);
      yield ok(entries);
    } else {
      const { error } = response;
      isUnchanged = false;
      if (isUndeliverable(error) && size.next > 1) {
        size = afterFailure(size);
        path = withLimit(path, size.next);
        if ('limit' in sent) sent = { ...sent, limit: size.next };
        continue;
      }
      if (isUndeliverable(error)) {
        // Without the entry's content, the page still says where the next one is.
        const isInPath = sent['fields'] === undefined && path.includes('?');
        response = await (isInPath
          ? requestPage(withParam(path, 'fields', 'id'), sent, anyPage)
          : requestPage(path, { ...sent, fields: 'id' }, anyPage));
      }
      empty++;
      // With so many and nothing else, the fault is not that of an entry.
      if (response.isErr() || (seen.size === 0 && empty === mostUnreadable)) {
        yield err(error);
        return false;
      }
      yield err(entryFailure(error, fieldsOf(response.value.value[key])['0']));
      size = { ...size, next: size.most, suspects: 0, fitted: Infinity };
    }

    const { value, body } = response.value;
    const next = nextOf(body, byCursor && fieldsOf(value[key])['length'] !== 0);
    if (left === 0) return next !== undefined || isCut;
    if (next === undefined) {
      if (!isUnchanged) onPage?.(response.value);
      return false;
    }
    if (isOnePage && isUnchanged) return true;
    const fault = faultOf(next);
    if (fault !== undefined) {
      yield err(asFault(response.value, next, fault));
      return false;
    }
    links.add(next.at);
    const most = isOnePage ? Math.min(size.next, left) : size.next;
    if (next.isLink) {
      path = isUnchanged ? next.at : withLimit(withParam(next.at, 'fields', fields), most);
      // The link carries the rest of the query: its token and proof were removed.
      sent = credentialsIn(query);
    } else {
      ({ path } = request);
      sent = { ...query, limit: most, after: next.at };
    }
  }
  return false;

  /** Why the walk must end here; `undefined` if it need not. */
  function faultOf({ at, isLink }: NextPage): string | undefined {
    // The token may only be sent to the list's own host.
    if (isLink && !isSameOrigin(at, home)) return 'the next page is at another address than the list';
    // A cursor may stay the same while it brings new entries.
    if (links.has(at) && !(byCursor && empty === 0)) return 'the pages repeat in a loop';
    return empty >= emptyPages ? `the list has ${emptyPages} empty pages in a row` : undefined;
  }
}

/**
 * Whether the platform cannot deliver a page, maybe because of one entry. It says so under code 1, mostly in words that
 * ask for less data, and sometimes in no words at all.
 */
function isUndeliverable(failure: RequestFailure): boolean {
  return failure.name !== 'TransportError' && failure.code === 1;
}

/** How many entries to request at once. */
interface PageSize {
  readonly next: number;
  /** How many the platform delivers at once, as far as is known. */
  readonly most: number;
  /** The size of the last page that was too large; 0 if there was none, or all its entries have arrived since. */
  readonly failed: number;
  /** How many entries of that page have not arrived yet: one of them may be the cause. */
  readonly suspects: number;
  /** The largest part of that page that arrived; `Infinity` once an entry of the list could not be delivered. */
  readonly fitted: number;
}

function afterFailure({ next, most, fitted }: PageSize): PageSize {
  return { next: Math.floor(next / 2), most, failed: next, suspects: next, fitted };
}

function afterPage(size: PageSize): PageSize {
  if (size.suspects === 0) return size;
  const suspects = size.suspects - size.next;
  if (suspects <= 0) {
    // All entries arrived, so no single one was the cause: the page was too large.
    const most = Math.max(1, Math.floor(size.failed / 2));
    return { next: most, most, failed: 0, suspects: 0, fitted: 0 };
  }
  const fitted = Math.max(size.fitted, size.next);
  // If a page as large arrived, one entry is the cause: half of the rest is requested each time, until it is alone.
  const next = fitted >= size.failed ? Math.max(1, Math.floor(suspects / 2)) : Math.min(size.next, suspects);
  return { ...size, next, suspects, fitted };
}

/** Where the next page of a list is: at a link, or behind a cursor. */
interface NextPage {
  readonly at: string;
  readonly isLink: boolean;
}

function asFault(
  { status, redact, body }: GraphResponse<Page>,
  { isLink }: NextPage,
  fault: string,
): ApiError {
  const field = isLink ? 'next' : 'cursors.after';
  return new ApiError(`paging.${field}: ${fault}`, { status, payload: redact(body) });
}

/** Where the next page is. Token and proof are removed from a link. */
function nextOf(body: unknown, byCursor: boolean): NextPage | undefined {
  const { next, cursors } = fieldsOf(fieldsOf(body)['paging']);
  if (typeof next === 'string' && next !== '') return { at: withoutSecrets(next), isLink: true };
  const { after } = fieldsOf(cursors);
  return byCursor && typeof after === 'string' && after !== '' ? { at: after, isLink: false } : undefined;
}

/** Token and proof, if the caller of a low-level function passed them as parameters. */
function credentialsIn(query: Params | undefined): Params {
  const { access_token, appsecret_proof } = query ?? {};
  return { access_token, appsecret_proof };
}

/** An address with another `limit` in its query; one without a `limit` stays as it is. */
function withLimit(address: string, limit: number): string {
  return address.replace(/([?&]limit=)\d+/, `$1${limit}`);
}

/** A parameter in the query of an address. */
function paramIn(address: string, name: string): string | undefined {
  return new URLSearchParams(address.split('?')[1]).get(name) ?? undefined;
}

/** An address with another value of a parameter; `undefined` removes it. */
function withParam(address: string, name: string, value: Params[string]): string {
  const [path = '', query] = address.split('?');
  const params = new URLSearchParams(query);
  if (value === undefined || value === null) params.delete(name);
  else params.set(name, String(value));
  return params.size === 0 ? path : `${path}?${params}`;
}
