import type { PreparedRequest } from '../core/http/attempt.ts';
import { type Lane, lanes } from '../core/http/governor.ts';
import { hashOf } from '../core/http/proof.ts';
import type { HttpContext } from '../core/http/types.ts';
import { fieldsOf } from '../core/options/check.ts';
import type { MonotonicClock } from '../core/options/clock.ts';

/** A published rate, which no header reports: so many calls in so many milliseconds. */
export type Rate = readonly [kind: string, most: number, windowMs: number];

/** What an attempt counts against, as far as is known before its response. */
export interface Use {
  readonly clock: MonotonicClock;
  /** What the keys of its platform and app begin with, and the name of the app's limit. */
  readonly prefix: string;
  readonly app: string;
  /** The index of its lane. */
  readonly lane: number;
  /** How many calls it counts as. */
  readonly calls: number;
  /** Digest of the token. */
  readonly token: string;
  /** The subject of the call: the platform counts subjects separately. */
  readonly subject: string;
  /** The name of the limit of requests like it: of its function, token and the end of its path. */
  readonly requestName: () => string;
  readonly rate: Rate | undefined;
  /** What the call counts as, for a rate that counts different things. */
  readonly thing: string;
}

/** Subjects that the platform does not count as content. */
const subjects: readonly RegExp[] = [
  /conversation|messag|contact|send|priv|attach/i,
  /lead/i,
  /hashtag|business_?discovery/i,
];

const inbox: Rate = ['conversations', 2, 1000];
const profile: Rate = ['messenger_profile', 10, 600_000];
const likes: Rate = ['likes', 50, 5000];

/** The published rates, by method, the end of the path, and the kind of message that is sent. */
const rates: Readonly<Record<string, Rate | undefined>> = {
  'GET conversations': inbox,
  'GET messages': inbox,
  'POST messages text': ['sends', 300, 1000],
  'POST messages media': ['media', 10, 1000],
  'POST messages reply': ['private_replies', 750, 3_600_000],
  'GET messenger_profile': profile,
  'POST messenger_profile': profile,
  'DELETE messenger_profile': profile,
  'GET ig_hashtag_search': ['hashtags', 30, 604_800_000],
  'POST likes': likes,
  'DELETE likes': likes,
};

const publishes = /^(?:publish(?!ing)|addCaptions|\w*Status$)/;
const interacts = /^(?:send|reply|private|upload|hide|update|delete|like|block(?!ed)|unblock|set|answer)/;

/** The lane of a function, if its context names none. */
export function laneOf(operation: string): Lane {
  return publishes.test(operation) ? 'publish' : interacts.test(operation) ? 'interact' : 'read';
}

/** `undefined` for requests that are not counted (uploads), or not sent because the context is closed. */
export function useOf({ context, request, address, deadline }: PreparedRequest): Use | undefined {
  if (Number.isNaN(deadline) || address.startsWith(context.platform.uploadUrl)) return undefined;
  const { method, trace, purpose = 'call', query, form, json, headers } = request;
  const { operation } = trace.of;
  const { access_token, ids, batch, q }: Readonly<Record<string, unknown>> = form
    ? { ...query, ...form }
    : (query ?? {});
  const [path = ''] = address.split('?', 1);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { mode = '' } = fieldsOf(context);
  const lane = purpose === 'call' ? (context.lane ?? laneOf(operation)) : 'publish';
  const about = `${operation} ${name}`;
  const token = digestOf(request.token ?? access_token ?? headers?.['authorization']);
  return {
    clock: context.clock,
    prefix: prefixOf(context),
    app: `app ${appOf(context)}`,
    lane: lanes.indexOf(lane),
    calls: countOf(batch, ids),
    token,
    subject: `${String(mode)}${subjects.findIndex((one) => one.test(about))}`,
    requestName: () => `http_429 ${operation}-${digestOf(`${method} ${name} ${token}`)}`,
    // Those of Pages have no such limit.
    rate: mode || name !== 'likes' ? rates[`${method} ${name}${kindOf(json)}`] : undefined,
    thing: typeof q === 'string' ? digestOf(q) : '',
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
  if (typeof batch !== 'string') return 1;
  try {
    return Number(fieldsOf(JSON.parse(batch))['length']) || 1;
  } catch {
    return 1;
  }
}

/** A digest that is the same in all processes, and from which no token can be recovered. */
function digestOf(value: unknown): string {
  return hashOf(String(value), 0).toString(36);
}
