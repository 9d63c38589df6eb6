import type { Thread } from '../../models/conversation.ts';
import type { Participant } from '../../models/message.ts';

/** Finds the participants that are not the account itself; `undefined` if the account is not known. */
export type TellPartners = (thread: Thread) => readonly Participant[] | undefined;

/**
 * Tells the account from its partners by the given ids.
 *
 * If none of them occurs, because the platform uses another id, the account is the only participant that all
 * conversations share.
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

/** The only id that several conversations share, if there is exactly one. */
function common([first, ...others]: readonly Thread[]): readonly string[] {
  if (first === undefined || others.length === 0) return [];
  const ids = participantsOf(first)
    .map(({ id }) => id)
    .filter((id) => others.every((thread) => participantsOf(thread).some((other) => other.id === id)));
  return ids.length === 1 ? ids : [];
}
