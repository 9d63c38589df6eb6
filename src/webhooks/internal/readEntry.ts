import { picsPlatform } from '../../core/platform.ts';
import type { WebhookEvent } from '../event.ts';
import { digest } from './key.ts';

type Members = Readonly<Record<string, unknown>>;

/** The documented events, each with the member that it is of no use without. */
const needs: Readonly<Record<string, string | null>> = {
  // No name that every object knows is one of these.
  __proto__: null,
  feed: '',
  leadgen: 'leadgen_id',
  mention: '',
  ratings: '',
  comments: 'id',
  live_comments: 'id',
  mentions: '',
  story_insights: '',
  message: 'mid',
  reaction: 'mid',
  postback: '',
  referral: '',
  read: '',
  delivery: '',
  message_edit: 'mid',
  optin: '',
  account_linking: '',
  pass_thread_control: '',
  take_thread_control: '',
  request_thread_control: '',
  'policy-enforcement': '',
};

/** The events of an entry, in their order. What is not understood is an unknown event. */
export function readEntry(object: string, entry: unknown): WebhookEvent[] {
  const { id, time, ...places } = Object(entry) as Members;
  const client = object === 'page' ? object : object === picsPlatform ? 'pics' : undefined;
  // Login mode has entries that are their own change.
  if ('field' in places) return [toEvent('changes', places)];
  return Object.entries(places).flatMap(([place, items]) =>
    Array.isArray(items) ? items.map((item) => toEvent(place, item)) : [],
  );

  function toEvent(place: string, item: unknown): WebhookEvent {
    const raw = place === 'changed_fields' ? { field: item } : item;
    const { sender, recipient, timestamp, ...members } = Object(raw) as Members;
    const isChange = place.startsWith('change');
    const keys = Object.keys(members);
    const field = isChange ? toText(members['field']) : (keys.find((key) => key in needs) ?? keys[0] ?? '');
    const value = members[isChange ? 'value' : field];
    const data = Object(value) as Members;
    const need = needs[field];
    // Page mode's manual has `comment_id` for `id`.
    const subject = toText(data[need ?? '']) || (need === 'id' && toText(data['comment_id']));
    const isKnown =
      client && need !== undefined && data === value && !Array.isArray(value) && (subject || !need);
    return {
      type: isKnown ? field : 'unknown',
      client,
      field,
      accountId: toText(id),
      sentAt: toDate(time),
      at: toDate(isChange ? data['created_time'] : timestamp),
      key: digest(JSON.stringify([id, field, raw])),
      standby: place === 'standby',
      senderId: toText(Object(sender).id) || undefined,
      recipientId: toText(Object(recipient).id) || undefined,
      data: isKnown && need === 'id' ? { ...data, id: subject } : value,
      raw,
    } as WebhookEvent;
  }
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Below 1e11 it is seconds, which end in the year 5138; milliseconds reached that in 1973. */
function toDate(value: unknown): Date | undefined {
  const time = typeof value === 'number' ? value : Number(toText(value));
  const date = new Date(time < 1e11 ? time * 1000 : time);
  return date.getTime() ? date : undefined;
}
