import type { RawResponse } from '../core/http/exchange.ts';
import type { LimitState } from '../core/http/governor.ts';
import type { FailedAttempt } from '../core/http/retry.ts';
import type { HttpContext } from '../core/http/types.ts';
import { fieldsOf } from '../core/options/check.ts';
import { amount, createLimit, type Limit, type LimitSettings, listOf, parsed } from './limit.ts';
import type { Pass } from './queue.ts';
import type { Rate, Use } from './uses.ts';

/** What a process knows of all limits. */
export interface Known {
  /** The limits that a call counts against, as far as is known; a promise where the store is asked first. */
  readonly limitsOf: (use: Use, context: HttpContext) => readonly Limit[] | Promise<readonly Limit[]>;
  /** Learns from what became of a call that was let through. */
  readonly learn: (pass: Pass, context: HttpContext, result: RawResponse | FailedAttempt) => void;
  /** What is known of the limits of a context's app; with a store that can list, also what only others know. */
  readonly list: (context: HttpContext) => Promise<LimitState[]>;
}

/** The codes of refusals for a limit. */
const limited = /^(?:4|17|32|341|613|8000\d|80014)$/;
/** Names of limits that are not those of a Page or an account. */
const ofCallers = /^(?:app|page|user|code_)/;
/** How a limit is called: its kind and its id. */
const names = /^(\w{1,40}) ([-\w]{1,64})$/;
const minuteMs = 60_000;
/** How many tokens are remembered, the newest, and for how long the store keeps what is known of one. */
const mostTokens = 10_000;
const tokenMs = 10_080 * minuteMs;

/** What limits the calls of a token count against, by what they are about. */
interface Token {
  readonly key: string;
  readonly limits: Map<string, readonly Limit[]>;
  /** While it is read what others have learned. */
  reading: Promise<unknown> | undefined;
}

export function createKnown(settings: LimitSettings): Known {
  const { store, attempt, isUp } = settings;
  const all = new Map<string, Limit>();
  const tokens = new Map<string, Token>();

  function limitOf(context: HttpContext, ...name: readonly [kind: string, id: string, rate?: Rate]): Limit {
    const key = `${prefixOf(context)}${name[0]} ${name[1]}`;
    const limit = all.get(key) ?? createLimit(key, name, settings);
    all.set(key, limit);
    return limit;
  }

  function tokenOf(use: Use, context: HttpContext): Token {
    const key = `${prefixOf(context)}token ${use.token}`;
    const known = tokens.get(key);
    if (known) return known;
    const token: Token = { key, limits: new Map(), reading: undefined };
    tokens.set(key, token);
    const [oldest = key] = tokens.keys();
    if (tokens.size > mostTokens) tokens.delete(oldest);
    if (store)
      token.reading = attempt(() => readToken(token, context)).finally(() => (token.reading = undefined));
    return token;
  }

  async function readToken(token: Token, context: HttpContext): Promise<void> {
    for (const [subject, list] of Object.entries(fieldsOf(parsed(await store?.get(token.key)))))
      for (const name of listOf(list)) {
        const [, kind, id] = names.exec(String(name)) ?? [];
        if (kind && id) add(token, subject, limitOf(context, kind, id));
      }
  }

  /** Whether it is new that calls about a subject count against a limit. */
  function add({ limits }: Token, subject: string, limit: Limit): boolean {
    const found = limits.get(subject) ?? [];
    if (found.includes(limit)) return false;
    limits.set(subject, [...found, limit]);
    return true;
  }

  /** Tells the others what the calls of a token count against. */
  async function tell({ key, limits }: Token): Promise<void> {
    const text = (await store?.get(key)) ?? undefined;
    const own = [...limits].map(([subject, list]) => [subject, list.map(({ kind, id }) => `${kind} ${id}`)]);
    const next = JSON.stringify({ ...fieldsOf(parsed(text)), ...Object.fromEntries(own) });
    await store?.compareAndSet(key, text, next, tokenMs);
  }

  function limitsOf(use: Use, context: HttpContext): readonly Limit[] | Promise<readonly Limit[]> {
    const { clock } = context;
    const { rate, subject, token: digest } = use;
    const { limits, reading } = tokenOf(use, context);
    if (reading && isUp()) return reading.then(() => limitsOf(use, context));
    const learned = limits.get(subject) ?? [];
    // A Page or an account has its rates whatever the token.
    const owner = rate && (learned.findLast(isOfNode)?.id ?? digest);
    const found =
      owner === undefined ? learned : [...learned, limitOf(context, rate?.[0] ?? '', owner, rate)];
    const waits = found.flatMap((limit) => limit.sync(clock, use) ?? []);
    return waits.length === 0 ? found : Promise.all(waits).then(() => found);
  }

  function learn(
    { use, limits, turns }: Pass,
    context: HttpContext,
    result: RawResponse | FailedAttempt,
  ): void {
    const { headers } = result;
    // Without a response it may have been counted all the same.
    if (!headers) return 'error' in result && result.isRejected ? undefined : miss(limits, use);
    const { clock } = context;
    const told = new Set<Limit>();
    const see = (limit: Limit, percent: number | undefined, regainMs: number): void => {
      told.add(limit);
      if (!limits.includes(limit)) {
        const token = tokenOf(use, context);
        if (add(token, use.subject, limit) && store) void attempt(() => tell(token));
      }
      limit.see(percent, regainMs, turns.includes(limit), clock);
    };
    readHeaders(headers, context, use.token, (kind, id, ...said) =>
      see(limits.find((one) => one.kind === kind && one.id === id) ?? limitOf(context, kind, id), ...said),
    );
    const codes = codesIn(result);
    // A header tells better than a code what is used up.
    const isTold = codes.length > 0 && [...told].some((limit) => limit.state(clock).blockedUntil);
    for (const code of isTold ? [] : codes)
      for (const limit of refusing(code, limits, use, context)) {
        const { retryAfterMs = 0 } = 'error' in result ? result.error : {};
        see(limit, 100, retryAfterMs || Math.min(minuteMs, limit.rate?.[2] ?? 0));
      }
    if (told.size === 0) miss(limits, use);
    for (const limit of turns) if (!told.has(limit)) see(limit, undefined, 0);
  }

  /** The limits that a refusal with this code is about. */
  function refusing(
    code: number,
    limits: readonly Limit[],
    { token }: Use,
    context: HttpContext,
  ): readonly Limit[] {
    if (code === 4) return [limitOf(context, 'app', appOf(context))];
    if (code === 17) return [limitOf(context, 'user', token)];
    if (code === 32) return [limitOf(context, 'page', token)];
    const rates = limits.filter(({ rate }) => rate);
    const nodes = limits.filter(isOfNode);
    return rates.length > 0 ? rates : nodes.length > 0 ? nodes : [limitOf(context, `code_${code}`, token)];
  }

  async function list(context: HttpContext): Promise<LimitState[]> {
    const { clock } = context;
    const prefix = prefixOf(context);
    await Promise.all([...all.values()].flatMap((limit) => limit.sync(clock) ?? []));
    for await (const [key, text] of store?.list?.({ prefix, without: '\n' }) ?? []) {
      const [, kind = 'token', id = ''] = names.exec(key.slice(prefix.length)) ?? [];
      if (kind !== 'token') limitOf(context, kind, id).read(text, clock);
    }
    return [...all].flatMap(([key, limit]) => (key.startsWith(prefix) ? [limit.state(clock)] : []));
  }

  return { limitsOf, learn, list };
}

