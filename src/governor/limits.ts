// The limits that a process knows, what the calls of its tokens count against, and the exchanges with the store.
import type { LimitState } from '../core/http/governor.ts';
import type { FailedAttempt } from '../core/http/retry.ts';
import type { HttpContext, RawResponse } from '../core/http/types.ts';
import { fieldsOf } from '../core/options/check.ts';
import { type MonotonicClock, within } from '../core/options/clock.ts';
import type { JournalStore } from '../core/writes/journal/types.ts';
import { type Ask, createMember, dueAt, exchanged, landed, type Member, rebased, setBack } from './member.ts';
import { blockedFor, told, type Told } from './member.ts';
import type { Pass } from './queue.ts';
import { clamp, day, minute, type Rate, readRecord, usageOf } from './record.ts';
import { codesIn, elementsOf, isName, parsed, prefixOf, type Use, usagesIn } from './uses.ts';

/** The methods of a journal over which processes share what they know. */
export type GovernorStore = Pick<JournalStore, 'get' | 'compareAndSet' | 'list'>;

/** A limit in this process. What it knows is in its member, which is replaced. */
export interface Limit {
  readonly key: string;
  readonly name: string;
  member: Member;
  /** The exchange in progress, and when the next one is due: those of another request may have died with it. */
  exchange?: Promise<void> | undefined;
  exchanges: number;
  wakesAt?: number | undefined;
  lastAt: number;
}

interface Token {
  /** Names of the limits that its calls count against, by subject. */
  readonly names: Map<string, readonly string[]>;
  reading?: Promise<void>;
  isRead: boolean;
  toldAt: number;
}

/** How long an exchange may take, that of another request is waited for, and a store that failed is left alone. */
const [exchangeMs, otherMs, downMs] = [1000, 250, 5000];
const [mostLimits, mostTokens, mostNames] = [1000, 10_000, 32];
/** Rates of shorter windows are not shared: each process keeps to its part. */
const shortMs = 10 * minute;
/** Names of limits that belong to the caller, not to a Page or an account; and of those of this process alone. */
const [ofCallers, ofProcess] = [/^(?:app|page|user|code_\d+) /, /^http_429 /];

