import type { Incoming } from './http.ts';
import { badOption, checked, checkMembers, checksOf } from './members.ts';
import type { Node } from './nodes.ts';
import type { Call } from './route.ts';
import { day, hour } from './tokens.ts';
import type { QuotaKind, SandboxQuota, SandboxQuotaOptions, SandboxQuotas } from './types.ts';
import { type GraphRefusal, refuse, toJson, wordsIn } from './values.ts';
import { find, type Pool, type Quota, type World } from './world.ts';

/** Refuses unknown names and values, so that no test passes because of a typo. */
export function createQuotaStore(quotas: SandboxQuotas): World['quotas'] {
  const limits = new Map<QuotaKind, Quota>();
  checkMembers(quotas, Object.keys(rules), 'quotas.');
  for (const [name, value] of Object.entries(quotas)) {
    if (value === undefined) continue;
    const kind = name as QuotaKind; // a key of the rules, as was checked
    const { calls, windowMs, headersAfter }: Partial<SandboxQuotaOptions> =
      typeof value === 'number'
        ? { calls: value }
        : checked(
            `quotas.${name}`,
            value,
            checksOf('calls:number windowMs:number headersAfter:number'),
            `quotas.${name}.`,
          );
    const quota: Quota = {
      calls: atLeast(1, calls, name),
      windowMs: atLeast(1, windowMs ?? rules[kind].windowMs, `${name}.windowMs`),
      headersAfter: atLeast(0, headersAfter ?? 0, `${name}.headersAfter`),
    };
    limits.set(kind, quota);
  }
  return { limits, calls: new Map(), pools: new WeakMap() };
}

function atLeast(least: number, value: number | undefined, name: string): number {
  if (value !== undefined && Number.isSafeInteger(value) && value >= least) return value;
  throw badOption(`quotas.${name}`, `quotas.${name} must be a whole number of at least ${least}`);
}

interface Rule {
  readonly windowMs: number;
  /** The name of the limit in the business use case header. Other limits have their own header, or none. */
  readonly type?: string;
  readonly refusal: GraphRefusal;
}

/** A published rate. No header reports it: the platform only refuses. */
function rate(windowMs: number): Rule {
  const message = '(#613) Calls to this api have exceeded the rate limit.';
  return { windowMs, refusal: { code: 613, message } };
}

/** A limit of the business use case header. */
function ofUseCase(type: string, code: number, ending: string): Rule {
  const message = `(#${code}) There have been too many calls to this ${ending}`;
  return { windowMs: day, type, refusal: { code, message } };
}

const second = 1000;

const rules: Readonly<Record<QuotaKind, Rule>> = {
  app: {
    windowMs: hour,
    refusal: { code: 4, status: 403, message: '(#4) Application request limit reached', is_transient: true },
  },
  user: { windowMs: hour, refusal: { code: 17, message: '(#17) User request limit reached' } },
  page: ofUseCase('pages', 80_001, 'Page account. Wait a bit and try again.'),
  pics: ofUseCase('instagram', 80_002, 'Instagram account.'),
  messages: ofUseCase('messenger', 80_006, 'Messenger account.'),
  leads: ofUseCase('leadgen', 80_005, 'leadgen account.'),
  conversations: rate(second),
  sends: rate(second),
  media: rate(second),
  privateReplies: rate(hour),
  messengerProfile: rate(600 * second),
};

/** Of a Page, for the tokens of people and apps. */
const pageRefusal: GraphRefusal = { code: 32, message: '(#32) Page request limit reached' };
const headerKinds = new Set<QuotaKind>(['app', 'user']);

/** Counts a call, or several at once, and refuses over the limit. Refused calls count like any other. */
export function countCall(call: Call, incoming: Incoming, calls = 1): void {
  const { quotas, now } = call.world;
  const pools = poolsOf(call).filter(({ kind }) => quotas.limits.has(kind));
  quotas.pools.set(incoming, pools);
  // Every limit counts the call, even if another one refuses it.
  const exceeded = pools.filter((pool) => {
    const times = timesOf(call.world, pool);
    const before = times.length;
    for (let counted = 0; counted < calls; counted++) times.push(now());
    return before >= limitOf(call.world, pool).calls;
  });
  const [first] = exceeded;
  if (first === undefined) return;
  const refusal = refusalOf(call, first.kind);
  refuse(refusal.code, refusal.message, refusal);
}

/** People and apps that call a Page are refused with the Page's code. */
function refusalOf(call: Call, kind: QuotaKind): GraphRefusal {
  const isOfPage = call.token.kind !== 'page' && headOf(call).node?.kind === 'page';
  return isOfPage && headerKinds.has(kind) ? pageRefusal : rules[kind].refusal;
}

/** The usage that a response reports. */
export function usageHeaders(world: World, incoming: Incoming): Readonly<Record<string, string>> {
  const pool = world.quotas.pools.get(incoming)?.find(({ kind }) => isInHeaders(kind));
  if (pool === undefined) return {};
  const { type } = rules[pool.kind];
  const { calls, percent, blockedUntil } = stateOf(world, pool);
  if (calls <= limitOf(world, pool).headersAfter) return {};
  const usage = { call_count: percent, total_cputime: 0, total_time: 0 };
  if (type === undefined) return { 'x-app-usage': toJson(usage) };
  const wait = blockedUntil === undefined ? 0 : Math.ceil((blockedUntil - world.now()) / 60_000);
  const entry = [{ type, ...usage, estimated_time_to_regain_access: wait }];
  // In page mode, the header also names the business that owns the Page.
  const owners = pool.kind === 'pics' && incoming.place.host === 'graph' ? portfoliosOf(world, pool.id) : [];
  const ids = [...owners, pool.id];
  return { 'x-business-use-case-usage': toJson(Object.fromEntries(ids.map((id) => [id, entry]))) };
}

