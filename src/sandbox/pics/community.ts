import { invalid, missing, refuse } from '../errors.ts';
import type { Selection } from '../fields.ts';
import { flag } from '../page/values.ts';
import { list, withoutNext } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { nestedCall, select, type Shape } from '../select.ts';
import { find, listed, recordEffect, type World } from '../world.ts';
import { both, needs, pageOnly } from './access.ts';
import { addPicsComment } from './comment.ts';
import { commentShape } from './commentShape.ts';
import { foreignMediaShape, mentionsIn } from './mediaShape.ts';
import type { Collaboration, PicsAccountNode, PicsCommentNode, PicsMediaNode } from './nodes.ts';

const mentioned = needs(['manage_comments']);
const liking = needs(['manage_engagement']);

export const communityRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'picsAccount',
    edge: 'tags',
    scopes: needs(['manage_comments']),
    run: (call, { username }) => {
      const found = listed(
        call.world,
        'picsMedia',
        ({ product, tagged = [] }) => product !== 'STORY' && tagged.includes(username),
      );
      return withoutNext(list(call, foreignMediaShape(call), found));
    },
  }),
  onNode({
    ...both,
    method: 'POST',
    on: 'picsAccount',
    edge: 'mentions',
    scopes: mentioned,
    params: ['comment_id', 'media_id', 'message'],
    required: ['media_id', 'message'],
    run: reply,
  }),
  ...(['POST', 'DELETE'] as const).map((method) =>
    onNode({
      ...pageOnly,
      method,
      on: 'picsAccount',
      edge: 'likes',
      scopes: liking,
      params: ['comment_id', 'media_id'],
      run: (call, account) => like(call, account, method === 'POST'),
    }),
  ),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'picsAccount',
    edge: 'collaboration_invites',
    scopes: needs(['basic']),
    run: (call, { username }) => {
      const isOpen = ({ collaborators = [] }: PicsMediaNode): boolean =>
        collaborators.some((one) => one.username === username && one.status === 'Pending');
      return list(call, inviteShape, listed(call.world, 'picsMedia', isOpen));
    },
  }),
  onNode({
    ...pageOnly,
    method: 'POST',
    on: 'picsAccount',
    edge: 'collaboration_invites',
    scopes: needs(['basic']),
    params: ['accept', 'media_id'],
    required: ['accept', 'media_id'],
    run: answer,
  }),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'picsMedia',
    edge: 'collaborators',
    scopes: needs(['basic']),
    run: (call, { collaborators = [] }) =>
      list(
        call,
        collaboratorShape,
        collaborators.filter(({ status }) => status !== 'Declined'),
      ),
  }),
];

const inviteShape: Shape<PicsMediaNode> = {
  type: 'ShadowIGUserCollaborationInvites',
  fields: ['caption', 'media_id', 'media_owner_username', 'media_url'],
  defaults: ['caption', 'media_id', 'media_owner_username', 'media_url'],
  read: (media, call) => ({
    caption: media.caption,
    media_id: media.id,
    media_owner_username: foreignMediaShape(call).read(media, call)['username'],
    media_url: media.url,
  }),
};

const collaboratorShape: Shape<Collaboration> = {
  type: 'ShadowIGMediaCollaborators',
  fields: ['id', 'invite_status', 'username'],
  defaults: ['invite_status', 'username'],
  read: ({ id, username, status }) => ({ id, username, invite_status: status }),
};

const mentionedCommentShape: Shape<PicsCommentNode> = {
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
export function mentionedMedia(call: Call, account: PicsAccountNode, { args, fields }: Selection): unknown {
  const inner = nestedCall(call, args, mentioned(call));
  const media = find(call.world, 'picsMedia', demanded(args, 'media_id'));
  return media !== undefined && mentions(media.caption, account)
    ? select(inner, foreignMediaShape(inner), media, fields ?? [])
    : missing(args['media_id'] ?? '', call.method);
}

/** `mentioned_comment.comment_id(…){…}`: a comment that mentions the account. */
export function mentionedComment(call: Call, account: PicsAccountNode, { args, fields }: Selection): unknown {
  const inner = nestedCall(call, args, mentioned(call));
  const comment = find(call.world, 'picsComment', demanded(args, 'comment_id'));
  return comment !== undefined && mentions(comment.text, account)
    ? select(inner, mentionedCommentShape, comment, fields ?? [])
    : missing(args['comment_id'] ?? '', call.method);
}

function demanded(args: Selection['args'], name: string): string {
  return args[name] ?? invalid(`The parameter ${name} is required`);
}

function mentions(text: string | undefined, { username }: PicsAccountNode): boolean {
  return mentionsIn(text ?? '').includes(username);
}

/** A comment below the media whose caption mentions the account, or below the comment that does. */
function reply({ world, params, method }: Call, account: PicsAccountNode): unknown {
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
  recordEffect(world, comment === undefined ? 'comment' : 'reply', made.id, commentId ?? mediaId, {
    message,
  });
  return { id: made.id };
}

const hour = 3_600_000;

/** Likes a media or comment, or removes the like. Both succeed if nothing changes. */
function like(call: Call, account: PicsAccountNode, liked: boolean): unknown {
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
function countLike(world: World, account: PicsAccountNode): void {
  const now = world.now();
  const isLocked = account.likesLockedUntil !== undefined && account.likesLockedUntil > now;
  const recent = [...(account.likeCalls ?? []), now].filter((at) => at > now - 5000);
  account.likeCalls = recent;
  if (!isLocked && recent.length <= 50) return;
  if (!isLocked) account.likesLockedUntil = now + hour;
  refuse({ code: 613, message: '(#613) Calls to this api have exceeded the rate limit.' });
}

/** Accepts or declines to be a collaborator. The answer cannot be changed. */
function answer({ world, params, method }: Call, account: PicsAccountNode): unknown {
  const accept = flag(params, 'accept') ?? false;
  const { media_id: id = '' } = params;
  const invite = find(world, 'picsMedia', id)?.collaborators?.find(
    ({ username }) => username === account.username,
  );
  if (invite === undefined) return missing(id, method);
  const status = accept ? 'Accepted' : 'Declined';
  if (invite.status === status) return { success: true };
  if (invite.status !== 'Pending') return invalid('The invite was answered already');
  invite.status = status;
  recordEffect(world, 'invite_answer', id, account.id, { accept });
  return { success: true };
}
