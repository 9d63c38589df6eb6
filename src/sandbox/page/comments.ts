import type { Entry, Node } from '../nodes.ts';
import { type Call, checkScopes, editing, moderating, ofPage, on, readingAll, type Route } from '../route.ts';
import * as s from '../shapes.ts';
import { flag, invalid, isoTime, missing, oneOf, timeWindow } from '../values.ts';
import * as w from '../world.ts';

/** What people did on a Page is theirs: one field of it refuses a whole read. */
export const ofVisitors: readonly string[] = ['pages_read_user_content'];

/** Likes and reactions as fields of what they are on. */
export const likeFields = {
  likes: reactionsWithin(likeSummary),
  reactions: reactionsWithin(reactionSummary),
};

function reactionsWithin(summaryOf: typeof likeSummary) {
  return (call: Call, node: Likable, selection: s.Selection): unknown => {
    checkScopes(call, ofVisitors);
    return s.listsWithin(reactionShape, reactionsTo, { summaryOf })(call, node, selection);
  };
}

function likeSummary({ liked = false }: Likable, { length }: readonly Reaction[]): s.Summary {
  return { total_count: length, can_like: true, has_liked: liked };
}

function reactionSummary({ liked = false }: Likable, { length }: readonly Reaction[]): s.Summary {
  return { total_count: length, viewer_reaction: liked ? 'LIKE' : 'NONE' };
}

type Likable = Node<'post' | 'photo' | 'video' | 'comment'>;

interface Reaction extends Entry {
  readonly name: string | undefined;
}

const reactionShape: s.Shape<Reaction> = {
  type: 'Profile',
  defaults: ['name', 'type'],
  fields: { ...s.members<Reaction>('id', 'name'), type: () => 'LIKE' },
};

const reactionTypes = ['LIKE', 'LOVE', 'WOW', 'HAHA', 'SAD', 'ANGRY', 'CARE', 'THANKFUL', 'PRIDE', 'NONE'];

/** The reactions of the Page itself: people have none in the sandbox. */
function reactionsTo({ world, params }: Call, { liked, pageId, createdAt }: Likable): Reaction[] {
  const type = oneOf(params, 'type', reactionTypes) ?? 'LIKE';
  if (liked !== true || type !== 'LIKE') return [];
  return [{ id: pageId, createdAt, name: w.find(world, 'page', pageId)?.name }];
}

function set({ world }: Call, node: Likable, liked: boolean): unknown {
  node.liked = liked;
  return w.succeed(world, 'like', node.id, node.pageId, { liked });
}

const commentShape: s.Shape<Node<'comment'>> = {
  type: 'Comment',
  blank: 'application message_tags private_reply_conversation',
  defaults: ['created_time', 'from', 'message'],
  fields: {
    ...s.members<Node<'comment'>>('id', 'from', 'message'),
    ...s.always(true, 'can_comment can_like can_remove can_reply_privately'),
    created_time: (comment) => isoTime(comment.createdAt),
    is_hidden: (comment) => comment.hidden,
    is_private: () => false,
    can_hide: (comment) => !comment.owners.includes(comment.from.id),
    user_likes: (comment) => comment.liked ?? false,
    like_count: (comment) => (comment.liked ? 1 : 0),
    attachment: (comment) => attachmentOf(comment),
    comment_count: (comment, call) => repliesOf(call, comment).length,
    object: (comment) => ({ id: comment.postId }),
    parent: (comment, call) => parentOf(call, comment),
    permalink_url: (comment) => `https://page.sandbox.test/${comment.postId}?comment_id=${comment.id}`,
  },
  expand: {
    comments: (call, comment, selection) =>
      commentsWithin((one) => one.parentId === comment.id)(call, comment, selection),
    ...likeFields,
  },
};

type Keeps = (comment: Node<'comment'>) => boolean;

