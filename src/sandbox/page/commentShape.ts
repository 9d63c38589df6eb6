import { commentEdges, commentFields } from '../knownNames.ts';
import { nested, type Summary } from '../paging.ts';
import type { Call } from '../route.ts';
import type { Shape } from '../select.ts';
import { find, listed } from '../world.ts';
import { likeFields } from './like.ts';
import type { CommentNode } from './nodes.ts';
import { isoTime } from './values.ts';

export const commentShape: Shape<CommentNode> = {
  type: 'Comment',
  fields: commentFields,
  defaults: ['created_time', 'from', 'message'],
  edges: commentEdges,
  read: (comment, call) => ({
    id: comment.id,
    created_time: isoTime(comment.createdAt),
    from: comment.from,
    message: comment.message,
    is_hidden: comment.hidden,
    is_private: false,
    can_comment: true,
    can_hide: !comment.owners.includes(comment.from.id),
    can_like: true,
    can_remove: true,
    can_reply_privately: true,
    user_likes: comment.liked ?? false,
    like_count: comment.liked ? 1 : 0,
    attachment: attachmentOf(comment),
    comment_count: repliesOf(call, comment.id).length,
    object: { id: comment.postId },
    parent: parentOf(call, comment),
    permalink_url: `https://page.sandbox.test/${comment.postId}?comment_id=${comment.id}`,
  }),
  expand: {
    comments: (call, comment, selection) =>
      nested(
        call,
        commentShape,
        repliesOf(call, comment.id),
        selection,
        `/${comment.id}/comments`,
        commentSummary(repliesOf(call, comment.id).length),
      ),
    ...likeFields,
  },
};

/** The summary of a list of comments. */
export function commentSummary(total_count: number, order = 'chronological'): Summary {
  return { order, total_count, can_comment: true };
}

/** Top-level comments of a post, newest first. */
export function commentsOf(call: Call, postId: string): CommentNode[] {
  return listed(call.world, 'comment', (one) => one.postId === postId && one.parentId === undefined);
}

/** Replies to a comment, newest first. */
function repliesOf(call: Call, commentId: string): CommentNode[] {
  return listed(call.world, 'comment', (one) => one.parentId === commentId);
}

function parentOf(call: Call, comment: CommentNode): Record<string, unknown> | undefined {
  const parent = comment.parentId === undefined ? undefined : find(call.world, 'comment', comment.parentId);
  if (parent === undefined) return undefined;
  return {
    created_time: isoTime(parent.createdAt),
    from: parent.from,
    message: parent.message,
    id: parent.id,
  };
}

function attachmentOf({ attachment }: CommentNode): Record<string, unknown> | undefined {
  if (attachment === undefined) return undefined;
  const { url, photoId } = attachment;
  const media = { image: { src: url } };
  return photoId === undefined
    ? { type: 'share', media, url }
    : { type: 'photo', media, url, target: { id: photoId, url } };
}
