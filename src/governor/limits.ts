// The limits that a process knows: which of them hold a call, and what its result says of them.
import { askedMsOf } from '../core/action.ts';
import type { FailedAttempt } from '../core/http/retry.ts';
import type { HttpContext, LimitState, RawResponse } from '../core/http/types.ts';
import type { MonotonicClock } from '../core/options/clock.ts';
import { aheadOf, type Limit, type Pass, stand } from './line.ts';
import * as records from './record.ts';
import { day, hour, minute, type Rate, readRecord, type Report } from './record.ts';
import { createSharing, type GovernorStore } from './shared.ts';
import * as uses from './uses.ts';
import { isName, remembered, type Use } from './uses.ts';

/** Up to where calls are let through: percentages are whole numbers, and others' calls are under way. */
const [highest, highestOfRates] = [99.5, 99];
/** How often a process says that it shares a short rate; it does for twice as long. */
const sharedMs = minute / 6;
/** From how many milliseconds on a clock was set back, and did not only run slower. */
const leastBackMs = 1000;
/** How long it is known what the calls of a token count against. */
const namesMs = 7 * day;
const [mostLimits, mostOthers] = [1000, 10_000];
/** Codes of refusals by limits of objects. */
const ofObjects = /^(?:613|80\d{3})$/;

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
   * The objects whose limits calls count against, as the newest response to such a call told: by the object, or the token,
   * of the call. Not in the store, since there is no end of posts.
   */
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
    const aheadMs = clock.now() - clock.monotonic();
    return {
      ...shared,
      ...times,
      name,
      kind,
      id,
      rate,
      clock,
      aheadMs,
      flights: new Set(),
      line: [],
      made: 0,
    };
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
    const { context, rate, object, account, token } = use;
    const learned = learnedOf(use);
    const learning = sharing.refresh(learned, context);
    if (learning) return learning;
    const app = appOf(context);
    const known = Object.keys(learned.value.names).map((name) => limitOf(use, name));
    const ofObjects = known.filter((limit) => !isOfCaller(limit, use));
    // A call that names no Page and no account is held as the newest response to such a call said; or, if none did, by the
    // only object of which the token is known to have limits, since it is most likely about that.
    const isOfOnly = account === '' && ofObjects.every(({ id }) => id === ofObjects[0]?.id);
    const told = app.told.get(object || token);
    const found = known.filter(
      (limit) => isOfCaller(limit, use) || limit.id === account || (told?.includes(limit.id) ?? isOfOnly),
    );
    const local = app.limits.get(use.localName);
    if (local) found.push(local);
    if (rate) {
      // A Page or an account has its rates, regardless of the token.
      const limit = limitOf(use, `${rate.kind} ${account || (isOfOnly && ofObjects[0]?.id) || token}`, rate);
      found.push(limit);
      const now = timeOf(limit);
      if (isShort(rate) && (limit.value.names[process] ?? 0) <= now + sharedMs) {
        sharing.change(limit, (r) => records.named(r, [process], now + 2 * sharedMs, now));
        void sharing.tell(limit, context, true);
      }
    }
    const reading = found.flatMap((limit) => sharing.refresh(limit, context) ?? []);
    return reading.length > 0 ? Promise.all(reading) : found;
  }

  /** In how many milliseconds a limit has room for a call, and for so many others before it; 0 if now: then a call may also have to `claim`. */
  function wait(limit: Limit, use: Use, before = 0): number {
    const { calls, lane, number } = use;
    const now = timeOf(limit);
    const { value, rate, made, flights, clock } = limit;
    if (value.until > 0) return isTrying(limit, number) ? 0 : records.blockedFor(value, process, now);
    if (hasKey(limit, use, now) || (!rate && value.percent < 0)) return 0;
    const flying = flyingOf(limit) + before;
    if (rate && isShort(rate)) {
      const part = records.partOf(value, rate, process, now);
      if (part.waitMs > 0 || flying + calls <= part.calls) return part.waitMs;
      const laterMs = rate.windowMs * Math.floor(before / part.calls);
      return laterMs + Math.min(rate.windowMs, ...[...flights].map(({ until }) => until - clock.monotonic()));
    }
    const most = !rate ? Math.min(shares[lane] ?? 0, highest) : use.key ? 100 : highestOfRates;
    // The own calls of an hour used no more than all that is used.
    const cost = rate ? 100 / rate.most : Math.min(1, (value.percent + 1) / made);
    // A batch may be larger than a share.
    const needed = cost * flying + Math.min(cost * calls, Math.max(1, most / 2));
    return !rate && value.percent + needed <= most ? 0 : records.roomIn(value, rate, needed, most, now);
  }

  /**
   * The limit that holds a call, if one does: for how long there is no room for it alone, how many wait before it, and when
   * there is room after them.
   */
  function holding(pass: Pass) {
    const { limits, use } = pass;
    const waits = limits.map((one) => wait(one, use));
    const heldMs = Math.max(0, ...waits);
    let limit = heldMs > 0 ? limits[waits.indexOf(heldMs)] : undefined;
    // A call that tries goes first: what is ahead may wait for the end of its try.
    if (!limits.some((one) => isTrying(one, use.number))) limit ??= limits.find((one) => isBehind(pass, one));
    const ahead = limit ? aheadOf(pass, limit) : 0;
    return {
      limit,
      heldMs,
      ahead,
      /** Costs as much as there are calls ahead. */
      waitMs: () => {
        let before = 0;
        for (const other of limit?.line.slice(0, ahead) ?? []) before += other.use.calls;
        return Math.max(1, limit ? wait(limit, use, before) : 0);
      },
    };
  }

  /** Whether a limit counts keys, and has that of a call: then the call takes nothing from it. */
  const hasKey = ({ value, rate }: Limit, { key }: Use, now: number): boolean =>
    rate !== undefined && (value.names[key] ?? 0) > now;

  /** Whether another call goes before this one, as soon as a limit has room for it. */
  function isBehind(pass: Pass, limit: Limit): boolean {
    if (limit.line.length === 0 || hasKey(limit, pass.use, timeOf(limit))) return false;
    while (aheadOf(pass, limit) > 0) {
      const [first] = limit.line;
      if (!first) break;
      const isAlive = first.aliveUntil > first.use.clock.monotonic();
      const waitsElsewhere = first.limits.some((one) => one !== limit && wait(one, first.use) > 0);
      if (isAlive && !waitsElsewhere) return true;
      // Its request has died; or another limit holds it by now, and it will go to the line of that.
      stand(first, undefined);
    }
    return false;
  }

  /** Whether it is this call that tries after a block. */
  const isTrying = ({ value: { until, by } }: Limit, number: number): boolean =>
    until > 0 && by === process + number;

  /** After a block, a call claims to try for the fleet. Returns a promise if the store must agree. */
  function claim(limit: Limit, { context, number }: Use): Promise<unknown> | undefined {
    if (limit.value.until === 0 || isTrying(limit, number)) return undefined;
    const [by, now] = [process + number, timeOf(limit)];
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
      const refusals = uses.refusalsIn(result, use);
      // What did not reach the platform does not count.
      const mayCount = result.headers !== undefined || !('error' in result && result.isRejected);
      const reports = reportsOf(use, limits, result, refusals);
      const telling: (Promise<unknown> | undefined)[] = [learn(use, limits, reports, refusals)];
      for (const limit of new Set([...limits, ...reports.keys()])) {
        const now = timeOf(limit);
        const { rate, value } = limit;
        limit.flights.delete(flight);
        if (mayCount && rate && isShort(rate))
          limit.flights.add({ calls, until: clock.monotonic() + rate.windowMs });
        else if (mayCount && rate) sharing.change(limit, (r) => records.counted(r, rate, calls, key, now));
        // After a block, a call that got through says so.
        const isOver = value.until > 0 && result.headers !== undefined && refusals.length === 0;
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
    refusals: readonly uses.LimitRefusal[],
  ): Map<Limit, Report> {
    const { headers } = result;
    const reports = new Map<Limit, Report>();
    for (const [name, report] of headers ? uses.usagesIn(headers, use, refusals.length > 0) : [])
      reports.set(limitOf(use, name), report);
    if (refusals.length === 0 || [...reports.values()].some(({ isRefused }) => isRefused)) return reports;
    const askedMs = ('error' in result && askedMsOf(result.error)) || 0;
    for (const { code, of } of refusals)
      for (const limit of refusing(code, of === use ? limits : [], of)) {
        const regainMs = code ? askedMs : Math.max(1000, askedMs);
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
  function learn(
    use: Use,
    limits: readonly Limit[],
    reports: ReadonlyMap<Limit, Report>,
    refusals: readonly uses.LimitRefusal[],
  ): Promise<void> | undefined {
    const lasting = [...reports.keys()].filter((one) => !one.rate && one.everyMs < Infinity);
    // Of an object, a response may also tell what other kinds of calls use: its path says which kind the call is of, or its
    // refusal.
    const kinds = [uses.kindAt(use.subject), ...refusals.map(({ code }) => uses.kindBehind(code))];
    const own = lasting.filter(({ kind }) => kinds.includes(uses.kindNamed(kind)));
    const found = [...own, ...lasting.filter((one) => own.every(({ id }) => id !== one.id))];
    // A response may tell of further objects: those that are used up did not let the call through, and the others did not
    // refuse it. Of an object that the call names, it says which they are.
    const isRefused = refusals.some(({ code }) => ofObjects.test(`${code}`));
    const all = found.filter((limit) => !isOfCaller(limit, use));
    const like = all.filter((limit) => reports.get(limit)?.isRefused === isRefused);
    const ids = (like.length > 0 ? like : all).map(({ id }) => id);
    const about = use.object || use.token;
    if (ids.length > 0) {
      const { told } = appOf(use.context);
      told.delete(about);
      remembered(told, mostOthers, about, () => (ids.includes(about) ? [about] : ids));
    }
    const now = use.clock.now();
    const learned = learnedOf(use);
    const { names } = learned.value;
    const news = found
      .filter((one) => !limits.includes(one) && !Object.hasOwn(names, one.name))
      .map(({ name }) => name);
    if (news.length === 0) return undefined;
    sharing.change(learned, (r) => records.named(r, news, now + namesMs, now));
    return sharing.tell(learned, use.context);
  }

  function stateOf(limit: Limit): LimitState {
    const now = timeOf(limit);
    const { kind, id, value, rate } = limit;
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

  return { limitsOf, holding, claim, sent, list, stateOf };
}

/**
 * The time by the wall clock. If that was set back, what is known moves with it: by the monotonic clock, nothing lasts any
 * longer.
 */
function timeOf(limit: Limit): number {
  const now = limit.clock.now();
  const aheadMs = now - limit.clock.monotonic();
  const backMs = limit.aheadMs - aheadMs;
  if (backMs > leastBackMs) limit.value = records.moved(limit.value, backMs);
  limit.aheadMs = aheadMs;
  return now;
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
