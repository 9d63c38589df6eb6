// What calls count against, by their requests, and what responses say of it.
import { hashOf } from '../core/http/proof.ts';
import type { FailedAttempt } from '../core/http/retry.ts';
import {
  type Lane,
  lanes,
  type HttpContext,
  type PreparedRequest,
  type RawResponse,
} from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import { hour, minute, type Rate, type Report } from './record.ts';
import { parsed } from './shared.ts';

/** What an attempt counts against, as far as is known before its response. */
export type Use = Readonly<NonNullable<ReturnType<typeof useOf>>>;

/** Subjects that the platform does not count as content. */
const subjects: readonly RegExp[] = [
  /conversation|messag|contact|send|priv|attach/i,
  /lead/i,
  /hashtag|business_?discovery/i,
];

const subjectOf = (name: string): number => subjects.findIndex((one) => one.test(name));

const inbox: Rate = { kind: 'conversations', most: 2, windowMs: 1000 };
const profile: Rate = { kind: 'messenger_profile', most: 10, windowMs: 10 * minute };
const likes: Rate = { kind: 'likes', most: 50, windowMs: 5000 };
/** The published rates, by method, the end of the path, and the kind of message that is sent. */
const rates: Readonly<Record<string, Rate | undefined>> = {
  'GET conversations': inbox,
  'GET messages': inbox,
  'POST messages text': { kind: 'sends', most: 300, windowMs: 1000 },
  'POST messages media': { kind: 'media', most: 10, windowMs: 1000 },
  'POST messages reply': { kind: 'private_replies', most: 750, windowMs: hour },
  'GET messenger_profile': profile,
  'POST messenger_profile': profile,
  'DELETE messenger_profile': profile,
  'GET ig_hashtag_search': { kind: 'hashtags', most: 30, windowMs: 168 * hour, isDistinct: true },
  'POST likes': likes,
  'DELETE likes': likes,
};

/** Ids of objects; those of posts begin with that of their Page. */
const id = /^\d{1,64}(?:_\d{1,64})?$/;
/** Whether a path is that of content of a Page or an account; if it does not say, the function does. */
const contentEdges =
  /^(?:comments|replies|reactions|likes|children|captions|thumbnails|collaborators|product_tags|video_insights|(?:test_)?leads)$/;
const ofContent =
  /comment|media|post|photo|video|reel|story|stories|container|lead|form|mention|like|message|adContext/i;

const publishes = /^(?:publish(?!ing)|addCaptions|(?!page)\w*Status$)/;
const interacts =
  /^(?:send|reply|private|upload|create|hide|update|delete|like|block(?!ed)|unblock|set|answer|\w+ThreadControl$)/;

/** The lane of a function, if its context names none. */
export function laneOf(operation: string): Lane {
  return publishes.test(operation) ? 'publish' : interacts.test(operation) ? 'interact' : 'read';
}

/** What follows from the name of a function. There are a few hundred of them. */
function traitsOf(operation: string) {
  const known = traits.get(operation);
  if (known) return known;
  const lane = laneOf(operation);
  const made = { lane, subject: subjectOf(operation), isOfContent: ofContent.test(operation) };
  if (traits.size < 1000) traits.set(operation, made);
  return made;
}

const traits = new Map<string, { lane: Lane; subject: number; isOfContent: boolean }>();

/** `undefined` for requests that are not counted (uploads), or not sent because the context is closed. */
export function useOf({ context, request, address, deadline }: PreparedRequest) {
  if (Number.isNaN(deadline) || address.startsWith(context.platform.uploadUrl)) return undefined;
  const { method, trace, purpose = 'call', query, form, json, headers } = request;
  const { operation } = trace.of;
  const { access_token, ids, batch, q, user_id }: Readonly<Record<string, unknown>> = form
    ? { ...query, ...form }
    : (query ?? {});
  const [path = ''] = address.split('?', 1);
  const end = path.lastIndexOf('/');
  const [above, name] = [path.slice(path.lastIndexOf('/', end - 1) + 1, end), path.slice(end + 1)];
  // The object that the path begins with, and what of it.
  const [begin, edge] = id.test(above) ? [above, name] : id.test(name) ? [name, ''] : ['', name];
  const object = typeof user_id === 'string' ? user_id : (begin.split('_', 1)[0] ?? '');
  const { mode = '' } = fieldsOf(context);
  const { lane, subject, isOfContent } = traitsOf(operation);
  const isContent = edge === '' || edge === 'insights' ? isOfContent : contentEdges.test(edge);
  const token = digestOf(request.token ?? access_token ?? headers?.['authorization']);
  const subjectOfEdge = edge === '' ? -1 : subjectOf(edge);
  return {
    context,
    clock: context.clock,
    prefix: prefixOf(context),
    lane: lanes.indexOf(purpose === 'call' ? (context.lane ?? lane) : 'publish'),
    calls: countOf(batch, ids),
    /** Digest of the token. */
    token,
    /** The platform counts subjects separately. */
    subject: `${String(mode)}${subject < 0 ? subjectOfEdge : subject}`,
    /** The name of the limit of requests like it: of its function, token and the end of its path. */
    requestName: () => `http_429 ${operation}-${digestOf(`${method} ${name} ${token}`)}`,
    // Those of Pages have no limit of likes.
    rate: edge && (mode || edge !== 'likes') ? rates[`${method} ${edge}${kindOf(json)}`] : undefined,
    /** The object that the path begins with, if any; and if it is a Page or an account. */
    object,
    account: isContent ? '' : object,
    /** What it counts as for a rate that counts different keys. */
    key: typeof q === 'string' ? digestOf(q) : '',
  };
}

