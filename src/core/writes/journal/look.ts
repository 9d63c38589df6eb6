import { type Err, err, ok, type Result, ResultAsync } from 'neverthrow';

import { withMessage, withOutcome, withRetryAfter } from '../../deriveError.ts';
import type { RequestFailure } from '../../errors.ts';
import { backoff } from '../../http/retry.ts';
import type { Params } from '../../http/types.ts';
import { fieldsOf } from '../../objects.ts';
import { parseTime } from '../../options/time.ts';
import {
  type EffectLookup,
  type ListedEntry,
  type ListEntry,
  type ListPage,
  type LookupLimits,
  placeOf,
  type ReadPages,
  toEntries,
} from '../lookups.ts';
import {
  canHaveMade,
  isOutside,
  type Looked,
  type Match,
  matchEntry,
  type RecentWrite,
  reduceText,
  unkeyedOf,
} from '../memory.ts';
import { describeOpen, notRead, notShown, observe, type Observed } from '../sendOnce.ts';
import { laterLookupMs, otherKeyMs, refusedLookupMs } from '../tolerances.ts';
import type { Hold } from './claim.ts';
import { createdIds, type Sending } from './entry.ts';
import { toFailure, unsettled } from './failures.ts';
import type { Lock } from './lock.ts';
import type { OtherKey, Others, Taken } from './others.ts';
import { otherOwner, ownerName, type Owners } from './owners.ts';
import { ageMs, effectSpan, isNear, msUntilMore, msUntilOver, withPlatformTime } from './times.ts';
import type { KeyedContext } from './types.ts';

/** After a lookup that the network lost, the wait is that before this retry: a lookup is safe at any time. */
export const lookAgainStep = 4;

/** What tells a lookup which key an entry belongs to. */
export interface LookParts {
  readonly hold: Hold;
  readonly owners: Owners;
  readonly lock: Lock | undefined;
  /** `undefined` if no list shows the effect. */
  readonly others: Others | undefined;
}

