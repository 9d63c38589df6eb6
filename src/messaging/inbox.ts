import { err, ok, okAsync, type Result, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { ownFields } from '../core/http/fields.ts';
import { POST } from '../core/http/methods.ts';
import { isOver, mapConcurrent, safeTry, send, settled } from '../core/http/send.ts';
import type { Call, GraphResponse, Params } from '../core/http/types.ts';
import { type InsideParts, partsInside } from '../core/lists/askInside.ts';
import { type Withheld, type WithheldOptions, withheldRules } from '../core/lists/inside.ts';
import type { FieldOptions, ListRequest, WalkOptions } from '../core/lists/list.ts';
import { fieldRules, limitRule, list, walkPages } from '../core/lists/list.ts';
import { fieldsOf, withHidden } from '../core/objects.ts';
import * as rule from '../core/options/rules.ts';
import { acknowledgementSchema, type InnerList, withMore, withRaw } from '../models/fields.ts';
import type { Contact, Conversation, Message, Paging, Participant, Thread } from '../models/inbox.ts';
import { contactProfileSchema, messageSchema, pagingSchema, threadSchema } from '../models/inbox.ts';

export interface Inbox {
  /** The node that has its conversations: a Page, or an account. */
  readonly node: string;
  /** The node that sends: the Page, or the account. */
  readonly sender: string;
  /** Ids of its owner, if they are given. */
  readonly ownerIds: readonly (string | undefined)[];
  /** Value of the parameter `platform`. */
  readonly platform: string;
  /** The fields of a partner's profile. */
  readonly contactFields: string;
  /** The fields of a message. */
  readonly messageFields: string;
}

const fields = 'id,updated_time,unread_count,participants';
const lastMessage = 'messages.limit(1){id,created_time,from,to,message}';

/** How many profiles are read in parallel: those of a page of 25 take two round trips. */
const profilesAtOnce = 13;

/** One page of an inbox. */
export interface Conversations {
  readonly data: readonly Conversation[];
  /** Its links hold no token. The last page has no `next`, although it can have an `after`. */
  readonly paging: Paging;
  /** Not enumerable. Whether the inbox has more after this page. */
  readonly hasMore: boolean;
  /** Not enumerable. How many conversations are missing in this page, since the platform cannot deliver them. */
  readonly unreadable: number;
  /** Not enumerable. What `messages` asked for and was not read, with the reason; empty if all was read. */
  readonly withheld: readonly Withheld[];
}

/** How much of each conversation to read. */
interface ConversationParts {
  /**
   * How many of the newest messages to read of each conversation, 1 to 100, in its `messages`, in the same requests: 25
   * conversations in each. Of a conversation, only the newest 20 messages have details.
   * @default 1, without its attachments
   */
  readonly messages?: number | undefined;
  /**
   * Whether to read the profile of each partner, with one request each, up to 13 in parallel. Without it, partners have the
   * name or username that the conversation holds.
   * @default true; false with `messages`, which are read to spare requests
   */
  readonly enrich?: boolean | undefined;
}

/** Which page of an inbox to read. */
export interface ConversationsQuery extends ConversationParts {
  /**
   * Conversations to return in this page. At least 1.
   * @default 25
   */
  readonly limit?: number | undefined;
  /**
   * Cursor of an earlier page, its `paging.cursors.after`. There is another page only if that page has a `paging.next`.
   */
  readonly after?: string | undefined;
  /** Id of a person, as conversations hold it: only the conversation with this person is returned, if there is one. */
  readonly userId?: string | undefined;
}

const pageRules = { limit: rule.optional(rule.count), after: rule.optional(rule.text) };

const partRules = { messages: rule.optional(rule.wholeBetween(1, 100)), enrich: rule.optional(rule.flag) };

export const conversationsRules = { ...pageRules, userId: rule.optional(rule.id), ...partRules };

export function readConversations(
  context: Context,
  call: Call,
  inbox: Inbox,
  { limit = 25, after, userId, messages, enrich = messages === undefined }: ConversationsQuery,
): ResultAsync<Conversations, RequestFailure> {
  return safeTry(async function* () {
    const { withheld, ...parts } = conversationList(inbox, { after, user_id: userId }, { messages });
    const { data, paging, unreadable } = yield* readPage(context, limit, {
      ...call,
      ...parts,
      ...(messages === undefined && { query: { ...parts.query, limit } }),
    });
    const toConversations = conversationReader(context, inbox, call, enrich, userId);
    const page = pageOf({ data: yield* await toConversations(data), paging }, unreadable);
    return ok(withHidden(page, { withheld }));
  });
}

/** How to walk a list of an inbox. */
interface InboxWalk extends WalkOptions {
  /**
   * Entries in one request. At least 1.
   * @default 50; 25 conversations with `messages`
   */
  readonly pageSize?: number | undefined;
}

export const walkRules = {
  limit: limitRule,
  pageSize: rule.optional(rule.count),
  onUnreadable: rule.optional(rule.hook),
};

/** How to walk an inbox. */
export interface ConversationsWalk extends InboxWalk, ConversationParts, WithheldOptions {}

export const conversationsWalkRules = { ...walkRules, ...partRules, ...withheldRules };

/** Yields the pages of an inbox, each conversation once. */
export async function* walkConversations(
  context: Context,
  call: Call,
  inbox: Inbox,
  options: ConversationsWalk,
): AsyncGenerator<Result<readonly Conversation[], RequestFailure>, void, undefined> {
  const { limit = Infinity, messages, enrich = messages === undefined } = options;
  const toConversations = conversationReader(context, inbox, call, enrich);
  const { pageSize: usual = 50, ...parts } = conversationList(inbox, {}, options);
  const pages = walkPages(context, { ...call, ...parts, limit, pageSize: options.pageSize ?? usual });
  for await (const page of pages) {
    yield page.isErr() ? err(page.error) : await settled(toConversations(page.value));
  }
}

function conversationList(
  { node, platform, messageFields }: Inbox,
  query: Params,
  { messages, onWithheld }: Pick<ConversationsWalk, 'messages' | 'onWithheld'>,
): Pick<ListRequest<Thread>, 'path' | 'query'> & Omit<InsideParts<Thread>, 'query'> {
  const isInside = messages !== undefined;
  const parts = partsInside(
    {
      fields: isInside ? fields : `${fields},${lastMessage}`,
      parts: [isInside && 'messages', isInside && 'lastMessage'],
      toFields: ({ has }) => [
        has('messages') ? `messages.limit(${messages}){${messageFields}}` : has('lastMessage') && lastMessage,
      ],
      spare: 7,
      onWithheld,
    },
    threadSchema,
  );
  return { ...parts, path: path`${node}/conversations`, query: { platform, ...parts.query, ...query } };
}

/**
 * Builds conversations from the platform's pages. Each profile is read once, and the owner's ids are kept from one page
 * to the next.
 */
function conversationReader(
  context: Context,
  { contactFields, ownerIds: given }: Inbox,
  request: Call,
  enrich = true,
  userId?: string,
): (threads: readonly Thread[]) => Promise<Result<readonly Conversation[], RequestFailure>> {
  const profiles = new Map<string, Contact>();
  let ids: readonly (string | undefined)[] | undefined;

  return async (threads) => {
    ids ??= ownerIdsIn(threads, given, userId);
    const partners = threads.map((thread) => partnersIn(thread, ids ?? given));
    const everyone = threads.flatMap((thread, at) => partners[at] ?? participantsOf(thread));
    const failure = enrich ? await readProfiles(everyone) : undefined;
    return failure ? err(failure) : ok(threads.map((thread, at) => toConversation(thread, partners[at])));
  };

  /** Reads the profiles that are not known yet. Returns the failure that ends the call, if there is one. */
  async function readProfiles(people: readonly Participant[]): Promise<RequestFailure | undefined> {
    const ids = new Set(people.map(({ id }) => id).filter((id) => !profiles.has(id)));
    let failure: RequestFailure | undefined;
    await mapConcurrent(
      [...ids],
      async (id) => {
        const profile = await readProfile(context, id, contactFields, request);
        if (profile.isErr() && endsCall(profile.error)) failure ??= profile.error;
        profiles.set(id, profile.isOk() ? profile.value : unavailable(id, profile.error.message));
      },
      profilesAtOnce,
    );
    return failure;
  }

  /** Whether a failure ends the whole call: it was aborted or closed, or its time is up. */
  function endsCall(failure: RequestFailure): boolean {
    const isTimeout = failure.name === 'TransportError' && failure.reason === 'timeout';
    return isOver(failure) || (isTimeout && context.clock.monotonic() + 1 > request.deadline);
  }

  function toConversation(thread: Thread, partners: readonly Participant[] | undefined): Conversation {
    const conversation = {
      ...thread,
      contact: partners?.map(toPartner)[0],
      contacts: (partners ?? participantsOf(thread)).map(toPartner),
      last_message: thread.messages?.data[0],
      updated_time: thread.updated_time,
    };
    return withRaw(conversation, thread.raw);
  }

  function toPartner(participant: Participant) {
    return { ...participant, ...profiles.get(participant.id), id: participant.id };
  }
}

interface WithParticipants {
  readonly participants?: Pick<InnerList<Participant>, 'data'> | undefined;
}

type Ids = readonly (string | undefined)[];

/**
 * The ids of the account itself: the given ones, if one of them occurs in the conversations.
 *
 * If none of them occurs, because the platform uses another id, the account is the only participant that all
 * conversations share; or, if the conversation with one person was requested, the other participant.
 */
export function ownerIdsIn(
  threads: readonly WithParticipants[],
  given: Ids,
  userId?: string,
): Ids | undefined {
  const everyone = threads.flatMap(participantsOf);
  if (everyone.some((participant) => hasIdIn(participant, given))) return given;
  const others = everyone.filter(({ id }) => id !== userId);
  if (everyone.length === 2 && others.length === 1) return others.map(({ id }) => id);
  const found = commonId(threads);
  return found.length === 0 ? undefined : found;
}

/** The participants that are not the account itself; `undefined` if the account is not known. */
export function partnersIn(thread: WithParticipants, owner: Ids): readonly Participant[] | undefined {
  const all = participantsOf(thread);
  const partners = all.filter((participant) => !hasIdIn(participant, owner));
  return partners.length < all.length ? partners : undefined;
}

function participantsOf(thread: WithParticipants): readonly Participant[] {
  return thread.participants?.data ?? [];
}

function hasIdIn({ id, user_id }: Participant, ids: Ids): boolean {
  return ids.includes(id) || (user_id !== undefined && ids.includes(user_id));
}

/** The only id that several conversations share, if there is exactly one. */
function commonId([first, ...others]: readonly WithParticipants[]): readonly string[] {
  if (first === undefined || others.length === 0) return [];
  const ids = participantsOf(first)
    .map(({ id }) => id)
    .filter((id) => others.every((thread) => participantsOf(thread).some((other) => other.id === id)));
  return ids.length === 1 ? ids : [];
}

/** One page of a conversation. */
export interface Messages {
  /** Newest first. */
  readonly data: readonly Message[];
  /** Its links hold no token. The last page has no `next`, although it can have an `after`. */
  readonly paging: Paging;
  /** Not enumerable. Whether the conversation has more after this page. */
  readonly hasMore: boolean;
  /** Not enumerable. How many messages are missing in this page, since the platform cannot deliver them. */
  readonly unreadable: number;
}

/** Which page of a conversation to read. */
export interface MessagesQuery {
  readonly conversationId: string;
  /**
   * Messages to return in this page. At least 1.
   * @default 50
   */
  readonly limit?: number | undefined;
  /**
   * Cursor of an earlier page, its `paging.cursors.after`. There is another page only if that page has a `paging.next`.
   */
  readonly after?: string | undefined;
}

export const messagesRules = { conversationId: rule.id, ...pageRules };

/** Reads one page of a conversation, with these fields of its messages. */
export function readMessages(
  context: Context,
  call: Call,
  fields: string,
  { conversationId, limit = 50, after }: MessagesQuery,
): ResultAsync<Messages, RequestFailure> {
  return readPage(context, limit, { ...call, ...messageList(conversationId, { fields, limit, after }) });
}

/** How to walk a conversation. */
export interface MessagesWalk extends InboxWalk, Pick<MessagesQuery, 'conversationId'> {}

/** Yields the pages of a conversation, with these fields of its messages. */
export function walkMessages(
  context: Context,
  call: Call,
  fields: string,
  { conversationId, limit = Infinity, pageSize = 50 }: MessagesWalk,
): ReturnType<typeof walkPages<Message>> {
  return walkPages(context, { ...call, ...messageList(conversationId, { fields }), limit, pageSize });
}

function messageList(conversationId: string, query: Params) {
  return { path: path`${conversationId}/messages`, query, item: messageSchema };
}

/** Which message to read. */
export interface MessageQuery extends FieldOptions {
  /** Such as the `mid` of a webhook event. */
  readonly messageId: string;
}

export const messageRules = { messageId: rule.id, ...fieldRules };

/** The request that reads one message. By default, it has these fields, and the message that it replies to. */
export function readMessage(defaultFields: string, { messageId, fields }: MessageQuery) {
  return {
    path: path`${messageId}`,
    countsAs: 'messages',
    query: { fields: fields?.join(',') ?? `${defaultFields},reply_to` },
    ownFields,
    schema: messageSchema,
  };
}

/** Reads one page of a list; in several requests, if the platform cannot deliver it in one. */
function readPage<TItem extends { readonly id: string }>(
  context: Context,
  limit: number,
  request: Omit<ListRequest<TItem>, 'limit'>,
): ResultAsync<InboxPage<TItem>, RequestFailure> {
  let last: GraphResponse<unknown> | undefined;
  const onPage = (page: GraphResponse<unknown>): void => {
    last = page;
  };
  return list(context, { ...request, limit, isOnePage: true, onPage }).map((data) => {
    const paging = v.parse(v.fallback(pagingSchema, {}), last?.redact(fieldsOf(last.body)['paging']));
    return pageOf({ data: [...data], paging }, data.unreadable);
  });
}

interface InboxPage<TItem> extends InnerList<TItem> {
  readonly paging: Paging;
  readonly unreadable: number;
}

function pageOf<TItem>(
  page: Pick<InboxPage<TItem>, 'data' | 'paging'>,
  unreadable: number,
): InboxPage<TItem> {
  return withHidden(withMore(page, page.paging), { unreadable });
}

/** Reads a partner's profile. A profile that cannot be read is a value, not a failure. */
export function readContact(...args: Parameters<typeof readProfile>): ResultAsync<Contact, never> {
  return readProfile(...args).orElse(({ message }) => okAsync(unavailable(args[1], message)));
}

function readProfile(
  context: Context,
  id: string,
  fields: string,
  request: Call,
): ResultAsync<Contact, RequestFailure> {
  return send(context, {
    ...request,
    path: path`${id}`,
    countsAs: 'messages',
    query: { fields },
    ownFields,
    schema: contactProfileSchema,
  }).map((profile) => ({ ...profile, id: profile.id ?? id, available: true }));
}

export function unavailable(id: string, reason: string): Contact {
  return { id, available: false, reason };
}

/** The id as it was given, even if it is the invalid option. */
export function givenId<TOptions extends object>(
  options: TOptions | null | undefined,
  name: keyof TOptions,
): string {
  try {
    const id: unknown = options?.[name];
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}

interface ThreadChange {
  readonly recipientId: string;
  readonly targetAppId?: string | undefined;
  readonly metadata?: string | undefined;
}

/** The request that changes which app controls a conversation of this node, or asks the other one to hand it over. */
export function changeThread(
  node: string,
  change: 'take' | 'pass' | 'request' | 'release',
  { recipientId, targetAppId, metadata }: ThreadChange,
) {
  return {
    method: POST,
    path: path`${node}/${`${change}_thread_control`}`,
    json: { recipient: { id: recipientId }, target_app_id: targetAppId, metadata },
    schema: acknowledgementSchema,
  };
}
