// What a call counts against, as its request says; and what its response says of limits.
import { hashOf } from '../core/http/proof.ts';
import type { FailedAttempt } from '../core/http/retry.ts';
import { lanes, type HttpContext, type PreparedRequest, type RawResponse } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import { hour, minute, type Rate, type Report } from './record.ts';

/** What an attempt counts against, as far as is known before its response. */
export type Use = Readonly<NonNullable<ReturnType<typeof useOf>>>;

const inbox: Rate = { kind: 'conversations', most: 2, windowMs: 1000 };
/** The published rates, by the end of the path and the kind of message. */
export const rates: Readonly<Record<string, Rate | undefined>> = {
  '/conversations': inbox,
  '/messages': inbox,
  '/messages text': { kind: 'sends', most: 300, windowMs: 1000 },
  '/messages media': { kind: 'media', most: 10, windowMs: 1000 },
  '/messages reply': { kind: 'private_replies', most: 750, windowMs: hour },
  '/messenger_profile': { kind: 'messenger_profile', most: 10, windowMs: 10 * minute },
  '/ig_hashtag_search': { kind: 'hashtags', most: 30, windowMs: 168 * hour },
  '/likes': { kind: 'likes', most: 50, windowMs: 5000 },
};

/** Ids of objects; those of posts begin with that of their Page. */
const id = /^\d{1,64}(?:_\d{1,64})?$/;
/** Ends of paths of what is counted apart from content: messages, leads, and what is found of others. */
export const apart = [
  ['conversations', 'messages', 'message_templates', 'message_attachments'],
  ['leads', 'leadgen_forms', 'test_leads'],
  ['business_discovery', 'ig_hashtag_search', 'recently_searched_hashtags', 'recent_media', 'top_media'],
];
/** The kinds of limits of the first two. All else counts as content. */
const kinds = ['messenger', 'leadgen'];
/** The kind of limit of a call, by its place in `apart`. */
export const kindAt = (subject: number): string | undefined => kinds[subject];
/** The kind of limit behind the code of a refusal. */
export const kindBehind = (code: number): string | undefined =>
  ({ 80005: 'leadgen', 80006: 'messenger' })[code];
/** The kind of limit that a header names. */
export const kindNamed = (name: string): string | undefined => kinds.find((one) => name.startsWith(one));

/** `undefined` for requests that are not counted (uploads), or not sent because the context is closed. */
export function useOf({ context, request, address, deadline, isRead }: PreparedRequest, number: number) {
  if (Number.isNaN(deadline) || address.startsWith(context.platform.uploadUrl)) return undefined;
  const { trace, purpose = 'call', query, form, json, headers, tokens } = request;
  const { named = [], of } = trace;
  const { operation } = of;
  const { access_token, ids, batch, q, user_id } = fieldsOf(form ? { ...query, ...form } : query);
  const [name, edge, first] = placeIn(address);
  const object = typeof user_id === 'string' ? user_id : first;
  const { mode = '' } = fieldsOf(context);
  const { countsAs = edge } = request;
  const subject = apart.findIndex((ends) => ends.includes(countsAs));
  // Nobody knows what is in a batch.
  const lane = context.lane ?? trace.lane ?? (isRead || batch !== undefined ? 'read' : 'interact');
  const token = digestOf(request.token ?? access_token ?? headers?.['authorization']);
  return {
    context,
    clock: context.clock,
    /** Within a lane, earlier attempts go first. */
    number,
    /** Its place in `lanes`. Lookups of lost writes and requests for the status of media publish. */
    lane: lanes.indexOf(purpose === 'call' ? lane : 'publish'),
    calls: countOf(batch, ids),
    batch,
    /** Digest of the token. */
    token,
    /** The name of the record of what such calls count against. */
    learned: `token ${token} ${String(mode)}${subject < 0 ? '' : subject}`,
    /** Its place in `apart`; -1 if it has none. */
    subject,
    /** The name of the limit of requests like it: of its function, token and the end of its path. */
    localName: `http_429 ${operation}-${token}_${name}`,
    // Those of Pages have no limit of likes.
    rate: mode || edge !== 'likes' ? rates[`/${edge}${kindOf(json)}`] : undefined,
    /**
     * The object that the path begins with, if any; and if the call names it as its Page or its account. If the path is the
     * caller's, whose response may have all tokens, it is taken for one if more comes after it.
     */
    object,
    account: named.includes(object) || (edge !== '' && tokens === 'all') ? object : '',
    /** What it counts as for a rate that counts different keys. */
    key: typeof q === 'string' ? digestOf(q) : '',
  };
}

