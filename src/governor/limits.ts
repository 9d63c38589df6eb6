// The limits that a process knows: which of them hold a call, and what its result says of them.
import type { FailedAttempt } from '../core/http/retry.ts';
import type { HttpContext, LimitState, RawResponse } from '../core/http/types.ts';
import type { MonotonicClock } from '../core/options/clock.ts';
import * as records from './record.ts';
import { day, hour, minute, type Rate, readRecord, type Report } from './record.ts';
import { createSharing, type GovernorStore, type Shared } from './shared.ts';
import * as uses from './uses.ts';
import { isName, remembered, type Use } from './uses.ts';

/** A limit, as this process knows it; or what the calls of a token count against: the names in its record. */
export interface Limit extends Shared {
  /** Its kind and id. */
  readonly name: string;
  readonly kind: string;
  readonly id: string;
  readonly rate: Rate | undefined;
  readonly clock: MonotonicClock;
  /** The calls of this process that are under way, and until when they count at most, by the monotonic clock. */
  readonly flights: Set<{ readonly calls: number; until: number }>;
  /** How many calls it made within an hour or so, at this monotonic time. */
  made: number;
  madeAt: number;
}

/** Up to where calls are let through: percentages are whole numbers, and others' calls are under way. */
const [highest, highestOfRates] = [99.5, 99];
/** How often a process says that it shares a short rate; it does for twice as long. */
const sharedMs = minute / 6;
/** How long it is known what the calls of a token count against. */
const namesMs = 7 * day;
const [mostLimits, mostOthers, mostTold] = [1000, 10_000, 32];

/** Rates of seconds are shared by taking parts. Others are counted in the record. */
const isShort = (rate: Rate | undefined): boolean => rate !== undefined && rate.windowMs < 10 * minute;

/** Whether a limit belongs to the caller: not to a Page or an account. */
const isOfCaller = ({ kind, id }: Limit, { token }: Use): boolean =>
  kind === 'app' || kind === 'page' || kind === 'user' || id === token;

/** What is known of an app on a platform; the keys of its entries in the store have the prefix. */
interface App {
  readonly prefix: string;
  readonly limits: Map<string, Limit>;
  readonly tokens: Map<string, Limit>;
  /**
   * The limits of other objects that responses told of: by the object, or the token, of the call. Not in the store, since
   * there is no end of posts.
   */
  readonly told: Map<string, Set<string>>;
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
  /** Of this process, a text that nobody else draws. What its calls write into records begins with it. */
  const process = `${Math.random().toString(36).slice(2, 9)}-`;
  const sharing = createSharing<Limit>(store, syncMs, (limit) => onChange?.(stateOf(limit)), onError);

  function appOf(context: HttpContext): App {
    const known = ofContexts.get(context);
    if (known) return known;
    const prefix = `pagepics-governor ${context.platform.graphUrl} ${uses.appIdOf(context)} `;
    const make = (): App => ({ prefix, limits: new Map(), tokens: new Map(), told: new Map() });
    const app = remembered(apps, mostOthers, prefix, make);
    ofContexts.set(context, app);
    return app;
  }

  function create({ prefix }: App, name: string, clock: MonotonicClock, everyMs: number, rate?: Rate): Limit {
    const [kind = '', id = ''] = name.split(' ');
    const ttlMs = 2 * day + (rate?.windowMs ?? 0);
    const shared = { key: prefix + name, everyMs, ttlMs, value: readRecord({}), text: undefined, news: [] };
    const times = { readAt: -Infinity, toldAt: -Infinity, busyUntil: 0, madeAt: 0 };
    return { ...shared, ...times, name, kind, id, rate, clock, flights: new Set(), made: 0 };
  }

  function limitOf({ context, clock, localName }: Use, name: string, rate?: Rate): Limit {
    const app = appOf(context);
    // Only this process met it: it is never stored.
    const everyMs = name === localName ? Infinity : syncMs;
    return remembered(app.limits, mostLimits, name, () => create(app, name, clock, everyMs, rate));
  }

  /** What calls like this one count against. */
  function learnedOf({ context, clock, learned }: Use): Limit {
    const app = appOf(context);
    return remembered(app.tokens, mostOthers, learned, () => create(app, learned, clock, namesMs));
  }