/** What is known of a request that may have been sent. */
interface Verdict extends Looked {
  /** It certainly did not take effect. */
  readonly isAbsent?: boolean;
  /** After how many milliseconds another lookup can say more. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Looks once for what a request has created, and records the entry that it finds. `write` is the request of this call,
 * if this call sent it.
 */
export async function look<TValue>(
  context: KeyedContext,
  { hold, owners, lock, others }: LookParts,
  lookup: EffectLookup<TValue>,
  limits: LookupLimits,
  write?: RecentWrite,
): Promise<Result<Verdict, RequestFailure>> {
  const pages = pagesSince(() => effectSpan(context, sendingOf(hold)).from);
  const observed = await observe(lookup, { ...limits, readPages: pages.read });
  // A refusal also carries the platform's time.
  noteTime(context, hold, write);
  if (observed.isErr()) return err(observed.error);
  try {
    return ok(await decide(observed.value));
  } catch (thrown) {
    return err(toFailure(thrown));
  }

  /** Decides by what the platform shows. First and later calls decide alike. */
  async function decide(observed: Observed): Promise<Verdict> {
    const { entries, isDone, id, wholeSince = -Infinity, unread: unreadList } = observed;
    const place = placeOf(lookup);
    const sending = sendingOf(hold);
    const span = effectSpan(context, sending, place?.isScheduled);
    const leftMs = msUntilOver(context, sending);
    if (id !== undefined) {
      hold.note({ made: id, sending: keepsOpen(lookup) ? sending : undefined });
      return { id, why: '' };
    }
    const inSpan = entries.filter(({ createdAt }) => !isOutside(span, createdAt));
    const known = new Map(await owners.of(inSpan));
    const isWhole = wholeSince < span.from && pages.isWholeSince(span.from) && unreadList === undefined;
    const theirs: OtherKey[] = [];
    /** Those that may have made what may be this key's, too. */
    const alike: OtherKey[] = [];
    // Those that were lost, which only this process knows, may have created an entry.
    const unkeyed = unkeyedOf(context, place);
    let match = matchOpen();
    const { entry: first, isInferred } = match;
    const isExact = !isInferred || reduceText(first?.text ?? '') === reduceText(place?.text ?? '');
    let taken = isExact ? await take(match) : undefined;
    if (taken === undefined && match.open.length > 0) {
      await findOthers(match.open);
      match = matchOpen();
      taken = first === undefined || !isExact ? await take(match) : undefined;
    }
    return taken ?? judge(match.open);

    /** What follows from entries none of which could be taken. */
    async function judge(open: readonly ListedEntry[]): Promise<Verdict> {
      const shown = withOthers(describeOpen(lookup, open, observed), theirs, alike);
      const waitMs = Math.max(msUntilMore(context, sending) ?? 0, ...alike.map((one) => one.waitMs ?? 0));
      const retryAfterMs = waitMs > 0 ? waitMs : undefined;
      const isApplied = isDone === true || hold.entry().applied;
      if (isApplied) return { ...shown, isApplied };
      // Once a call of the other key has found its own, more is known of this one.
      if (theirs.some(({ isOpen }) => isOpen)) return { ...shown, retryAfterMs: retryAfterMs ?? otherKeyMs };
      if (open.length > 0 || theirs.length > 0) return { ...shown, retryAfterMs };
      if (observed.isListUnknown) return shown;
      if (!isWhole) return { why: 'not all entries since could be read' };
      if (leftMs === undefined)
        return { why: 'no response has shown the time of the platform', retryAfterMs };
      if (leftMs > 0) return { ...shown, retryAfterMs };
      const taken = await others?.taken(inSpan, (id) => known.get(id));
      return taken === undefined ? { ...shown, isAbsent: true } : toTaken(taken);
    }

    function matchOpen(): Match {
      return matchEntry({
        entries,
        span,
        text: place?.text,
        isCertain: isDone === true && leftMs === 0,
        ownerOf: ({ id }) => {
          const owner = known.get(id);
          return owner === undefined ? undefined : owner === owners.name ? 'self' : 'other';
        },
        isDoubtful: ({ createdAt }) =>
          unkeyed.some((write) => canHaveMade(write, createdAt, context.platformClock.timeAt)),
      });
    }

    /** Takes the entry that was found for this key; `undefined` if it may be another one's. */
    async function take({ entry, isInferred }: Match): Promise<Verdict | undefined> {
      if (entry === undefined) return undefined;
      if (isInferred && !(isWhole && (await isOnlyOurs(entry)))) return undefined;
      // Fails if another key has fenced this key's entry meanwhile.
      if (isInferred) await hold.store({});
      if (!(await owners.claim(entry.id))) return undefined;
      hold.note({ made: entry.id, sending: isInferred || keepsOpen(lookup) ? sending : undefined });
      return { id: entry.id, why: '' };
    }

    /** Finds out which entries have the text of another key whose outcome is open: they are none of this one's. */
    async function findOthers(open: readonly ListedEntry[]): Promise<void> {
      const found = (await others?.of(open)) ?? new Map<string, OtherKey>();
      const isTheirs = ({ id }: ListedEntry): boolean => {
        const other = found.get(id);
        return other?.isOpen === true && !other.isEqual;
      };
      // Of a key that is no longer open, it is on record by now what it made.
      for (const [id, owner] of await owners.of(open.filter((one) => !isTheirs(one)))) known.set(id, owner);
      // What says nothing has no lock, but is not what this key says: it may be the post of a video that is on record.
      const silent = place?.text ? open.filter(({ says }) => says === '') : [];
      const shown = silent.flatMap(({ shows = [], ...one }) => shows.map((id) => ({ ...one, id })));
      const makers = await owners.of(shown);
      for (const { id, shows } of silent) {
        const maker = shows?.map((one) => makers.get(one)).find((one) => one !== undefined);
        if (maker !== undefined && maker !== owners.name) known.set(id, maker);
      }
      for (const [id, other] of found) {
        if (other.isSure) known.set(id, ownerName(other.key));
        if (other.waitMs !== undefined) alike.push(other);
        if (other.isEqual || known.has(id)) continue;
        known.set(id, otherOwner);
        theirs.push(other);
      }
      const named = [...found].map(([id, { key }]) => [id, key] as const);
      hold.note({ others: named.length === 0 ? undefined : Object.fromEntries(named) });
    }

    /** Whether no other key can have made the entry. */
    async function isOnlyOurs(found: ListedEntry): Promise<boolean> {
      // Without the lock, other keys may have published the same.
      if (lock === undefined || sending.lock !== lock.name) return false;
      if (place?.isScheduled !== true && !isNear(context, sending, found.createdAt)) return false;
      // By then, the journal may have forgotten which entries belong to other keys.
      if (ageMs(context, sending) >= context.journal.journalTtlMs) return false;
      const isDoubtful = await lock.isDoubtful(found, async (key, within) => {
        const its = entries.filter(({ createdAt }) => !isOutside(within, createdAt));
        // A key that was here before this one has made its entry before this one's time.
        const before = await owners.of(its.filter(({ createdAt }) => isOutside(span, createdAt)));
        return its.some(({ id }) => (known.get(id) ?? before.get(id)) === ownerName(key));
      });
      if (isDoubtful) return false;
      // If this call still holds its key or the lock, what was listed was made before another key could take the lock.
      return !hold.isLost() || lock.isOurs();
    }
  }
}

/** What a lookup says of an entry that another key has taken. */
function toTaken({ id, key, isByHand, isEnding = false }: Taken): Verdict {
  const why = isByHand
    ? `its entry ${id} is what a person settled the idempotencyKey ${key} with, whose text is another`
    : `the entry ${id}, which the idempotencyKey ${key} took by its text, may be this one with a name in it`;
  return { why, candidates: [id], retryAfterMs: isEnding ? otherKeyMs : undefined };
}

/** How many other keys a message names. */
const mostNamed = 3;

/** The same, with the keys that have the text of entries. */
function withOthers(
  shown: Pick<Verdict, 'why' | 'candidates'>,
  theirs: readonly OtherKey[],
  alike: readonly OtherKey[],
): typeof shown {
  const { candidates } = shown;
  const shared = alike.length === 0 ? '' : `; the same text, but for a mention, is that of ${named(alike)}`;
  const why = shown.why + shared;
  if (theirs.length === 0) return { why, candidates };
  const [count, have] =
    theirs.length === 1 ? ['another entry', 'has'] : [`${theirs.length} other entries`, 'have'];
  return { why: `${why}; ${count} ${have} the text of ${named(theirs)}`, candidates: candidates ?? [] };
}

/** Some keys, as a message names them. */
function named(others: readonly OtherKey[]): string {
  const isOpen = others.some((one) => one.isOpen);
  const keys = [...new Set(others.filter((one) => one.isOpen === isOpen).map(({ key }) => key))];
  const more = keys.length - mostNamed;
  const those = keys.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
  const [which, are] = keys.length === 1 ? ['idempotencyKey', 'is'] : ['idempotencyKeys', 'are'];
  return `the ${which} ${those}, which ${are} ${isOpen ? 'not settled yet' : 'published as an unknown entry'}`;
}

/** Whether lists show the effect under another id, which is unknown: for other keys, the request stays open. */
export function keepsOpen<TValue>(lookup: EffectLookup<TValue>): boolean {
  return lookup.hasOtherId === true && placeOf(lookup)?.text !== undefined;
}

/** The request to look for. If it is only known that it took effect, it may have been sent since the key's first use. */
function sendingOf(hold: Hold): Sending {
  const { sending, createdAt } = hold.entry();
  return sending ?? { local: createdAt, lastsMs: 0 };
}

/** Notes the platform's time of a request, once a response has shown it. `write` is that of its sender. */
export function noteTime(
  context: KeyedContext,
  hold: Hold,
  write: Pick<RecentWrite, 'startedAt'> | undefined,
): Sending {
  const sending = sendingOf(hold);
  if (hold.entry().sending === undefined) return sending;
  const timed = withPlatformTime(context, sending, write?.startedAt);
  if (timed !== sending) hold.note({ sending: timed });
  return timed;
}

/**
 * The outcome of a request that an earlier call may have sent: its value, or why nothing may be sent. `undefined` if
 * the request may be sent: none was, or it certainly did not take effect.
 */
export async function resolveEarlier<TValue>(
  context: KeyedContext,
  parts: LookParts,
  lookup: EffectLookup<TValue>,
  deadline: number,
): Promise<Result<TValue, RequestFailure> | undefined> {
  const { hold } = parts;
  const { sending, applied } = hold.entry();
  if (sending === undefined && applied !== true) return undefined;
  const limits = { attempts: 1, deadline: Math.min(deadline, context.clock.monotonic() + laterLookupMs) };
  if (lookup.kind === 'none') return leaveOpen(hold, { why: notShown });
  if (lookup.kind === 'single') {
    if (applied === true || sending === undefined) return leaveOpen(hold, { why: notShown });
    const asked = msUntilOver(context, sending) === undefined ? await lookup.time(limits) : undefined;
    const request = noteTime(context, hold, undefined);
    const leftMs = msUntilOver(context, request);
    if (leftMs === 0) return undefined;
    if (leftMs === undefined && asked?.isErr()) return err(unread(context, hold, lookup, asked.error));
    return leaveOpen(hold, { why: notShown, retryAfterMs: msUntilMore(context, request) });
  }
  const looked = await look(context, parts, lookup, limits);
  if (looked.isErr()) return err(unread(context, hold, lookup, looked.error));
  const { id, isAbsent } = looked.value;
  const value = id === undefined ? undefined : lookup.toValue(id);
  if (value !== undefined) return ok(value);
  if (looked.value.isApplied) hold.note({ applied: true });
  return isAbsent ? undefined : leaveOpen(hold, looked.value);
}

/** The failure of a lookup for an earlier request. */
export function unread<TValue>(
  context: KeyedContext,
  hold: Hold,
  lookup: EffectLookup<TValue>,
  failure: RequestFailure,
): RequestFailure {
  const why = notRead(lookup);
  hold.note({ why });
  const isLost = failure.name === 'TransportError';
  const outcome = hold.entry().applied ? 'applied' : 'unknown';
  const message = `an earlier call under this idempotencyKey may have published: ${why}: ${failure.message}`;
  const waitMs = isLost ? backoff(context.retry, lookAgainStep) : refusedLookupMs;
  const described = isLost && failure.reason !== 'network' ? failure : withMessage(failure, message);
  return withRetryAfter(withOutcome(described, outcome), waitMs);
}

/** Leaves a request open, for a reason that operators see. */
function leaveOpen(hold: Hold, { why, retryAfterMs, candidates }: Verdict): Err<never, RequestFailure> {
  hold.note({ why });
  const { ids, applied } = hold.entry();
  const outcome = applied ? 'applied' : 'unknown';
  return err(unsettled({ outcome, why, ids: createdIds(ids), retryAfterMs, candidates }));
}

/** Reads more of lists than their newest entries. */
export interface Pages {
  readonly read: ReadPages;
  /** Whether all entries created since a time were read. */
  readonly isWholeSince: (time: number) => boolean;
}

const maxPages = 20;

/** Reads the pages of lists until they reach back to a time, or the list ends. */
export function pagesSince(since: () => number): Pages {
  /** For each list: whether all of it was read, and its entries. */
  const lists: { isAll: boolean; entries: readonly ListEntry[] }[] = [];

  return {
    read: (ask, query) => new ResultAsync(readAll(ask, query)),
    isWholeSince: (time) => lists.every(({ isAll, entries }) => isAll || reaches(entries, time)),
  };

  async function readAll(
    ask: Parameters<ReadPages>[0],
    query: Params,
  ): Promise<Result<ListPage, RequestFailure>> {
    const list: { isAll: boolean; entries: readonly ListEntry[] } = { isAll: false, entries: [] };
    lists.push(list);
    const limit = Number(query['limit']);
    let more: Params | undefined;
    for (let read = 0; read < maxPages; read++) {
      const result = await ask({ ...query, ...more });
      if (result.isErr()) return err(result.error);
      const { data, paging } = result.value;
      const listed = toEntries(data);
      list.entries = [...list.entries, ...listed];
      const { next } = fieldsOf(paging);
      const [isLast, isFull] = [next === undefined, listed.length >= limit];
      // A full page of a list that names no next pages may have been cut off.
      list.isAll = isLast && (!isFull || more !== undefined);
      more = paramsIn(next);
      if (reaches(list.entries, since())) break;
      if (more !== undefined) continue;
      if (isLast && !list.isAll && limit > 1) {
        // With an entry less, a list that names them has one.
        const shorter = await ask({ ...query, limit: limit - 1 });
        if (shorter.isErr()) return err(shorter.error);
        list.isAll = paramsIn(fieldsOf(shorter.value.paging)['next']) !== undefined;
      }
      break;
    }
    return ok({ data: list.entries });
  }
}

/** Whether all further entries are older than a time: they are if the list is sorted newest first. */
function reaches(entries: readonly ListEntry[], time: number): boolean {
  const times = entries.map(timeOf);
  return times.every((at, index) => at <= (times[index - 1] ?? Infinity)) && (times.at(-1) ?? NaN) < time;
}

/** The parameters from the next page's address that say where it begins; the request keeps its token. */
function paramsIn(address: unknown): Params | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const params = [...new URL(address).searchParams];
  return Object.fromEntries(params.filter(([name]) => !/^(?:access_token|appsecret_.*)$/.test(name)));
}

/** When an entry was created; `NaN` if it does not say. */
function timeOf({ created_time, timestamp, creation_time }: ListEntry): number {
  return creation_time === undefined ? parseTime(created_time ?? timestamp) : Number(creation_time) * 1000;
}
