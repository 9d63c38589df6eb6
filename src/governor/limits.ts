// The limits that a process knows: which of them hold a call, and what the result of a call says of them.
import type { FailedAttempt } from '../core/http/retry.ts';
import type { HttpContext, LimitState, RawResponse } from '../core/http/types.ts';
import type { MonotonicClock } from '../core/options/clock.ts';
import * as records from './record.ts';
import { day, hour, type LimitRecord, minute, type Rate, readRecord, type Report } from './record.ts';
import { createShared, createSharing, type GovernorStore, parsed, type Shared } from './shared.ts';
import * as uses from './uses.ts';
import { idOf, isName, isOfCaller, type Use } from './uses.ts';

/** A limit, as this process knows it. */
export interface Limit extends Shared<LimitRecord> {
  readonly name: string;
  readonly rate: Rate | undefined;
  flights: readonly Flight[];
  /** The version with which this process claimed to try after a block, until a call does. */
  trying: number;
}

/** Calls that count as under way, until when by the monotonic clock; and the version that was known when they were sent. */
interface Flight {
  readonly calls: number;
  readonly until: number;
  readonly version: number;
}

/** The names of the limits that the calls of a token about a subject were found to count against. */
type Names = Shared<readonly string[]>;

/** How long a call without a response counts: in Workers, it may have ended with its request. */
const flightMs = minute;
/** How often a process says that it shares a short rate; it does for twice as long. */
const sharedMs = minute / 6;
const [maxLimits, maxTokens, maxNames] = [1000, 10_000, 32];

/** Rates of seconds are shared by taking parts. Others are counted in the record. */
const isShort = (rate: Rate | undefined): boolean =>
  rate !== undefined && !rate.isDistinct && rate.windowMs < 10 * minute;

/** What is known of an app on a platform. */
const createApp = () => ({
  limits: new Map<string, Limit>(),
  tokens: new Map<string, Names>(),
  /** The limits of Pages and accounts that responses told of: about an object, or to calls of a token that name none. */
  owners: new Map<string, readonly string[]>(),
});

