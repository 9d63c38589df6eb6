import { sha256 } from '../core/digest.ts';
import { parseJson } from '../core/http/json.ts';
import { isObject } from '../core/objects.ts';
import { picsPlatform } from '../core/platform.ts';
import type { Delivery, WebhookEvent } from './events.ts';
import { members, needs } from './members.ts';
import { type RawBody, toBytes } from './signature.ts';

type Members = Readonly<Record<string, unknown>>;

interface Origin {
  readonly client: string | undefined;
  readonly accountId: string;
  readonly sentAt: Date | undefined;
  /** The entry. */
  readonly places: Members;
  /** How many equal items without a time of their own came before in the delivery, by their keys. */
  readonly seen: Map<string, number>;
}

/** Types of events that happen once, with what happens. */
export const subjects = {
  leadgen: 'leadgen',
  message: 'message',
  comments: 'comment',
  live_comments: 'comment',
  feed: 'comment',
} as const;

/** A type of events of which some happen once: a lead, a new message, or a comment that was added. */
export type OnceType = keyof typeof subjects;

/** Reads a delivery. Throws if the body is not one; the error may quote the body. */
export function readDelivery(rawBody: RawBody): Delivery {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(toBytes(rawBody));
  const { object, entry }: Members = Object(parseExact(text));
  if (typeof object !== 'string' || !Array.isArray(entry)) throw new TypeError();
  const events: WebhookEvent[] = [];
  const seen = new Map<string, number>();
  for (const one of entry) readEntry(events, seen, object, one);
  return { object, events };
}

/**
 * A number after the name of an id. It does not match inside a string, where quotes have a backslash. It begins with the
 * colon, since to look for the names first would take three times as long; and with another sign beside it, since V8 looks
 * for either of two signs in half the time that it takes for one.
 */
