import type { PreparedRequest } from '../core/http/attempt.ts';
import type { Lane } from '../core/http/governor.ts';
import { hashOf } from '../core/http/proof.ts';
import { fieldsOf } from '../core/options/check.ts';

/** What an attempt counts against, as far as that can be told before its response. */
export interface Use {
  readonly lane: Lane;
  /** How many calls it counts as. */
  readonly calls: number;
  /** A token and a subject: what limits they count against is learned from their responses. */
  readonly key: string;
}

/** How the platform separates its limits; what matches none is about content. */
const subjects: readonly RegExp[] = [
  /conversation|messag|contact|^send|privateReply|private_replies|Attachment/i,
  /lead/i,
  /hashtag|business_?discovery/i,
];

const publishes = /^(?:publish(?!ing)|addCaptions|\w*Status$)/;
const interacts = /^(?:send|reply|private|upload|hide|update|delete|like|block(?!ed)|unblock|set|answer)/;

/** The lane of a function that its context was not moved to another one. */
export function laneOf(operation: string): Lane {
  return publishes.test(operation) ? 'publish' : interacts.test(operation) ? 'interact' : 'read';
}

/** Uploads are not counted, and what was closed is not sent. */
export function useOf({ context, request, address, deadline }: PreparedRequest): Use | undefined {
  const { platform, lane } = context;
  if (Number.isNaN(deadline) || address.startsWith(platform.uploadUrl)) return undefined;
  const { trace, purpose = 'call', query, form, headers } = request;
  const { operation } = trace.of;
  const token =
    request.token ?? query?.['access_token'] ?? form?.['access_token'] ?? headers?.['authorization'] ?? '';
  const path = address.slice(0, (address.indexOf('?') + 1 || address.length + 1) - 1);
  const subject = subjects.findIndex((one) => one.test(operation) || one.test(path));
  return {
    lane: purpose === 'call' ? (lane ?? laneOf(operation)) : 'publish',
    calls: countOf(request.form?.['batch'], (request.query ?? request.form)?.['ids']),
    key: `${hashOf(String(token), 0)} ${subject}`,
  };
}

/** Each part of a batch and each id is a call. */
function countOf(batch: unknown, ids: unknown): number {
  if (typeof ids === 'string') return ids.split(',').length;
  return typeof batch === 'string' ? Number(fieldsOf(JSON.parse(batch))['length']) || 1 : 1;
}
