import { addComment } from './page/comment.ts';
import type { CommentNode, LeadNode, PostNode } from './page/nodes.ts';
import { addPost } from './page/postWrites.ts';
import { addPicsComment } from './pics/comment.ts';
import { invited, makeMedia } from './pics/mediaShape.ts';
import type { PicsCommentNode, PicsMediaNode } from './pics/nodes.ts';
import type { AddMediaOptions, AddPostOptions } from './types.ts';
import { add, find, type NodeKind, type NodeMap, type World } from './world.ts';

// What other people create, without causing an event.

/** A post on a Page, or a post elsewhere that tags the Page. */
export function makePost(
  world: World,
  { pageId, message, by, tagged = false }: Pick<AddPostOptions, 'pageId' | 'message' | 'by' | 'tagged'>,
): PostNode {
  const page = demand(world, 'page', pageId);
  const author = by ?? (tagged ? 'Wim Prins' : undefined);
  const from = author === undefined ? { id: page.id, name: page.name } : { id: world.newId(), name: author };
  return addPost(world, page, { message, link: undefined, published: true, from, elsewhere: tagged });
}

/** A comment on a post, on a comment of a post, on media, or on a comment of media. */
export function makeComment(
  world: World,
  on: string,
  text: string,
  by: string | undefined,
): CommentNode | PicsCommentNode {
  const picsParent = find(world, 'picsComment', on);
  const media = find(world, 'picsMedia', picsParent?.mediaId ?? on);
  if (media !== undefined) {
    const from = { id: world.newId('68'), username: by ?? 'wim' };
    return addPicsComment(world, media, { from, text, parentId: picsParent?.parentId ?? picsParent?.id });
  }
  const parent = find(world, 'comment', on);
  const { id: postId, pageId } = demand(world, 'post', parent?.postId ?? on);
  const from = { id: world.newId(), name: by ?? 'Wim Prins' };
  return addComment(world, { pageId, postId, parent }, { from, message: text });
}

/** An image of an account of the sandbox, or of another person, whose media no token can access. */
export function makeImage(
  world: World,
  { by = 'wim', caption, tags = [], invites = [], likes = 0 }: Omit<AddMediaOptions, 'at'>,
): PicsMediaNode {
  const account = [...world.nodes.ofKind('picsAccount')].find(({ username }) => username === by);
  return makeMedia(world, {
    owners: account?.owners ?? [],
    createdAt: world.now(),
    accountId: account?.id ?? world.newId('1784'),
    author: by,
    parentId: undefined,
    containerId: undefined,
    type: 'IMAGE',
    product: 'FEED',
    caption,
    altText: undefined,
    aiGenerated: false,
    url: `https://cdn.sandbox.test/${by}/${world.newId()}.jpg`,
    sharedToFeed: undefined,
    likes,
    viewers: 0,
    tagged: tags,
    collaborators: invited(world, invites),
  });
}

export function makeLead(
  world: World,
  formId: string,
  answers: Readonly<Record<string, string>> = { full_name: 'Wim Prins', email: 'wim@sandbox.test' },
): LeadNode {
  const form = demand(world, 'form', formId);
  return add(world, {
    kind: 'lead',
    id: world.newId(),
    owners: form.owners,
    createdAt: world.now(),
    formId,
    fieldData: Object.entries(answers).map(([name, value]) => ({ name, values: [value] })),
    ad: {},
  });
}

export function demand<K extends NodeKind>(world: World, kind: K, id: string): NodeMap[K] {
  const node = find(world, kind, id);
  if (node === undefined) throw new Error(`the sandbox has no ${kind} ${id}`);
  return node;
}