  /** The known limits that hold a call; or a promise, while the store is asked. */
  function limitsOf(use: Use): readonly Limit[] | Promise<unknown> {
    const { context, clock, rate, object, account, token } = use;
    const learned = learnedOf(use);
    const learning = sharing.refresh(learned, context);
    if (learning) return learning;
    const app = appOf(context);
    const known = Object.keys(learned.value.names).map((name) => limitOf(use, name));
    const ofObjects = known.filter((limit) => !isOfCaller(limit, use));
    const told = app.told.get(object || token);
    // A call that names no Page and no account is held as responses to such calls said; or, if none did, by the only object
    // of which the token is known to have limits, since it is most likely about that.
    const isOfOnly = account === '' && ofObjects.every(({ id }) => id === ofObjects[0]?.id);
    const found = known.filter(
      (limit) => isOfCaller(limit, use) || limit.id === account || (told?.has(limit.name) ?? isOfOnly),
    );
    const local = app.limits.get(use.localName);
    if (local) found.push(local);
    if (rate) {
      // A Page or an account has its rates, regardless of the token.
      const limit = limitOf(use, `${rate.kind} ${account || (ofObjects.at(-1)?.id ?? token)}`, rate);
      found.push(limit);
      const now = clock.now();
      if (isShort(rate) && (limit.value.names[process] ?? 0) <= now + sharedMs) {
        sharing.change(limit, (r) => records.named(r, [process], now + 2 * sharedMs, now));
        void sharing.tell(limit, context, true);
      }
    }
    const reading = found.flatMap((limit) => sharing.refresh(limit, context) ?? []);
    return reading.length > 0 ? Promise.all(reading) : found;
  }

  /** In how many milliseconds a limit has room for a call, 0 if now: then a call may also have to `claim`. */
  function wait(limit: Limit, { clock, calls, lane, key, number }: Use): number {
    const { value, rate, made, flights } = limit;
    const now = clock.now();
    if (value.until > 0) return isTrying(limit, number) ? 0 : records.blockedFor(value, process, now);
    if (rate ? (value.names[key] ?? 0) > now : value.percent < 0) return 0;
    const flying = flyingOf(limit);
    if (rate && isShort(rate)) {
      const part = records.partOf(value, rate, process, now);
      if (part.waitMs > 0 || flying + calls <= part.calls) return part.waitMs;
      return Math.min(rate.windowMs, ...[...flights].map(({ until }) => until - clock.monotonic()));
    }
    const most = !rate ? Math.min(shares[lane] ?? 0, highest) : key ? 100 : highestOfRates;
    // The own calls of an hour used no more than all that is used.
    const cost = rate ? 100 / rate.most : Math.min(1, (value.percent + 1) / made);
    // A batch may be larger than a share.
    const needed = cost * flying + Math.min(cost * calls, Math.max(1, most / 2));
    return !rate && value.percent + needed <= most ? 0 : records.roomIn(value, rate, needed, most, now);
  }

  /** Whether it is this call that tries after a block. */
  const isTrying = ({ value: { until, by } }: Limit, number: number): boolean =>
    until > 0 && by === process + number;

  /** After a block, a call claims to try for the fleet. Returns a promise if the store must agree. */
  function claim(limit: Limit, { clock, context, number }: Use): Promise<unknown> | undefined {
    if (limit.value.until === 0 || isTrying(limit, number)) return undefined;
    const [by, now] = [process + number, clock.now()];
    sharing.change(limit, (r) => records.tried(r, by, process, now));
    return sharing.tell(limit, context, true);
  }

  /** A call is sent. What this returns learns from its result; it returns a promise if the fleet is told of it now. */
  function sent(limits: readonly Limit[], use: Use) {
    const { clock, calls, context, key, number } = use;
    const at = clock.monotonic();
    // A call without a response counts for a minute: in Workers, it may have ended with its request.
    const flight = { calls, until: at + minute };
    for (const limit of limits) {
      limit.flights.add(flight);
      limit.made = limit.made * Math.max(0, 1 - (at - limit.madeAt) / hour) + calls;
      limit.madeAt = at;
    }
    return (result: RawResponse | FailedAttempt): Promise<unknown> | undefined => {
      const now = clock.now();
      const codes = uses.codesIn(result);
      // What did not reach the platform does not count.
      const mayCount = result.headers !== undefined || !('error' in result && result.isRejected);
      const reports = reportsOf(use, limits, result, codes);
      const telling: (Promise<unknown> | undefined)[] = [learn(use, limits, [...reports.keys()])];
      for (const limit of new Set([...limits, ...reports.keys()])) {
        const { rate, value } = limit;
        limit.flights.delete(flight);
        if (mayCount && rate && isShort(rate))
          limit.flights.add({ calls, until: clock.monotonic() + rate.windowMs });
        else if (mayCount && rate) sharing.change(limit, (r) => records.counted(r, rate, calls, key, now));
        // After a block, a call that got through says so.
        const isOver = value.until > 0 && result.headers !== undefined && codes.length === 0;
        const report = reports.get(limit) ?? (isOver ? {} : undefined);
        if (report) sharing.change(limit, (r) => records.reported(r, report, process + number, rate, now));
        // No response tells others of what was sent at a rate.
        const isLast = rate !== undefined && flyingOf(limit) === 0;
        telling.push(sharing.tell(limit, context, report?.isRefused || value.until > 0 || isLast));
      }
      const told = telling.filter((one) => one !== undefined);
      return told.length > 0 ? Promise.all(told) : undefined;
    };
  }

