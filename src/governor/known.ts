import type { RawResponse } from '../core/http/exchange.ts';
import type { LimitState } from '../core/http/governor.ts';
import type { FailedAttempt } from '../core/http/retry.ts';
import type { HttpContext } from '../core/http/types.ts';
import { fieldsOf } from '../core/options/check.ts';
import { estimateCost, type Limit, newLimit, observe, parsed, readHeaders } from './limit.ts';
import type { Pass } from './queue.ts';
import type { GovernorStore, Sharing } from './sharing.ts';
import type { Rate, Use } from './uses.ts';

/** The limits that the calls of a token count against, by what the calls are about. */
interface Token {
  readonly key: string;
  readonly limits: Map<string, readonly Limit[]>;
  /** While what other processes have learned is read. */
  reading: Promise<void> | undefined;
}

/** What a process knows of all limits. */
export interface Known {
  /** The limits that a call counts against, as far as is known; a promise where the store is asked first. */
  readonly limitsOf: (use: Use, context: HttpContext) => readonly Limit[] | Promise<readonly Limit[]>;
  /** Learns from a response to a call that these limits let through. */
  readonly learn: (pass: Pass, context: HttpContext, result: RawResponse | FailedAttempt) => void;
  /** What is known of the limits of a context's app; with a store that can list, also what others know. */
  readonly list: (context: HttpContext) => Promise<LimitState[]>;
}

/** The codes of refusals for a limit. */
const limited = /^(?:4|17|32|341|613|8000\d|80014)$/;
/** How many tokens are remembered: the newest. */
const mostTokens = 10_000;
/** How long it is remembered what calls count against. */
const tokenMs = 604_800_000;