function isInHeaders(kind: QuotaKind): boolean {
  return headerKinds.has(kind) || rules[kind].type !== undefined;
}

export function quotasOf(world: World): SandboxQuota[] {
  return [...world.quotas.calls.values()].map(({ pool }) => stateOf(world, pool));
}

function limitOf(world: World, { kind }: Pool): Quota {
  const quota = world.quotas.limits.get(kind);
  if (quota === undefined) throw new Error(`no quota for ${kind}`);
  return quota;
}

/** The calls of a pool within its window. Older ones are dropped. */
function timesOf(world: World, pool: Pool): number[] {
  const key = `${pool.kind} ${pool.id}`;
  const { times } = world.quotas.calls.get(key) ?? { times: [] };
  if (times.length === 0) world.quotas.calls.set(key, { pool, times });
  const from = world.now() - limitOf(world, pool).windowMs;
  const first = times.findIndex((at) => at > from);
  times.splice(0, first === -1 ? times.length : first);
  return times;
}

/** The state of a pool. A block ends when the window has room for one more call. */
function stateOf(world: World, pool: Pool): SandboxQuota {
  const { calls: limit, windowMs } = limitOf(world, pool);
  const times = timesOf(world, pool);
  const last = times[times.length - limit];
  return {
    ...pool,
    calls: times.length,
    limit,
    percent: Math.floor((100 * times.length) / limit),
    blockedUntil: last === undefined ? undefined : last + windowMs,
  };
}

const ofLeads = new Set(['leadgen_forms', 'leads', 'form', 'lead']);
const ofMessages = new Set(
  wordsIn(
    'attachment contact conversation conversations message message_attachments messages messenger_profile',
  ),
);

/** The limits that a call counts against: one that headers report, and the published rates. */
function poolsOf(call: Call): readonly Pool[] {
  return [poolOf(call), ...ratesOf(call)];
}

function poolOf(call: Call): Pool {
  const { world, token, params } = call;
  const { kind, subjectId: id, userId } = token;
  if (kind === 'app' || kind === 'pics') return { kind, id };
  const { head, edge, node } = headOf(call);
  const accountId = node?.kind === 'picsAccount' ? node.id : node && 'accountId' in node && node.accountId;
  const isShared =
    node?.kind === 'picsHashtag' ||
    head === 'ig_hashtag_search' ||
    /\bbusiness_discovery\b/.test(params['fields'] ?? '');
  if (kind === 'user') return accountId && !isShared ? { kind: 'pics', id: accountId } : { kind, id: userId };
  if (isShared) return { kind: 'app', id: world.app.id };
  if (ofMessages.has(edge) || ofMessages.has(node?.kind ?? '')) return { kind: 'messages', id };
  if (ofLeads.has(edge) || ofLeads.has(node?.kind ?? '')) return { kind: 'leads', id };
  if (accountId) return { kind: 'pics', id: accountId };
  const { picsId } = find(world, 'page', id) ?? {};
  const isAudio = node?.kind === 'picsAudio' || head === 'ig_audio';
  if (isAudio && picsId !== undefined) return { kind: 'pics', id: picsId };
  return { kind: 'page', id };
}

/** The rates that a call of a Page or an account counts against. */
function ratesOf(call: Call): readonly Pool[] {
  const { kind, subjectId: id } = call.token;
  if (kind === 'app' || kind === 'user') return [];
  const { edge, node } = headOf(call);
  const isSend = edge === 'messages' && call.method === 'POST';
  if (edge === 'messenger_profile') return [{ kind: 'messengerProfile', id }];
  if (!isSend && (edge === 'conversations' || node?.kind === 'conversation' || node?.kind === 'message'))
    return [{ kind: 'conversations', id }];
  // Read receipts and typing indicators do not count as messages.
  if (!isSend || call.params['message'] === undefined) return [];
  const { recipient = '', message } = call.params;
  const isMedia = /"type"\s*:\s*"(audio|video)"/.test(message);
  const isReply = /"(comment|post)_id"/.test(recipient);
  return [{ kind: isReply ? 'privateReplies' : isMedia ? 'media' : 'sends', id }];
}

/** The first part of a path, the edge below it, and the node. */
function headOf({ world, token, path }: Call): {
  readonly head: string;
  readonly edge: string;
  readonly node: Node | undefined;
} {
  const [head = '', edge = ''] = path.split('/').filter(Boolean);
  return { head, edge, node: world.nodes.get(head === 'me' ? token.subjectId : head) };
}

/** The business portfolios that own the Page of an account. */
function portfoliosOf(world: World, accountId: string): readonly string[] {
  return [...world.nodes.ofKind('business')]
    .filter(({ ownedPages }) => ownedPages.some((id) => find(world, 'page', id)?.picsId === accountId))
    .map(({ id }) => id);
}
