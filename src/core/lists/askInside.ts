import { err, type Result, ResultAsync } from 'neverthrow';
import type { GenericSchema } from 'valibot';

import type { RequestFailure } from '../errors.ts';
import { guardHook } from '../http/guardHook.ts';
import { isAboutMetric, metricNames } from '../http/metrics.ts';
import { mapConcurrent } from '../http/send.ts';
import { fieldsOf, withHidden } from '../objects.ts';
import type { Withheld, WithheldOptions, WithWithheld } from './inside.ts';
import {
  afterEntry,
  afterFailure,
  afterPage,
  type Asking,
  type Inside,
  isUndeliverable,
  type PageSize,
  pagesOf,
} from './pages.ts';
import { isOfAll, isOfOlder, isOfOneEntry, isOfRight, namedIn, reasonOf } from './refusedInside.ts';

/*
 * Asks for lists with what belongs to their entries. The platform reads that for each entry, and refuses the whole page
 * where one entry cannot have it. No list fails for it: less is asked for, until the page comes, and what was learned is
 * kept for the walk. What a refusal leads to, in this order:
 *
 * 1. What a request for less would meet as well, such as a dead token, is the failure of the list.
 * 2. Once refusals have cost as many requests as they may, nothing is asked for within entries any more; shortly before, no
 *    metrics.
 * 3. Too much data, and what one entry cannot have: the page is halved until that entry is alone, which is then asked for
 *    with less. Where all entries behind it are as old as that one, they are asked for without metrics.
 * 4. A metric: those that the refusal names are given up; or else those that are refused when asked for one by one; or else
 *    those that not every entry has; or else all.
 * 5. A right: the page is asked for without what the one right allows, without what the other allows, without both.
 */

/** `totals` and `comments` need the same right. `lastMessage` stands in for `messages`, and nobody asked for it. */
type Part = 'metrics' | 'totals' | 'comments' | 'messages' | 'lastMessage';

/** What can be refused by itself: a metric, or another part. */
interface Item {
  readonly part: Part;
  readonly name: string;
  /** Why it was refused last, or what was asked for with it. */
  reason: string;
}

type Items = readonly Item[];

/** What is asked for within entries at the moment. */
interface Asked {
  readonly metrics: readonly string[];
  readonly has: (part: Part) => boolean;
}

/** What a function asks for within the entries of a list. */
export interface InsideRequest extends WithheldOptions {
  /** The other fields. */
  readonly fields: string;
  /** What is asked for, and `false` for what is not. The right for what comes first is missed first. */
  readonly parts: readonly (Part | false)[];
  readonly metrics?: readonly string[];
  /** The fields that ask for it; `false` in place of those that do not. */
  readonly toFields: (asked: Asked) => readonly (string | false)[];
  /** Whether each entry of the list can have a metric: the others are given up first. */
  readonly isCommon?: (metric: string) => boolean;
  /** How many requests refusals may cost. */
  readonly spare: number;
  /** The permission without which the platform gives no metrics, and refuses none. */
  readonly permission?: string;
}

/** How to ask for entries. */
export interface InsideParts<TItem> {
  readonly query: { readonly fields: string };
  readonly item: GenericSchema<unknown, TItem>;
  readonly inside?: Inside;
  readonly pageSize?: number;
  /** What is not read, as far as the list was read. */
  readonly withheld: readonly Withheld[];
}

/** How to ask for entries with what belongs to them, or for their fields alone if nothing of it is asked for. */
export function partsInside<TItem>(
  request: InsideRequest,
  item: GenericSchema<unknown, TItem>,
  whole: () => GenericSchema<unknown, TItem> = () => item,
): InsideParts<TItem> {
  const items = request.parts.flatMap((part): Items => {
    const names = part === 'metrics' ? metricNames(request.metrics ?? []) : [part];
    return names.flatMap((name) => (part && name ? { part, name, reason: '' } : []));
  });
  const query = { fields: fieldsWith(request, items) };
  const withheld: Withheld[] = [];
  return items.length === 0
    ? { query, item, withheld }
    : {
        query,
        item: whole(),
        inside: createInside(request, items, withheld),
        pageSize: items.some(({ part }) => part === 'comments' || part === 'messages') ? 25 : 50,
        withheld,
      };
}

