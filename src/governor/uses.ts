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
import type { Report } from './member.ts';
import { hour, minute, type Rate } from './record.ts';

/** What an attempt counts against, as far as is known before its response. */
export type Use = Readonly<NonNullable<ReturnType<typeof useOf>>>;

/** Subjects that the platform does not count as content. */
const subjects: readonly RegExp[] = [
  /conversation|messag|contact|send|priv|attach/i,
  /lead/i,
  /hashtag|business_?discovery/i,
];

const inbox: Rate = { kind: 'conversations', most: 2, windowMs: 1000 };
const profile: Rate = { kind: 'messenger_profile', most: 10, windowMs: 10 * minute };
const likes: Rate = { kind: 'likes', most: 50, windowMs: 5000 };
/** Paths that begin with something else than the Page or account. */
const isForeign = /^GET messages|likes$/;

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

const publishes = /^(?:publish(?!ing)|addCaptions|(?!page)\w*Status$)/;
const interacts =
  /^(?:send|reply|private|upload|create|hide|update|delete|like|block(?!ed)|unblock|set|answer|\w+ThreadControl$)/;

/** The lane of a function, if its context names none. */
export function laneOf(operation: string): Lane {
  return publishes.test(operation) ? 'publish' : interacts.test(operation) ? 'interact' : 'read';
}

/** `undefined` for requests that are not counted (uploads), or not sent because the context is closed. */
export function useOf({ context, request, address, deadline }: PreparedRequest) {
  if (Number.isNaN(deadline) || address.startsWith(context.platform.uploadUrl)) return undefined;
  const { method, trace, purpose = 'call', query, form, json, headers } = request;
  const { operation } = trace.of;
  const { access_token, ids, batch, q, user_id }: Readonly<Record<string, unknown>> = form
    ? { ...query, ...form }
    : (query ?? {});
  const [path = ''] = address.split('?', 1);
  const [above = '', name = ''] = path.split('/').slice(-2);
  const { mode = '' } = fieldsOf(context);
  const lane = purpose === 'call' ? (context.lane ?? laneOf(operation)) : 'publish';
  const token = digestOf(request.token ?? access_token ?? headers?.['authorization']);
  // Those of Pages have no such limit.
  const rate = mode || name !== 'likes' ? rates[`${method} ${name}${kindOf(json)}`] : undefined;
  const owner = typeof user_id === 'string' ? user_id : isForeign.test(`${method} ${name}`) ? '' : above;
  return {
    clock: context.clock,
    /** What the keys of its platform and app begin with, and the name of the app's limit. */
    prefix: prefixOf(context),
    app: `app ${appOf(context)}`,
    lane: lanes.indexOf(lane),
    calls: countOf(batch, ids),
    /** Digest of the token. */
    token,
    /** The platform counts subjects separately. */
    subject: `${String(mode)}${subjects.findIndex((one) => one.test(`${operation} ${name}`))}`,
    /** The name of the limit of requests like it: of its function, token and the end of its path. */
    requestName: () => `http_429 ${operation}-${digestOf(`${method} ${name} ${token}`)}`,
    rate,
    /** The Page or account that the rate is of, if the request names it. */
    owner: /^\d{1,64}$/.test(owner) ? owner : undefined,
    /** What it counts as for a rate that counts different keys. */
    key: typeof q === 'string' ? digestOf(q) : '',
  };
}

/** What the keys of a platform and an app begin with. */
export function prefixOf(context: HttpContext): string {
  return `pagepics-governor ${context.platform.graphUrl} ${appOf(context)} `;
}

function appOf(context: HttpContext): string {
  const { appId } = fieldsOf(context);
  return typeof appId === 'string' && appId !== '' ? appId : 'app';
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

const limited = /^(?:4|17|32|341|613|8000\d|80014)$/;

/** Reads the usage headers, without invalid values. Two of them do not say whose limit they report. */
export function usagesIn(
  headers: Headers,
  { app, token }: Use,
): readonly (readonly [name: string, report: Report])[] {
  const read = (header: string): unknown => parsed(headers.get(`x-${header}-usage`));
  const usages: [name: string, usage: unknown][] = [
    [app, read('app')],
    [`page ${token}`, read('page')],
  ];
  for (const [id, list] of Object.entries(fieldsOf(read('business-use-case'))))
    for (const usage of elementsOf(list)) {
      const { type } = fieldsOf(usage);
      if (typeof type === 'string') usages.push([`${type} ${id}`, usage]);
    }
  return usages.flatMap(([name, usage]) => {
    const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = fieldsOf(usage);
    const percent = Math.max(...[call_count, total_cputime, total_time].map(amount));
    const regainMs = Math.max(0, amount(estimated_time_to_regain_access)) * minute;
    return percent < 0 || !isName(name) ? [] : [[name, { percent, regainMs, isRefused: percent >= 100 }]];
  });
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

/** A percentage or a time from outside, if it can be one; otherwise -1. */
function amount(value: unknown): number {
  return typeof value === 'number' && value >= 0 && value <= 1e9 ? value : -1;
}

export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' && JSON.parse(text);
  } catch {
    return undefined;
  }
}
