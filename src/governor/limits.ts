// The limits that a process knows, which of them the calls of its tokens count against, and the exchanges with the store.
import type { FailedAttempt } from '../core/http/retry.ts';
import type { LimitState, HttpContext, RawResponse } from '../core/http/types.ts';
import { type MonotonicClock, within } from '../core/options/clock.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import { type Ask, blockedFor, createMember, dueAt, exchanged } from './member.ts';
import { isNews, landed, type Member, ownInFlight, type Report, reported } from './member.ts';
import { clamp, day, inFlight, isClaimed, type Rate, readRecord, usageOf } from './record.ts';
import { codesIn, elementsOf, isName, parsed, prefixOf, type Use, usagesIn } from './uses.ts';

/** The methods of a journal over which processes share what they know. */
export type GovernorStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'list'>;

/** An entry of the store. One call at a time exchanges it. */
interface Entry {
  readonly key: string;
  /** Until when other calls leave it to that one, and no longer: that one may die with its request. */
  busyUntil: number;
}

/** A limit in this process. What is known of it is in its member, which is immutable and replaced. */
export interface Limit extends Entry {
  readonly name: string;
  /** Whether it is never stored, since only this process met it. */
  readonly isLocal: boolean;
  member: Member;
  /** When it tells the store next. */
  wakesAt: number;
}

/** Names of the limits that calls of a token about a subject count against. */
interface Names extends Entry {
  list: readonly string[];
  isRead: boolean;
}

/** How long an exchange with the store may take, and how long a call leaves it to another one. */
export const [exchangeMs, othersMs] = [1000, 100];
/** How long a store that failed is left alone. */
const downMs = 5000;
const [maxLimits, maxTokens, maxNames] = [1000, 10_000, 32];
/** Names of limits that belong to the caller, not to a Page or an account. */
const ofCallers = /^(?:app|page|user|code_\d+) /;