function createInside(request: InsideRequest, items: Items, withheld: Withheld[]): Inside {
  const wishes = createWishes(request, items, withheld);
  /** The search for the entry that is the cause of a refusal, and the size of pages before it. */
  let search: { readonly failure: RequestFailure; readonly size: PageSize } | undefined;
  /** The size of pages before any was too large. */
  let usual: number | undefined;

  return {
    ask: async ({ state, resize, request: askFor, peek, pass }) => {
      usual ??= state.size.most;
      /** The refusal of the only entry of the page, which is asked for with less. */
      let alone: RequestFailure | undefined;

      /** Goes on with less within the entries: none of them is searched for any more. */
      function goOn(): void {
        const size = search?.size ?? state.size;
        search = undefined;
        alone = undefined;
        // Without what cost too much, pages are no longer too large.
        resize(wishes.areOver() && usual !== undefined ? pagesOf(usual) : size);
      }

      /** Takes a page that came, and goes on after it. */
      function take(entries: readonly unknown[]): void {
        const { size } = state;
        const next = alone ? afterEntry(size, isUndeliverable(alone) ? Infinity : 0) : afterPage(size);
        const isSearch = search !== undefined || (next.suspects > 0 && next.fitted >= next.failed);
        resize((alone && search?.size) ?? next);
        const isLess = wishes.arrived(entries, isSearch, alone);
        if (alone) search = undefined;
        if (isLess) goOn();
      }

      /** Halves a page of which one entry may be the cause, or which is too large. */
      function halve(failure: RequestFailure): void {
        const { size } = state;
        const isTooMuch = isUndeliverable(failure);
        if (!isTooMuch) search = { failure, size: search?.size ?? size };
        resize({ ...afterFailure(size), ...(!isTooMuch && { fitted: Infinity }) });
      }

      for (;;) {
        const { size } = state;
        const isAlone = !(size.next > 1);
        const known = size.suspects === 1 && !alone ? search?.failure : undefined;
        const page = known ? err(known) : await askFor(wishes.fields(alone));
        if (page.isOk()) {
          take(page.value.entries);
          return page;
        }
        const { error } = page;
        const step = await wishes.refused(error, { isAlone, isKnown: known !== undefined, peek });
        if (step === 'less') goOn();
        else if (!(step || alone || isUndeliverable(error))) return page;
        else if (!isAlone) halve(error);
        else if (step && wishes.fields(error) !== wishes.fields(alone)) {
          // There is less to ask for of it.
          alone = error;
        } else {
          search = undefined;
          return pass(alone ?? error);
        }
      }
    },
  };
}

/** What is asked for within the entries of a list, what was refused of it, and what is given up. */
interface Wishes {
  /** The fields to ask for; of an entry that was refused alone, for what reason. */
  readonly fields: (alone?: RequestFailure) => string;
  /** Whether refusals have cost as much as they may, so that all is given up. */
  readonly areOver: () => boolean;
  /**
   * Takes a refusal of a page, of which it may be `known` that an entry is the cause. Returns whether to ask once more, with
   * `less`, or to find the `entry` and ask for that with less. Otherwise it is the failure of the list itself.
   */
  readonly refused: (
    failure: RequestFailure,
    at: { readonly isAlone: boolean; readonly isKnown: boolean; readonly peek: Asking<unknown>['peek'] },
  ) => Promise<'less' | 'entry' | undefined>;
  /**
   * Takes a page that arrived: whether it is part of the search for an entry, and why its only one was refused, if it
   * came with less. Returns whether less is asked for from now on.
   */
  readonly arrived: (entries: readonly unknown[], isSearch: boolean, alone?: RequestFailure) => boolean;
}

