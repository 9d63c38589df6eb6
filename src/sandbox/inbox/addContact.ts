import { day } from '../auth/tokens.ts';
import { add, find, type World } from '../world.ts';
import type { ContactNode } from './nodes.ts';

/** Adds a person whom an account knows by a `username`, a Page by a `name`. */
export function addContact(
  world: World,
  ownerId: string,
  owners: readonly string[],
  wanted: Partial<ContactNode>,
): ContactNode {
  const { username } = wanted;
  const called = username ?? wanted.name?.split(' ')[0]?.toLowerCase();
  return add(world, {
    kind: 'contact',
    id: world.newId(find(world, 'page', ownerId) === undefined ? '68' : '24'),
    owners,
    createdAt: world.now() - 90 * day,
    ownerId,
    personId: undefined,
    username: undefined,
    name: `${username} doe`,
    picture: `https://cdn.sandbox.test/people/${called}.jpg`,
    followers: 250,
    consent: true,
    gone: false,
    ...wanted,
  });
}
