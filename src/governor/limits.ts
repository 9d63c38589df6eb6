import type { FailedAttempt } from '../core/http/retry.ts';
// The limits that a process knows, what the calls of its tokens count against, and the exchanges with the store.
import type { LimitState, HttpContext, RawResponse } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import { type MonotonicClock, within } from '../core/options/clock.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import { type Ask, blockedFor, createMember, dueAt, exchanged, flying } from './member.ts';
import { landed, type Member, type Report, reported, weightOf } from './member.ts';
import { clamp, day, isShort, type Rate, readRecord, usageOf } from './record.ts';
import { codesIn, elementsOf, isName, parsed, prefixOf, type Use, usagesIn } from './uses.ts';

/** The methods of a journal over which processes share what they know. */
export type GovernorStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'list'>;

/** What only one call at a time reads from the store, and until when others leave it to that one. */
interface Shared {
  busyUntil: number;
}

/** A limit in this process. What it knows is in its member, which is replaced. */
export interface Limit extends Shared {
  readonly key: string;
  readonly name: string;
  member: Member;
  /** How many exchanges were begun, and when it tells the store next. */
  exchanges: number;
  wakesAt: number;
}

/** A limit that a call counts against; when it is sent, the `seq` of the record that is known, and what identifies it. */
export interface Part {
  readonly limit: Limit;
  readonly ask: Ask;
  seq: number;
  flight: number;
}

interface Token extends Shared {
  /** Names of the limits that its calls count against, by subject. */
  readonly names: Map<string, readonly string[]>;
  isRead: boolean;
  toldAt: number;
}

/** How long an exchange may take, and how long one of another call is relied on. */
export const [exchangeMs, othersMs] = [1000, 100];
/** How long a store that failed is left alone. */
const downMs = 5000;
const [mostLimits, mostTokens, mostNames] = [1000, 10_000, 32];
/** Names of limits that belong to the caller, not to a Page or an account; and of those of this process alone. */
const [ofCallers, ofProcess] = [/^(?:app|page|user|code_\d+) /, /^http_429 /];

