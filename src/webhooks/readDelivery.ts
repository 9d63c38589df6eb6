import { sha256 } from '../core/digest.ts';
import { parseJson } from '../core/http/json.ts';
import { isObject } from '../core/objects.ts';
import { picsPlatform } from '../core/platform.ts';
import type { Delivery, WebhookEvent } from './events.ts';
import { type RawBody, toBytes } from './signature.ts';

type Members = Readonly<Record<string, unknown>>;

interface Origin {
  readonly client: string | undefined;
  readonly accountId: string;
  readonly sentAt: Date | undefined;
  /** The entry. */
  readonly places: Members;
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
    business_integrity: '',
    message_template_status_update: '',
    agent_messages: '',
    agent_questions: '',
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
 * A number after the name of an id. It does not match inside a string, where quotes have a backslash. It begins with the
 * colon, since to look for the names first would take three times as long; and with another sign beside it, since V8 looks
 * for either of two signs in half the time that it takes for one.
 */
const ids = /([:[]\s*)(?=[\d-])(?<=[_"]u?ids?"\s*:\s*)(-?\d+)(?=\s*[,}])/g;
/** A list of numbers after the name of ids. */
const idLists = /[[{](?=\s*[-\d])(?<=[_"]u?ids?"\s*:\s*\[)[-\d,\s]+](?=\s*[,}])/g;

/** `parseJson`, with short ids as strings, too. */
export function parseExact(text: string): unknown {
  // A replacement that is a text takes half the time of a function.
  const exact = text.replace(ids, '$1"$2"').replace(idLists, (list) => list.replace(/-?\d+/g, '"$&"'));
  return parseJson(exact);
}

/** Adds the events of an entry, in order. An item that cannot be read becomes an unknown event. */
function readEntry(events: WebhookEvent[], object: string, entry: unknown): void {
  const places: Members = Object(entry);
  const { id, time, field, value, messaging } = places;
  const origin = {
    client: object === 'page' ? object : object === picsPlatform ? 'pics' : undefined,
    accountId: textOrEmpty(id),
    sentAt: toDate(time),
    places,
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

function toEvent({ client, accountId, sentAt, places }: Origin, place: string, sent: unknown): WebhookEvent {
  const isInChanges = place.startsWith('change');
  let raw = sent;
  let given: Members = Object(raw);
  // What the platform's own agent says is no message from a person, whatever its form.
  const isOfAgent =
    isInChanges && (given['field'] === 'agent_messages' || given['field'] === 'agent_questions');
  const spoken = isInChanges && client && !isOfAgent ? conversationIn(given['value']) : undefined;
  const isChange = isInChanges && !spoken;
  const field = isChange ? textOrEmpty(given['field']) : keyOf(spoken ?? given);
  if (field === integrityEvent && place === 'messaging') {
    // Some samples have the lists of an integrity event beside its item, not in it.
    const beside = Object.entries(places).filter(([name]) => integrityMember.test(name));
    raw = given = { ...Object.fromEntries(beside), ...given };
  }
  const item = spoken ?? given;
  const { timestamp } = item;
  const value = isChange
    ? item['value']
    : (item[field] ?? (field === integrityEvent ? stateIn(item) : undefined));
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
      : !isDeletion(data['is_deleted']) && subject;
  // Only types that happen once have an `id` here.
  const once = id ? subjects[type as OnceType] : undefined;
  const people = isChange ? data : item;
  const at = toDate(isChange ? (data['created_time'] ?? data['timestamp']) : timestamp);
  // The documented type of each event is asserted: `needs` and `readMembers` check what must hold.
  return {
    client,
    accountId,
    sentAt,
    type,
    field,
    at,
    standby: place === 'standby' || (spoken !== undefined && given['field'] === 'standby'),
    senderId: personId(people['sender']),
    recipientId: personId(people['recipient']),
    data:
      isKnown && !isOfAgent
        ? readMembers(need ? { ...data, [need]: subject } : data, type === 'message')
        : value,
    raw,
    // A change may have its time in another form.
    key: once
      ? digestOf(accountId, once, id)
      : digestOf(accountId, field, spoken && at ? { ...spoken, timestamp: at.getTime() } : (spoken ?? raw)),
  } as WebhookEvent;
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

/** The key of what happens to an account: of its id if it happens once, of the whole item otherwise. */
export function digestOf(accountId: string, name: string, what: unknown): string {
  let text = '';
  try {
    text = JSON.stringify([accountId, name, what]);
  } catch {
    // Values nested thousands of levels deep, which no platform sends, all get the same digest.
  }
  return sha256(text);
}

/** Names of the documented texts, in all events and their objects. */
const texts = /* @__PURE__ */ new Set(
  (
    'id mid ad_id adgroup_id album_id app_id comment_id event_id form_id leadgen_id media_id message_template_id ' +
    'open_graph_story_id original_media_id page_id parent_id photo_id post_id recipient_id reviewer_id self_ig_scoped_id ' +
    'sender_id share_id user_id video_id new_owner_app_id previous_owner_app_id requested_owner_app_id ' +
    'name message_template_name reviewer_name sender_name username message_template_language ' +
    'type media_product_type reaction_type recommendation_type ref user_ref title ad_title text review_text ' +
    'action authorization_code emoji event item link message metadata payload reaction reason source status url verb'
  ).split(' '),
);
/** Names of the documented objects with texts. */
const objects = /^(?:from|media|quick_reply|referral|reply_to|story)$/;

/** Names of the documented flags of a message. */
const flags = /^(?:is_(?:echo|self|deleted|unsupported)|ai_generated)$/;

/** A flag, which some samples have as a text; `undefined` for what is none. */
function toFlag(value: unknown): boolean | undefined {
  const text = value instanceof Object ? '' : String(value);
  return /^(?:true|1)$/i.test(text) || (/^(?:false|0)$/i.test(text) ? false : undefined);
}

/** Whether a message was deleted. In doubt it was: what a person took back must not be kept. */
function isDeletion(value: unknown): boolean {
  return value !== undefined && (toFlag(value) ?? Boolean(value));
}

/** A copy without the documented texts that are none, and with the flags of a message as booleans. */
function readMembers(value: Members, isMessage = false, depth = 3): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const member = copy[name];
    if (isMessage && flags.test(name)) {
      copy[name] = name === 'is_deleted' ? isDeletion(member) : toFlag(member);
      if (copy[name] === undefined) delete copy[name];
    } else if (typeof member === 'string') continue;
    else if (depth && member?.constructor === Object && objects.test(name))
      copy[name] = readMembers(Object(member), false, depth - 1);
    else if (texts.has(name)) delete copy[name];
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
function stateIn(item: Members): Members {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'timestamp'));
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