export function createLimits(
  store: GovernorStore | undefined,
  shares: readonly number[],
  syncMs: number,
  onChange: ((limit: LimitState) => void) | undefined,
  onError: ((error: unknown) => void) | undefined,
  onNews: () => void,
) {
  const all = new Map<string, Limit>();
  const tokens = new Map<string, Token>();
  const id = Math.random().toString(36).slice(2, 8);
  let [isUp, retryAt, holdsRequests] = [true, 0, false];

  function limitOf({ prefix, clock }: Use, name: string, rate?: Rate): Limit {
    const key = prefix + name;
    const isShared = store !== undefined && !ofProcess.test(name) && !(rate && rate.windowMs < shortMs);
    const limit = keepNewest(all, mostLimits, key, () => {
      holdsRequests ||= ofProcess.test(name);
      return { key, name, member: createMember(id, rate, shares, syncMs, isShared), exchanges: 0, lastAt: 0 };
    });
    const now = clock.now();
    if (now < limit.lastAt - 1000) limit.member = setBack(limit.member);
    limit.lastAt = now;
    return limit;
  }

  function tokenOf({ prefix, token }: Use): Token {
    const make = (): Token => ({ names: new Map(), isRead: !store, toldAt: -Infinity });
    return keepNewest(tokens, mostTokens, `${prefix}token ${token}`, make);
  }

  /** Learns that calls about a subject count against a limit, and returns whether that is new. */
  function add({ names }: Token, subject: string, name: string): boolean {
    const found = names.get(subject) ?? [];
    if (!found.includes(name)) names.set(subject, [...found, name].slice(-mostNames));
    return !found.includes(name);
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
  function limitsOf(use: Use): readonly Limit[] | Promise<unknown> {
    const { rate, subject, prefix } = use;
    const token = tokenOf(use);
    if (!token.isRead && isUp) {
      const read = (): Promise<void> => (token.reading = readToken(use, token));
      return token.reading ? within(otherMs, () => token.reading).catch(read) : read();
    }
    const names = token.names.get(subject) ?? [];
    const found = names.map((name) => limitOf(use, name));
    if (holdsRequests && all.has(prefix + use.requestName())) found.push(limitOf(use, use.requestName()));
    if (rate) {
      // A Page or an account has its rates, regardless of the token.
      const learned = names.findLast((name) => !ofCallers.test(name))?.split(' ')[1];
      const limit = limitOf(use, `${rate.kind} ${use.owner ?? learned ?? use.token}`, rate);
      // As many share it as share the other limits of its calls.
      const among = Math.round(Math.max(1, ...found.map(({ member }) => member.members)));
      const windowMs = rate.windowMs * Math.max(1, among / rate.most);
      const own = { ...rate, most: Math.max(1, Math.floor(rate.most / among)), windowMs, isDistinct: true };
      if (rate.windowMs < shortMs) limit.member = { ...limit.member, rate: own };
      found.push(limit);
    }
    return found;
  }

  /** Brings a limit up to date with the fleet, and takes a lease if calls are asked for. At once if there is no store. */
  function exchange(limit: Limit, clock: MonotonicClock, ask?: Ask): Promise<void> | undefined {
    if (limit.member.isShared && isUp) {
      const own = (): Promise<void> => start(limit, clock, ask);
      return limit.exchange ? within(otherMs, () => limit.exchange).catch(own) : own();
    }
    if (limit.member.isShared && clock.monotonic() >= retryAt) {
      retryAt = clock.monotonic() + downMs;
      void start(limit, clock);
    }
    const [next] = exchanged(limit.member, undefined, ask, limit.member.isShared, Math.random(), clock.now());
    replace(limit, clock, next);
    return undefined;
  }

  function start(limit: Limit, clock: MonotonicClock, ask?: Ask): Promise<void> {
    const number = ++limit.exchanges;
    const isOwn = (): boolean => limit.exchanges === number;
    limit.exchange = attempt(clock, (used) => trade(used, limit, clock, ask, isOwn)).then(() => {
      if (!isOwn()) return;
      limit.exchange = undefined;
      if (!isUp) void exchange(limit, clock, ask);
      onNews();
    });
    return limit.exchange;
  }

  async function trade(
    used: GovernorStore,
    limit: Limit,
    clock: MonotonicClock,
    ask: Ask | undefined,
    isOwn: () => boolean,
  ): Promise<void> {
    let last: unknown = null;
    for (let turn = 0; isOwn(); turn++) {
      const text: unknown = (await used.get(limit.key)) ?? undefined;
      if (text !== undefined && typeof text !== 'string') throw new TypeError('get resolved to no text');
      if (text === last) throw new Error('compareAndSet stores nothing, though nobody else wrote');
      last = text;
      const before = limit.member;
      const stored = text === undefined ? undefined : readRecord(parsed(text));
      // Who is always beaten by others does as if the store were away, and tells them later.
      const isAlone = turn > 5;
      const [next, isChanged] = exchanged(before, stored, ask, isAlone, Math.random(), clock.now());
      const ttlMs = 2 * day + (before.rate?.windowMs ?? 0);
      const isStored: unknown =
        !isChanged ||
        isAlone ||
        (await used.compareAndSet(limit.key, text, JSON.stringify(next.known), ttlMs));
      if (typeof isStored !== 'boolean') throw new TypeError('compareAndSet resolved to no boolean');
      if (isStored && isOwn()) return replace(limit, clock, rebased(limit.member, before, next));
      await new Promise((resolve) => void setTimeout(resolve, Math.random() * 50 * 2 ** turn));
    }
  }

  function replace(limit: Limit, clock: MonotonicClock, member: Member): void {
    const { percent, until } = limit.member.known;
    limit.member = member;
    const isNew = member.known.percent !== percent || member.known.until > 0 !== until > 0;
    if (isNew) onChange?.(stateOf(limit, clock));
  }

  /** Learns from the result of a call. A promise if the fleet is to know before the caller does. */
  function learn(use: Use, pass: Pass, result: RawResponse | FailedAttempt): Promise<unknown> | undefined {
    const { clock } = use;
    const { headers } = result;
    const sentAt = pass.limits.map(({ limit }) => limit);
    const reports = new Map<Limit, Told>();
    const usages = headers ? usagesIn(headers, use).slice(0, mostNames) : [];
    for (const [name, said] of usages) reports.set(limitOf(use, name), said);
    const codes = codesIn(result);
    // A header says more precisely than a code which limit is used up.
    const isTold = usages.some(([, { isRefused, regainMs = 0 }]) => isRefused === true || regainMs > 0);
    const { retryAfterMs = 0 } = 'error' in result ? result.error : {};
    for (const code of isTold ? [] : codes)
      for (const limit of refusing(code, sentAt, use)) {
        const regainMs = clamp(retryAfterMs, code ? 0 : 1000, day);
        reports.set(limit, { ...reports.get(limit), isRefused: true, regainMs });
      }
    for (const { limit, seq } of pass.limits) {
      const { until } = limit.member.known;
      const mayCount = headers !== undefined || !('error' in result && result.isRejected);
      limit.member = landed(limit.member, use.calls, mayCount);
      // It got through.
      const said = reports.get(limit) ?? (until > 0 && headers && codes.length === 0 ? {} : undefined);
      if (said) limit.member = told(limit.member, seq, said, clock.now());
    }
    let isNew = false;
    for (const [limit, said] of reports) {
      if (sentAt.includes(limit)) continue;
      limit.member = told(limit.member, limit.member.known.seq, said, clock.now());
      if (!ofProcess.test(limit.name)) isNew = add(tokenOf(use), use.subject, limit.name) || isNew;
    }
    const urgent = [...new Set([...sentAt, ...reports.keys()])].flatMap((limit) => tell(limit, clock) ?? []);
    if (isNew && store) urgent.push(tellToken(use, tokenOf(use)));
    return urgent.length > 0 ? Promise.all(urgent) : undefined;
  }

  /** Tells the fleet what is due. A promise for a refusal, and for what a process that calls no more may not tell later. */
  function tell(limit: Limit, clock: MonotonicClock): Promise<void> | undefined {
    const { member } = limit;
    const isIdle = member.inFlight === 0;
    const ms = dueAt(member, isIdle) - clock.now();
    if (ms <= 0) {
      const done = exchange(limit, clock);
      return isIdle || member.untold.refusal ? done : undefined;
    }
    if (!member.isShared || ms === Infinity) return undefined;
    const now = clock.now();
    const at = now + ms;
    // In Workers, a timer can end with the request that set it, and none may be stopped by another one.
    const { wakesAt = 0 } = limit;
    if (wakesAt > now && wakesAt <= at) return undefined;
    limit.wakesAt = at;
    const wake = (): void => {
      if (limit.wakesAt !== at) return;
      limit.wakesAt = undefined;
      void tell(limit, clock);
    };
    void clock.sleep(ms).then(wake, wake);
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
    const counted = rate && blockedMs === 0 ? Math.min(100, usageOf(known, rate, now)) : known.percent;
    return {
      kind,
      id: of,
      percent: Math.max(0, counted),
      ...(blockedMs > 0 && { blockedUntil: new Date(now + blockedMs) }),
      observedAt: new Date(known.at > 0 ? known.at : now),
    };
  }

  /** What is known about the limits of a context's app; if the store can list, also what only other processes know. */
  async function list(context: HttpContext): Promise<LimitState[]> {
    const { clock } = context;
    const prefix = prefixOf(context);
    const known = new Map([...all].filter(([key]) => key.startsWith(prefix)));
    await Promise.all([...known.values()].map(async (limit) => exchange(limit, clock)));
    for await (const [key, text] of store?.list?.({ prefix, without: '\n' }) ?? []) {
      const name = key.slice(prefix.length);
      if (known.has(key) || name.startsWith('token ') || !isName(name)) continue;
      const member = createMember(id, undefined, shares, syncMs, true);
      known.set(key, {
        key,
        name,
        exchanges: 0,
        lastAt: 0,
        member: { ...member, known: readRecord(parsed(text)) },
      });
    }
    const found = [...known.values()].filter(({ member: { rate, known: it } }) => rate || it.percent >= 0);
    return found.map((limit) => stateOf(limit, clock));
  }

  return { limitsOf, exchange, learn, list, stateOf };
}

/** Finds or makes an entry, and keeps it as the newest of so many. */
function keepNewest<T>(map: Map<string, T>, most: number, key: string, make: () => T): T {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const [oldest = key] = map.keys();
  if (map.size > most) map.delete(oldest);
  return value;
}
