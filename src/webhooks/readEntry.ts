import { parseJson } from '../core/http/json.ts';
import { picsPlatform } from '../core/platform.ts';
import type { Delivery, WebhookEvent } from './event.ts';
import { digestOf, type OnceType, subjects } from './eventKey.ts';
import { type RawBody, toBytes } from './signature.ts';

type Members = Readonly<Record<string, unknown>>;

interface Origin {
  readonly client: string | undefined;
  readonly accountId: string;
  readonly sentAt: Date | undefined;
}

/** The documented events, each with the member that it must have. */
const needs = new Map(
  Object.entries({
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
  }),
);

/** Reads a delivery. Throws if the body is not one; the error may quote the body. */
export function readDelivery(rawBody: RawBody): Delivery {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(toBytes(rawBody));
  const { object, entry }: Members = Object(parseExact(text));
  if (typeof object !== 'string' || !Array.isArray(entry)) throw new TypeError();
  const events: WebhookEvent[] = [];
  for (const one of entry) readEntry(events, object, one);
  return { object, events };
}

/**
 * A number, or a list of numbers, after the name of an id. It does not match inside a string, where quotes have a
 * backslash. It begins with the colon: to look for the names first would take three times as long.
 */
const ids = /:\s*(?=[[\d-])(?<=[_"]u?ids?"\s*:\s*)(?:-?\d+|\[[-\d,\s]+])(?=\s*[,}])/g;

/** `parseJson`, with short ids as strings, too. */
export function parseExact(text: string): unknown {
  return parseJson(text.replace(ids, (found) => found.replace(/-?\d+/g, '"$&"')));
}

/** Adds the events of an entry, in order. An item that cannot be read becomes an unknown event. */
function readEntry(events: WebhookEvent[], object: string, entry: unknown): void {
  const places: Members = Object(entry);
  const { id, time, field, value } = places;
  const origin = {
    client: object === 'page' ? object : object === picsPlatform ? 'pics' : undefined,
    accountId: textOrEmpty(id),
    sentAt: toDate(time),
  };
  // In login mode, an entry can be the change itself.
  if (field) {
    events.push(toEvent(origin, 'changes', { field, value }));
    return;
  }
  for (const place in places) {
    const items = places[place];
    if (!Array.isArray(items)) continue;
    for (const item of items) {
      events.push(toEvent(origin, place, place === 'changed_fields' ? { field: item } : item));
    }
  }
}

function toEvent({ client, accountId, sentAt }: Origin, place: string, raw: unknown): WebhookEvent {
  const item: Members = Object(raw);
  const isChange = place.startsWith('change');
  const field = isChange ? textOrEmpty(item['field']) : keyOf(item);
  const value = item[isChange ? 'value' : field];
  const data: Members = Object(value);
  const need = needs.get(field);
  // The manual of page mode calls the id `comment_id`.
  const subject = textOrEmpty(data[need ?? '']) || (need === 'id' && textOrEmpty(data['comment_id']));
  const isKnown =
    client && need !== undefined && data === value && !Array.isArray(value) && (subject || !need);
  const type = isKnown ? field : 'unknown';
  const id =
    type === 'feed'
      ? data['item'] === 'comment' && data['verb'] === 'add' && textOrEmpty(data['comment_id'])
      : data['is_deleted'] !== true && subject;
  // Only types that happen once have an `id` here.
  const once = id ? subjects[type as OnceType] : undefined;
  // The documented type of each event is asserted: `needs` and `readTexts` check what must hold.
  return {
    client,
    accountId,
    sentAt,
    type,
    field,
    at: toDate(isChange ? data['created_time'] : item['timestamp']),
    standby: place === 'standby',
    senderId: personId(item['sender']),
    recipientId: personId(item['recipient']),
    data: isKnown ? readTexts(need ? { ...data, [need]: subject } : data) : value,
    raw,
    key: once ? digestOf(accountId, once, id) : digestOf(accountId, field, raw),
  } as WebhookEvent;
}

/** Names of the fields that are strings, in all events and their objects. */
const texts =
  /(id|name|type|ref|title|text|item|verb|message|link|source|url|action|emoji|status|code|metadata|reason|load)$/;

/**
 * A copy without the fields that should be strings but are not. Entries of lists, such as attachments, stay as they
 * are.
 */
function readTexts(value: Members, depth = 3): Members {
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const member = copy[name];
    if (typeof member !== 'string' && texts.test(name)) delete copy[name];
    else if (depth && member?.constructor === Object) copy[name] = readTexts(Object(member), depth - 1);
  }
  return copy;
}

/** The member that holds a messaging event, next to its sender, recipient and timestamp. */
function keyOf(item: Members): string {
  let other = '';
  for (const name in item) {
    if (needs.has(name)) return name;
    if (!other && !/^(sender|recipient|timestamp)$/.test(name)) other = name;
  }
  return other;
}

function personId(person: unknown): string | undefined {
  const { id }: Members = Object(person);
  return textOrEmpty(id) || undefined;
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A time below 1e11 is in seconds (up to the year 5138), since milliseconds passed that value in 1973. */
export function toDate(value: unknown): Date | undefined {
  const time = typeof value === 'number' ? value : Number(textOrEmpty(value));
  const date = new Date(time < 1e11 ? time * 1000 : time);
  return date.getTime() ? date : undefined;
}
