import type { RawResponse } from '../core/http/exchange.ts';
import type { LimitState } from '../core/http/governor.ts';
import type { FailedAttempt } from '../core/http/retry.ts';
import type { HttpContext } from '../core/http/types.ts';
import { fieldsOf } from '../core/options/check.ts';
import { amount, createLimit, type Limit, type LimitSettings, elementsOf, parsed } from './limit.ts';
import type { Pass } from './queue.ts';
import { prefixOf, type Rate, type Use } from './uses.ts';

/** What a process knows about all limits. */
export interface Known {
  /** The known limits that a call counts against; a promise if the store is read first. */
  readonly limitsOf: (use: Use) => readonly Limit[] | Promise<readonly Limit[]>;
  /** Learns from the result of a call that was let through. */
  readonly learn: (pass: Pass, result: RawResponse | FailedAttempt) => void;
  /** What is known about the limits of a context's app; if the store can list, also what only other processes know. */
  readonly list: (context: HttpContext) => Promise<LimitState[]>;
}

/** The codes of refusals because of a limit. */
const limited = /^(?:4|17|32|341|613|8000\d|80014)$/;
/** The name of a limit: its kind and its id. */
const names = /^\w{1,40} [-\w]{1,64}$/;
/** Names of limits that belong to the caller: the other ones belong to a Page or an account. */
const ofCallers = /^(?:app|page|user|code_\d+) /;
/** Names of limits that hold one kind of request: see `Use`. */
const ofRequest = /^http_429 /;
const minuteMs = 60_000;
/** How long a request is held that was refused with status 429, but with no code and no time. */
const requestMs = 1000;
/** How many tokens are remembered (the newest), and for how long the store keeps what is known about one. */
const mostTokens = 10_000;
const tokenMs = 10_080 * minuteMs;
/** The most limits that calls about a subject can count against; a response reports up to 32. */
const mostNames = 32;

interface Token {
  readonly key: string;
  /** Names of the limits that its calls count against, by subject. */
  readonly names: Map<string, readonly string[]>;
  /** The reading of what others have learned, while it is in progress. */
  reading: Promise<unknown> | undefined;
}

