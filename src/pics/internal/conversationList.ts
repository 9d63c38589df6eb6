import { mapConcurrent } from '../../core/http/concurrency.ts';
import { path } from '../../core/http/path.ts';
import type { CallLimits, Params, Schema } from '../../core/http/types.ts';
import type { Contact } from '../../models/contact.ts';
import { type Conversation, type Partner, type Thread, threadSchema } from '../../models/conversation.ts';
import type { Participant } from '../../models/message.ts';
import { withRaw } from '../../models/node.ts';
import type { PicsContext } from '../context.ts';
import { inboxOf } from './inbox.ts';
import { ownIds, participantsOf, partnersIn } from './partners.ts';
import { readContact } from './readContact.ts';

const fields = 'id,updated_time,participants,messages.limit(1){id,created_time,from,to,message}';

/** The list of an account's conversations. */
export function conversationList(
  context: PicsContext,
  pageId: string | undefined,
  query: Params,
): { readonly path: string; readonly query: Params; readonly item: Schema<Thread> } {
  return {
    path: path`${inboxOf(context, pageId)}/conversations`,
    query: { platform: context.platform.words.picsPlatform, fields, ...query },
    item: threadSchema,
  };
}

/**
 * Makes conversations from the platform's pages. Each profile is read once, and the account's ids are kept from one
 * page to the next.
 */
export function conversationReader(
  context: PicsContext,
  given: readonly (string | undefined)[],
  enrich: boolean,
  request: CallLimits & { readonly token: string },
): (threads: readonly Thread[]) => Promise<readonly Conversation[]> {
  const profiles = new Map<string, Contact>();
  let own: readonly (string | undefined)[] | undefined;

  return async (threads) => {
    own ??= ownIds(threads, given);
    const partners = threads.map((thread) => partnersIn(thread, own ?? given));
    if (enrich) await readProfiles(threads.flatMap((thread, at) => partners[at] ?? participantsOf(thread)));
    return threads.map((thread, at) => toConversation(thread, partners[at]));
  };

  /** Reads the profiles that are not known yet, a few of them in parallel. */
  async function readProfiles(people: readonly Participant[]): Promise<void> {
    const ids = new Set(people.map(({ id }) => id).filter((id) => !profiles.has(id)));
    const read = await mapConcurrent([...ids], (igsid) =>
      readContact(context, igsid, request).map((profile) => [igsid, profile] as const),
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
