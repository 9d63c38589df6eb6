import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { mapConcurrent } from '../core/http/concurrency.ts';
import { path } from '../core/http/path.ts';
import { safeTry } from '../core/http/resultAsync.ts';
import { deadlineOf } from '../core/http/send.ts';
import type { CallLimits, Params, Schema } from '../core/http/types.ts';
import { walkPages } from '../core/lists/pages.ts';
import type { Contact } from '../models/contact.ts';
import { type Conversation, type Partner, type Thread, threadSchema } from '../models/conversation.ts';
import { withRaw } from '../models/fields.ts';
import type { Participant } from '../models/message.ts';
import type { Paging } from '../models/paging.ts';
import type { Inbox } from './inbox.ts';
import { ownIds, participantsOf, partnersIn } from './partners.ts';
import { readContact } from './readContact.ts';
import { readPage } from './readPage.ts';

const fields = 'id,updated_time,participants,messages.limit(1){id,created_time,from,to,message}';

/** Profiles that are read at the same time: those of a page of 25 take two round trips. */
const profilesAtOnce = 13;

/** One page of an inbox. */
export interface Conversations {
  readonly data: readonly Conversation[];
  /** Its links hold no token. The last page has no `next`, although it can have an `after`. */
  readonly paging: Paging;
}

/** Whose inbox is read, and with what. */
export interface InboxAccess {
  readonly inbox: Inbox;
  /** Ids of the inbox's owner, as far as they are given. */
  readonly own: readonly (string | undefined)[];
  readonly token: string;
}

interface ReadOptions extends Pick<CallLimits, 'signal'> {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly userId?: string | undefined;
  readonly enrich?: boolean | undefined;
}

/** Reads one page of an inbox. */
export function readConversations(
  context: Context,
  access: InboxAccess,
  { limit = 25, after, userId, enrich, signal }: ReadOptions,
): ResultAsync<Conversations, RequestFailure> {
  const request = { token: access.token, signal, deadline: deadlineOf(context) };
  return safeTry(context, async function* () {
    const { data, paging } = yield* readPage(context, {
      ...request,
      ...conversationList(access.inbox, { limit, after, user_id: userId }),
    });
    const toConversations = conversationReader(context, access, request, enrich, userId);
    return ok({ data: await toConversations(data), paging });
  });
}

interface WalkOptions extends Pick<CallLimits, 'signal'> {
  readonly limit?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly enrich?: boolean | undefined;
}

/** Yields the conversations of an inbox, over all its pages, each once. */
export async function* walkConversations(
  context: Context,
  access: InboxAccess,
  { limit = Infinity, pageSize = 25, enrich, signal }: WalkOptions,
): AsyncGenerator<Result<Conversation, RequestFailure>, void, undefined> {
  const request = { token: access.token, signal, deadline: deadlineOf(context) };
  const toConversations = conversationReader(context, access, request, enrich);
  const pages = walkPages(context, {
    ...request,
    ...conversationList(access.inbox, {}),
    limit,
    pageSize,
    idOf: (thread) => thread.id,
  });
  for await (const page of pages) {
    if (page.isErr()) yield err(page.error);
    else for (const conversation of await toConversations(page.value)) yield ok(conversation);
  }
}

function conversationList(
  { node, platform }: Inbox,
  query: Params,
): { readonly path: string; readonly query: Params; readonly item: Schema<Thread> } {
  return { path: path`${node}/conversations`, query: { platform, fields, ...query }, item: threadSchema };
}

/**
 * Makes conversations from the platform's pages. Each profile is read once, and the owner's ids are kept from one page
 * to the next.
 */
function conversationReader(
  context: Context,
  { inbox, own: given }: InboxAccess,
  request: CallLimits & { readonly token: string },
  enrich = true,
  userId?: string,
): (threads: readonly Thread[]) => Promise<readonly Conversation[]> {
  const profiles = new Map<string, Contact>();
  let own: readonly (string | undefined)[] | undefined;

  return async (threads) => {
    own ??= ownIds(threads, given, userId);
    const partners = threads.map((thread) => partnersIn(thread, own ?? given));
    if (enrich) await readProfiles(threads.flatMap((thread, at) => partners[at] ?? participantsOf(thread)));
    return threads.map((thread, at) => toConversation(thread, partners[at]));
  };

  /** Reads the profiles that are not known yet. */
  async function readProfiles(people: readonly Participant[]): Promise<void> {
    const ids = new Set(people.map(({ id }) => id).filter((id) => !profiles.has(id)));
    const read = await mapConcurrent(
      [...ids],
      (id) => readContact(context, id, inbox.contactFields, request).map((profile) => [id, profile] as const),
      profilesAtOnce,
    );
    for (const entry of read) if (entry.isOk()) profiles.set(...entry.value);
  }

  function toConversation(thread: Thread, partners: readonly Participant[] | undefined): Conversation {
    const told = {
      ...thread,
      contact: partners?.map(toPartner)[0],
      contacts: (partners ?? participantsOf(thread)).map(toPartner),
      last_message: thread.messages?.data[0],
      updated_time: thread.updated_time,
    };
    return withRaw(told, thread.raw);
  }

  function toPartner(participant: Participant): Partner {
    return { ...participant, ...profiles.get(participant.id), id: participant.id };
  }
}
