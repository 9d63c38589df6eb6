import { invalid } from '../errors.ts';
import { commentParams, commentUpdateParams } from '../knownNames.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode } from '../select.ts';
import { add, find, listed, recordEffect, type World } from '../world.ts';
import { moderating, readingAll } from './access.ts';
import { commentShape, commentSummary } from './commentShape.ts';
import type { CommentNode } from './nodes.ts';
import { flag, oneOf, timeWindow } from './values.ts';

const readParams = ['filter', 'live_filter', 'order', 'since', 'until'];

/** Comments below a post, or replies below a comment. */
function read(
  call: Call,
  top: (comment: CommentNode) => boolean,
  below: (comment: CommentNode) => boolean,
): unknown {
  const filter = oneOf(call.params, 'filter', ['stream', 'toplevel']) ?? 'toplevel';
  const order = oneOf(call.params, 'order', ['chronological', 'reverse_chronological']) ?? 'chronological';
  const inTime = timeWindow(call);
  const keep = filter === 'stream' ? below : top;
  const found = listed(call.world, 'comment', (one) => keep(one) && inTime(one.createdAt));
  const summary = commentSummary(found.length, order);
  return list(call, commentShape, order === 'chronological' ? found.toReversed() : found, { summary });
}

export const commentRoutes: readonly Route[] = [
  ...(['post', 'photo', 'video'] as const).flatMap((kind) => [
    onNode({
      ...readingAll,
      method: 'GET',
      on: kind,
      edge: 'comments',
      params: readParams,
      run: (call, object) =>
        read(
          call,
          (one) => one.postId === object.id && one.parentId === undefined,
          (one) => one.postId === object.id,
        ),
    }),
    onNode({
      ...moderating,
      method: 'POST',
      on: kind,
      edge: 'comments',
      params: commentParams,
      run: (call, object) => write(call, object.id, undefined),
    }),
  ]),
  onNode({
    ...readingAll,
    method: 'GET',
    on: 'comment',
    edge: 'comments',
    params: readParams,
    run: (call, comment) => {
      const below = (one: CommentNode): boolean => one.parentId === comment.id;
      return read(call, below, below);
    },
  }),
  onNode({
    ...readingAll,
    method: 'GET',
    on: 'comment',
    run: (call, comment) => readNode(call, commentShape, comment),
  }),
  onNode({
    ...moderating,
    method: 'POST',
    on: 'comment',
    params: commentUpdateParams,
    run: update,
  }),
  onNode({
    ...moderating,
    method: 'DELETE',
    on: 'comment',
    run: ({ world }, comment) => {
      world.nodes.delete(comment.id);
      recordEffect(world, 'delete', comment.id, comment.postId, {});
      return { success: true };
    },
  }),
  onNode({
    ...moderating,
    method: 'POST',
    on: 'comment',
    edge: 'comments',
    params: commentParams,
    run: (call, comment) => write(call, comment.postId, comment),
  }),
];

function update({ world, params }: Call, comment: CommentNode): unknown {
  const hidden = flag(params, 'is_hidden');
  const message = params['message'];
  if (hidden === undefined && message === undefined) return invalid('The parameter is_hidden is required');
  if (message !== undefined && !comment.owners.includes(comment.from.id)) {
    return invalid('Only the author can change the message of a comment');
  }
  if (hidden !== undefined) {
    comment.hidden = hidden;
    recordEffect(world, 'comment_hide', comment.id, comment.postId, { hidden });
  }
  if (message !== undefined) {
    comment.message = message;
    recordEffect(world, 'comment_update', comment.id, comment.postId, { message });
  }
  return { success: true };
}

/** A reply to a reply becomes a reply to the top-level comment. */
export function addComment(
  world: World,
  {
    pageId,
    postId,
    parent,
  }: Pick<CommentNode, 'pageId' | 'postId'> & { readonly parent?: CommentNode | undefined },
  content: Partial<CommentNode> & Pick<CommentNode, 'from' | 'message'>,
): CommentNode {
  return add<CommentNode>(world, {
    createdAt: world.now(),
    hidden: false,
    ...content,
    kind: 'comment',
    id: `${postId.split('_').at(-1)}_${world.newId()}`,
    owners: [pageId],
    pageId,
    postId,
    parentId: parent?.parentId ?? parent?.id,
  });
}

function write({ world, params, token }: Call, postId: string, parent: CommentNode | undefined): unknown {
  const { message } = params;
  const attachment = readAttachment(world, params, token.subjectId);
  if ((message === undefined || message === '') && attachment === undefined) {
    return invalid('The parameter message is required');
  }
  const page = find(world, 'page', token.subjectId);
  const from = { id: token.subjectId, name: page?.name ?? '' };
  const made = addComment(world, { pageId: from.id, postId, parent }, { from, message, attachment });
  const content = { message, ...(attachment === undefined ? {} : { attachment }) };
  recordEffect(world, parent === undefined ? 'comment' : 'reply', made.id, parent?.id ?? postId, content);
  return { id: made.id };
}

/** The image of a comment: an address, or an unpublished photo of the Page, which it uses up. */
function readAttachment(world: World, params: Call['params'], pageId: string): CommentNode['attachment'] {
  const { attachment_id: photoId, attachment_url: url } = params;
  if (photoId !== undefined && url !== undefined) return invalid('Only one attachment is allowed');
  if (url !== undefined) return URL.canParse(url) ? { url } : invalid('attachment_url should be a valid URL');
  if (photoId === undefined) return undefined;
  const photo = find(world, 'photo', photoId);
  if (photo === undefined || photo.pageId !== pageId || photo.used) return invalid('Invalid attachment_id');
  photo.used = true;
  return { url: photo.url, photoId };
}