function createWishes(request: InsideRequest, items: Items, withheld: Withheld[]): Wishes {
  const { isCommon = () => true, permission } = request;
  const notify = guardHook(request.onWithheld);
  /** What is not given up. */
  let wanted = items;
  /** What is asked for: all of it, or some, to find out which right lacks. */
  let asked = items;
  /** What was asked for when a page came last. */
  let had = items;
  /** The fields that were refused for a right since then. */
  const tried = new Set<string>();
  /** How many requests refusals may still cost. */
  let left = request.spare;
  let hasAskedEach = false;
  const silent = new Set<string>();

  function tell(items: Items, reason: string): void {
    const metrics = namesOf(items);
    const others = items.filter(isOther).map(({ part }) => [part, true]);
    if (metrics.length + others.length === 0) return;
    const one = { ...(metrics.length > 0 && { metrics }), ...Object.fromEntries(others), reason };
    withheld.push(one);
    notify?.(one);
  }

  function giveUp(gone: Items): boolean {
    wanted = without(wanted, gone);
    asked = without(asked, gone);
    return gone.length > 0;
  }

  /**
   * Gives up what costs too much: all with the last request that refusals may cost; the metrics with the one before, as
   * they are refused most.
   */
  function economize(): boolean {
    const least = asked.some(isOther) ? 1 : 0;
    return giveUp(asked.filter((item) => isTold(item) && left <= (isMetric(item) ? least : 0)));
  }

  /** The metrics that are refused: as far as the platform names them, or refuses them one by one; or else those to do without. */
  async function deadOf(failure: RequestFailure, peek: Asking<unknown>['peek']): Promise<Items> {
    const metrics = asked.filter(isMetric);
    const named = namedIn(failure.message, metrics);
    const rare = metrics.filter(({ name }) => !isCommon(name));
    if (named.length > 0) return left > 2 ? named : [...named, ...rare];
    const rest = rare.length > 0 ? rare : metrics;
    if (hasAskedEach || metrics.length === 1 || left <= metrics.length) return rest;
    hasAskedEach = true;
    left -= metrics.length;
    const found = await mapConcurrent(metrics, (metric) => peek(fieldsWith(request, [metric], 'id')), 4);
    const dead = metrics.filter((_, at) => {
      const result = found[at];
      return result?.isErr() === true && isAboutMetric(result.error);
    });
    return dead.length > 0 ? dead : rest;
  }

  /** Leaves out what one right allows, those that the refusal names first; in the end all. */
  function tryLess(message: string): boolean {
    tried.add(fieldsWith(request, asked));
    const isNamed = (part: Part): number => Number(rightNames[part]?.test(message) ?? false);
    const rights = [...new Set(wanted.map(rightOf))].toSorted((a, b) => isNamed(b) - isNamed(a));
    const rungs = [...rights.map((right) => wanted.filter((item) => rightOf(item) !== right)), []];
    const next = rungs.find((rung) => !tried.has(fieldsWith(request, rung)));
    if (next) asked = next;
    return next !== undefined;
  }

  return {
    fields: (alone) => fieldsWith(request, alone ? restOf(asked, alone) : asked),
    areOver: () => left <= 0,
    refused: async (failure, { isAlone, isKnown, peek }) => {
      if (!isKnown) left--;
      if (isOfAll(failure) || asked.length === 0) return undefined;
      const isTooMuch = isUndeliverable(failure);
      if (isTooMuch && !asked.some(isTold)) return undefined;
      for (const item of asked) item.reason = reasonOf(failure);
      if (economize()) return 'less';
      if (isTooMuch) return 'entry';
      const metrics = asked.filter(isMetric);
      if (metrics.length > 0 && isOfOneEntry(failure)) {
        // All that follow are older, too.
        const isLast = isAlone && isOfOlder(failure);
        return isLast && giveUp(metrics) ? 'less' : 'entry';
      }
      if (metrics.length > 0 && isAboutMetric(failure))
        return giveUp(await deadOf(failure, peek)) ? 'less' : undefined;
      return isOfRight(failure, fieldsWith(request, asked, '')) && tryLess(failure.message)
        ? 'less'
        : undefined;
    },
    arrived: (entries, isSearch, alone) => {
      // What is not asked for any more since the last page, once for each reason.
      const gone = without(had, asked);
      for (const why of new Set(gone.map(({ reason }) => reason)))
        tell(
          gone.filter(({ reason }) => reason === why),
          why,
        );
      wanted = asked;
      had = asked;
      tried.clear();
      if (alone)
        tell(
          without(asked, restOf(asked, alone)),
          `entry ${String(fieldsOf(entries[0])['id'])}: ${reasonOf(alone)}`,
        );
      const isExtra = isSearch || alone !== undefined;
      if (isExtra) left--;
      const isLess = isExtra && economize();
      if (!alone) hearSilence(entries);
      return isLess;
    },
  };

  /** Tells once what no entry of a page has, though nothing was refused. */
  function hearSilence(entries: readonly unknown[]): void {
    const lacks = (name: string): boolean =>
      entries.length > 0 && entries.every((entry) => fieldsOf(entry)[name] === undefined);
    const isCounted = entries.some((entry) => Number(fieldsOf(entry)['comments_count']) > 0);
    const quiet = {
      metrics: lacks('insights') && `the platform gave no numbers, as without ${permission}`,
      comments:
        isCounted &&
        lacks('comments') &&
        'the platform counts comments and lists none, as without the permission for comments',
    };
    for (const [silentPart, reason] of Object.entries(quiet)) {
      const items = asked.filter(({ part }) => part === silentPart);
      if (!reason || items.length === 0 || silent.has(silentPart)) continue;
      silent.add(silentPart);
      tell(items, reason);
    }
  }
}

