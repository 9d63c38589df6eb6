import { picsPlatform } from '../core/platform.ts';
import type { WebhookEvent } from './event.ts';

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

/** Made when it is read, since it costs more than all the rest of an event; one getter for all, since a new one is slow. */
const key: PropertyDescriptor & ThisType<WebhookEvent> = {
  enumerable: true,
  get() {
    return hash([this.accountId, this.field, this.raw]);
  },
};

/** The events of an entry, in order. What cannot be read is an unknown event. */
export function readEntry(object: string, entry: unknown): WebhookEvent[] {
  const places = Object(entry) as Members;
  const { id, time, field, value } = places;
  const origin = {
    client: object === 'page' ? object : object === picsPlatform ? 'pics' : undefined,
    accountId: toText(id),
    sentAt: toDate(time),
  };
  // In login mode, an entry can be the change itself.
  if (field) return [toEvent(origin, 'changes', { field, value })];
  const events: WebhookEvent[] = [];
  for (const place in places) {
    const items = places[place];
    if (!Array.isArray(items)) continue;
    for (const item of items) {
      events.push(toEvent(origin, place, place === 'changed_fields' ? { field: item } : item));
    }
  }
  return events;
}

function toEvent(origin: Origin, place: string, raw: unknown): WebhookEvent {
  const item = Object(raw) as Members;
  const isChange = place.startsWith('change');
  const field = isChange ? toText(item['field']) : keyOf(item);
  const value = item[isChange ? 'value' : field];
  const data = Object(value) as Members;
  const need = needs.get(field);
  // The manual of page mode calls the id `comment_id`.
  const subject = toText(data[need ?? '']) || (need === 'id' && toText(data['comment_id']));
  const isKnown =
    origin.client && need !== undefined && data === value && !Array.isArray(value) && (subject || !need);
  const event = {
    ...origin,
    type: isKnown ? field : 'unknown',
    field,
    at: toDate(isChange ? data['created_time'] : item['timestamp']),
    standby: place === 'standby',
    senderId: idOf(item['sender']),
    recipientId: idOf(item['recipient']),
    data: isKnown ? readTexts(need ? { ...data, [need]: subject } : data) : value,
    raw,
  };
  return Object.defineProperty(event, 'key', key) as WebhookEvent;
}

/** Names of texts, in all events and their objects. */
const texts =
  /(id|name|type|ref|title|text|item|verb|message|link|source|url|action|emoji|status|code|metadata|reason|load)$/;

/** A copy without what is documented as a text and is none. What stands in a list, as attachments do, stays as it is. */
function readTexts(value: Members, depth = 3): Members {
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const member = copy[name];
    if (typeof member !== 'string' && texts.test(name)) delete copy[name];
    else if (depth && member?.constructor === Object) copy[name] = readTexts(member as Members, depth - 1);
  }
  return copy;
}

/** The key of a messaging event, beside its sender, recipient and timestamp. */
function keyOf(item: Members): string {
  const keys = Object.keys(item).filter((name) => !/^(sender|recipient|timestamp)$/.test(name));
  return keys.find((name) => needs.has(name)) ?? keys[0] ?? '';
}

function idOf(person: unknown): string | undefined {
  return toText((Object(person) as Members)['id']) || undefined;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A time below 1e11 is in seconds (up to the year 5138), since milliseconds passed that value in 1973. */
function toDate(value: unknown): Date | undefined {
  const time = typeof value === 'number' ? value : Number(toText(value));
  const date = new Date(time < 1e11 ? time * 1000 : time);
  return date.getTime() ? date : undefined;
}

/**
 * A digest of a JSON value, of 96 bits. It is not made by Web Crypto, which is asynchronous and would delay the parsing for each event;
 * the key needs no cryptographic strength.
 */
function hash(value: unknown): string {
  let text = '';
  try {
    text = JSON.stringify(value);
  } catch {
    // Thousands of levels, which no platform sends, are all the same.
  }
  let [a, b, c] = [1, 2, 3];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x85ebca77) ^ a;
    c = Math.imul(c ^ code, 0xc2b2ae3d) ^ b;
  }
  return [a, b, c].map((part) => (part >>> 0).toString(36)).join('-');
}
