import { picsCommentFields } from '../knownNames.ts';
import { isoTime } from '../page/values.ts';
import { nested } from '../paging.ts';
import type { Shape } from '../select.ts';
import { find, listed, type World } from '../world.ts';
import type { PicsCommentNode } from './nodes.ts';

export const commentShape: Shape<PicsCommentNode> = {
  type: 'IGComment',
  fields: picsCommentFields,
  defaults: ['timestamp', 'text'],
  read: (comment, { world }) => ({
    id: comment.id,
    text: comment.text,
    timestamp: isoTime(comment.createdAt),
    from: comment.from,
    username: comment.from.username,
    user: comment.from.id === comment.accountId ? { id: comment.accountId } : undefined,
    hidden: comment.hidden,
    like_count: comment.likes + (comment.likedBy?.size ?? 0),
    parent_id: comment.parentId,
    media: { id: comment.mediaId, media_product_type: find(world, 'picsMedia', comment.mediaId)?.product },
  }),
  expand: {
    replies: (call, comment, selection) =>
      nested(call, commentShape, repliesOf(call.world, comment.id), selection, `/${comment.id}/replies`),
  },
};

/** Comments on a media and replies to them, newest first. */
export function commentsOf(world: World, mediaId: string): PicsCommentNode[] {
  return listed(world, 'picsComment', (one) => one.mediaId === mediaId);
}

/** Replies to a comment, newest first. */
export function repliesOf(world: World, commentId: string): PicsCommentNode[] {
  return listed(world, 'picsComment', (one) => one.parentId === commentId);
}
