import type { Node } from '../nodes.ts';
import { type Call, inBothModes, inPageMode, needs, on, type Route } from '../route.ts';
import { list, nestedCall, select, type Selection, type Shape, withoutNext } from '../shapes.ts';
import { hour } from '../tokens.ts';
import { invalid, missing, oneOf, timeParam, tooFast } from '../values.ts';
import { created, find, listed, recordEffect, type World } from '../world.ts';
import { addPicsComment, commentShape } from './comments.ts';
import { foreignMediaShape, mentionsIn } from './media.ts';

const mentioned = needs(['manage_comments']);

const mentionedCommentShape: Shape<Node<'picsComment'>> = {
  ...commentShape,
  expand: {
    ...commentShape.expand,
    media: (call, { mediaId }, { fields }) => {
      const media = find(call.world, 'picsMedia', mediaId);
      return media && select(call, foreignMediaShape(call), media, fields ?? []);
    },
  },
};

/** `mentioned_media.media_id(…){…}`: a media whose caption mentions the account. */
export function mentionedMedia(
  call: Call,
  account: Node<'picsAccount'>,
  { args, fields }: Selection,
): unknown {
  const inner = nestedCall(call, args, mentioned(call));
  const media = find(call.world, 'picsMedia', demanded(args, 'media_id'));
  return media !== undefined && mentions(media.caption, account)
    ? select(inner, foreignMediaShape(inner), media, fields ?? [])
    : missing(args['media_id'] ?? '', call.method);
}

/** `mentioned_comment.comment_id(…){…}`: a comment that mentions the account. */
export function mentionedComment(
  call: Call,
  account: Node<'picsAccount'>,
  { args, fields }: Selection,
): unknown {
  const inner = nestedCall(call, args, mentioned(call));
  const comment = find(call.world, 'picsComment', demanded(args, 'comment_id'));
  return comment !== undefined && mentions(comment.text, account)
    ? select(inner, mentionedCommentShape, comment, fields ?? [])
    : missing(args['comment_id'] ?? '', call.method);
}

function demanded(args: Selection['args'], name: string): string {
  return args[name] ?? invalid(`The parameter ${name} is required`);
}

function mentions(text: string | undefined, { username }: Node<'picsAccount'>): boolean {
  return mentionsIn(text ?? '').includes(username);
}

/** A comment below the media whose caption mentions the account, or below the comment that does. */
function reply({ world, params, method }: Call, account: Node<'picsAccount'>): unknown {
  const { media_id: mediaId = '', comment_id: commentId, message = '' } = params;
  const media = find(world, 'picsMedia', mediaId);
  const comment = commentId === undefined ? undefined : find(world, 'picsComment', commentId);
  if (media === undefined) return missing(mediaId, method);
  if (commentId !== undefined && comment?.mediaId !== mediaId) return missing(commentId, method);
  if (!mentions(comment === undefined ? media.caption : comment.text, account)) {
    return invalid('The account is not mentioned there');
  }
  if (!media.commentsEnabled) return invalid('Comments are turned off for this media');
  const made = addPicsComment(world, media, {
    owners: [...new Set([...media.owners, ...account.owners])],
    parentId: comment?.parentId ?? comment?.id,
    from: { id: account.id, username: account.username },
    text: message,
  });
  const kind = comment === undefined ? 'comment' : 'reply';
  return created(world, kind, made.id, commentId ?? mediaId, { message });
}

/** Likes a media or comment, or removes the like. Both succeed if nothing changes. */
function like(call: Call, account: Node<'picsAccount'>, liked: boolean): unknown {
  const { world, params, method } = call;
  countLike(world, account);
  const { media_id: mediaId, comment_id: commentId } = params;
  if ((mediaId === undefined) === (commentId === undefined)) {
    return invalid('Give exactly one of {media_id, comment_id}');
  }
  const id = mediaId ?? commentId ?? '';
  const found = find(world, mediaId === undefined ? 'picsComment' : 'picsMedia', id);
  if (found === undefined) return missing(id, method);
  if (found.kind === 'picsMedia' && found.product === 'STORY') return invalid('A story cannot be liked');
  const likers = (found.likedBy ??= new Set<string>());
  if (likers.has(account.id) !== liked) {
    if (liked) likers.add(account.id);
    else likers.delete(account.id);
    recordEffect(world, 'like', id, account.id, { liked });
  }
  return { success: true };
}

/** More than 50 calls in five seconds lock the account for an hour. */
function countLike(world: World, account: Node<'picsAccount'>): void {
  const now = world.now();
  const isLocked = account.likesLockedUntil !== undefined && account.likesLockedUntil > now;
  const recent = [...(account.likeCalls ?? []), now].filter((at) => at > now - 5000);
  account.likeCalls = recent;
  if (!isLocked && recent.length <= 50) return;
  if (!isLocked) account.likesLockedUntil = now + hour;
  tooFast();
}

/** What tags the account. Like every list of somebody else's media, it has cursors, but no address of a next page. */
function tags(call: Call, { username }: Node<'picsAccount'>): unknown {
  const type = oneOf(call.params, 'media_type', ['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM']);
  const after = timeParam(call, 'posted_after') ?? -Infinity;
  const before = timeParam(call, 'posted_before') ?? Infinity;
  const isTagging = (media: Node<'picsMedia'>): boolean => {
    const at = media.createdAt / 1000;
    const isShown = (type === undefined || media.type === type) && at > after && at < before;
    return isShown && media.product !== 'STORY' && media.tagged?.includes(username) === true;
  };
  const found = listed(call.world, 'picsMedia', isTagging);
  return withoutNext(list(call, foreignMediaShape(call), found));
}

const moderating = inBothModes(['manage_comments']);
const liking = inPageMode(['manage_engagement']);
const likeParams = 'comment_id media_id';

/** Media that tag or mention the account, and likes of media. */
export const mentionRoutes: readonly Route[] = [
  on('GET', 'picsAccount', 'tags', moderating, tags, 'media_type posted_after posted_before'),
  on('POST', 'picsAccount', 'mentions', moderating, reply, 'comment_id media_id! message!'),
  on('POST', 'picsAccount', 'likes', liking, (call, account) => like(call, account, true), likeParams),
  on('DELETE', 'picsAccount', 'likes', liking, (call, account) => like(call, account, false), likeParams),
];