/** Comments as a field of what they are on, with a summary. They are other people's. */
function commentsWithin(isBelow: Keeps, isTop = isBelow) {
  return (call: Call, node: Entry, selection: s.Selection): unknown => {
    checkScopes(call, ofVisitors);
    const order = selection.args['order'];
    // Without an order, the platform ranks them.
    const found = (inner: Call) => commentsBelow(inner, isBelow, isTop, 'reverse_chronological');
    return s.listsWithin(commentShape, found, {
      summaryOf: (_, { length }) => summaryOf(length, order),
    })(call, node, selection);
  };
}

/** The comments on a post, a photo or a video as a field of it. */
export function commentsOn({ id }: Entry) {
  return commentsWithin(
    ({ postId }) => postId === id,
    ({ postId, parentId }) => postId === id && parentId === undefined,
  );
}

function summaryOf(total_count: number, order = 'chronological'): s.Summary {
  return { order, total_count, can_comment: true };
}

/** Top-level comments of a post, newest first. */
export function commentsOf({ world }: Call, { id }: Entry): Node<'comment'>[] {
  return w.listed(world, 'comment', (one) => one.postId === id && one.parentId === undefined);
}

/** Replies to a comment, newest first. */
function repliesOf({ world }: Call, { id }: Entry): Node<'comment'>[] {
  return w.listed(world, 'comment', ({ parentId }) => parentId === id);
}

function parentOf(call: Call, comment: Node<'comment'>): Record<string, unknown> | undefined {
  const parent = w.find(call.world, 'comment', comment.parentId ?? '');
  if (parent === undefined) return undefined;
  const { id, createdAt, from, message } = parent;
  return { created_time: isoTime(createdAt), from, message, id };
}

function attachmentOf({ attachment }: Node<'comment'>): Record<string, unknown> | undefined {
  if (attachment === undefined) return undefined;
  const { url, photoId } = attachment;
  const media = { image: { src: url } };
  return photoId === undefined
    ? { type: 'share', media, url }
    : { type: 'photo', media, url, target: { id: photoId, url } };
}

const orders = ['chronological', 'reverse_chronological'];

/** Comments below a post, or replies below a comment, as the call filters and orders them. */
function commentsBelow(call: Call, isBelow: Keeps, isTop: Keeps, usual = 'chronological'): Node<'comment'>[] {
  const filter = oneOf(call.params, 'filter', ['stream', 'toplevel']) ?? 'toplevel';
  const order = oneOf(call.params, 'order', orders) ?? usual;
  const inTime = timeWindow(call);
  const isListed = filter === 'stream' ? isBelow : isTop;
  const found = w.listed(call.world, 'comment', (one) => isListed(one) && inTime(one.createdAt));
  return order === 'chronological' ? found.toReversed() : found;
}

function read(call: Call, isBelow: Keeps, isTop = isBelow): unknown {
  const found = commentsBelow(call, isBelow, isTop);
  return s.list(call, commentShape, found, { summary: summaryOf(found.length, call.params['order']) });
}

function comments(call: Call, { id }: Node<'post' | 'photo' | 'video'>): unknown {
  return read(
    call,
    ({ postId }) => postId === id,
    ({ postId, parentId }) => postId === id && parentId === undefined,
  );
}

function replies(call: Call, { id }: Node<'comment'>): unknown {
  return read(call, ({ parentId }) => parentId === id);
}

function update({ world, params }: Call, comment: Node<'comment'>): unknown {
  const hidden = flag(params, 'is_hidden');
  const message = params['message'];
  if (hidden === undefined && message === undefined) return invalid('The parameter is_hidden is required');
  const isOwn = comment.owners.includes(comment.from.id);
  if (message !== undefined && !isOwn) {
    return invalid('Only the author can change the message of a comment');
  }
  if (hidden === true && isOwn) return invalid('A comment of the Page itself cannot be hidden');
  if (hidden !== undefined) {
    comment.hidden = hidden;
    w.recordEffect(world, 'comment_hide', comment.id, comment.postId, { hidden });
  }
  if (message !== undefined) {
    comment.message = message;
    w.recordEffect(world, 'comment_update', comment.id, comment.postId, { message });
  }
  return { success: true };
}

