// The limits that a process knows: which of them hold a call, and what its result says of them.
import type { FailedAttempt } from '../core/http/retry.ts';
import type { HttpContext, LimitState, RawResponse } from '../core/http/types.ts';
import type { MonotonicClock } from '../core/options/clock.ts';
import * as records from './record.ts';
import { day, hour, minute, type Rate, readRecord, type Report } from './record.ts';
import { createSharing, type GovernorStore, type Shared } from './shared.ts';
import * as uses from './uses.ts';
import { idOf, isName, isOfCaller, remembered, type Use } from './uses.ts';

/** A limit, as this process knows it; or what the calls of a token count against: the names in its record. */
export interface Limit extends Shared {
  readonly name: string;
  readonly rate: Rate | undefined;
  readonly clock: MonotonicClock;
  /** The calls of this process that are under way, and until when they count at most, by the monotonic clock. */
  readonly flights: Set<{ readonly calls: number; until: number }>;
  /** How many calls it made within an hour or so, at this monotonic time. */
  made: number;
  madeAt: number;
  /** The `by` with which this process claimed to try after a block, until a call does. */
  trying: string;
}

/** Up to where calls are let through: percentages are whole numbers, and others' calls are under way. */
const [highest, highestOfRates] = [99.5, 99];
/** How often a process says that it shares a short rate; it does for twice as long. */
const sharedMs = minute / 6;
/** How long it is known what the calls of a token count against. */
const namesMs = 7 * day;
const [mostLimits, mostOthers] = [1000, 10_000];

/** Rates of seconds are shared by taking parts. Others are counted in the record. */
const isShort = (rate: Rate | undefined): boolean =>
  rate !== undefined && !rate.isDistinct && rate.windowMs < 10 * minute;

/** Whether only this process met a limit: it is never stored. */
const isLocal = (name: string): boolean => name.startsWith('http_429 ');

/** What is known of an app on a platform; the keys of its entries in the store have the prefix. */
interface App {
  readonly prefix: string;
  readonly limits: Map<string, Limit>;
  readonly tokens: Map<string, Limit>;
  /** The limits of Pages and accounts that responses told of: about an object, or to calls of a token that name none. */
  readonly told: Map<string, readonly string[]>;
}