function miss(limits: readonly Limit[], { calls }: Use): void {
  for (const limit of limits) if (!limit.rate) limit.miss(calls);
}

function isOfNode({ kind, rate }: Limit): boolean {
  return !rate && !ofCallers.test(kind);
}

/** Reads the usage headers; what is odd in them is left out. Two of them do not say whose limit they mean. */
function readHeaders(
  headers: Headers,
  context: HttpContext,
  token: string,
  tell: (kind: string, id: string, percent: number, regainMs: number) => void,
): void {
  const read = (kind: unknown, id: string, usage: unknown): void => {
    const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = fieldsOf(usage);
    const percent = Math.max(...[call_count, total_cputime, total_time].map(amount));
    const name = typeof kind === 'string' ? `${kind} ${id}` : '';
    if (percent >= 0 && names.test(name))
      tell(String(kind), id, percent, amount(estimated_time_to_regain_access) * minuteMs);
  };
  const header = (name: string, tell: (usage: unknown) => void): void => {
    const text = headers.get(`x-${name}-usage`);
    if (text !== null) tell(parsed(text));
  };
  header('app', (usage) => read('app', appOf(context), usage));
  header('page', (usage) => read('page', token, usage));
  header('business-use-case', (usages) => {
    for (const [id, list] of Object.entries(fieldsOf(usages)))
      for (const usage of listOf(list)) read(fieldsOf(usage)['type'], id, usage);
  });
}

/** The codes with which the platform refused a call, or parts of a batch, for a limit. */
function codesIn(result: RawResponse | FailedAttempt): readonly number[] {
  if ('error' in result) return result.error.name === 'RateLimitError' ? [result.error.code ?? 0] : [];
  return listOf(result.body)
    .map((part) => Number(fieldsOf(fieldsOf(parsed(fieldsOf(part)['body']))['error'])['code']))
    .filter((code) => limited.test(`${code}`));
}

function appOf(context: HttpContext): string {
  const { appId } = fieldsOf(context);
  return typeof appId === 'string' && appId !== '' ? appId : 'app';
}

/** What the keys of a platform and an app begin with. */
function prefixOf(context: HttpContext): string {
  return `pagepics-governor ${context.platform.graphUrl} ${appOf(context)} `;
}