/** The end of the path of an address, what of an object it is, and the object that the path begins with. */
function placeIn(address: string): readonly [name: string, edge: string, object: string] {
  const [name = '', above = ''] = address.replace(/\?.*/s, '').split('/').reverse();
  const isOf = id.test(above);
  const [object = ''] = isOf || id.test(name) ? (isOf ? above : name).split('_') : [];
  return [name, isOf || object === '' ? name : '', object];
}

/** What a part of a batch counts against: its object. */
function partOf(use: Use, at: number): Use {
  const [, , object] = placeIn(String(fieldsOf(elementsOf(parsed(use.batch))[at])['relative_url']));
  return { ...use, object, account: object };
}

/** The kind of message that is sent, if any. */
function kindOf(json: unknown): string {
  if (json === undefined) return '';
  const { message, recipient } = fieldsOf(json);
  const { comment_id, post_id } = fieldsOf(recipient);
  const { type } = fieldsOf(fieldsOf(message)['attachment']);
  if (message === undefined) return ' action';
  return (comment_id ?? post_id) ? ' reply' : type === 'audio' || type === 'video' ? ' media' : ' text';
}

/** Each part of a batch is a call, and so is each of several ids. */
function countOf(batch: unknown, ids: unknown): number {
  if (typeof ids === 'string') return ids.split(',').length;
  return batch === undefined ? 1 : elementsOf(parsed(batch)).length || 1;
}

/** A digest that is the same in all processes, and from which no token can be recovered. */
function digestOf(value: unknown): string {
  const text = String(value);
  return remembered(digests, 1000, text, () => hashOf(text, 0).toString(36));
}

const digests = new Map<string, string>();

/** Finds or creates an entry. The map keeps at most this many, those used last. */
export function remembered<T>(map: Map<string, T>, most: number, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined && map.size < most / 2) return known;
  const value = known ?? make();
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value ?? key);
  return value;
}

// ---- Responses --------------------------------------------------------------------------------------------------------------

const mostUsages = 32;
const limited = /^(?:4|17|32|341|613|8000\d|8001[0-4])$/;

/** The id of the app, or what stands for it. */
export function appIdOf(context: HttpContext): string {
  const { appId } = fieldsOf(context);
  return typeof appId === 'string' && appId !== '' ? appId : 'app';
}

/**
 * Reads the usage headers, without invalid values, by the names of limits. Two of them do not say whose limit they report. If
 * the call was refused, it was by the limits that are full.
 */
export function usagesIn(
  headers: Headers,
  { context, token }: Use,
  wasRefused: boolean,
): Map<string, Report> {
  const usages = new Map<string, Report>();
  const read = (name: string, usage: unknown): void => {
    const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = fieldsOf(usage);
    const percent = Math.max(amount(call_count), amount(total_cputime), amount(total_time));
    const regainMs = Math.max(0, amount(estimated_time_to_regain_access)) * minute;
    const isRefused = regainMs > 0 || (wasRefused && percent >= 100);
    if (percent >= 0 && usages.size < mostUsages && isName(name))
      usages.set(name, { percent, regainMs, isRefused });
  };
  const of = (header: string): unknown => parsed(headers.get(header));
  read(`app ${appIdOf(context)}`, of('x-app-usage'));
  read(`page ${token}`, of('x-page-usage'));
  for (const [object, list] of Object.entries(fieldsOf(of('x-business-use-case-usage'))))
    for (const usage of elementsOf(list)) {
      const { type } = fieldsOf(usage);
      if (typeof type === 'string') read(`${type} ${object}`, usage);
    }
  return usages;
}

/** A refusal because of a limit of calls. */
export interface LimitRefusal {
  /** The platform's code; 0 if it named none. */
  readonly code: number;
  /** What it refused: the call, or a part of a batch. */
  readonly of: Use;
}

/**
 * The refusals of a call, or of parts of a batch, because of a limit of calls. 18 is a limit of hashtags, and no call for
 * anything else waits for it.
 */
export function refusalsIn(result: RawResponse | FailedAttempt, use: Use): readonly LimitRefusal[] {
  if ('error' in result) {
    if (result.error.name !== 'RateLimitError') return [];
    const { code = 0 } = result.error;
    return code === 18 ? [] : [{ code, of: use }];
  }
  return elementsOf(result.body).flatMap((part, at) => {
    const code = Number(fieldsOf(fieldsOf(parsed(fieldsOf(part)['body']))['error'])['code']);
    return limited.test(`${code}`) ? [{ code, of: partOf(use, at) }] : [];
  });
}

/** Whether a text can name a limit: by its kind and its id. */
export const isName = (name: string): boolean => /^\w{1,40} [-\w]{1,64}$/.test(name);

/** A percentage or a time from outside, if it can be one; otherwise -1. */
const amount = (value: unknown): number =>
  typeof value === 'number' && value >= 0 && value <= 1e9 ? value : -1;

const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' && JSON.parse(text);
  } catch {
    return undefined;
  }
}
