import type { Thread as WholeThread } from '../models/conversation.ts';
import type { Participant } from '../models/message.ts';

type Thread = Pick<WholeThread, 'participants'>;
type Ids = readonly (string | undefined)[];

/**
 * The ids of the account itself: the given ones, if one of them occurs in the conversations.
 *
 * If none of them occurs, because the platform uses another id, the account is the only participant that all
 * conversations share; or, where the conversation with one person was asked for, the other one in it.
 */
export function ownIds(threads: readonly Thread[], given: Ids, userId?: string): Ids | undefined {
  const everyone = threads.flatMap(participantsOf);
  if (everyone.some((participant) => isOne(participant, given))) return given;
  const others = everyone.filter(({ id }) => id !== userId);
  if (everyone.length === 2 && others.length === 1) return others.map(({ id }) => id);
  const found = common(threads);
  return found.length === 0 ? undefined : found;
}

/** The participants that are not the account itself; `undefined` if the account is not known. */
export function partnersIn(thread: Thread, own: Ids): readonly Participant[] | undefined {
  const all = participantsOf(thread);
  const partners = all.filter((participant) => !isOne(participant, own));
  return partners.length < all.length ? partners : undefined;
}

export function participantsOf(thread: Thread): readonly Participant[] {
  return thread.participants?.data ?? [];
}

function isOne({ id, user_id }: Participant, ids: Ids): boolean {
  return ids.includes(id) || (user_id !== undefined && ids.includes(user_id));
}

/** The only id that several conversations share, if there is exactly one. */
function common([first, ...others]: readonly Thread[]): readonly string[] {
  if (first === undefined || others.length === 0) return [];
  const ids = participantsOf(first)
    .map(({ id }) => id)
    .filter((id) => others.every((thread) => participantsOf(thread).some((other) => other.id === id)));
  return ids.length === 1 ? ids : [];
}
