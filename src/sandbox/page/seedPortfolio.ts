import { add, type World } from '../world.ts';
import type { PageNode, UserNode } from './nodes.ts';

/**
 * Seeds a business portfolio that owns one of the user's Pages and others, and serves the Page of a client, on which
 * the user has no task.
 */
export function seedPortfolio(
  world: World,
  user: UserNode,
  pageId: string,
  count: number,
  born: number,
): void {
  const seedPage = (name: string, owners: readonly string[]): string => {
    const id = world.newId();
    return add<PageNode>(world, {
      kind: 'page',
      id,
      owners: [id, ...owners],
      createdAt: born,
      name,
      picsId: undefined,
      archives: false,
      subscribed: undefined,
      isDirect: false,
    }).id;
  };
  const owned = Array.from({ length: count }, (_, at) => seedPage(`Branch ${at + 1}`, [user.id]));
  const client = count === 0 ? [] : [seedPage('Client Bakery', [])];
  add(world, {
    kind: 'business',
    id: world.newId(),
    owners: [user.id],
    createdAt: born,
    name: 'Keller Holding',
    ownedPages: [pageId, ...owned],
    clientPages: client,
  });
}
