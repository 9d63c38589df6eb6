import type { World } from '../world.ts';

/** How much the app has published since then. Each media counts once, a carousel too. */
export function publishedSince(world: World, accountId: string, since: number): number {
  return [...world.nodes.values()].filter(
    (node) =>
      node.kind === 'picsMedia' &&
      node.accountId === accountId &&
      node.parentId === undefined &&
      node.containerId !== undefined &&
      node.createdAt > since,
  ).length;
}
