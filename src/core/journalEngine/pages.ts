import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { RequestFailure } from '../errors.ts';
import type { Params } from '../http/types.ts';
import type { ListPage, ReadPages } from '../writes/effectLookup.ts';
import { listOf, type ListEntry, parseTime } from '../writes/recentEntries.ts';

/** A list of which more than its newest entries are asked for. */
export interface Pages {
  readonly read: ReadPages;
  /** Whether all was read that was made since a time. */
  readonly isWholeSince: (time: number) => boolean;
  /** How many entries were read. */
  readonly count: () => number;
}

/** How many pages are read at most. */
const most = 20;

/** Reads pages until they reach back to a time, or the list ends. */
export function pagesSince(since: () => number): Pages {
  const entries: ListEntry[] = [];
  /** Nothing was read, or all there is. */
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
      const listed = listOf(data);
      entries.push(...listed);
      const { next } = Object(paging) as { readonly next?: unknown };
      // A list that shows no way on, although it is as long as was asked for, may have been cut.
      isAll = next === undefined && !(listed.length >= Number(query['limit']));
      more = paramsIn(next);
      if (more === undefined || reaches(since())) break;
    }
    return ok({ data: entries });
  }

  /** Whether older entries are older than a time: so they are where the list has its newest ones first. */
  function reaches(time: number): boolean {
    const times = entries.map(timeOf);
    return times.every((at, index) => at <= (times[index - 1] ?? Infinity)) && (times.at(-1) ?? NaN) < time;
  }
}

/** Where the next page begins, as its address says; the token of the request is its own. */
function paramsIn(address: unknown): Params | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const params = [...new URL(address).searchParams];
  return Object.fromEntries(params.filter(([name]) => !/^(?:access_token|appsecret_.*)$/.test(name)));
}

/** When an entry was made; `NaN` where it does not say. */
function timeOf({ created_time, timestamp, creation_time }: ListEntry): number {
  return creation_time === undefined ? parseTime(created_time ?? timestamp) : Number(creation_time) * 1000;
}
