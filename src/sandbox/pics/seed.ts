import { picsScopes } from '../auth/scopes.ts';
import { issueToken, day } from '../auth/tokens.ts';
import { add, type World } from '../world.ts';
import type { PicsAccountNode } from './nodes.ts';

export interface SeededAccount {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly token: string;
}

/** A professional account, linked to a Page. Known by both its ids. */
export function seedAccount(world: World, pageId: string, username: string): PicsAccountNode {
  const id = world.newId('1784');
  const scopedId = world.newId('26');
  const account = add(world, {
    kind: 'picsAccount',
    id,
    scopedId,
    owners: [id, pageId],
    createdAt: world.now() - 400 * day,
    pageId,
    username,
    name: `${username} studio`,
  });
  void world.nodes.set(scopedId, account);
  return account;
}

/** The account as login mode sees it, with what it holds. */
export function seedPics(world: World, account: PicsAccountNode, userId: string): SeededAccount {
  const token = issueToken(world, {
    kind: 'pics',
    subjectId: account.id,
    userId,
    scopes: picsScopes,
    lifeMs: 60 * day,
    longLived: true,
  });
  return { id: account.scopedId, userId: account.id, username: account.username, token: token.value };
}