export function createLimits(
  store: GovernorStore | undefined,
  shares: readonly number[],
  syncMs: number,
  onChange: ((limit: LimitState) => void) | undefined,
  onError: ((error: unknown) => void) | undefined,
) {
  const all = new Map<string, Limit>();
  const tokens = new Map<string, Token>();
  const id = Math.random().toString(36).slice(2, 8);
  let [isUp, retryAt, latest, holdsRequests] = [true, 0, 0, false];

  function createLimit(key: string, name: string, rate?: Rate): Limit {
    holdsRequests ||= ofProcess.test(name);
    const member = createMember(id, rate, shares, syncMs, store !== undefined && !ofProcess.test(name));
    return { key, name, member, busyUntil: 0, exchanges: 0, wakesAt: 0 };
  }

  const limitOf = ({ prefix }: Use, name: string, rate?: Rate): Limit =>
    remembered(all, mostLimits, prefix + name, (key) => createLimit(key, name, rate));

  const tokenOf = ({ prefix, token }: Use): Token =>
    remembered(tokens, mostTokens, `${prefix}token ${token}`, () => ({
      names: new Map(),
      isRead: !store,
      busyUntil: 0,
      toldAt: -Infinity,
    }));

  /** Learns that calls about a subject count against a limit, and returns whether that is new. */
  function add({ names }: Token, subject: string, name: string): boolean {
    const found = names.get(subject) ?? [];
    if (found.includes(name)) return false;
    names.set(subject, [...found, name].slice(-mostNames));
    return true;
  }

  /** Uses the store within limited time. A failure is reported, and changes nothing. */
  async function attempt(clock: MonotonicClock, work: (used: GovernorStore) => Promise<void>): Promise<void> {
    try {
      if (store) await within(exchangeMs, () => work(store));
      isUp = true;
    } catch (thrown) {
      [isUp, retryAt] = [false, clock.monotonic() + downMs];
      onError?.(thrown);
    }
  }

  async function readToken({ prefix, token: digest, clock }: Use, token: Token): Promise<void> {
    token.busyUntil = clock.monotonic() + othersMs;
    await attempt(clock, async (used) => {
      const lists = Object.entries(fieldsOf(parsed(await used.get(`${prefix}token ${digest}`))));
      for (const [subject, names] of lists)
        for (const name of elementsOf(names)) if (isName(name)) add(token, subject, name);
    });
    token.isRead = true;
  }

  async function tellToken({ prefix, token: digest, clock }: Use, token: Token): Promise<void> {
    if (!isUp || clock.monotonic() - token.toldAt < syncMs) return;
    token.toldAt = clock.monotonic();
    await attempt(clock, async (used) => {
      const key = `${prefix}token ${digest}`;
      const text = (await used.get(key)) ?? undefined;
      const next = { ...fieldsOf(parsed(text)), ...Object.fromEntries(token.names) };
      await used.compareAndSet(key, text, JSON.stringify(next), 7 * day);
    });
  }

  /** The known limits that a call counts against. A promise while the store is asked what else is known of its token. */
  function limitsOf(use: Use): readonly Limit[] | Promise<void> {
    const { rate, subject, prefix, clock } = use;
    const now = clock.now();
    // A clock was set back: what was to happen by it might never happen.
    if (now < latest - 1000) all.clear();
    latest = now;
    const token = tokenOf(use);
    if (!token.isRead && isUp) return isBusy(token, clock) ? moment() : readToken(use, token);
    const names = token.names.get(subject) ?? [];
    const found = names.map((name) => limitOf(use, name));
    if (holdsRequests && all.has(prefix + use.requestName())) found.push(limitOf(use, use.requestName()));
    if (rate) {
      // A Page or an account has its rates, regardless of the token.
      const learned = names.findLast((name) => !ofCallers.test(name))?.split(' ')[1];
      const limit = limitOf(use, `${rate.kind} ${use.owner ?? learned ?? use.token}`, rate);
      found.push(limit);
      if (isShort(rate)) {
        // Each process keeps to its part. If there are more processes than calls, they take turns.
        const among = Math.ceil(
          Math.max(...found.map(({ member }) => Math.max(member.members, weightOf(member)))),
        );
        const part = Math.floor(rate.most / among);
        const isShared = store !== undefined && part === 0;
        limit.member = { ...limit.member, isShared, rate: { ...rate, most: part || rate.most } };
      }
    }
    return found;
  }

  /** Whether another call uses the store for this, as far as is known: it may have died with its request. */
  const isBusy = ({ busyUntil }: Shared, clock: MonotonicClock): boolean => clock.monotonic() < busyUntil;

  /**
   * Brings a limit up to date with the fleet, and takes a lease if calls are asked for. At once if there is no store, and
   * only a pause if another call is doing it: it waits for no promise of that one.
   */
  function exchange(limit: Limit, clock: MonotonicClock, ask?: Ask): Promise<void> | undefined {
    const { isShared } = limit.member;
    if (isShared && isUp) return isBusy(limit, clock) ? moment() : start(limit, clock, ask);
    if (isShared && clock.monotonic() >= retryAt) {
      retryAt = clock.monotonic() + downMs;
      void start(limit, clock);
    }
    const [patch] = exchanged(limit.member, undefined, ask, isShared, Math.random(), clock.now());
    update(limit, clock, patch);
    return undefined;
  }

  async function start(limit: Limit, clock: MonotonicClock, ask?: Ask): Promise<void> {
    const number = ++limit.exchanges;
    const isLatest = (): boolean => limit.exchanges === number;
    limit.busyUntil = clock.monotonic() + othersMs;
    await attempt(clock, (used) => trade(used, limit, clock, ask, isLatest));
    if (!isLatest()) return;
    limit.busyUntil = 0;
    if (!isUp) void exchange(limit, clock, ask);
    void tell(limit, clock);
  }

  async function trade(
    used: GovernorStore,
    limit: Limit,
    clock: MonotonicClock,
    ask: Ask | undefined,
    isLatest: () => boolean,
  ): Promise<void> {
    let last: unknown = null;
    for (let turn = 0; isLatest(); turn++) {
      const text: unknown = (await used.get(limit.key)) ?? undefined;
      if (text !== undefined && typeof text !== 'string') throw new TypeError('get resolved to no text');
      if (text === last) throw new Error('compareAndSet stores nothing, though nobody else wrote');
      last = text;
      const stored = text === undefined ? undefined : readRecord(parsed(text));
      // Who is always beaten by others does as if the store were away, and tells them later.
      const isAlone = turn > 5;
      const [patch, isChanged] = exchanged(limit.member, stored, ask, isAlone, Math.random(), clock.now());
      const ttlMs = 2 * day + (limit.member.rate?.windowMs ?? 0);
      const isStored: unknown =
        !isChanged ||
        isAlone ||
        (await used.compareAndSet(limit.key, text, JSON.stringify(patch.known), ttlMs));
      if (typeof isStored !== 'boolean') throw new TypeError('compareAndSet resolved to no boolean');
      if (isStored && isLatest()) return update(limit, clock, patch);
      await moment(Math.random() * 50 * 2 ** turn);
    }
  }

  function update(limit: Limit, clock: MonotonicClock, patch: Partial<Member>): void {
    const { percent, until } = limit.member.known;
    limit.member = { ...limit.member, ...patch };
    const { known } = limit.member;
    if (known.percent !== percent || known.until > 0 !== until > 0) onChange?.(stateOf(limit, clock));
  }

  /** Learns from the result of a call. A promise if the fleet is to know before the caller does. */
  function learn(
    use: Use,
    parts: readonly Part[],
    result: RawResponse | FailedAttempt,
  ): Promise<unknown> | undefined {
    const { clock } = use;
    const now = clock.now();
    const { headers } = result;
    const reports = new Map<Limit, Report>();
    const usages = headers ? usagesIn(headers, use).slice(0, mostNames) : [];
    for (const [name, report] of usages) reports.set(limitOf(use, name), report);
    const codes = codesIn(result);
    // A header says more precisely than a code which limit is used up.
    const isTold = usages.some(([, { isRefused, regainMs = 0 }]) => isRefused === true || regainMs > 0);
    const { retryAfterMs = 0 } = 'error' in result ? result.error : {};
    const sentTo = parts.map(({ limit }) => limit);
    for (const code of isTold ? [] : codes)
      for (const limit of refusing(code, sentTo, use)) {
        const regainMs = clamp(retryAfterMs, code ? 0 : 1000, day);
        reports.set(limit, { ...reports.get(limit), isRefused: true, regainMs });
      }
    const mayCount = headers !== undefined || !('error' in result && result.isRejected);
    for (const { limit, seq, flight } of parts) {
      const { until } = limit.member.known;
      limit.member = landed(limit.member, use.calls, flight, mayCount, now);
      // It got through.
      const report = reports.get(limit) ?? (until > 0 && headers && codes.length === 0 ? {} : undefined);
      if (report) limit.member = reported(limit.member, seq, report, now);
    }
    let isNew = false;
    for (const [limit, report] of reports) {
      if (sentTo.includes(limit)) continue;
      limit.member = reported(limit.member, limit.member.known.seq, report, now);
      if (!ofProcess.test(limit.name)) isNew = add(tokenOf(use), use.subject, limit.name) || isNew;
    }
    const urgent = [...new Set([...sentTo, ...reports.keys()])].flatMap((limit) => {
      const { learned, stored } = limit.member;
      const isUrgent = learned.refusal !== stored.refusal || flying(limit.member, now) === 0;
      const telling = tell(limit, clock);
      return telling && isUrgent ? [telling] : [];
    });
    if (isNew && store) urgent.push(tellToken(use, tokenOf(use)));
    return urgent.length > 0 ? Promise.all(urgent) : undefined;
  }

  /** Tells the fleet what is due, and what is due later by a timer. */
  function tell(limit: Limit, clock: MonotonicClock): Promise<void> | undefined {
    const now = clock.now();
    const at = dueAt(limit.member, now);
    // Another exchange may be in progress.
    if (at <= now) return exchange(limit, clock)?.then(() => tell(limit, clock));
    // In Workers, a timer can end with the request that set it, and none may be stopped by another one.
    if (at === Infinity || !limit.member.isShared || (limit.wakesAt > now && limit.wakesAt <= at))
      return undefined;
    limit.wakesAt = at;
    const wake = (): void => {
      if (limit.wakesAt !== at) return;
      limit.wakesAt = 0;
      void tell(limit, clock);
    };
    void clock.sleep(at - now).then(wake, wake);
    return undefined;
  }

  /** The limits that a refusal with this code concerns. */
  function refusing(code: number, limits: readonly Limit[], use: Use): readonly Limit[] {
    const { app, token } = use;
    // A proxy, for example: it says nothing of the platform's limits.
    if (!code) return [limitOf(use, use.requestName())];
    const caller = code === 4 ? app : code === 17 ? `user ${token}` : code === 32 && `page ${token}`;
    const found = limits.filter(({ name, member: { rate } }) =>
      code === 613 && use.rate ? rate : !rate && !ofCallers.test(name) && !ofProcess.test(name),
    );
    return !caller && found.length > 0 ? found : [limitOf(use, caller || `code_${code} ${token}`)];
  }

  function stateOf({ name, member }: Limit, clock: MonotonicClock): LimitState {
    const { known, rate } = member;
    const [kind = '', of = ''] = name.split(' ');
    const now = clock.now();
    const blockedMs = blockedFor(member, now);
    const used =
      rate && blockedMs === 0
        ? Math.min(100, isShort(rate) ? (100 * flying(member, now)) / rate.most : usageOf(known, rate, now))
        : known.percent;
    return {
      kind,
      id: of,
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
      const name = key.slice(prefix.length);
      if (known.has(key) || name.startsWith('token ') || !isName(name)) continue;
      const limit = createLimit(key, name);
      limit.member = { ...limit.member, known: readRecord(parsed(text)) };
      known.set(key, limit);
    }
    const found = [...known.values()].filter(({ member: { rate, known: it } }) => rate || it.percent >= 0);
    return found.map((limit) => stateOf(limit, clock));
  }

  return { limitsOf, exchange, learn, list, stateOf };
}

/** A pause, by a timer of its own. */
export const moment = (ms = 5): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Finds or makes an entry. Of so many, those that were used last are kept. */
function remembered<T>(map: Map<string, T>, most: number, key: string, make: (key: string) => T): T {
  const known = map.get(key);
  if (known !== undefined && map.size < most / 2) return known;
  const value = known ?? make(key);
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value ?? key);
  return value;
}
