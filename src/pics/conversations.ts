import { errAsync, ok, type ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { mapConcurrent } from '../core/http/concurrency.ts';
import { path } from '../core/http/path.ts';
import { safeTry } from '../core/http/resultAsync.ts';
import { deadlineOf } from '../core/http/send.ts';
import type { CallLimits } from '../core/http/types.ts';
import { check, count, flag, id, optional, text, token } from '../core/options/check.ts';
import type { Contact } from '../models/contact.ts';
import { type Conversation, type Partner, type Thread, threadSchema } from '../models/conversation.ts';
import type { Participant } from '../models/message.ts';
import type { Paging } from '../models/paging.ts';
import type { PicsContext } from './context.ts';
import { accountId } from './internal/account.ts';
import { inboxOf } from './internal/inbox.ts';
import { participantsOf, tellPartners, type TellPartners } from './internal/partners.ts';
import { readContact } from './internal/readContact.ts';
import { readPage } from './internal/readPage.ts';

const fields = 'id,updated_time,participants,messages.limit(1){id,created_time,from,to,message}';

export interface ConversationsOptions {
  /** User token in login mode, page token in page mode. */
  readonly token: string;
  /** Professional account id. Give it in both modes: it tells the account from its customers. */
  readonly picsUserId?: string | undefined;
  /** Page of the account. Required in page mode. */
  readonly pageId?: string | undefined;
  /**
   * Conversations to return in this page. At least 1.
   * @default 25
   */
  readonly limit?: number | undefined;
  /** Cursor of an earlier page, its `paging.cursors.after`. */
  readonly after?: string | undefined;
  /**
   * Whether to read the profile of each partner, at one request each.
   * @default true
   */
  readonly enrich?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One page of an account's conversations. */
export interface Conversations {
  readonly data: readonly Conversation[];
  /** Its links hold no token. */
  readonly paging: Paging;
}

export type ConversationsFailure = Failure;

/**
 * Reads one page of an account's conversations, each with its customer and its last message.
 *
 * The account is recognized by `picsUserId` and `pageId`, or else as the only participant that all conversations of
 * this page share. If neither tells, `contact` is `undefined` and `contacts` holds all participants. A profile that
 * cannot be read does not fail the call.
 *
 * The platform leaves out requests that were inactive for 30 days.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Permission: `pics_business_manage_messages` in login mode, `pics_manage_messages` in page mode.
 * Source: platform guide, Conversations API.
 *
 * @example
 * const page = await conversations(context, { token, picsUserId });
 * if (page.isOk()) for (const { contact, last_message } of page.value.data) console.log(contact?.name, last_message);
 *
 * @example With a client, which throws
 * const page = await client.conversations({ token, picsUserId });
 */
export function conversations(
  context: PicsContext,
  options: ConversationsOptions,
): ResultAsync<Conversations, ConversationsFailure> {
  const invalid = check(options, {
    token,
    picsUserId: optional(id),
    pageId: accountId(context),
    limit: optional(count),
    after: optional(text),
    enrich: optional(flag),
  });
  if (invalid) return errAsync(invalid);
  const { picsUserId, pageId, limit = 25, after, enrich = true, signal } = options;
  const request = { token: options.token, signal, deadline: deadlineOf(context) };
  return safeTry(async function* () {
    const { data, paging } = yield* readPage(context, {
      ...request,
      path: path`${inboxOf(context, pageId)}/conversations`,
      query: { platform: context.platform.words.picsPlatform, fields, limit, after },
      item: threadSchema,
    });
    const tell = tellPartners(data, [picsUserId, pageId]);
    const partners = data.flatMap((thread) => tell(thread) ?? participantsOf(thread));
    const profiles = await readProfiles(context, enrich ? partners : [], request);
    return ok({ data: data.map((thread) => toConversation(thread, tell, profiles)), paging });
  });
}

type Profiles = ReadonlyMap<string, Contact>;

/** Reads each profile once, a few of them in parallel. */
async function readProfiles(
  context: PicsContext,
  partners: readonly Participant[],
  request: CallLimits & { readonly token: string },
): Promise<Profiles> {
  const ids = [...new Set(partners.map((partner) => partner.id))];
  const read = await mapConcurrent(ids, (igsid) =>
    readContact(context, igsid, request).map((profile): [string, Contact] => [igsid, profile]),
  );
  return new Map(read.flatMap((entry) => (entry.isOk() ? [entry.value] : [])));
}

function toConversation(thread: Thread, tell: TellPartners, profiles: Profiles): Conversation {
  const toPartner = (participant: Participant): Partner => ({
    ...participant,
    ...profiles.get(participant.id),
    id: participant.id,
  });
  const partners = tell(thread)?.map(toPartner);
  return {
    ...thread,
    contact: partners?.[0],
    contacts: partners ?? participantsOf(thread).map(toPartner),
    last_message: thread.messages?.data[0],
    updated_time: thread.updated_time,
  };
}