function isMetric({ part }: Item): boolean {
  return part === 'metrics';
}

function isOther({ part }: Item): boolean {
  return part !== 'metrics' && part !== 'lastMessage';
}

function isTold({ part }: Item): boolean {
  return part !== 'lastMessage';
}

function without(items: Items, others: Items): Items {
  return items.filter((item) => !others.includes(item));
}

function namesOf(items: Items): readonly string[] {
  return items.filter(isMetric).map(({ name }) => name);
}

/** The fields that ask for these, after others: by default those of the request. */
function fieldsWith({ fields, toFields }: InsideRequest, items: Items, others = fields): string {
  const has = (part: Part): boolean => items.some((item) => item.part === part);
  return [others, ...toFields({ metrics: namesOf(items), has })].filter(Boolean).join();
}

/** What the same right allows goes by one name. */
function rightOf({ part }: Item): Part {
  return part === 'totals' ? 'comments' : part;
}

/** How a refusal names what a right allows. */
const rightNames: Readonly<Partial<Record<Part, RegExp>>> = {
  comments: /comment|reaction|user_content/i,
  metrics: /insight/i,
};

/** What is still asked for of an entry that was refused alone. */
function restOf(items: Items, failure: RequestFailure): Items {
  return items.filter((item) => (isOfOneEntry(failure) ? !isMetric(item) : !isTold(item)));
}

/** Reads one object with what belongs to it; what is refused of that costs only itself. */
export function readInside<TValue extends object>(
  { query, inside, withheld }: InsideParts<TValue>,
  ask: (fields: string) => ResultAsync<TValue, RequestFailure>,
): ResultAsync<TValue & WithWithheld, RequestFailure> {
  const asked = inside ? new ResultAsync(readOne(inside, ask)) : ask(query.fields);
  return asked.map((value) => withHidden(value, { withheld }));
}

/** Reads it as the only entry of a list. */
async function readOne<TValue extends object>(
  inside: Inside,
  ask: (fields: string) => ResultAsync<TValue, RequestFailure>,
): Promise<Result<TValue, RequestFailure>> {
  const page = await inside.ask<{ readonly entries: readonly [TValue] }>({
    state: { size: pagesOf(1) },
    resize: () => undefined,
    request: async (fields) => ask(fields).map((value) => ({ entries: [value] })),
    peek: async (fields) => ask(fields),
    pass: async (failure) => err(failure),
  });
  return page.map(({ entries: [value] }) => value);
}