export function createKnown(
  store: GovernorStore | undefined,
  sharing: Sharing,
  syncMs: number,
  onChange: ((limit: LimitState) => void) | undefined,
): Known {
  const all = new Map<string, Limit>();
  const tokens = new Map<string, Token>();

  function limitOf(context: HttpContext, kind: string, id: string, rate?: Rate): Limit {
    const key = `${prefixOf(context)}${kind} ${id}`;
    const limit = all.get(key) ?? newLimit(key, kind, id, rate);
    all.set(key, limit);
    return limit;
  }

  function tokenOf(use: Use, context: HttpContext): Token {
    const key = `${prefixOf(context)}token ${use.token}`;
    const found = tokens.get(key);
    if (found) return found;
    const token: Token = { key, limits: new Map(), reading: undefined };
    tokens.set(key, token);
    const [oldest = key] = tokens.keys();
    if (tokens.size > mostTokens) tokens.delete(oldest);
    if (store) token.reading = readToken(token, context);
    return token;
  }

  async function readToken(token: Token, context: HttpContext): Promise<void> {
    const text = await sharing.attempt(async () => store?.get(token.key));
    for (const [subject, list] of Object.entries(fieldsOf(typeof text === 'string' && parsed(text)))) {
      for (const name of Array.isArray(list) ? list : []) {
        const [, kind, id] = /^(\w+) ([-\w]+)$/.exec(String(name)) ?? [];
        if (kind && id) add(token, subject, limitOf(context, kind, id));
      }
    }
    token.reading = undefined;
  }

  /** Whether it was not known that calls about a subject count against a limit. */
  function add({ limits }: Token, subject: string, limit: Limit): boolean {
    const found = limits.get(subject) ?? [];
    if (!found.includes(limit)) limits.set(subject, [...found, limit]);
    return !found.includes(limit);
  }

  /** Tells the others what the calls of a token count against. */
  async function shareToken({ key, limits }: Token): Promise<void> {
    await sharing.attempt(async () => {
      const text = (await store?.get(key)) ?? undefined;
      const lists = [...limits].map(([subject, list]) => [
        subject,
        list.map(({ kind, id }) => `${kind} ${id}`),
      ]);
      const next = JSON.stringify({ ...fieldsOf(parsed(text)), ...Object.fromEntries(lists) });
      await store?.compareAndSet(key, text, next, tokenMs);
    });
  }

  function limitsNow(
    token: Token,
    { subject, rate, token: digest }: Use,
    context: HttpContext,
  ): readonly Limit[] {
    const limits = token.limits.get(subject) ?? [];
    // The rates of a Page or an account are for all its tokens.
    return rate
      ? [...limits, limitOf(context, rate[0], limits.findLast(isOfNode)?.id ?? digest, rate)]
      : limits;
  }

  function limitsOf(use: Use, context: HttpContext): readonly Limit[] | Promise<readonly Limit[]> {
    const { clock } = context;
    const token = tokenOf(use, context);
    if (!store) return limitsNow(token, use, context);
    if (token.reading && sharing.isUp()) return token.reading.then(() => limitsOf(use, context));
    const limits = limitsNow(token, use, context);
    const exchanges = limits.flatMap((limit) => {
      const exchange = sharing.sync(limit, clock);
      const isOld = clock.monotonic() - limit.readAt > 3 * syncMs;
      return exchange && isOld && sharing.isUp() ? [exchange] : [];
    });
    return exchanges.length === 0 ? limits : Promise.all(exchanges).then(() => limits);
  }

  function learn(pass: Pass, context: HttpContext, result: RawResponse | FailedAttempt): void {
    const { use, limits, turns } = pass;
    const { headers } = result;
    if (!headers) {
      // Without a response it may have been counted all the same.
      if (!('isRejected' in result && result.isRejected)) addUnseen(limits, use.calls);
      return;
    }
    const now = context.clock.monotonic();
    const token = tokenOf(use, context);
    const see = (limit: Limit, percent: number, regainMs: number): Limit => {
      if (!limit.rate && add(token, use.subject, limit) && store) void shareToken(token);
      const { percent: before, isShut } = limit;
      observe(limit, percent, regainMs, turns.includes(limit), context.clock);
      if (!store) estimateCost(limit);
      if (before !== limit.percent || isShut !== limit.isShut) onChange?.(stateOf(limit, now));
      return limit;
    };
    const app = appOf(context);
    const told = readHeaders(headers, app, use.token).map(([kind, id, percent, regainMs]) => {
      const limit = limitOf(context, kind, id);
      limit.cost ||= 1;
      return see(limit, percent, regainMs);
    });
    const codes = codesIn(result);
    if (codes.length > 0) {
      if (told.some(({ isShut }) => isShut)) return;
      const { retryAfterMs = 0 } = 'error' in result ? result.error : {};
      for (const limit of codes.flatMap((code) => refusing(code, pass, context, app)))
        see(
          limit,
          Math.max(100, limit.percent),
          retryAfterMs || (limit.rate ? Math.min(60_000, limit.rate[2]) : 0),
        );
      return;
    }
    // A limit of which nothing is said has room, but how much is not known.
    for (const limit of turns) if (!told.includes(limit)) see(limit, (limit.cost && limit.percent) / 2, 0);
    if (told.length === 0) addUnseen(limits, use.calls);
  }

  /** The limits that a refusal with a code is about, where no header tells. */
  function refusing(
    code: number,
    { use, limits }: Pass,
    context: HttpContext,
    app: string,
  ): readonly Limit[] {
    const own = (kind: string, id: string): Limit[] => {
      const limit = limitOf(context, kind, id);
      // Headers may never tell of it, so that its calls cannot be weighed.
      if (limit.seenAt === 0) limit.cost = 0;
      return [limit];
    };
    if (code === 4) return own('app', app);
    if (code === 17) return own('user', use.token);
    if (code === 32) return own('page', use.token);
    const rate = limits.filter((limit) => limit.rate);
    const nodes = rate.length > 0 ? rate : limits.filter(isOfNode);
    return nodes.length > 0 ? nodes : own(`code_${code}`, use.token);
  }

  return {
    limitsOf,
    learn,
    list: async (context) => {
      const prefix = prefixOf(context);
      const now = context.clock.monotonic();
      await Promise.all([...all.values()].flatMap((limit) => sharing.sync(limit, context.clock) ?? []));
      for await (const [key, text] of store?.list?.({ prefix, without: '\n' }) ?? []) {
        const [, kind, id] = /^(\w+) ([-\w]+)$/.exec(key.slice(prefix.length)) ?? [];
        if (kind && kind !== 'token' && id) sharing.take(limitOf(context, kind, id), text, context.clock);
      }
      return [...all.values()]
        .filter(({ key }) => key.startsWith(prefix))
        .map((limit) => stateOf(limit, now));
    },
  };
}

function addUnseen(limits: readonly Limit[], calls: number): void {
  for (const limit of limits) if (!limit.rate) limit.unseen += calls;
}

function isOfNode({ kind, rate }: Limit): boolean {
  return !rate && !/^(?:app|page|user|code_\d+)$/.test(kind);
}

/** The codes with which the platform refused a call, or parts of a batch, for a limit. */
function codesIn(result: RawResponse | FailedAttempt): readonly number[] {
  if ('error' in result) return result.error.name === 'RateLimitError' ? [result.error.code ?? 0] : [];
  const codes = (Array.isArray(result.body) ? result.body : []).map((part: unknown) => {
    const { code, body } = fieldsOf(part);
    return Number(code) < 400
      ? 0
      : fieldsOf(fieldsOf(typeof body === 'string' && parsed(body))['error'])['code'];
  });
  return codes.filter((code): code is number => typeof code === 'number' && limited.test(`${code}`));
}

function appOf(context: HttpContext): string {
  const { appId } = fieldsOf(context);
  return typeof appId === 'string' && appId !== '' ? appId : 'app';
}

/** What the keys of a platform and an app begin with. */
function prefixOf(context: HttpContext): string {
  return `pagepics-governor ${context.platform.graphUrl} ${appOf(context)} `;
}

function stateOf(
  { kind, id, percent, isShut, blockedUntil, observedAt, seenAt }: Limit,
  now: number,
): LimitState {
  return {
    kind,
    id,
    percent,
    ...(isShut && blockedUntil > now && { blockedUntil: new Date(observedAt + blockedUntil - seenAt) }),
    observedAt: new Date(observedAt),
  };
}
