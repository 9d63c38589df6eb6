import { invalid, missing } from '../errors.ts';
import { flag } from '../page/values.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode } from '../select.ts';
import { add, find, recordEffect, type World } from '../world.ts';
import { both, loginOnly, needs, pageOnly } from './access.ts';
import { commentShape, commentsOf, repliesOf } from './commentShape.ts';
import type { PicsCommentNode, PicsMediaNode } from './nodes.ts';

const reading = needs(['manage_comments']);
const moderating = needs(['manage_comments']);

const commenting = {
  method: 'POST',
  on: 'picsMedia',
  edge: 'comments',
  scopes: moderating,
  run: comment,
} as const;

export const commentRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'picsMedia',
    edge: 'comments',
    scopes: reading,
    run: (call, media) => {
      const top = commentsOf(call.world, media.id).filter((one) => one.parentId === undefined);
      return list(call, commentShape, top, { max: 50 });
    },
  }),
  onNode({
    ...loginOnly,
    ...commenting,
    params: ['message'],
  }),
  onNode({
    ...pageOnly,
    ...commenting,
    params: ['ad_id', 'message'],
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsComment',
    edge: 'replies',
    scopes: reading,
    run: (call, comment) => list(call, commentShape, repliesOf(call.world, comment.id), { max: 50 }),
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsComment',
    scopes: reading,
    run: (call, comment) => readNode(call, commentShape, comment),
  }),
  onNode({
    ...both,
    method: 'POST',
    on: 'picsComment',
    edge: 'replies',
    scopes: moderating,
    params: ['message'],
    run: reply,
  }),
  onNode({
    ...both,
    method: 'POST',
    on: 'picsComment',
    scopes: moderating,
    params: ['ad_id', 'hide'],
    required: ['hide'],
    run: hide,
  }),
  onNode({
    ...both,
    method: 'DELETE',
    on: 'picsComment',
    scopes: moderating,
    params: ['ad_id'],
    run: ({ world }, comment) => {
      const replies = [...world.nodes.values()].filter(
        (node) => node.kind === 'picsComment' && node.parentId === comment.id,
      );
      for (const node of [comment, ...replies]) world.nodes.delete(node.id);
      recordEffect(world, 'delete', comment.id, comment.mediaId, {});
      return { success: true };
    },
  }),
];

/** A comment of the account on its media. A story has no comments, and neither has an item of a carousel. */
function comment(call: Call, media: PicsMediaNode): unknown {
  if (media.product === 'STORY' || media.parentId !== undefined) return missing(media.id, call.method);
  if (!media.commentsEnabled) return invalid('Comments are turned off for this media');
  const { id, accountId, owners } = media;
  return write(call, 'comment', id, { accountId, owners, id }, undefined);
}

/** A reply to a reply becomes a reply to the top-level comment. */
function reply(call: Call, parent: PicsCommentNode): unknown {
  const { accountId, owners, mediaId } = parent;
  return write(call, 'reply', parent.id, { accountId, owners, id: mediaId }, parent.parentId ?? parent.id);
}

type CommentedMedia = Pick<PicsMediaNode, 'accountId' | 'owners' | 'id'>;

export function addPicsComment(
  world: World,
  { accountId, owners, id: mediaId }: CommentedMedia,
  content: Partial<PicsCommentNode> & Pick<PicsCommentNode, 'from' | 'text' | 'parentId'>,
): PicsCommentNode {
  return add<PicsCommentNode>(world, {
    createdAt: world.now(),
    likes: 0,
    hidden: false,
    owners,
    ...content,
    kind: 'picsComment',
    id: world.newId('181'),
    accountId,
    mediaId,
  });
}

function write(
  { world, params }: Call,
  kind: 'comment' | 'reply',
  on: string,
  media: CommentedMedia,
  parentId: string | undefined,
): unknown {
  const message = params['message'];
  if (message === undefined || message === '') return invalid('The parameter message is required');
  const account = find(world, 'picsAccount', media.accountId);
  const from = { id: media.accountId, username: account?.username ?? '' };
  const made = addPicsComment(world, media, { from, text: message, parentId });
  recordEffect(world, kind, made.id, on, { message });
  return { id: made.id };
}

/** Only a `hide` in the query has an effect; one in the body is ignored. The account's own comments stay visible. */
function hide({ world, params, query }: Call, comment: PicsCommentNode): unknown {
  flag(params, 'hide'); // refuses what is no boolean
  const hidden = flag(query, 'hide');
  if (hidden !== undefined && comment.from.id !== comment.accountId) {
    comment.hidden = hidden;
    recordEffect(world, 'hide', comment.id, comment.mediaId, { hidden });
  }
  return { success: true };
}
