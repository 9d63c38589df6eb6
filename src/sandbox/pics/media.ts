import { invalid, missing } from '../errors.ts';
import { flag, timeWindow } from '../page/values.ts';
import { list } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import { readNode } from '../select.ts';
import { recordEffect } from '../world.ts';
import { both, needs, pageOnly } from './access.ts';
import { isLive } from './containerState.ts';
import { itemsOf, mediaOf, mediaShape, storiesOf } from './mediaShape.ts';
import type { PicsMediaNode } from './nodes.ts';

export const mediaRoutes: readonly Route[] = [
  onNode({
    ...both,
    method: 'GET',
    on: 'picsAccount',
    edge: 'media',
    scopes: needs(['basic']),
    params: ['since', 'until'],
    run: (call, account) => {
      const inTime = timeWindow(call);
      const found = mediaOf(call.world, account.id).filter((media) => inTime(media.createdAt));
      return list(call, mediaShape(call), found);
    },
  }),
  onNode({
    ...pageOnly,
    method: 'GET',
    on: 'picsAccount',
    edge: 'stories',
    scopes: needs(['basic']),
    run: (call, account) => list(call, mediaShape(call), storiesOf(call.world, account.id)),
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsMedia',
    scopes: needs(['basic']),
    run: (call, media) =>
      isLive(call.world, media) ? readNode(call, mediaShape(call), media) : missing(media.id, call.method),
  }),
  onNode({
    ...both,
    method: 'GET',
    on: 'picsMedia',
    edge: 'children',
    scopes: needs(['basic']),
    run: (call, media) => ({ data: list(call, mediaShape(call), itemsOf(call.world, media.id)).data }),
  }),
  onNode({
    ...both,
    method: 'POST',
    on: 'picsMedia',
    scopes: needs(['manage_comments']),
    params: ['comment_enabled'],
    required: ['comment_enabled'],
    run: toggleComments,
  }),
  onNode({
    ...pageOnly,
    method: 'DELETE',
    on: 'picsMedia',
    scopes: needs(['manage_contents']),
    run: remove,
  }),
];

function toggleComments({ world, params }: Call, media: PicsMediaNode): unknown {
  const enabled = flag(params, 'comment_enabled') ?? true;
  if (media.product === 'STORY') return invalid('A story has no comments');
  media.commentsEnabled = enabled;
  recordEffect(world, 'comment_toggle', media.id, media.accountId, { enabled });
  return { success: true };
}

/** Deletes a media with its items and its comments. A single item cannot be deleted. */
function remove({ world, method }: Call, media: PicsMediaNode): unknown {
  if (media.parentId !== undefined || !isLive(world, media)) return missing(media.id, method);
  const gone = [...world.nodes.values()].filter(
    (node) =>
      (node.kind === 'picsMedia' && node.parentId === media.id) ||
      (node.kind === 'picsComment' && node.mediaId === media.id),
  );
  for (const node of [media, ...gone]) world.nodes.delete(node.id);
  recordEffect(world, 'delete', media.id, media.accountId, {});
  return { success: true };
}