const ids = /([:[]\s*)(?=[\d-])(?<=[_"]u?ids?"\s*:\s*)(-?\d+)(?=\s*[,}])/g;
/** A list of numbers after the name of ids. */
const idLists = /[[{](?=\s*[-\d])(?<=[_"]u?ids?"\s*:\s*\[)[-\d,\s]+](?=\s*[,}])/g;

/** `parseJson`, with short ids as strings, too. */
export function parseExact(text: string): unknown {
  return parseJson(quoteIds(text).replace(idLists, (list) => list.replace(/-?\d+/g, '"$&"')));
}

/** Quotes the numbers after the names of ids. Not by `replace`, which takes twice the time. */
function quoteIds(text: string): string {
  let quoted = '';
  let end = 0;
  for (let found; (found = ids.exec(text)); end = ids.lastIndex) {
    const [, before = '', id] = found;
    quoted += `${text.slice(end, found.index + before.length)}"${id}"`;
  }
  return quoted + text.slice(end);
}

/** Adds the events of an entry, in order. An item that cannot be read becomes an unknown event. */
function readEntry(events: WebhookEvent[], seen: Map<string, number>, object: string, entry: unknown): void {
  const places: Members = Object(entry);
  const { id, time, field, value, messaging } = places;
  const origin = {
    client: object === 'page' ? object : object === picsPlatform ? 'pics' : undefined,
    accountId: textOrEmpty(id),
    sentAt: toDate(time),
    places,
    seen,
  };
  // In login mode, an entry can be the change itself.
  if (field) events.push(toEvent(origin, 'changes', { field, value }));
  for (const place in places) {
    const items = places[place];
    if (!Array.isArray(items) || (messaging && integrityMember.test(place))) continue;
    if (field && place === 'value') continue;
    for (const item of items)
      events.push(toEvent(origin, place, place === 'changed_fields' ? { field: item } : item));
  }
}

/** The integrity event of a Page. No member of its item holds its data: the item itself does. */
const integrityEvent = 'business_integrity';
const integrityMember = /^(?:status|violations|restrictions|action_events)$/;

/** An item of a delivery, whatever its form. */
interface Item {
  /** The name of what happened. */
  readonly field: string;
  /** That in the delivery, unless it is the same. */
  readonly said?: string;
  /** What it says. */
  readonly value: unknown;
  /** As it is shown. */
  readonly raw: unknown;
  /** What has the time and the people, unless that is the value. */
  readonly around?: Members;
  /** What its key is made of, unless that is `raw`. */
  readonly whole?: unknown;
  readonly standby?: boolean;
}

/** Reads an item: where its event stands, what it says if it is documented, and by what it is recognized. */
function toEvent(origin: Origin, place: string, sent: unknown): WebhookEvent {
  const { client, accountId, sentAt } = origin;
  const {
    field,
    value,
    raw,
    said = field,
    around = Object(value),
    whole = raw,
    standby = false,
  }: Item = place.startsWith('change') ? readChange(client, sent) : readSpoken(origin, place, sent);
  const data = client ? readData(field, value) : undefined;
  const once = data && onceOf(field, data);
  const at = timeOf(around);
  // Of what is no longer new, of a mention, and of what is not documented, it may be when the post or another object was made.
  const isOfObject = field === 'mention' || (!data && 'created_time' in around);
  const isTimed = at && !isOfObject && (around['verb'] ?? 'add') === 'add';
  // What can come back to an earlier state, and does not say when it did, has its delivery in its key.
  const key = digestOf(accountId, ...(once ?? [field, isTimed ? whole : [whole, sentAt]]));
  // The documented type of each event is asserted: `readData` checks what must hold.
  return {
    client,
    accountId,
    sentAt,
    type: data ? field : 'unknown',
    field: said,
    at,
    standby,
    senderId: personId(around['sender']),
    recipientId: personId(around['recipient']),
    data: data ?? value,
    raw,
    key: once || isTimed ? key : keyInPlace(origin, key),
  } as WebhookEvent;
}

/** The key of one of several equal items that came in one delivery: each is an event of its own. */
function keyInPlace({ accountId, seen }: Origin, key: string): string {
  const before = seen.get(key) ?? 0;
  seen.set(key, before + 1);
  return before > 0 ? digestOf(accountId, key, before) : key;
}

/** Fields of the platform's own agent: nothing documents what they hold. */
const ofAgent = /^agent_/;

/** A change of a field, or the event of a conversation that it holds. */
function readChange(client: string | undefined, raw: unknown): Item {
  const { field: name, value }: Members = Object(raw);
  const field = textOrEmpty(name);
  // What the platform's own agent says is no message from a person, whatever its form.
  const spoken = client && !ofAgent.test(field) ? conversationIn(value) : undefined;
  if (!spoken) return { field, value, raw };
  const at = timeOf(spoken);
  // A change may have its time in another form.
  const whole = at ? { ...spoken, timestamp: at.getTime() } : spoken;
  return { ...itemOf(spoken, raw), said: field, whole, standby: field === 'standby' };
}

/** The event of a conversation, or that of a Page's integrity, which stands among them. */
function readSpoken({ places }: Origin, place: string, raw: unknown): Item {
  const given: Members = Object(raw);
  const item = itemOf(given, raw);
  if (item.field !== integrityEvent || place !== 'messaging')
    return { ...item, standby: place === 'standby' };
  // Some samples have the lists of an integrity event beside its item, not in it.
  const beside: Record<string, unknown> = {};
  for (const name in places) if (integrityMember.test(name)) beside[name] = places[name];
  const whole = { ...beside, ...given };
  return itemOf(whole, whole);
}

function itemOf(around: Members, raw: unknown): Item {
  const field = keyOf(around);
  const value = around[field] ?? (field === integrityEvent ? stateIn(around) : undefined);
  return { field, value, raw, around };
}

/** The data of an event; `undefined` if they are not as documented. */
function readData(type: string, value: unknown): Members | undefined {
  const need = needs.get(type);
  if (need === undefined || !isObject(value)) return undefined;
  if (ofAgent.test(type)) return value;
  // The manual of page mode calls the id `comment_id`.
  const data = need === 'id' ? { ...value, id: textOrEmpty(value['id']) || value['comment_id'] } : value;
  return need && !textOrEmpty(data[need]) ? undefined : readMembers(data);
}

/** What happened once, and the id of what it happened to; `undefined` for what can happen again. */
function onceOf(type: string, data: Members): readonly [name: string, id: unknown] | undefined {
  // Only types that happen once have a name here.
  const name = subjects[type as OnceType];
  const isNew =
    type === 'feed' ? data['item'] === 'comment' && data['verb'] === 'add' : !isDeletion(data['is_deleted']);
  const id = isNew && data[needs.get(type) || 'comment_id'];
  return name && id ? [name, id] : undefined;
}

/**
 * The event of a conversation that is the value of a change. The dashboard's test button sends them so, and so do some
 * deliveries.
 */
function conversationIn(value: unknown): Members | undefined {
  const item: Members = Object(value);
  const { sender, recipient } = item;
  if (!isObject(sender) && !isObject(recipient)) return undefined;
  const key = keyOf(item);
  return needs.has(key) && isObject(item[key]) ? item : undefined;
}

/** The key of what happens to an account: of its id if it happens once, of what says which it is otherwise. */
export function digestOf(accountId: string, name: string, what: unknown): string {
  let text = '';
  try {
    text = JSON.stringify([accountId, name, what]);
  } catch {
    // Values nested thousands of levels deep, which no platform sends, all get the same digest.
  }
  return sha256(text);
}

/** A flag, which some samples have as a text; `undefined` for what is none. */
function toFlag(value: unknown): boolean | undefined {
  const text = value instanceof Object ? '' : String(value);
  return /^(?:true|1)$/i.test(text) || (/^(?:false|0)$/i.test(text) ? false : undefined);
}

/** Whether a message was deleted. In doubt it was: what a person took back must not be kept. */
function isDeletion(value: unknown): boolean {
  return value !== undefined && (toFlag(value) ?? Boolean(value));
}

/**
 * A copy without the documented texts that are none, and with the documented flags as booleans. A key must not become the
 * prototype.
 */
function readMembers(value: Members, depth = 3): Members {
  // Not a copy from which members are deleted, which takes twice the time where there are some.
  const copy: Record<string, unknown> = {};
  for (const name in value) {
    const member = value[name];
    const kind = members.get(name);
    let read = member;
    if (kind === '?') read = name === 'is_deleted' ? isDeletion(member) : toFlag(member);
    else if (typeof member === 'string') {
      // The ad of a test lead, which has none.
      if (member === '0' && name.endsWith('_id')) continue;
    } else if (kind === '' || name.endsWith('_id')) continue;
    else if (depth && isObject(member) && kind === '.') read = readMembers(member, depth - 1);
    if (read !== undefined && name !== '__proto__') copy[name] = read;
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
  return integrityMember.test(other) && !item['sender'] ? integrityEvent : other;
}

/** What an integrity event says: all but when. */
function stateIn({ timestamp: _when, ...state }: Members): Members {
  return state;
}

function timeOf({ created_time, timestamp, updated_time }: Members): Date | undefined {
  return toDate(created_time ?? timestamp ?? updated_time);
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
