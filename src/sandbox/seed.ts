import { pageScopes } from './auth/scopes.ts';
import { day, issueToken, pageTokenFor } from './auth/tokens.ts';
import { seedPageInbox } from './inbox/seed.ts';
import type { UserNode } from './page/nodes.ts';
import { type ContentSizes, seedContent, seedPortfolio, addPage } from './page/seed.ts';
import { seedAudio } from './pics/audio.ts';
import type { PicsAccountNode } from './pics/nodes.ts';
import { seedAccount, seedPics } from './pics/seed.ts';
import { seedShop } from './pics/shop.ts';
import type { SandboxAccount, SandboxPage } from './types.ts';
import { add, type Token, type World } from './world.ts';

export interface SeedSizes extends ContentSizes {
  readonly pages: number;
  readonly portfolioPages: number;
}

export interface Seeded {
  readonly user: { readonly id: string; readonly name: string; readonly token: string };
  readonly pages: readonly SandboxPage[];
  readonly account: SandboxAccount;
}

const pageNames = ['Harbour Coffee', 'Northside Books', 'Fern & Field'];

/** Makes a person, and a long-lived token with all scopes. */
export function seedUser(
  world: World,
  name: string,
  createdAt: number,
): { readonly user: UserNode; readonly token: Token } {
  const id = world.newId();
  const email = `${(name.split(' ')[0] ?? '').toLowerCase()}@sandbox.test`;
  const user = add<UserNode>(world, { kind: 'user', id, owners: [id], createdAt, name, email });
  const token = issueToken(world, {
    kind: 'user',
    subjectId: id,
    userId: id,
    scopes: pageScopes,
    lifeMs: 60 * day,
    longLived: true,
  });
  return { user, token };
}

/** Fills an empty world with a user, Pages, linked accounts and their content. None of it counts as an effect. */
export function seed(world: World, sizes: SeedSizes): Seeded {
  const born = world.now() - 400 * day;
  const { id: appId } = world.app;
  add(world, { kind: 'app', id: appId, owners: [appId], createdAt: born, subscriptions: new Map() });
  const { user, token } = seedUser(world, 'Ada Keller', born);
  const accounts: PicsAccountNode[] = [];
  const pages = Array.from({ length: Math.max(3, sizes.pages) }, (_, index) => {
    const id = world.newId();
    const account =
      index === 0 || index === 2
        ? seedAccount(world, id, user.id, index === 0 ? 'harbour' : 'fernfield')
        : undefined;
    if (account !== undefined) accounts.push(account);
    const page = addPage(world, [user.id], {
      id,
      createdAt: born + index * 1000,
      name: pageNames[index] ?? `Page ${index + 1}`,
      picsId: account?.id,
      archives: index === 0,
    });
    const content =
      index < 3
        ? seedContent(world, page, user, sizes)
        : { postIds: [], commentIds: [], formIds: [], leadIds: [] };
    return {
      id,
      name: page.name,
      token: pageTokenFor(world, token, id).value,
      ...(account === undefined ? {} : { picsId: account.id, picsUsername: account.username }),
      ...content,
    };
  });
  seedPortfolio(world, user, pages[0]?.id ?? '', sizes.portfolioPages, born);
  const [first] = accounts;
  if (first === undefined) throw new Error('the first Page has an account');
  seedAudio(world);
  seedShop(world, first);
  return {
    user: { id: user.id, name: user.name, token: token.value },
    account: seedPics(world, first, user.id),
    pages: pages.map((page, index): SandboxPage => ({
      ...page,
      ...(index === 0
        ? seedPageInbox(world, { id: page.id, owners: [page.id] })
        : { conversationIds: [], contacts: [] }),
    })),
  };
}
