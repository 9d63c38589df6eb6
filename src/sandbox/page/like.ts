import { onNode, type Call, type Route } from '../route.ts';
import { recordEffect } from '../world.ts';
import type { CommentNode, PhotoNode, PostNode, VideoNode } from './nodes.ts';

const on = {
  hosts: ['graph'],
  edge: 'likes',
  tokens: ['page'],
  scopes: ['pages_manage_engagement'],
} as const;

/** Likes of a Page. The platform takes no other reaction. */
export const likeRoutes: readonly Route[] = (['post', 'photo', 'video', 'comment'] as const).flatMap(
  (kind) => [
    onNode({
      ...on,
      on: kind,
      method: 'POST',
      params: ['feedback_source', 'nectar_module', 'tracking'],
      run: (call, node) => set(call, node, true),
    }),
    onNode({
      ...on,
      on: kind,
      method: 'DELETE',
      params: ['feedback_source', 'nectar_module', 'tracking'],
      run: (call, node) => set(call, node, false),
    }),
  ],
);

function set({ world }: Call, node: PostNode | PhotoNode | VideoNode | CommentNode, liked: boolean): unknown {
  node.liked = liked;
  recordEffect(world, 'like', node.id, node.pageId, { liked });
  return { success: true };
}
