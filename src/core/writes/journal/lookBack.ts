import { type Err, err, ok, type Result, ResultAsync } from 'neverthrow';

import { withOutcome, withRetryAfter } from '../../deriveError.ts';
import type { Outcome, RequestFailure } from '../../errors.ts';
import { backoff } from '../../http/retry.ts';
import type { Params } from '../../http/types.ts';
import { fieldsOf } from '../../options/check.ts';
import { parseTime } from '../../options/time.ts';
import { findsOwnOnly, onlyEntry } from '../lookUp.ts';
import { type ListEntry, toEntries } from '../recentEntries.ts';
import type { EffectLookup, ListPage, ReadPages } from '../types.ts';
import type { Hold } from './claim.ts';
import type { Effects } from './effects.ts';
import { createdIds, settledAt, type Span, spanFrom, spanOf } from './entry.ts';
import { stopped, unsettled } from './failures.ts';
import type { KeyedContext } from './types.ts';

/** How long a lookup may take with all its pages, in milliseconds. */
const lookupMs = 15_000;
/** How long to wait after a refused lookup before another one is worthwhile, in milliseconds. */
const lookAgainMs = 60_000;
/** After one that the network lost, as long as before this retry: looking is safe at any time. */
const lookAgainStep = 4;

interface LookBack {
  readonly hold: Hold;
  readonly effects: Effects;
  readonly deadline: number;
}

/**
 * The outcome of a request that an earlier call may have sent: its value, or why nothing may be sent. `undefined` if
 * the request may be sent: none was, or a lookup long enough after it finds nothing.
 */
export async function lookBack<TValue>(
  context: KeyedContext,
  { hold, effects, deadline }: LookBack,
  lookup: EffectLookup<TValue>,
): Promise<Result<TValue, RequestFailure> | undefined> {
  const { journal, clock } = context;
  const { sending, ids, isApplied = false } = hold.entry();
  if (sending === undefined && !isApplied) return undefined;
  const outcome = isApplied ? 'applied' : 'unknown';
  const known = createdIds(ids);
  const settlesIn = (time: number): number | undefined =>
    time > clock.now() ? time - clock.now() : undefined;
  const settles = sending && settlesIn(settledAt(context, sending));
  const open = leaveOpen(hold, outcome);
  if (lookup.query === undefined) {
    if (lookup.isRepeat === undefined || isApplied) return open('no list shows it');
    return settles === undefined ? undefined : open('no list shows it', settles);
  }
  const pages = pagesSince(() => spanOf(context, sending).from);
  const limits = {
    attempts: 1,
    deadline: Math.min(deadline, clock.monotonic() + lookupMs),
    readPages: pages.read,
    until: () => spanOf(context, sending).until,
  };
  const seen = await lookup.query(limits);
  if (seen.isErr()) {
    hold.note({ why: 'the list could not be read' });
    const waitMs = seen.error.name === 'TransportError' ? backoff(context.retry, lookAgainStep) : lookAgainMs;
    return err(withRetryAfter(withOutcome(seen.error, outcome), waitMs));
  }
  const span = spanOf(context, sending);
  const { dueAt } = lookup;
  const spans = [span, ...(dueAt === undefined ? [] : [spanFrom(journal, dueAt)])];
  const isCertain = findsOwnOnly(lookup);
  const fitting = seen.value.entries.filter(({ createdAt }) => isCertain || !(createdAt < span.from));
  const candidates = [...new Set(fitting.map((entry) => entry.id))];
  const only = onlyEntry(fitting);
  // An entry with an unreadable time never matches.
  const isIn = ({ from, until }: Span): boolean =>
    only !== undefined && only.createdAt >= from && only.createdAt <= until;
  const id = isCertain ? candidates[0] : spans.some(isIn) ? only?.id : undefined;
  // An entry that does not show may be older, or pushed out by newer ones.
  const { wholeSince = -Infinity } = seen.value;
  const isWhole = wholeSince < span.from && pages.isWholeSince(span.from);
  if (id !== undefined && (isWhole || isCertain)) {
    const failure = isCertain ? undefined : await stopped(effects.own(id));
    if (failure !== undefined) return err(withOutcome(failure, 'unknown'));
    hold.note({ made: id, sending: undefined });
    return ok(lookup.toValue(id));
  }
  if (seen.value.isApplied || isApplied) {
    hold.note({ isApplied: true });
    return err(unsettled({ outcome: 'applied', why: 'its id is not shown', ids: known, candidates }));
  }
  // Others may meanwhile learn which of the candidates are theirs.
  const count = candidates.length === 1 ? 'one candidate' : `${candidates.length} candidates`;
  if (candidates.length > 0) return open(count, settles ?? settlesIn(seen.value.settledAt ?? 0), candidates);
  if (!isWhole) return open('not all entries since could be read');
  return settles === undefined ? undefined : open(`not found in ${pages.count()} entries`, settles);
}

/** Makes the function that leaves a request open, for a reason that operators see. */
function leaveOpen(hold: Hold, outcome: Outcome) {
  return (why: string, retryAfterMs?: number, candidates?: readonly string[]): Err<never, RequestFailure> => {
    hold.note({ why });
    return err(unsettled({ outcome, why, ids: createdIds(hold.entry().ids), retryAfterMs, candidates }));
  };
}

/** Reads more of a list than its newest entries. */
export interface Pages {
  readonly read: ReadPages;
  /** Whether all entries created since a time were read. */
  readonly isWholeSince: (time: number) => boolean;
  /** How many entries were read. */
  readonly count: () => number;
}

/** How many pages are read at most. */
const most = 20;

/** Reads pages until they reach back to a time, or the list ends. */
export function pagesSince(since: () => number): Pages {
  const entries: ListEntry[] = [];
  /** Whether nothing was read, or everything there is. */
  let isAll = true;

  return {
    read: (ask, query) => new ResultAsync(readAll(ask, query)),
    isWholeSince: (time) => isAll || reaches(time),
    count: () => entries.length,
  };

  async function readAll(
    ask: Parameters<ReadPages>[0],
    query: Params,
  ): Promise<Result<ListPage, RequestFailure>> {
    isAll = false;
    let more: Params | undefined;
    for (let read = 0; read < most; read++) {
      const result = await ask({ ...query, ...more });
      if (result.isErr()) return err(result.error);
      const { data, paging } = result.value;
      const listed = toEntries(data);
      entries.push(...listed);
      const { next } = fieldsOf(paging);
      // A list without a next page that is as long as was requested may have been cut off.
      isAll = next === undefined && !(listed.length >= Number(query['limit']));
      more = paramsIn(next);
      if (more === undefined || reaches(since())) break;
    }
    return ok({ data: entries });
  }

  /** Whether all further entries are older than a time: they are if the list is sorted newest first. */
  function reaches(time: number): boolean {
    const times = entries.map(timeOf);
    return times.every((at, index) => at <= (times[index - 1] ?? Infinity)) && (times.at(-1) ?? NaN) < time;
  }
}

/** The parameters from the next page's address that say where it begins; the request keeps its own token. */
function paramsIn(address: unknown): Params | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const params = [...new URL(address).searchParams];
  return Object.fromEntries(params.filter(([name]) => !/^(?:access_token|appsecret_.*)$/.test(name)));
}

/** When an entry was created; `NaN` if it does not say. */
function timeOf({ created_time, timestamp, creation_time }: ListEntry): number {
  return creation_time === undefined ? parseTime(created_time ?? timestamp) : Number(creation_time) * 1000;
}