export function createLimits(
  store: GovernorStore | undefined,
  shares: readonly number[],
  syncMs: number,
  onChange: ((limit: LimitState) => void) | undefined,
  onError: ((error: unknown) => void) | undefined,
) {
  const apps = new Map<string, ReturnType<typeof createApp>>();
  const sharing = createSharing(store, syncMs, onError);
  const id = drawn().toString(36).slice(0, 6);
  let hasLocal = false;

  function createLimit(key: string, name: string, clock: MonotonicClock, rate?: Rate): Limit {
    hasLocal ||= isLocal(name);
    const everyMs = isLocal(name) ? Infinity : syncMs;
    const ttlMs = 2 * day + (rate?.windowMs ?? 0);
    const tell = (before: LimitRecord, { percent, until }: LimitRecord): void => {
      if (before.percent !== percent || before.until > 0 !== until > 0) onChange?.(stateOf(limit, clock));
    };
    const shared = createShared({ key, read: readRecord, everyMs, ttlMs, onChange: tell });
    const limit: Limit = { ...shared, name, rate, flights: [], trying: 0 };
    return limit;
  }

  const appOf = (prefix: string) => remembered(apps, maxTokens, prefix, createApp);

  const limitOf = ({ prefix, clock }: Use, name: string, rate?: Rate): Limit =>
    remembered(appOf(prefix).limits, maxLimits, name, () => createLimit(prefix + name, name, clock, rate));

  const namesOf = ({ prefix, token, subject }: Use): Names =>
    remembered(appOf(prefix).tokens, maxTokens, `token ${token} ${subject}`, (key) =>
      createShared({ key: prefix + key, read: readNames, everyMs: 7 * day, ttlMs: 7 * day }),
    );

  /** The known limits that hold a call; or a promise, while the store is asked. */
  function limitsOf(use: Use): readonly Limit[] | Promise<unknown> {
    const { rate, prefix, context, account, token } = use;
    const names = namesOf(use);
    const naming = sharing.refresh(names, context);
    if (naming) return naming;
    const found: Limit[] = [];
    for (const name of names.value) if (holds(name, names.value, use)) found.push(limitOf(use, name));
    const ofRequest = hasLocal && appOf(prefix).limits.get(use.requestName());
    if (ofRequest) found.push(ofRequest);
    if (rate) {
      // A Page or an account has its rates, regardless of the token.
      const learned = names.value.findLast((name) => !isOfCaller(name, use));
      found.push(limitOf(use, `${rate.kind} ${account || (learned ? idOf(learned) : token)}`, rate));
    }
    const reading = found.flatMap((limit) => sharing.refresh(limit, context) ?? []);
    if (reading.length > 0) return Promise.all(reading);
    if (isShort(rate)) join(found.at(-1), use);
    return found;
  }

  /** Tells the others that this process shares a short rate. */
  function join(limit: Limit | undefined, { clock, context }: Use): void {
    const now = clock.now();
    if (!limit || (limit.value.names[id] ?? 0) > now + sharedMs) return;
    sharing.change(limit, (r) => records.named(r, id, now + 2 * sharedMs, now));
    void sharing.tell(limit, context);
  }

  /**
   * Whether a limit that the token knows holds a call. That of a Page or an account holds calls to it, and to what responses
   * said to be its own; and calls that name neither, as responses to such calls said, or as long as the token knows no other.
   */
  function holds(name: string, names: readonly string[], use: Use): boolean {
    if (isOfCaller(name, use) || idOf(name) === use.account) return true;
    const told = appOf(use.prefix).owners.get(use.object || use.token);
    const isOther = (other: string): boolean => !isOfCaller(other, use) && idOf(other) !== idOf(name);
    return told ? told.includes(name) : !use.account && !names.some(isOther);
  }

  /** In how many milliseconds a limit has room for a call, 0 if now. With `withinMs`: whether it may have by then. */
  function wait(limit: Limit, use: Use, withinMs?: number): number {
    const { value, rate, trying } = limit;
    const { clock, calls, lane, key } = use;
    const [now, at] = [clock.now(), clock.monotonic()];
    if (value.until > 0) return value.version === trying ? 0 : records.blockedFor(value, id, now);
    if (rate?.isDistinct && Object.hasOwn(value.names, key)) return 0;
    if (!rate || !isShort(rate))
      return records.roomIn(value, rate, shares[lane] ?? 0, calls, flying(limit, clock), now, withinMs);
    const part = records.partOf(value, rate, id, now);
    if (part.waitMs > 0 || flying(limit, clock) + calls <= part.calls) return part.waitMs;
    const ends = limit.flights.flatMap(({ until }) => (until > at ? until - at : []));
    return Math.min(rate.windowMs, ...ends);
  }

  /** After a block, claims to try for the fleet. Returns a promise if the store must agree. */
  function attempted(limit: Limit, { clock, context }: Use): Promise<unknown> | undefined {
    const { value, trying } = limit;
    if (value.until === 0 || value.version === trying) return undefined;
    const [version, now] = [drawn(), clock.now()];
    limit.trying = version;
    sharing.change(limit, (r) => records.tried(r, version, id, now));
    return sharing.tell(limit, context, true);
  }

  /** A call is sent. */
  function sent(limits: readonly Limit[], { clock, calls, key }: Use): Map<Limit, Flight> {
    const [now, at] = [clock.now(), clock.monotonic()];
    const send = (limit: Limit): readonly [Limit, Flight] => {
      const { rate, value } = limit;
      const flight = { calls, until: at + flightMs, version: value.version };
      limit.flights = [...limit.flights.filter(({ until }) => until > at), flight];
      limit.trying = 0;
      if (rate?.isDistinct && !((value.names[key] ?? 0) > now))
        sharing.change(limit, (r) => records.named(r, key, now + rate.windowMs, now));
      return [limit, flight];
    };
    return new Map(limits.map(send));
  }

  /** Learns from the result of a call. Returns a promise if the fleet must know before the caller does. */
  function learn(
    use: Use,
    made: ReadonlyMap<Limit, Flight>,
    result: RawResponse | FailedAttempt,
  ): Promise<unknown> | undefined {
    const { clock, calls, context } = use;
    const [now, version] = [clock.now(), drawn()];
    const mayCount = result.headers !== undefined || !('error' in result && result.isRejected);
    const reports = reportsOf(use, [...made.keys()], result);
    const news = learnNames(use, made, reports);
    const urgent: Promise<unknown>[] = news ? [news] : [];
    for (const [limit, report] of reports) {
      const { rate, value } = limit;
      const flight = made.get(limit);
      limit.flights = limit.flights.filter((one) => one !== flight);
      if (mayCount && rate && isShort(rate))
        limit.flights = [...limit.flights, { calls, version, until: clock.monotonic() + rate.windowMs }];
      const known = (flight ?? value).version;
      const isCounted = mayCount && !isShort(rate) && !rate?.isDistinct;
      if (isCounted || report)
        sharing.change(limit, (r) => {
          const next = isCounted ? records.counted(r, rate?.windowMs ?? hour, calls, now) : r;
          return report ? records.reported(next, report, known, version, id, rate, now) : next;
        });
      const telling = sharing.tell(limit, context, report?.isRefused);
      // The process may end with its caller.
      if (telling && (report?.isRefused || flying(limit, clock) === 0)) urgent.push(telling);
    }
    return urgent.length > 0 ? Promise.all(urgent) : undefined;
  }

  /** What a result says of limits. */
  function reportsOf(
    use: Use,
    known: readonly Limit[],
    result: RawResponse | FailedAttempt,
  ): Map<Limit, Report | undefined> {
    const { headers } = result;
    const codes = uses.codesIn(result);
    // After a block, a call that got through says so.
    const isOver = headers && codes.length === 0;
    const reports = new Map<Limit, Report | undefined>();
    for (const limit of known) reports.set(limit, isOver && limit.value.until > 0 ? {} : undefined);
    let isNamed = false;
    for (const [name, report] of headers ? uses.usagesIn(headers, use) : []) {
      const isRefused = report.regainMs > 0 || (codes.length > 0 && report.percent >= 100);
      reports.set(limitOf(use, name), { ...report, isRefused });
      isNamed ||= isRefused;
    }
    // A header names more precisely than a code the limit that is used up.
    if (isNamed || codes.length === 0) return reports;
    const { retryAfterMs = 0 } = 'error' in result ? result.error : {};
    for (const code of codes)
      for (const limit of refusing(code, known, use)) {
        const regainMs = code ? retryAfterMs : Math.max(1000, retryAfterMs);
        reports.set(limit, { ...reports.get(limit), isRefused: true, regainMs });
      }
    return reports;
  }

  /** The limits that a refusal with this code concerns. */
  function refusing(code: number, limits: readonly Limit[], use: Use): readonly Limit[] {
    const { context, token, account, rate: ofUse } = use;
    // A proxy, for example: it says nothing of the platform's limits.
    if (!code) return [limitOf(use, use.requestName())];
    const caller =
      code === 4 ? uses.appName(context) : code === 17 ? `user ${token}` : code === 32 && `page ${token}`;
    const found = limits.filter(({ name, rate }) =>
      code === 613 && ofUse ? rate : !rate && !isLocal(name) && !isOfCaller(name, use),
    );
    return !caller && found.length > 0 ? found : [limitOf(use, caller || `code_${code} ${account || token}`)];
  }

  /** Learns against which limits such calls count. Returns a promise if the store is told now. */
  function learnNames(
    use: Use,
    made: ReadonlyMap<Limit, Flight>,
    reports: ReadonlyMap<Limit, unknown>,
  ): Promise<unknown> | undefined {
    const found = [...reports.keys()].filter(({ name, rate }) => !rate && !isLocal(name));
    if (found.every((limit) => made.has(limit))) return undefined;
    const ofObjects = found.flatMap(({ name }) => (isOfCaller(name, use) ? [] : name));
    const { owners } = appOf(use.prefix);
    const about = use.object || use.token;
    if (ofObjects.some((name) => idOf(name) !== about)) {
      const told = new Set([...(owners.get(about) ?? []), ...ofObjects]);
      owners.delete(about);
      remembered(owners, maxTokens, about, () => [...told].slice(-maxNames));
    }
    const names = namesOf(use);
    const news = found.flatMap(({ name }) => (names.value.includes(name) ? [] : name));
    if (news.length === 0) return undefined;
    sharing.change(names, (list) => [...new Set([...list, ...news])].slice(-maxNames));
    return sharing.tell(names, use.context);
  }

  function stateOf(limit: Limit, clock: MonotonicClock): LimitState {
    const { name, value, rate } = limit;
    const [kind = '', of = ''] = name.split(' ');
    const now = clock.now();
    const blockedMs = records.blockedFor(value, id, now);
    const ofRate = (own: Rate): number =>
      isShort(own)
        ? (100 * flying(limit, clock)) / records.partOf(value, own, id, now).calls
        : records.usageOf(value, own, now);
    return {
      kind,
      id: of,
      percent: rate && blockedMs === 0 ? Math.min(100, ofRate(rate)) : Math.max(0, value.percent),
      ...(blockedMs > 0 && { blockedUntil: new Date(now + blockedMs) }),
      observedAt: new Date(value.at > 0 ? value.at : now),
    };
  }

  /** What is known about the limits of a context's app; if the store can list, also what only other processes know. */
  async function list(context: HttpContext): Promise<LimitState[]> {
    const { clock } = context;
    const prefix = uses.prefixOf(context);
    const known = new Map(appOf(prefix).limits);
    const upToDate = async (limit: Limit): Promise<void> => {
      if (store && limit.everyMs < Infinity) await sharing.exchange(limit, context, false);
      await sharing.tell(limit, context, true);
    };
    await Promise.all([...known.values()].map(upToDate));
    for await (const [key, text] of store?.list?.({ prefix, without: '\n' }) ?? []) {
      if (known.size >= maxLimits) break;
      const name = key.slice(prefix.length);
      if (known.has(name) || !isName(name)) continue;
      known.set(name, { ...createLimit(key, name, clock), value: readRecord(parsed(text)) });
    }
    const found = [...known.values()].filter(({ rate, value }) => rate || value.percent >= 0);
    return found.map((limit) => stateOf(limit, clock));
  }

  return { limitsOf, wait, attempted, sent, learn, list, stateOf };
}

const readNames = (stored: unknown): readonly string[] =>
  uses.elementsOf(stored).filter(isName).slice(-maxNames);

/** Whether only this process met it: it is never stored. */
const isLocal = (name: string): boolean => name.startsWith('http_429 ');

/** How many calls of this process are under way. */
function flying({ flights }: Limit, clock: MonotonicClock): number {
  const now = clock.monotonic();
  return flights.reduce((sum, { calls, until }) => sum + (until > now ? calls : 0), 0);
}

/** A number that nobody else draws. */
const drawn = (): number => Math.ceil(Math.random() * 1e15);

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