/** A reply to a reply becomes a reply to the top-level comment. */
export function addComment(
  world: w.World,
  {
    pageId,
    postId,
    parent,
  }: Pick<Node<'comment'>, 'pageId' | 'postId'> & { readonly parent?: Node<'comment'> | undefined },
  content: Partial<Node<'comment'>> & Pick<Node<'comment'>, 'from' | 'message'>,
): Node<'comment'> {
  return w.make(world, 'comment', [pageId], {
    hidden: false,
    ...content,
    id: `${postId.split('_').at(-1)}_${world.newId()}`,
    pageId,
    postId,
    parentId: parent?.parentId ?? parent?.id,
  });
}

function write({ world, params, token }: Call, postId: string, parent?: Node<'comment'>): unknown {
  const { message } = params;
  const attachment = readAttachment(world, params, token.subjectId);
  if ((message === undefined || message === '') && attachment === undefined) {
    return invalid('The parameter message is required');
  }
  const page = w.find(world, 'page', token.subjectId);
  const from = { id: token.subjectId, name: page?.name ?? '' };
  const made = addComment(world, { pageId: from.id, postId, parent }, { from, message, attachment });
  const content = { message, ...(attachment === undefined ? {} : { attachment }) };
  return w.created(world, parent === undefined ? 'comment' : 'reply', made.id, parent?.id ?? postId, content);
}

/** The image of a comment: an address, or an unpublished photo of the Page, which it uses up. */
function readAttachment(
  world: w.World,
  params: Call['params'],
  pageId: string,
): Node<'comment'>['attachment'] {
  const { attachment_id: photoId, attachment_url: url } = params;
  if (photoId !== undefined && url !== undefined) return invalid('Only one attachment is allowed');
  if (url !== undefined) return URL.canParse(url) ? { url } : invalid('attachment_url should be a valid URL');
  if (photoId === undefined) return undefined;
  const photo = w.find(world, 'photo', photoId);
  if (photo === undefined || photo.pageId !== pageId || photo.used) return invalid('Invalid attachment_id');
  photo.used = true;
  return { url: photo.url, photoId };
}

function reactions(summaryOf: typeof likeSummary) {
  return (call: Call, node: Likable): unknown => {
    const found = reactionsTo(call, node);
    return s.list(call, reactionShape, found, { summary: summaryOf(node, found) });
  };
}

/** A comment on what people can see. */
function comment(call: Call, object: Node<'post' | 'photo' | 'video'>): unknown {
  const { world, method } = call;
  const post = object.kind === 'photo' ? w.find(world, 'post', object.postId ?? '') : object;
  if (post !== undefined && !w.isPublished(world, post)) return missing(object.id, method);
  return write(call, object.id);
}

const commentable = ['post', 'photo', 'video'] as const;
const likable = ['post', 'photo', 'video', 'comment'] as const;
const readingReactions = ofPage(['pages_read_engagement', ...ofVisitors], editing);
const readParams = 'filter live_filter order since until';
const writeParams = 'attachment_id attachment_url message';

/** A Page likes what it likes: the platform accepts no other reaction. */
export const pageCommentRoutes: readonly Route[] = [
  on('GET', commentable, 'comments', readingAll, comments, readParams),
  on('POST', commentable, 'comments', moderating, comment, writeParams),
  on('GET', 'comment', 'comments', readingAll, replies, readParams),
  on('POST', 'comment', 'comments', moderating, (call, one) => write(call, one.postId, one), writeParams),
  on('GET', 'comment', '', readingAll, s.reads(commentShape)),
  on('POST', 'comment', '', moderating, update, 'is_hidden message'),
  on('DELETE', 'comment', '', moderating, w.deletes('postId')),
  on('POST', likable, 'likes', moderating, (call, node) => set(call, node, true)),
  on('DELETE', likable, 'likes', moderating, (call, node) => set(call, node, false)),
  on('GET', likable, 'likes', readingReactions, reactions(likeSummary), 'type'),
  on('GET', ['post', 'comment'], 'reactions', readingReactions, reactions(reactionSummary), 'type'),
];
