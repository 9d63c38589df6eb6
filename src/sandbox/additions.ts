import { lookUpToken, pageTokenFor } from './auth/tokens.ts';
import { demand, makeComment, makeImage, makeLead, makePost } from './make.ts';
import { seedForm, addPage } from './page/seed.ts';
import { connect, seedAccount } from './pics/seed.ts';
import { type Seeded, seedUser } from './seed.ts';
import type { AddAccountOptions, AddedAccount, AddPageOptions, Sandbox, SandboxPage } from './types.ts';
import type { World } from './world.ts';

type Additions = Pick<
  Sandbox,
  'addUser' | 'addPage' | 'addAccount' | 'addPost' | 'addComment' | 'addMedia' | 'addLead'
>;

/** What a test adds to the seeded world. It causes no effect and no event. */
export function createAdditions(world: World, { user: seeded }: Seeded): Additions {
  const userTokens = new Map([[seeded.id, seeded.token]]);
  const at = <T>(time: number | undefined, make: () => T): T => world.at(time ?? world.now(), make);
  return {
    addUser: ({ name = `Person ${userTokens.size + 1}` } = {}) => {
      const { user, token } = seedUser(world, name, world.now());
      userTokens.set(user.id, token.value);
      return { id: user.id, name, token: token.value };
    },
    addPage: ({ userId = seeded.id, ...options } = {}) =>
      newPage(world, demand(world, 'user', userId).id, userTokens.get(userId) ?? '', options),
    addAccount: (options) => addAccount(world, seeded.id, options),
    addPost: ({ at: time, ...post }) => at(time, () => makePost(world, post).id),
    addComment: ({ on, message, by, at: time }) => at(time, () => makeComment(world, on, message, by).id),
    addMedia: ({ at: time, ...media } = {}) => at(time, () => makeImage(world, media).id),
    addLead: ({ formId, answers, at: time }) => at(time, () => makeLead(world, formId, answers).id),
  };
}

function newPage(world: World, userId: string, userToken: string, options: AddPageOptions): SandboxPage {
  const known = [...world.nodes.ofKind('page')].length;
  const page = addPage(world, [userId], { name: options.name ?? `Page ${known + 1}` });
  const { id } = page;
  const token = lookUpToken(world, userToken, 'graph');
  if ('code' in token) throw new Error(`the token of the user ${userId} is dead`);
  return {
    id,
    name: page.name,
    token: pageTokenFor(world, token, id).value,
    postIds: [],
    commentIds: [],
    formIds: [seedForm(world, page, 'Newsletter', 'en_US').id],
    leadIds: [],
    conversationIds: [],
    contacts: [],
  };
}

function addAccount(world: World, userId: string, { pageId, username }: AddAccountOptions): AddedAccount {
  const page = demand(world, 'page', pageId);
  if (page.picsId !== undefined) throw new Error(`the Page ${pageId} has an account`);
  const known = new Set(world.nodes.ofKind('picsAccount')).size;
  const account = seedAccount(world, pageId, userId, username ?? `account${known + 1}`);
  page.picsId = account.id;
  return connect(world, account, userId);
}