export function createLimits(
  store: GovernorStore | undefined,
  shares: readonly number[],
  syncMs: number,
  onChange: ((limit: LimitState) => void) | undefined,
  onError: ((error: unknown) => void) | undefined,
) {
  const all = new Map<string, Limit>();
  const tokens = new Map<string, Names>();
  const id = Math.random().toString(36).slice(2, 8);
  let [isUp, retryAt, latest, hasLocal] = [store !== undefined, store ? 0 : Infinity, 0, false];

  function createLimit(key: string, name: string, rate?: Rate): Limit {
    const isLocal = name.startsWith('http_429 ');
    hasLocal ||= isLocal;
    const member = createMember({ id, shares, syncMs }, rate);
    return { key, name, isLocal, member, busyUntil: 0, wakesAt: 0 };
  }

  const limitOf = ({ prefix }: Use, name: string, rate?: Rate): Limit =>
    remembered(all, maxLimits, prefix + name, (key) => createLimit(key, name, rate));

  const namesOf = ({ prefix, token, subject }: Use): Names =>
    remembered(tokens, maxTokens, `${prefix}token ${token} ${subject}`, (key) => ({
      key,
      list: [],
      isRead: false,
      busyUntil: 0,
    }));

  const isBusy = ({ busyUntil }: Entry, clock: MonotonicClock): boolean => clock.monotonic() < busyUntil;
  const isAlone = ({ isLocal }: Limit): boolean => isLocal || !isUp;

  /** The known limits that a call counts against; or a promise, while the store is asked for those of its token. */
  function limitsOf(use: Use): readonly Limit[] | Promise<void> {
    const { rate, prefix, clock } = use;
    const now = clock.now();
    // The clock was set back: what it timed before might never be due.
    if (now < latest - 1000) all.clear();
    latest = now;
    const names = namesOf(use);
    if (!names.isRead && isUp) return isBusy(names, clock) ? moment() : shareNames(names, clock);
    const found = names.list.map((name) => limitOf(use, name));
    const ofRequest = hasLocal && all.get(prefix + use.requestName());
    if (ofRequest) found.push(ofRequest);
    if (rate) {
      // A Page or an account has its rates, regardless of the token.
      const learned = names.list.findLast((name) => !ofCallers.test(name))?.split(' ')[1];
      found.push(limitOf(use, `${rate.kind} ${use.owner ?? learned ?? use.token}`, rate));
    }
    return found;
  }

  /**
   * Replaces an entry of the store by what `next` makes of its text, unless that is `undefined`. Starts over if another
   * process wrote meanwhile. A failure is reported, and resolves to `false`.
   */
  async function replace(
    key: string,
    ttlMs: number,
    clock: MonotonicClock,
    next: (text: string | undefined, turn: number) => string | undefined,
  ): Promise<boolean> {
    const work = async (last: unknown, turn: number): Promise<void> => {
      const text: unknown = (await store?.get(key)) ?? undefined;
      if (text !== undefined && typeof text !== 'string') throw new TypeError('get resolved to no text');
      if (text === last) throw new Error('compareAndSet did not store, although no other process wrote');
      const value = next(text, turn);
      const isStored: unknown = value === undefined || (await store?.compareAndSet(key, text, value, ttlMs));
      if (typeof isStored !== 'boolean') throw new TypeError('compareAndSet resolved to no boolean');
      if (!isStored) await moment(Math.random() * 50 * 2 ** turn).then(() => work(text, turn + 1));
    };
    try {
      await within(exchangeMs, () => work(null, 0));
      isUp = true;
    } catch (thrown) {
      [isUp, retryAt] = [false, clock.monotonic() + downMs];
      onError?.(thrown);
    }
    return isUp;
  }

  /** Reads the names that other processes know, and tells them those that this one has learned. */
  async function shareNames(names: Names, clock: MonotonicClock): Promise<void> {
    const { key, isRead } = names;
    names.busyUntil = clock.monotonic() + (isRead ? syncMs : othersMs);
    await replace(key, 7 * day, clock, (text) => {
      const stored = elementsOf(parsed(text)).filter(isName);
      const isNew = names.list.some((name) => !stored.includes(name));
      names.list = [...new Set([...stored, ...names.list])].slice(-maxNames);
      return isNew ? JSON.stringify(names.list) : undefined;
    });
    if (!isRead) names.busyUntil = 0;
    names.isRead = true;
  }

  /**
   * Brings a limit up to date with the fleet, and takes a lease if calls are asked for: at once if there is no store. If
   * another call is doing so, it only pauses, since that call may never end.
   */
  function exchange(limit: Limit, clock: MonotonicClock, ask?: Ask): Promise<void> | undefined {
    if (!isAlone(limit)) return isBusy(limit, clock) ? moment() : start(limit, clock, ask);
    if (!limit.isLocal && clock.monotonic() >= retryAt) {
      retryAt = clock.monotonic() + downMs;
      void start(limit, clock);
    }
    update(limit, clock, exchanged(limit.member, undefined, ask, true, Math.random(), clock.now())[0]);
    return undefined;
  }

  async function start(limit: Limit, clock: MonotonicClock, ask?: Ask): Promise<void> {
    const until = clock.monotonic() + othersMs;
    limit.busyUntil = until;
    // Later, another call may have begun one.
    const isLatest = (): boolean => limit.busyUntil === until;
    let patch: Partial<Member> = {};
    const isDone = await replace(
      limit.key,
      2 * day + (limit.member.rate?.windowMs ?? 0),
      clock,
      (text, turn) => {
        if (!isLatest()) return undefined;
        const stored = text === undefined ? undefined : readRecord(parsed(text));
        // After it has lost too many races, it does as if the store were away, and reports later.
        const isBeaten = turn > 5;
        const next = exchanged(limit.member, stored, ask, isBeaten, Math.random(), clock.now());
        patch = next[0];
        return next[1] && !isBeaten ? JSON.stringify(next[0].known) : undefined;
      },
    );
    if (!isLatest()) return;
    limit.busyUntil = 0;
    if (isDone) update(limit, clock, patch);
    else void exchange(limit, clock, ask);
    void tell(limit, clock);
  }

  function update(limit: Limit, clock: MonotonicClock, patch: Partial<Member>): void {
    const { percent, until } = limit.member.known;
    limit.member = { ...limit.member, ...patch };
    const { known } = limit.member;
    if (known.percent !== percent || known.until > 0 !== until > 0) onChange?.(stateOf(limit, clock));
  }

  /** Tells the fleet what is due now, and sets a timer for what is due later. */
  function tell(limit: Limit, clock: MonotonicClock): Promise<void> | undefined {
    const { member, wakesAt } = limit;
    const now = clock.now();
    // News that are never stored are exchanged at once. While the store is away, others are kept for it as long as possible.
    const at = (limit.isLocal || !store) && isNews(member) ? now : dueAt(member, now);
    // Another exchange may be in progress.
    if (at <= now) return exchange(limit, clock)?.then(() => tell(limit, clock));
    // In Workers, a timer may die with the request that set it, and no other request may clear it.
    if (at === Infinity || isAlone(limit) || (wakesAt > now && wakesAt <= at)) return undefined;
    limit.wakesAt = at;
    const wake = (): void => {
      if (limit.wakesAt !== at) return;
      limit.wakesAt = 0;
      void tell(limit, clock);
    };
    void clock.sleep(at - now).then(wake, wake);
    return undefined;
  }

  /**
   * Learns from the result of a call that was sent when the records of its limits had these `seqs`. Returns a promise if
   * the fleet must know before the caller does.
   */
  function learn(
    use: Use,
    sentAt: number,
    seqs: ReadonlyMap<Limit, number>,
    result: RawResponse | FailedAttempt,
  ): Promise<unknown> | undefined {
    const { clock, calls } = use;
    const { headers } = result;
    const now = clock.now();
    const usages = headers ? usagesIn(headers, use).slice(0, maxNames) : [];
    const reports = new Map(usages.map(([name, report]) => [limitOf(use, name), report]));
    const codes = codesIn(result);
    // A header names more precisely than a code the limit that is used up.
    const isNamed = usages.some(([, { isRefused, regainMs = 0 }]) => isRefused === true || regainMs > 0);
    const { retryAfterMs = 0 } = 'error' in result ? result.error : {};
    for (const code of isNamed ? [] : codes)
      for (const limit of refusing(code, [...seqs.keys()], use)) {
        const regainMs = clamp(retryAfterMs, code ? 0 : 1000, day);
        reports.set(limit, { ...reports.get(limit), isRefused: true, regainMs });
      }
    const mayCount = headers !== undefined || !('error' in result && result.isRejected);
    const gotThrough: Report | undefined = headers && codes.length === 0 ? {} : undefined;
    const unknown: string[] = [];
    const urgent: Promise<void>[] = [];
    for (const limit of new Set([...seqs.keys(), ...reports.keys()])) {
      const { known } = limit.member;
      const seq = seqs.get(limit);
      if (seq !== undefined) limit.member = landed(limit.member, calls, sentAt, mayCount, now);
      else if (!limit.isLocal) unknown.push(limit.name);
      const report = reports.get(limit) ?? (known.until > 0 ? gotThrough : undefined);
      if (report) limit.member = reported(limit.member, seq ?? known.seq, report, now);
      const isUrgent = report?.isRefused === true || ownInFlight(limit.member, now) === 0;
      const telling = tell(limit, clock);
      if (telling && isUrgent) urgent.push(telling);
    }
    if (unknown.length > 0) {
      const names = namesOf(use);
      names.list = [...new Set([...names.list, ...unknown])].slice(-maxNames);
      if (isUp && !isBusy(names, clock)) urgent.push(shareNames(names, clock));
    }
    return urgent.length > 0 ? Promise.all(urgent) : undefined;
  }

  /** The limits that a refusal with this code concerns. */
  function refusing(code: number, limits: readonly Limit[], use: Use): readonly Limit[] {
    const { app, token } = use;
    // A proxy, for example: it says nothing of the platform's limits.
    if (!code) return [limitOf(use, use.requestName())];
    const caller = code === 4 ? app : code === 17 ? `user ${token}` : code === 32 && `page ${token}`;
    const found = limits.filter(({ name, isLocal, member: { rate } }) =>
      code === 613 && use.rate ? rate : !rate && !isLocal && !ofCallers.test(name),
    );
    return !caller && found.length > 0 ? found : [limitOf(use, caller || `code_${code} ${token}`)];
  }

  function stateOf({ name, member }: Limit, clock: MonotonicClock): LimitState {
    const { known, rate } = member;
    const [kind = '', id = ''] = name.split(' ');
    const now = clock.now();
    const blockedMs = blockedFor(member, now);
    const used =
      rate && blockedMs === 0
        ? Math.min(100, isClaimed(rate) ? (100 * inFlight(known)) / rate.most : usageOf(known, rate, now))
        : known.percent;
    return {
      kind,
      id,
      percent: Math.max(0, used),
      ...(blockedMs > 0 && { blockedUntil: new Date(now + blockedMs) }),
      observedAt: new Date(known.at > 0 ? known.at : now),
    };
  }

  /** What is known about the limits of a context's app; if the store can list, also what only other processes know. */
  async function list(context: HttpContext): Promise<LimitState[]> {
    const { clock } = context;
    const prefix = prefixOf(context);
    const known = new Map([...all].filter(([key]) => key.startsWith(prefix)));
    const upToDate = async (limit: Limit): Promise<void> => {
      while (isBusy(limit, clock)) await moment();
      await exchange(limit, clock);
    };
    await Promise.all([...known.values()].map(upToDate));
    for await (const [key, text] of store?.list?.({ prefix, without: '\n' }) ?? []) {
      if (known.size >= maxLimits) break;
      const name = key.slice(prefix.length);
      if (known.has(key) || !isName(name)) continue;
      const limit = createLimit(key, name);
      limit.member = { ...limit.member, known: readRecord(parsed(text)) };
      known.set(key, limit);
    }
    const found = [...known.values()].filter(({ member }) => member.rate || member.known.percent >= 0);
    return found.map((limit) => stateOf(limit, clock));
  }

  return { limitsOf, exchange, learn, list, stateOf };
}

/** A pause, by a timer of its own. */
export const moment = (ms = 5): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Finds or creates an entry. The map keeps at most this many, those used last. */
function remembered<T>(map: Map<string, T>, most: number, key: string, make: (key: string) => T): T {
  const known = map.get(key);
  if (known !== undefined && map.size < most / 2) return known;
  const value = known ?? make(key);
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value ?? key);
  return value;
}
