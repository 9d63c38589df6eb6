import { day, hour } from './auth/tokens.ts';
import { refuse, type GraphRefusal } from './errors.ts';
import type { Incoming } from './http.ts';
import { toJson } from './json.ts';
import type { Call } from './route.ts';
import type { QuotaKind, SandboxQuota, SandboxQuotas } from './types.ts';
import { find, type World } from './world.ts';

/** What a call counts against: a limit, and whose it is. */
interface Pool {
  readonly kind: QuotaKind;
  readonly id: string;
}

/** The limits of a sandbox, and the calls that were made. */
export interface QuotaStore {
  readonly limits: SandboxQuotas;
  /** When the calls of a pool were made, oldest first, by its kind and id. */
  readonly calls: Map<string, { readonly pool: Pool; times: readonly number[] }>;
  /** What a request counted against. */
  readonly pools: WeakMap<Incoming, Pool>;
}

/** It refuses what it does not know, so that no test passes for a typo. */
export function createQuotaStore(limits: SandboxQuotas): QuotaStore {
  for (const [name, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(rules, name)) {
      throw new Error(`there is no quotas.${name}: ${Object.keys(rules).join(', ')}`);
    }
    if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1)) {
      throw new Error(`quotas.${name} must be a positive whole number`);
    }
  }
  return { limits, calls: new Map(), pools: new WeakMap() };
}

interface Rule {
  readonly windowMs: number;
  /** The name of the limit in the header of business use cases; the others have a header of their own. */
  readonly type?: string;
  readonly refusal: GraphRefusal;
}

const tooMany = 'There have been too many calls to this';

const rules: Readonly<Record<QuotaKind, Rule>> = {
  app: {
    windowMs: hour,
    refusal: {
      code: 4,
      status: 403,
      message: '(#4) Application request limit reached',
      is_transient: true,
    },
  },
  user: { windowMs: hour, refusal: { code: 17, message: '(#17) User request limit reached' } },
  page: {
    windowMs: day,
    type: 'pages',
    refusal: { code: 80_001, message: `(#80001) ${tooMany} Page account. Wait a bit and try again.` },
  },
  pics: {
    windowMs: day,
    type: 'instagram',
    refusal: { code: 80_002, message: `(#80002) ${tooMany} Instagram account.` },
  },
  messages: {
    windowMs: day,
    type: 'messenger',
    refusal: { code: 80_006, message: `(#80006) ${tooMany} Messenger account.` },
  },
  leads: {
    windowMs: day,
    type: 'leadgen',
    refusal: { code: 80_005, message: `(#80005) ${tooMany} leadgen account.` },
  },
};

/** Counts a call, or several at once, and refuses over the limit. Refused calls count like any other. */
export function countCall(call: Call, incoming: Incoming, calls = 1): void {
  const { world } = call;
  const pool = poolOf(call);
  const limit = world.quotas.limits[pool.kind];
  if (limit === undefined) return;
  world.quotas.pools.set(incoming, pool);
  const before = timesOf(world, pool);
  const times = [...before, ...Array.from({ length: calls }, () => world.now())];
  world.quotas.calls.set(`${pool.kind} ${pool.id}`, { pool, times });
  if (before.length >= limit) refuse(rules[pool.kind].refusal);
}

/** The usage that the response to a request tells of. */
export function usageHeaders(world: World, incoming: Incoming): Readonly<Record<string, string>> {
  const pool = world.quotas.pools.get(incoming);
  if (pool === undefined) return {};
  const { type } = rules[pool.kind];
  const { percent, blockedUntil } = stateOf(world, pool);
  const usage = { call_count: percent, total_cputime: 0, total_time: 0 };
  if (type === undefined) return { 'x-app-usage': toJson(usage) };
  const wait = blockedUntil === undefined ? 0 : Math.ceil((blockedUntil - world.now()) / 60_000);
  const entry = [{ type, ...usage, estimated_time_to_regain_access: wait }];
  // Page mode names the business that owns the Page, too.
  const owners = pool.kind === 'pics' && incoming.place.host === 'graph' ? portfoliosOf(world, pool.id) : [];
  const ids = [...owners, pool.id];
  return { 'x-business-use-case-usage': toJson(Object.fromEntries(ids.map((id) => [id, entry]))) };
}

export function quotasOf(world: World): SandboxQuota[] {
  return [...world.quotas.calls.values()].map(({ pool }) => stateOf(world, pool));
}

/** The calls of a pool that its window still holds. */
function timesOf(world: World, { kind, id }: Pool): readonly number[] {
  const { times = [] } = world.quotas.calls.get(`${kind} ${id}`) ?? {};
  return times.filter((at) => at > world.now() - rules[kind].windowMs);
}

/** A block ends when enough calls have left the window for one more to fit. */
function stateOf(world: World, pool: Pool): SandboxQuota {
  const { kind, id } = pool;
  const limit = world.quotas.limits[kind] ?? Infinity;
  const times = timesOf(world, pool);
  const last = times[times.length - limit];
  return {
    kind,
    id,
    calls: times.length,
    limit,
    percent: Math.floor((100 * times.length) / limit),
    blockedUntil: last === undefined ? undefined : last + rules[kind].windowMs,
  };
}

const ofLeads = new Set(['leadgen_forms', 'leads', 'form', 'lead']);
const ofMessages = new Set([
  'attachment',
  'contact',
  'conversation',
  'conversations',
  'message',
  'message_attachments',
  'messages',
  'messenger_profile',
]);

function poolOf({ world, token, path, params }: Call): Pool {
  const { kind, subjectId: id, userId } = token;
  if (kind === 'app') return { kind, id };
  if (kind === 'user') return { kind, id: userId };
  if (kind === 'pics') return { kind, id };
  const [head = '', edge = ''] = path.split('/').filter(Boolean);
  const node = world.nodes.get(head === 'me' ? id : head);
  const isShared = node?.kind === 'picsHashtag' || head === 'ig_hashtag_search';
  if (isShared || /\bbusiness_discovery\b/.test(params['fields'] ?? ''))
    return { kind: 'app', id: world.app.id };
  if (ofMessages.has(edge) || ofMessages.has(node?.kind ?? '')) return { kind: 'messages', id };
  if (ofLeads.has(edge) || ofLeads.has(node?.kind ?? '')) return { kind: 'leads', id };
  if (node?.kind === 'picsAccount') return { kind: 'pics', id: node.id };
  const { picsId } = find(world, 'page', id) ?? {};
  const isAudio = node?.kind === 'picsAudio' || head === 'ig_audio';
  if (isAudio && picsId !== undefined) return { kind: 'pics', id: picsId };
  if (node !== undefined && 'accountId' in node) return { kind: 'pics', id: node.accountId };
  return { kind: 'page', id };
}

/** The business portfolios that own the Page of an account. */
function portfoliosOf(world: World, accountId: string): readonly string[] {
  return [...world.nodes.ofKind('business')]
    .filter(({ ownedPages }) => ownedPages.some((id) => find(world, 'page', id)?.picsId === accountId))
    .map(({ id }) => id);
}
