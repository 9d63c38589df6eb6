import { refuse } from '../errors.ts';
import { onNode, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import { both, needs } from './access.ts';
import { contactFields } from './knownNames.ts';
import type { PicsContactNode } from './nodes.ts';

const contactShape: Shape<PicsContactNode> = {
  type: 'IGBusinessScopedUser',
  fields: contactFields,
  defaults: ['name', 'username', 'profile_pic'],
  read: (contact) => ({
    id: contact.id,
    name: contact.name,
    username: contact.username,
    profile_pic: contact.picture,
    follower_count: contact.followers,
    is_user_follow_business: contact.followers > 100,
    is_business_follow_user: false,
    is_verified_user: false,
  }),
};

/** The profile of a person who wrote to the account. An unknown id is refused like that of any other node. */
export const contactRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'picsContact',
    scopes: needs(['manage_messages']),
    run: (call, contact) => {
      if (contact.gone) {
        return refuse({ code: 9010, message: '(#9010) No matching user found', status: 400 });
      }
      if (!contact.consent) {
        return refuse({ code: 230, message: '(#230) User consent is required to access user profile' });
      }
      return readNode(call, contactShape, contact);
    },
  }),
];
