import type { Entry, Node } from '../nodes.ts';
import {
  type Call,
  inBothModes,
  inLoginMode,
  inPageMode,
  loginMode,
  mayRead,
  needs,
  on,
  type Route,
} from '../route.ts';
import { lists, listsWithin, members, reads, type Selection, type Shape } from '../shapes.ts';
import { flag, invalid, isoTime, missing } from '../values.ts';
import { created, deletes, find, listed, make, recordEffect, type World } from '../world.ts';

/** The largest page of comments. */
const most = { max: 50 };

export const commentShape: Shape<Node<'picsComment'>> = {
  type: 'IGComment',
  defaults: ['timestamp', 'text'],
  fields: {
    ...members<Node<'picsComment'>>('id', 'text', 'from', 'hidden'),
    timestamp: (comment) => isoTime(comment.createdAt),
    username: (comment) => comment.from.username,
    user: (comment) => (comment.from.id === comment.accountId ? { id: comment.accountId } : undefined),
    like_count: (comment) => comment.likes + (comment.likedBy?.size ?? 0),
    parent_id: (comment) => comment.parentId,
    media: (comment, { world }) => ({
      id: comment.mediaId,
      media_product_type: find(world, 'picsMedia', comment.mediaId)?.product,
    }),
  },
  expand: {
    replies: (call, comment, selection) => within(repliesOf)(call, comment, selection),
  },
};

/** Comments on a media and replies to them, newest first. */
export function commentsOf(world: World, mediaId: string): Node<'picsComment'>[] {
  return listed(world, 'picsComment', (one) => one.mediaId === mediaId);
}

/** Comments on a media that reply to no other. */
export function topCommentsOf({ world }: Call, { id }: Entry): Node<'picsComment'>[] {
  return commentsOf(world, id).filter((one) => one.parentId === undefined && isShown(world, one));
}

/** Replies to a comment, newest first. */
function repliesOf({ world }: Call, { id }: Entry): Node<'picsComment'>[] {
  return listed(world, 'picsComment', (one) => one.parentId === id && isShown(world, one));
}

/** Whether lists show a comment. The count of a media has those that they do not show, too. */
function isShown({ tuning }: World, { id }: Entry): boolean {
  return !tuning.pics.heldComments.includes(id);
}

/** Comments or replies as a field of what they are on, without `paging` where all of them fit. */
function within<N extends Entry>(
  entriesOf: (call: Call, node: N) => Node<'picsComment'>[],
  shape = commentShape,
) {
  return listsWithin(shape, entriesOf, { ...most, isBare: true });
}

/**
 * The comments on a media as a field of it. Without the permission for comments, they are left out in login mode, and in
 * page mode nobody is named.
 */
export function commentsWithin(call: Call, media: Node<'picsMedia'>, selection: Selection): unknown {
  if (mayRead(call, needs(['manage_comments'])(call))) return within(topCommentsOf)(call, media, selection);
  return loginMode(call)
    ? undefined
    : within(topCommentsOf, namelessShape)(call, media, { ...selection, fields: undefined });
}

const namelessShape: Shape<Node<'picsComment'>> = { ...commentShape, expand: {} };

/** A comment of the account on its media. A story has no comments, and neither has an item of a carousel. */
function comment(call: Call, media: Node<'picsMedia'>): unknown {
  if (media.product === 'STORY' || media.parentId !== undefined) return missing(media.id, call.method);
  if (!media.commentsEnabled) return invalid('Comments are turned off for this media');
  const { id, accountId, owners } = media;
  return write(call, 'comment', id, { accountId, owners, id }, undefined);
}

/** A reply to a reply becomes a reply to the top-level comment. */
function reply(call: Call, parent: Node<'picsComment'>): unknown {
  const { accountId, owners, mediaId } = parent;
  return write(call, 'reply', parent.id, { accountId, owners, id: mediaId }, parent.parentId ?? parent.id);
}

type CommentedMedia = Pick<Node<'picsMedia'>, 'accountId' | 'owners' | 'id'>;

export function addPicsComment(
  world: World,
  { accountId, id: mediaId, owners: ofMedia }: CommentedMedia,
  {
    owners = ofMedia,
    ...content
  }: Partial<Node<'picsComment'>> & Pick<Node<'picsComment'>, 'from' | 'text' | 'parentId'>,
): Node<'picsComment'> {
  return make(world, 'picsComment', owners, { likes: 0, hidden: false, ...content, accountId, mediaId });
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
  return created(world, kind, made.id, on, { message });
}

/** Only a `hide` in the query has an effect; one in the body is ignored. The account's own comments stay visible. */
function hide({ world, params, query }: Call, comment: Node<'picsComment'>): unknown {
  flag(params, 'hide'); // refuses what is not a boolean
  const hidden = flag(query, 'hide');
  if (hidden !== undefined && comment.from.id !== comment.accountId) {
    comment.hidden = hidden;
    recordEffect(world, 'hide', comment.id, comment.mediaId, { hidden });
  }
  return { success: true };
}

const remove = deletes('mediaId', (world, { id }: Node<'picsComment'>) =>
  [...world.nodes.ofKind('picsComment')].filter(({ parentId }) => parentId === id).map((one) => one.id),
);

const comments = lists(commentShape, topCommentsOf, most);
const replies = lists(commentShape, repliesOf, most);
const moderating = inBothModes(['manage_comments']);

export const picsCommentRoutes: readonly Route[] = [
  on('GET', 'picsMedia', 'comments', moderating, comments),
  on('POST', 'picsMedia', 'comments', inLoginMode(['manage_comments']), comment, 'message'),
  on('POST', 'picsMedia', 'comments', inPageMode(['manage_comments']), comment, 'ad_id message'),
  on('GET', 'picsComment', 'replies', moderating, replies),
  on('POST', 'picsComment', 'replies', moderating, reply, 'message'),
  on('GET', 'picsComment', '', moderating, reads(commentShape)),
  on('POST', 'picsComment', '', moderating, hide, 'ad_id hide!'),
  on('DELETE', 'picsComment', '', moderating, remove, 'ad_id'),
];
