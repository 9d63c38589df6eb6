import { refuse } from '../errors.ts';
import { pageContactFields, picsContactFields } from '../knownNames.ts';
import { onNode, type Route } from '../route.ts';
import { readNode, type Shape } from '../select.ts';
import type { ContactNode } from './nodes.ts';
import { both, isOfPage, readingScopes, readingTasks } from './owner.ts';

const picsShape: Shape<ContactNode> = {
  type: 'IGBusinessScopedUser',
  fields: picsContactFields,
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

const pageShape: Shape<ContactNode> = {
  type: 'PageScopedUser',
  fields: pageContactFields,
  defaults: ['first_name', 'last_name', 'profile_pic'],
  read: ({ id, name, picture }) => {
    const [first_name, ...rest] = name?.split(' ') ?? [];
    return { id, name, first_name, last_name: rest.join(' ') || undefined, profile_pic: picture };
  },
};

/** The profile of a person who wrote to the account or the Page. An unknown id is refused like that of any other node. */
export const contactRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'contact',
    scopes: readingScopes,
    tasks: readingTasks,
    run: (call, contact) => {
      if (contact.gone) {
        return refuse({ code: 9010, message: '(#9010) No matching user found', status: 400 });
      }
      if (!contact.consent) {
        return refuse({ code: 230, message: '(#230) User consent is required to access user profile' });
      }
      return readNode(call, isOfPage(call.world, contact) ? pageShape : picsShape, contact);
    },
  }),
];