/** What the keys of a platform and an app begin with. */
export function prefixOf(context: HttpContext): string {
  const known =
    prefixes.get(context) ?? `pagepics-governor ${context.platform.graphUrl} ${appName(context).slice(4)} `;
  prefixes.set(context, known);
  return known;
}

const prefixes = new WeakMap<HttpContext, string>();

/** The name of the app's limit. */
export function appName(context: HttpContext): string {
  const { appId } = fieldsOf(context);
  return `app ${typeof appId === 'string' && appId !== '' ? appId : 'app'}`;
}

/** The kind of message that is sent, if any. */
function kindOf(json: unknown): string {
  const { message, recipient } = fieldsOf(json);
  if (message === undefined) return '';
  const { comment_id, post_id } = fieldsOf(recipient);
  const { type } = fieldsOf(fieldsOf(message)['attachment']);
  return (comment_id ?? post_id) ? ' reply' : type === 'audio' || type === 'video' ? ' media' : ' text';
}

/** Each part of a batch is a call, and so is each of several ids. */
function countOf(batch: unknown, ids: unknown): number {
  if (typeof ids === 'string') return ids.split(',').length;
  return typeof batch === 'string' ? Number(fieldsOf(parsed(batch))['length']) || 1 : 1;
}

/** A digest that is the same in all processes, and from which no token can be recovered. */
function digestOf(value: unknown): string {
  return hashOf(String(value), 0).toString(36);
}

// ---- Responses --------------------------------------------------------------------------------------------------------------

const mostUsages = 32;
const limited = /^(?:4|17|32|341|613|8000\d|80014)$/;

/** Reads the usage headers, without invalid values. Two of them do not say whose limit they report. */
export function usagesIn(
  headers: Headers,
  { context, token }: Use,
): ReadonlyMap<string, Required<Omit<Report, 'isRefused'>>> {
  const usages = new Map<string, { percent: number; regainMs: number }>();
  const read = (name: string, usage: unknown): void => {
    const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = fieldsOf(usage);
    const percent = Math.max(amount(call_count), amount(total_cputime), amount(total_time));
    const regainMs = Math.max(0, amount(estimated_time_to_regain_access)) * minute;
    if (percent >= 0 && usages.size < mostUsages && isName(name)) usages.set(name, { percent, regainMs });
  };
  const of = (header: string): unknown => parsed(headers.get(header));
  read(appName(context), of('x-app-usage'));
  read(`page ${token}`, of('x-page-usage'));
  for (const [object, list] of Object.entries(fieldsOf(of('x-business-use-case-usage'))))
    for (const usage of elementsOf(list)) {
      const { type } = fieldsOf(usage);
      if (typeof type === 'string') read(`${type} ${object}`, usage);
    }
  return usages;
}

/** The codes with which the platform refused a call, or parts of a batch, because of a limit. */
export function codesIn(result: RawResponse | FailedAttempt): readonly number[] {
  if ('error' in result) return result.error.name === 'RateLimitError' ? [result.error.code ?? 0] : [];
  return elementsOf(result.body)
    .map((part) => Number(fieldsOf(fieldsOf(parsed(fieldsOf(part)['body']))['error'])['code']))
    .filter((code) => limited.test(`${code}`));
}

/** Whether a text can name a limit: by its kind and its id. */
export function isName(name: unknown): name is string {
  return typeof name === 'string' && /^\w{1,40} [-\w]{1,64}$/.test(name);
}

/** Whether a limit belongs to the caller: not to a Page or an account. */
export const isOfCaller = (name: string, { token }: Use): boolean =>
  /^(?:app|page|user) /.test(name) || idOf(name) === token;

export const idOf = (name: string): string => name.slice(name.indexOf(' ') + 1);

/** A percentage or a time from outside, if it can be one; otherwise -1. */
function amount(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value <= 1e9 ? value : -1;
}

export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
