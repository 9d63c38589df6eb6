import type { Thread } from '../../models/conversation.ts';
import type { Participant } from '../../models/message.ts';

/** Tells who in a conversation is not the account itself; `undefined` where that cannot be told. */
export type TellPartners = (thread: Thread) => readonly Participant[] | undefined;

/**
 * Tells the account from its partners by its ids, as far as they are given.
 *
 * Where none of them turns up, since the platform knows the account by another one, the account is who alone takes
 * part in all conversations.
 */
export function tellPartners(
  threads: readonly Thread[],
  given: readonly (string | undefined)[],
): TellPartners {
  const everyone = threads.flatMap(participantsOf);
  const own = everyone.some((participant) => isOne(participant, given)) ? given : common(threads);
  return (thread) => {
    const all = participantsOf(thread);
    const partners = all.filter((participant) => !isOne(participant, own));
    return partners.length < all.length ? partners : undefined;
  };
}

export function participantsOf(thread: Thread): readonly Participant[] {
  return thread.participants?.data ?? [];
}

function isOne({ id, user_id }: Participant, ids: readonly (string | undefined)[]): boolean {
  return ids.includes(id) || (user_id !== undefined && ids.includes(user_id));
}

/** The id that all of several conversations have in common, if it is but one. */
function common([first, ...others]: readonly Thread[]): readonly string[] {
  if (first === undefined || others.length === 0) return [];
  const ids = participantsOf(first)
    .map(({ id }) => id)
    .filter((id) => others.every((thread) => participantsOf(thread).some((other) => other.id === id)));
  return ids.length === 1 ? ids : [];
}