export function createLimits(
  store: GovernorStore | undefined,
  shares: readonly number[],
  syncMs: number,
  onChange: ((limit: LimitState) => void) | undefined,
  onError: ((error: unknown) => void) | undefined,
) {
  const apps = new Map<string, App>();
  const ofContexts = new WeakMap<HttpContext, App>();
  const id = drawn();
  const sharing = createSharing<Limit>(store, syncMs, (limit) => onChange?.(stateOf(limit)), onError);

  function appOf(context: HttpContext): App {
    const known = ofContexts.get(context);
    if (known) return known;
    const prefix = `pagepics-governor ${context.platform.graphUrl} ${idOf(uses.appName(context))} `;
    const make = (): App => ({ prefix, limits: new Map(), tokens: new Map(), told: new Map() });
    const app = remembered(apps, mostOthers, prefix, make);
    ofContexts.set(context, app);
    return app;
  }

  function create(key: string, name: string, clock: MonotonicClock, everyMs: number, rate?: Rate): Limit {
    const ttlMs = 2 * day + (rate?.windowMs ?? 0);
    const shared = { key, everyMs, ttlMs, value: readRecord({}), text: undefined, news: [] };
    const times = { readAt: -Infinity, toldAt: -Infinity, busyUntil: 0, made: 0, madeAt: 0 };
    return { ...shared, ...times, name, rate, clock, flights: new Set(), trying: '' };
  }

  function limitOf({ context, clock }: Use, name: string, rate?: Rate): Limit {
    const { prefix, limits } = appOf(context);
    const everyMs = isLocal(name) ? Infinity : syncMs;
    return remembered(limits, mostLimits, name, () => create(prefix + name, name, clock, everyMs, rate));
  }

  /** What the calls of a token about a subject count against. */
  function namesOf({ context, clock, token, subject }: Use): Limit {
    const { prefix, tokens } = appOf(context);
    const name = `token ${token} ${subject}`;
    return remembered(tokens, mostOthers, name, () => create(prefix + name, name, clock, namesMs));
  }

  /** The known limits that hold a call; or a promise, while the store is asked. */
  function limitsOf(use: Use): readonly Limit[] | Promise<unknown> {
    const { rate, context, object, account, token } = use;
    const known = namesOf(use);
    const naming = sharing.refresh(known, context);
    if (naming) return naming;
    const names = Object.keys(known.value.names);
    const told = appOf(context).told.get(object || token);
    const ofObjects = names.filter((name) => !isOfCaller(name, use));
    const isOnly = ofObjects.every((name) => idOf(name) === idOf(ofObjects[0] ?? ''));
    // The limits of a Page or an account hold calls to it, and to what responses said to be its own; and calls that name
    // neither, if responses to such calls said so, or as long as the token knows no other.
    const holds = (name: string): boolean =>
      !ofObjects.includes(name) ||
      idOf(name) === account ||
      (told ? told.includes(name) : account === '' && isOnly);
    const found = names.filter(holds).map((name) => limitOf(use, name));
    const local = appOf(context).limits.get(use.localName);
    if (local) found.push(local);
    if (rate) {
      // A Page or an account has its rates, regardless of the token.
      const limit = limitOf(use, `${rate.kind} ${account || idOf(ofObjects.at(-1) ?? token)}`, rate);
      found.push(limit);
      const now = use.clock.now();
      if (isShort(rate) && (limit.value.names[id] ?? 0) <= now + sharedMs) {
        sharing.change(limit, (r) => records.named(r, [id], now + 2 * sharedMs, now));
        void sharing.tell(limit, context, true);
      }
    }
    const reading = found.flatMap((limit) => sharing.refresh(limit, context) ?? []);
    return reading.length > 0 ? Promise.all(reading) : found;
  }

  /** In how many milliseconds a limit has room for a call, 0 if now. */
  function wait(limit: Limit, { clock, calls, lane, key }: Use): number {
    const { value, rate, trying, made } = limit;
    const now = clock.now();
    if (value.until > 0) return value.by === trying ? 0 : records.blockedFor(value, id, now);
    if (rate?.isDistinct && Object.hasOwn(value.names, key)) return 0;
    const flying = flyingOf(limit);
    if (rate && isShort(rate)) {
      const part = records.partOf(value, rate, id, now);
      if (part.waitMs > 0 || flying + calls <= part.calls) return part.waitMs;
      return Math.min(rate.windowMs, ...[...limit.flights].map(({ until }) => until - clock.monotonic()));
    }
    if (value.percent < 0 && !rate) return 0;
    const most = rate?.isDistinct ? 100 : rate ? highestOfRates : Math.min(shares[lane] ?? 0, highest);
    // The own calls of an hour used no more than all that is used.
    const cost = rate ? 100 / rate.most : made < 10 ? 1 : Math.min(1, (value.percent + 1) / made);
    // A batch may be larger than a share.
    const needed = cost * flying + Math.min(cost * calls, Math.max(1, most / 2));
    return !rate && value.percent + needed <= most ? 0 : records.roomIn(value, rate, needed, most, now);
  }

  /** After a block, claims to try for the fleet. Returns a promise if the store must agree. */
  function claim(limit: Limit, { clock, context }: Use): Promise<unknown> | undefined {
    if (limit.value.until === 0 || limit.value.by === limit.trying) return undefined;
    const [by, now] = [id + drawn(), clock.now()];
    limit.trying = by;
    sharing.change(limit, (r) => records.tried(r, by, id, now));
    return sharing.tell(limit, context, true);
  }

  /**
   * A call is sent. What this returns learns from the result of the call; it returns a promise if the fleet must know before
   * the caller does.
   */
  function sent(limits: readonly Limit[], use: Use) {
    const { clock, calls, key, context } = use;
    const [sentAt, at] = [clock.now(), clock.monotonic()];
    // A call without a response counts for a minute: in Workers, it may have ended with its request.
    const flight = { calls, until: at + minute };
    const known = new Map(limits.map((limit) => [limit, limit.value.by]));
    for (const limit of limits) {
      limit.flights.add(flight);
      limit.trying = '';
      limit.made = limit.made * Math.max(0, 1 - (at - limit.madeAt) / hour) + calls;
      limit.madeAt = at;
      const { rate, value } = limit;
      if (rate?.isDistinct && !((value.names[key] ?? 0) > sentAt))
        sharing.change(limit, (r) => records.keyed(r, key, rate, sentAt));
    }
    return (result: RawResponse | FailedAttempt): Promise<unknown> | undefined => {
      const now = clock.now();
      const mayCount = result.headers !== undefined || !('error' in result && result.isRejected);
      const reports = reportsOf(use, limits, result);
      const urgent = learnNames(
        use,
        [...reports.keys()].filter((limit) => !known.has(limit)),
      );
      for (const limit of new Set([...limits, ...reports.keys()])) {
        const { rate, value } = limit;
        const report = reports.get(limit);
        limit.flights.delete(flight);
        if (mayCount && rate && isShort(rate))
          limit.flights.add({ calls, until: clock.monotonic() + rate.windowMs });
        else if (mayCount && rate && !rate.isDistinct)
          sharing.change(limit, (r) => records.added(r, rate, (100 * calls) / rate.most, now));
        const by = report?.isRefused ? id + drawn() : '';
        if (report)
          sharing.change(limit, (r) => records.reported(r, report, known.get(limit) ?? '', by, rate, now));
        // The process may end with its caller.
        const isLast = flyingOf(limit) === 0;
        const isUrgent = report?.isRefused || value.until > 0 || (rate !== undefined && isLast);
        const telling = sharing.tell(limit, context, isUrgent);
        if (telling && (isUrgent || isLast)) urgent.push(telling);
      }
      return urgent.length > 0 ? Promise.all(urgent) : undefined;
    };
  }

  /** What a result says of limits: its headers, or the codes of its refusals if no header names the limit that is used up. */
  function reportsOf(
    use: Use,
    limits: readonly Limit[],
    result: RawResponse | FailedAttempt,
  ): Map<Limit, Report> {
    const { headers } = result;
    const codes = uses.codesIn(result);
    const reports = new Map<Limit, Report>();
    // After a block, a call that got through says so.
    if (headers && codes.length === 0)
      for (const limit of limits) if (limit.value.until > 0) reports.set(limit, {});
    for (const [name, report] of headers ? uses.usagesIn(headers, use, codes.length > 0) : [])
      reports.set(limitOf(use, name), report);
    if (codes.length === 0 || [...reports.values()].some(({ isRefused }) => isRefused)) return reports;
    const { retryAfterMs = 0 } = 'error' in result ? result.error : {};
    for (const code of codes)
      for (const limit of refusing(code, limits, use)) {
        const regainMs = code ? retryAfterMs : Math.max(1000, retryAfterMs);
        reports.set(limit, { ...reports.get(limit), isRefused: true, regainMs });
      }
    return reports;
  }

  /** The limits that a refusal with this code concerns. */
  function refusing(code: number, limits: readonly Limit[], use: Use): readonly Limit[] {
    const { context, token, account, rate: ofUse } = use;
    // A proxy, for example: it says nothing of the platform's limits.
    if (!code) return [limitOf(use, use.localName)];
    const caller =
      code === 4 ? uses.appName(context) : code === 17 ? `user ${token}` : code === 32 && `page ${token}`;
    const found = limits.filter(({ name, rate }) =>
      code === 613 && ofUse ? rate : !rate && !isLocal(name) && !isOfCaller(name, use),
    );
    return !caller && found.length > 0 ? found : [limitOf(use, caller || `code_${code} ${account || token}`)];
  }

  /** Learns against which further limits such calls count. Returns a promise if the store is told now. */
  function learnNames(use: Use, limits: readonly Limit[]): Promise<unknown>[] {
    const found = limits.flatMap(({ name, rate }) => (rate || isLocal(name) ? [] : name));
    if (found.length === 0) return [];
    const now = use.clock.now();
    const names = namesOf(use);
    const { told } = appOf(use.context);
    const about = use.object || use.token;
    const ofObjects = found.filter((name) => !isOfCaller(name, use));
    if (ofObjects.some((name) => idOf(name) !== about)) {
      const all = [...new Set([...(told.get(about) ?? []), ...ofObjects])].slice(-32);
      told.delete(about);
      remembered(told, mostOthers, about, () => all);
    }
    const news = found.filter((name) => !Object.hasOwn(names.value.names, name));
    if (news.length === 0) return [];
    sharing.change(names, (r) => records.named(r, news, now + namesMs, now));
    return [sharing.tell(names, use.context) ?? []].flat();
  }

  function stateOf(limit: Limit): LimitState {
    const { name, value, rate, clock } = limit;
    const [kind = '', of = ''] = name.split(' ');
    const now = clock.now();
    const blockedMs = records.blockedFor(value, id, now);
    const percentOf = (own: Rate): number =>
      isShort(own)
        ? (100 * flyingOf(limit)) / records.partOf(value, own, id, now).calls
        : records.usageOf(value, own, now);
    return {
      kind,
      id: of,
      percent: rate && blockedMs === 0 ? Math.min(100, percentOf(rate)) : Math.max(0, value.percent),
      ...(blockedMs > 0 && { blockedUntil: new Date(now + blockedMs) }),
      observedAt: new Date(value.at > 0 ? value.at : now),
    };
  }

  /** What is known about the limits of a context's app; if the store can list, also what only other processes know. */
  async function list(context: HttpContext): Promise<LimitState[]> {
    const { prefix, limits } = appOf(context);
    const known = new Map(limits);
    const shared = store ? [...known.values()].filter(({ everyMs }) => everyMs < Infinity) : [];
    // One exchange reads, another one tells.
    for (const isTelling of [false, true])
      await Promise.all(shared.map((limit) => sharing.exchange(limit, context, isTelling)));
    for await (const [key, text] of store?.list?.({ prefix, without: '\n' }) ?? []) {
      if (known.size >= mostLimits) break;
      const name = key.slice(prefix.length);
      if (known.has(name) || !isName(name)) continue;
      known.set(name, {
        ...create(key, name, context.clock, syncMs),
        value: readRecord(uses.parsed(text)),
      });
    }
    return [...known.values()].filter(({ rate, value }) => rate || value.percent >= 0).map(stateOf);
  }

  return { limitsOf, wait, claim, sent, list, stateOf };
}

/** How many calls of this process are under way. */
function flyingOf({ flights, clock }: Limit): number {
  const now = clock.monotonic();
  let sum = 0;
  for (const flight of flights) {
    if (flight.until > now) sum += flight.calls;
    else flights.delete(flight);
  }
  return sum;
}

/** A text that nobody else draws. */
const drawn = (): string => Math.random().toString(36).slice(2, 9);
