import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { Context } from '../context.ts';
import { withCaller, withMessage } from '../deriveError.ts';
import type { RequestFailure } from '../errors.ts';
import { guardHook } from '../http/guardHook.ts';
import { perform, withOperation } from '../http/send.ts';
import type { CallLimits, CallOf } from '../http/types.ts';
import { fieldsOf, withHidden } from '../objects.ts';
import * as rule from '../options/rules.ts';
import {
  asFault,
  createMemory,
  createPages,
  elsewhere,
  type DeliveredPage,
  type PagesRequest,
} from './pages.ts';

/** Entries of a list, and whether the platform has more of them than were requested. */
export type List<TItem> = TItem[] & {
  /** Not enumerable. `true` if the list ends at its `limit` and the platform says that there is more. */
  readonly hasMore: boolean;
  /** Not enumerable. How many entries are missing, since the platform cannot deliver them, not even alone. */
  readonly unreadable: number;
  /**
   * Not enumerable. Whether these are all entries there are: `false` if `hasMore`, if some are `unreadable`, for lists that
   * the platform itself cuts, and where its pages repeat in a loop, or are empty without end, after these entries.
   */
  readonly isComplete: boolean;
};

/** Collects the entries of a list over all its pages, each once. */
export function list<TItem extends { readonly id: string }>(
  context: Context,
  request: ListRequest<TItem>,
): ResultAsync<List<TItem>, RequestFailure> {
  return collectPages(walkPages(context, request), request);
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

/** The rule that {@link WalkOptions} have besides those of a list. */
export const walkRules = { onUnreadable: rule.optional(rule.hook) };

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
   * @default the fields that the returned type names, but for one that the platform does not know: see `onFieldRefused`
   */
  readonly fields?: readonly string[] | undefined;
}

/** The rule for {@link ListOptions.limit}. */
export const limitRule = rule.optional(rule.countOrAll);

/** The rule of {@link FieldOptions}. */
export const fieldRules = { fields: rule.optional(rule.fieldNames) };

/** The rules of {@link ListOptions} and {@link FieldOptions}. */
export const listRules = { limit: limitRule, ...fieldRules };

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

/**
 * Like {@link list}, also for entries without an `id`: the request needs an `idOf` then. Pages without end are a failure:
 * what is made of the list must have all of it, or is made by the caller's own walk.
 */
export function collect<TItem>(
  context: Context,
  request: ListRequest<TItem>,
): ResultAsync<List<TItem>, RequestFailure> {
  return collectPages(walkPages(context, request), { keepsFound: false, ...request });
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
  { cutAt = Infinity, keepsFound = true, onUnreadable }: Collection,
): Promise<Result<List<TItem>, RequestFailure>> {
  const items: TItem[] = [];
  const notify = guardHook(onUnreadable);
  let unreadable = 0;
  // Not `for await`, which would drop the return value of the walk.
  for (;;) {
    const step = await pages.next();
    if (step.done === true) {
      const isComplete = !step.value && unreadable === 0 && items.length < cutAt;
      return ok(withHidden(items, { hasMore: step.value, unreadable, isComplete }));
    }
    const page = step.value;
    if (page.isOk()) {
      // One by one, since the number of arguments of a call is limited.
      for (const item of page.value) items.push(item);
    } else if (isEntryFailure(page.error)) {
      unreadable++;
      notify?.(page.error);
    } else if (keepsFound && items.length > 0 && endless.has(page.error)) {
      return ok(withHidden(items, { hasMore: false, unreadable, isComplete: false }));
    } else {
      return err(page.error);
    }
  }
}

/** The failures of walks whose pages bring nothing new any more. */
const endless = new WeakSet<object>();

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
  /**
   * Whether pages that repeat, or are empty, without end leave a list that is not complete, and not a failure.
   * @default true
   */
  readonly keepsFound?: boolean | undefined;
}

/** A list to walk page by page. */
export interface ListRequest<TItem> extends PagesRequest<TItem>, Collection {
  /**
   * Identifies an entry: one that the platform lists again is returned once, as far as a walk remembers: see
   * `createMemory`.
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
   * Whether to end with the first page, as large as the platform makes it. If it finds that too large, or `pageSize` is
   * less than `limit`, the list ends with as many entries as the page should have had.
   * @default false
   */
  readonly isOnePage?: boolean | undefined;
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
        fetcher.inFlight.yielded++;
        try {
          for (const entry of page.value) yield ok(entry);
        } finally {
          fetcher.inFlight.yielded--;
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

/**
 * Yields the entries of a list page by page; a failure comes last. The return value says whether the platform has more
 * entries than `limit`.
 *
 * A page that the platform finds too large is requested again with half as many entries. If that leads to a single entry
 * that it cannot deliver, the failure of that entry takes its place, and the walk continues after it.
 */
export async function* walkPages<TItem>(
  context: Context,
  request: ListRequest<TItem>,
): AsyncGenerator<Result<readonly TItem[], RequestFailure>, boolean, undefined> {
  const { isOnePage = false, limit, pageSize = limit } = request;
  const pages = createPages(context, request);
  const tally = createTally(request);
  for (;;) {
    const page = await pages.ask();
    const entries = page.andThen(tally.take);
    yield entries;
    if (page.isErr() || (entries.isErr() && !isEntryFailure(entries.error))) return false;
    const { response, next } = page.value;
    const { left, isCut, empty } = tally.state;
    if (left === 0) return next !== undefined || isCut;
    if (next === undefined) return false;
    if (isOnePage && pages.areUnchanged() && limit <= pageSize) return true;
    const fault =
      pages.turn(next, isOnePage ? left : Infinity, empty > 0) ??
      (empty < emptyPages ? undefined : `the list has ${emptyPages} empty pages in a row`);
    if (fault !== undefined) {
      const failure = asFault(response, next, fault);
      if (fault !== elsewhere) endless.add(failure);
      yield err(failure);
      return false;
    }
  }
}

/** What a walk has taken of its list. */
interface Tally<TItem> {
  readonly state: {
    /** How many entries are wanted still. */
    left: number;
    /** Whether the last page had more entries than were wanted. */
    isCut: boolean;
    /** How many pages in a row had no new entry. */
    empty: number;
  };
  /** Takes the new entries of a page, as many as are wanted; or the failure of its only entry. */
  readonly take: (page: DeliveredPage) => Result<readonly TItem[], RequestFailure>;
}

function createTally<TItem>({
  limit,
  idOf: identify = idOf,
  keepsRepeats = false,
}: ListRequest<TItem>): Tally<TItem> {
  const state = { left: limit, isCut: false, empty: 0 };
  const isNew = createMemory<string>();
  let hasRead = false;
  return {
    state,
    take: ({ entries, unreadable }) => {
      state.empty++;
      if (unreadable) {
        // With so many and nothing else, the fault is not that of an entry.
        const isOfAll = !hasRead && state.empty === mostUnreadable;
        return err(isOfAll ? unreadable : entryFailure(unreadable, entries[0]));
      }
      // The schema of the list read them, and `null` is left out.
      const listed = entries.filter((entry) => entry !== null) as TItem[];
      const firsts = listed.filter((entry) => isNew(identify(entry)));
      const found = keepsRepeats ? listed : firsts;
      if (firsts.length > 0) state.empty = 0;
      hasRead ||= firsts.length > 0;
      const wanted = found.slice(0, state.left);
      state.isCut = found.length > wanted.length;
      state.left -= wanted.length;
      return ok(wanted);
    },
  };
}
