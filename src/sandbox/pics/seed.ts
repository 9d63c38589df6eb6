import { picsScopes } from '../auth/scopes.ts';
import { day, hour, issueToken } from '../auth/tokens.ts';
import { seedAccountInbox } from '../inbox/seed.ts';
import type { AddedAccount, SandboxAccount } from '../types.ts';
import { add, type World } from '../world.ts';
import { addPicsComment } from './comment.ts';
import { makeMedia } from './mediaShape.ts';
import type { PicsAccountNode, PicsCommentNode, PicsMediaNode } from './nodes.ts';

/** Makes a professional account that is linked to a Page. It can be found by both of its ids. */
export function seedAccount(world: World, pageId: string, userId: string, username: string): PicsAccountNode {
  const id = world.newId('1784');
  const scopedId = world.newId('26');
  const account = add<PicsAccountNode>(world, {
    kind: 'picsAccount',
    id,
    scopedId,
    owners: [id, pageId, userId],
    createdAt: world.now() - 400 * day,
    pageId,
    username,
    name: `${username} studio`,
  });
  world.nodes.set(scopedId, account);
  return account;
}

/** Issues a token of login mode for an account, as which it is then known. */
export function connect(world: World, account: PicsAccountNode, userId: string): AddedAccount {
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

/** Seeds an account, and describes it as login mode sees it. */
export function seedPics(world: World, account: PicsAccountNode, userId: string): SandboxAccount {
  const connected = connect(world, account, userId);
  const { media, items, stories } = seedMedia(world, account);
  const messages = seedAccountInbox(world, account);
  const people = messages.contacts.map(({ id, username }) => ({ id, username }));
  const comments = seedComments(world, account, media[0]?.id ?? '', people);
  return {
    ...connected,
    mediaIds: media.map((one) => one.id),
    carouselItemIds: items.map((one) => one.id),
    storyIds: stories.map((one) => one.id),
    ...comments,
    ...messages,
  };
}

function seedMedia(
  world: World,
  account: PicsAccountNode,
): Record<'media' | 'items' | 'stories', readonly PicsMediaNode[]> {
  const make = (age: number, wanted: Partial<PicsMediaNode>): PicsMediaNode =>
    makeMedia(world, {
      owners: account.owners,
      createdAt: world.now() - age,
      accountId: account.id,
      parentId: undefined,
      containerId: undefined,
      type: 'IMAGE',
      product: 'FEED',
      caption: undefined,
      altText: undefined,
      aiGenerated: false,
      url: `https://cdn.sandbox.test/${account.username}/${age}.jpg`,
      sharedToFeed: undefined,
      likes: 12,
      viewers: 140,
      ...wanted,
    });
  const video = { type: 'VIDEO', url: `https://cdn.sandbox.test/${account.username}/clip.mp4` } as const;
  const carousel = make(2 * day, { type: 'CAROUSEL_ALBUM', caption: 'Three cups \u{2615}', likes: 31 });
  return {
    media: [
      make(day, { caption: 'Morning light' }),
      carousel,
      make(3 * day, { ...video, product: 'REELS', caption: 'Latte art', sharedToFeed: true, viewers: 900 }),
      make(10 * day, { caption: 'Beans', altText: 'A bag of beans' }),
      make(40 * day, {}),
    ],
    items: [1, 2, 3].map((index) => make(2 * day, { parentId: carousel.id, altText: `Cup ${index}` })),
    stories: [
      make(3 * hour, { product: 'STORY', viewers: 40 }),
      make(5 * hour, { ...video, product: 'STORY', viewers: 3 }),
    ],
  };
}

function seedComments(
  world: World,
  account: PicsAccountNode,
  mediaId: string,
  people: readonly { readonly id: string; readonly username: string }[],
): { readonly commentIds: readonly string[]; readonly replyId: string } {
  const make = (
    age: number,
    text: string,
    from: PicsCommentNode['from'],
    parentId?: string,
  ): PicsCommentNode =>
    addPicsComment(
      world,
      { ...account, id: mediaId, accountId: account.id },
      {
        createdAt: world.now() - age,
        parentId,
        from,
        text,
      },
    );
  const own = { id: account.id, username: account.username };
  const texts = ['Lovely', 'Open on Sunday?', 'Great spot \u{1f44d}', 'First!'];
  const comments = texts.map((text, index) => make((index + 1) * hour, text, people[index] ?? own));
  const reply = make(2 * hour, 'Thanks', own, comments.at(-1)?.id);
  return { commentIds: comments.map((one) => one.id), replyId: reply.id };
}