  /** What a result says of limits: its headers, or the codes of its refusals if no header names the limit that is used up. */
  function reportsOf(
    use: Use,
    limits: readonly Limit[],
    result: RawResponse | FailedAttempt,
    codes: readonly number[],
  ): Map<Limit, Report> {
    const { headers } = result;
    const reports = new Map<Limit, Report>();
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
    if (code === 4) return [limitOf(use, `app ${uses.appIdOf(context)}`)];
    if (code === 17 || code === 32) return [limitOf(use, `${code === 17 ? 'user' : 'page'} ${token}`)];
    const found = limits.filter((limit) =>
      code === 613 && ofUse ? limit.rate : !limit.rate && limit.everyMs < Infinity && !isOfCaller(limit, use),
    );
    return found.length > 0 ? found : [limitOf(use, `code_${code} ${account || token}`)];
  }

  /** Learns that calls like this one count against further limits. Returns a promise if the store is told now. */
  function learn(use: Use, limits: readonly Limit[], reporting: readonly Limit[]): Promise<void> | undefined {
    const found = reporting.filter((one) => !limits.includes(one) && !one.rate && one.everyMs < Infinity);
    if (found.length === 0) return undefined;
    const about = use.object || use.token;
    const ofObjects = found.filter((limit) => !isOfCaller(limit, use));
    if (ofObjects.some(({ id }) => id !== about)) {
      const told = remembered(appOf(use.context).told, mostOthers, about, () => new Set<string>());
      for (const { name } of ofObjects) told.add(name);
      for (const name of [...told].slice(0, -mostTold)) told.delete(name);
    }
    const now = use.clock.now();
    const learned = learnedOf(use);
    const news = found.map(({ name }) => name).filter((name) => !Object.hasOwn(learned.value.names, name));
    if (news.length === 0) return undefined;
    sharing.change(learned, (r) => records.named(r, news, now + namesMs, now));
    return sharing.tell(learned, use.context);
  }

  function stateOf(limit: Limit): LimitState {
    const { kind, id, value, rate, clock } = limit;
    const now = clock.now();
    const blockedMs = records.blockedFor(value, process, now);
    const percentOf = (own: Rate): number =>
      isShort(own)
        ? (100 * flyingOf(limit)) / records.partOf(value, own, process, now).calls
        : records.usageOf(value, own, now);
    return {
      kind,
      id,
      percent: rate && blockedMs === 0 ? Math.min(100, percentOf(rate)) : Math.max(0, value.percent),
      ...(blockedMs > 0 && { blockedUntil: new Date(now + blockedMs) }),
      observedAt: new Date(value.at > 0 ? value.at : now),
    };
  }

  /** What is known about the limits of a context's app; if the store can list, also what only other processes know. */
  async function list(context: HttpContext): Promise<LimitState[]> {
    const app = appOf(context);
    const known = new Map(app.limits);
    const shared = store ? [...known.values()].filter(({ everyMs }) => everyMs < Infinity) : [];
    // One exchange reads, another one tells.
    for (const isTelling of [false, true])
      await Promise.all(shared.map((limit) => sharing.exchange(limit, context, isTelling)));
    for await (const [key, text] of store?.list?.({ prefix: app.prefix, without: '\n' }) ?? []) {
      if (known.size >= mostLimits) break;
      const name = key.slice(app.prefix.length);
      if (known.has(name) || !isName(name)) continue;
      const value = readRecord(uses.parsed(text));
      known.set(name, { ...create(app, name, context.clock, syncMs), value });
    }
    return [...known.values()].filter(({ rate, value }) => rate || value.percent >= 0).map(stateOf);
  }

  return { limitsOf, wait, isTrying, claim, sent, list, stateOf };
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
