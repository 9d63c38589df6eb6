import { day } from '../auth/tokens.ts';
import { invalid, missing, refuse } from '../errors.ts';
import type { Call } from '../route.ts';
import { find, type World } from '../world.ts';
import type { Sender } from './content.ts';
import type { ContactNode } from './nodes.ts';
import { addContact } from './talk.ts';
import { type Fields, textIn } from './values.ts';

interface Author {
  readonly id: string;
  readonly name?: string;
  readonly username?: string;
}

/** The person who wrote a comment or a post, which can be replied to in private once, within 7 days. */
export function commentatorOf(
  call: Call,
  { world, ownerId, isPage }: Sender,
  recipient: Fields,
): { readonly contact: ContactNode; readonly on: string } {
  const on = textIn(recipient, recipient['comment_id'] === undefined ? 'post_id' : 'comment_id');
  const found =
    recipient['comment_id'] === undefined
      ? find(world, 'post', on)
      : (find(world, 'comment', on) ?? find(world, 'picsComment', on));
  if (found?.owners.includes(ownerId) !== true) return missing(on, call.method);
  if (found.from.id === ownerId) return invalid('There is no private reply to oneself');
  if (world.effects.some(({ kind, parentId }) => kind === 'private_reply' && parentId === on)) {
    return isPage
      ? refuse({ code: 10_900, message: '(#10900) Activity already replied to' })
      : invalid('This comment has already been replied to in private', 2_534_025);
  }
  if (world.now() - found.createdAt > 7 * day) {
    return isPage
      ? refuse({ code: 10_902, message: '(#10902) This is not a replyable activity' })
      : refuse({ code: 10, error_subcode: 2_534_022, message: '(#10) The comment is older than 7 days' });
  }
  return { contact: contactOf(world, ownerId, found.from), on };
}

/** The person under the id that the account or the Page knows. */
function contactOf(world: World, ownerId: string, author: Author): ContactNode {
  const known = [...world.nodes.values()].find(
    (node) =>
      node.kind === 'contact' &&
      node.ownerId === ownerId &&
      (node.id === author.id || node.personId === author.id),
  );
  if (known?.kind === 'contact') return known;
  const owners = find(world, 'picsAccount', ownerId)?.owners ?? [ownerId];
  // A person who only commented has not consented.
  return addContact(world, ownerId, owners, {
    personId: author.id,
    username: author.username,
    name: author.name ?? null,
    consent: false,
  });
}