export function createKnown(settings: LimitSettings): Known {
  const { store, attempt, isUp } = settings;
  const all = new Map<string, Limit>();
  const tokens = new Map<string, Token>();
  /** From this many limits on, idle ones are dropped. */
  let most = 1000;
  let holdsRequests = false;

  function limitOf({ prefix, clock }: Use, name: string, rate?: Rate): Limit {
    const key = prefix + name;
    const known = all.get(key);
    if (known) return known;
    if (all.size >= most) {
      for (const [other, limit] of all) if (limit.isIdle(clock)) all.delete(other);
      most = Math.max(1000, 2 * all.size);
    }
    // What is not of the platform may be of this machine alone.
    const own = ofRequest.test(name) && { store: undefined, isUp: () => false, keptMs: 0 };
    holdsRequests ||= own !== false;
    const limit = createLimit(key, name, rate, { ...settings, ...own });
    all.set(key, limit);
    return limit;
  }

  function tokenOf(use: Use): Token {
    const key = `${use.prefix}token ${use.token}`;
    const known = tokens.get(key);
    if (known) return known;
    const token: Token = { key, names: new Map(), reading: undefined };
    tokens.set(key, token);
    const [oldest = key] = tokens.keys();
    if (tokens.size > mostTokens) tokens.delete(oldest);
    if (store) token.reading = attempt(() => readToken(token)).finally(() => (token.reading = undefined));
    return token;
  }

  async function readToken(token: Token): Promise<void> {
    for (const [subject, list] of Object.entries(fieldsOf(parsed(await store?.get(token.key)))))
      for (const name of elementsOf(list)) if (names.test(String(name))) add(token, subject, String(name));
  }

  /** Learns that calls about a subject count against a limit, and returns whether that is new. */
  function add(token: Token, subject: string, name: string): boolean {
    const found = token.names.get(subject) ?? [];
    if (found.includes(name)) return false;
    token.names.set(subject, [...found, name].slice(-mostNames));
    return true;
  }

  /** Shares what the calls of a token count against. */
  async function tell(token: Token): Promise<void> {
    const text = (await store?.get(token.key)) ?? undefined;
    const next = { ...fieldsOf(parsed(text)), ...Object.fromEntries(token.names) };
    await store?.compareAndSet(token.key, text, JSON.stringify(next), tokenMs);
  }

  function limitsOf(use: Use): readonly Limit[] | Promise<readonly Limit[]> {
    const { rate, subject, clock, prefix } = use;
    const token = tokenOf(use);
    if (token.reading && isUp()) return token.reading.then(() => limitsOf(use));
    token.reading = undefined;
    const learned = token.names.get(subject) ?? [];
    const found = learned.map((name) => limitOf(use, name));
    const own = holdsRequests ? all.get(prefix + use.requestName()) : undefined;
    if (own?.isIdle(clock) === false) found.push(own);
    if (rate) {
      // A Page or an account has its rates, regardless of the token.
      const [, owner = use.token] = learned.findLast((name) => !ofCallers.test(name))?.split(' ') ?? [];
      found.push(limitOf(use, `${rate[0]} ${owner}`, rate));
    }
    const waits = found.flatMap((limit) => limit.sync(clock, use) ?? []);
    return waits.length === 0 ? found : Promise.all(waits).then(() => found);
  }

  function learn({ use, limits, turns }: Pass, result: RawResponse | FailedAttempt): void {
    const { headers } = result;
    // The call may have been counted even without a response.
    if (!headers) return 'error' in result && result.isRejected ? undefined : miss(limits, use);
    const { clock } = use;
    const told = new Set<Limit>();
    const see = (limit: Limit, percent: number | undefined, regainMs: number): void => {
      told.add(limit);
      if (!limits.includes(limit) && !ofRequest.test(limit.name)) {
        const token = tokenOf(use);
        if (add(token, use.subject, limit.name) && store) void attempt(() => tell(token));
      }
      limit.see(percent, regainMs, turns.includes(limit), clock);
    };
    readHeaders(headers, use, (name, ...said) => see(limitOf(use, name), ...said));
    const codes = codesIn(result);
    // A header says more precisely than a code which limit is used up.
    const isTold = codes.length > 0 && [...told].some((limit) => limit.state(clock).blockedUntil);
    for (const code of isTold ? [] : codes)
      for (const limit of refusing(code, limits, use)) {
        const { retryAfterMs = 0 } = 'error' in result ? result.error : {};
        see(limit, 100, retryAfterMs || (code ? Math.min(minuteMs, limit.rate?.[2] ?? 0) : requestMs));
      }
    if (told.size === 0) miss(limits, use);
    for (const limit of turns) if (!told.has(limit)) see(limit, undefined, 0);
  }

  /** The limits that a refusal with this code concerns. */
  function refusing(code: number, limits: readonly Limit[], use: Use): readonly Limit[] {
    const { app, token } = use;
    // A proxy, for example: it says nothing of the platform's limits.
    if (!code) return [limitOf(use, use.requestName())];
    const caller = code === 4 ? app : code === 17 ? `user ${token}` : code === 32 && `page ${token}`;
    const found = limits.filter(({ name, rate }) =>
      code === 613 && use.rate ? rate : !rate && !ofCallers.test(name),
    );
    return !caller && found.length > 0 ? found : [limitOf(use, caller || `code_${code} ${token}`)];
  }

  async function list(context: HttpContext): Promise<LimitState[]> {
    const { clock } = context;
    const prefix = prefixOf(context);
    const known = new Map([...all].filter(([key, limit]) => key.startsWith(prefix) && !limit.isIdle(clock)));
    await Promise.all([...known.values()].flatMap((limit) => limit.sync(clock) ?? []));
    for await (const [key, text] of store?.list?.({ prefix, without: '\n' }) ?? []) {
      const name = key.slice(prefix.length);
      if (known.has(key) || name.startsWith('token ') || !names.test(name)) continue;
      const other = createLimit(key, name, undefined, settings);
      other.read(text, clock);
      known.set(key, other);
    }
    return [...known.values()].map((limit) => limit.state(clock));
  }

  return { limitsOf, learn, list };
}

function miss(limits: readonly Limit[], { calls }: Use): void {
  for (const limit of limits) if (!limit.rate) limit.miss(calls);
}

/** Reads the usage headers, without invalid values. Two of them do not say whose limit they report. */
function readHeaders(
  headers: Headers,
  { app, token }: Use,
  tell: (name: string, percent: number, regainMs: number) => void,
): void {
  const read = (name: string, usage: unknown): void => {
    const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = fieldsOf(usage);
    const percent = Math.max(...[call_count, total_cputime, total_time].map(amount));
    if (percent >= 0 && names.test(name))
      tell(name, percent, amount(estimated_time_to_regain_access) * minuteMs);
  };
  const header = (name: string, tell: (usage: unknown) => void): void => {
    const text = headers.get(`x-${name}-usage`);
    if (text !== null) tell(parsed(text));
  };
  header('app', (usage) => read(app, usage));
  header('page', (usage) => read(`page ${token}`, usage));
  header('business-use-case', (usages) => {
    for (const [id, list] of Object.entries(fieldsOf(usages)))
      for (const usage of elementsOf(list)) {
        const { type } = fieldsOf(usage);
        if (typeof type === 'string') read(`${type} ${id}`, usage);
      }
  });
}

/** The codes with which the platform refused a call, or parts of a batch, because of a limit. */
function codesIn(result: RawResponse | FailedAttempt): readonly number[] {
  if ('error' in result) return result.error.name === 'RateLimitError' ? [result.error.code ?? 0] : [];
  return elementsOf(result.body)
    .map((part) => Number(fieldsOf(fieldsOf(parsed(fieldsOf(part)['body']))['error'])['code']))
    .filter((code) => limited.test(`${code}`));
}
