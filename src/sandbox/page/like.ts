import { editing } from '../auth/grants.ts';
import type { Selection } from '../fields.ts';
import { list, nested, type Summary } from '../paging.ts';
import { onNode, type Call, type Route } from '../route.ts';
import type { Shape } from '../select.ts';
import { find, recordEffect } from '../world.ts';
import { moderating } from './access.ts';
import type { CommentNode, PhotoNode, PostNode, VideoNode } from './nodes.ts';
import { oneOf } from './values.ts';

const on = { ...moderating, edge: 'likes' } as const;

/** Likes by a Page. The platform accepts no other reaction. */
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
    ...['likes', 'reactions'].map((edge) =>
      onNode({
        ...on,
        edge,
        on: kind,
        method: 'GET',
        scopes: ['pages_read_engagement'],
        tasks: editing,
        params: ['type'],
        run: (call, node) => {
          const found = reactionsTo(call, node);
          return list(call, reactionShape, found, { summary: summaryOf(edge, node, found) });
        },
      }),
    ),
  ],
);

/** Likes and reactions as fields of what they are on. */
export const likeFields: Readonly<
  Record<'likes' | 'reactions', (call: Call, node: Likable, selection: Selection) => unknown>
> = { likes: fieldOf('likes'), reactions: fieldOf('reactions') };

function fieldOf(edge: 'likes' | 'reactions') {
  return (call: Call, node: Likable, selection: Selection): unknown => {
    const found = reactionsTo({ ...call, params: selection.args }, node);
    return nested(call, reactionShape, found, selection, `/${node.id}/${edge}`, summaryOf(edge, node, found));
  };
}

function summaryOf(edge: string, { liked = false }: Likable, found: readonly Reaction[]): Summary {
  const total_count = found.length;
  return edge === 'likes'
    ? { total_count, can_like: true, has_liked: liked }
    : { total_count, viewer_reaction: liked ? 'LIKE' : 'NONE' };
}

type Likable = PostNode | PhotoNode | VideoNode | CommentNode;

interface Reaction {
  readonly id: string;
  readonly createdAt: number;
  readonly name: string | undefined;
}

const reactionShape: Shape<Reaction> = {
  type: 'Profile',
  fields: ['id', 'name', 'type', 'can_post', 'link', 'pic', 'profile_type', 'username'],
  defaults: ['name', 'type'],
  read: ({ id, name }) => ({ id, name, type: 'LIKE' }),
};

const reactionTypes = ['LIKE', 'LOVE', 'WOW', 'HAHA', 'SAD', 'ANGRY', 'CARE', 'THANKFUL', 'PRIDE', 'NONE'];

/** The reactions of the Page itself: people have none in the sandbox. */
function reactionsTo({ world, params }: Call, { liked, pageId, createdAt }: Likable): Reaction[] {
  const type = oneOf(params, 'type', reactionTypes) ?? 'LIKE';
  if (liked !== true || type !== 'LIKE') return [];
  return [{ id: pageId, createdAt, name: find(world, 'page', pageId)?.name }];
}

function set({ world }: Call, node: Likable, liked: boolean): unknown {
  node.liked = liked;
  recordEffect(world, 'like', node.id, node.pageId, { liked });
  return { success: true };
}
