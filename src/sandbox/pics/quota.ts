import type { World } from '../world.ts';

/** How much the app has published since then. Each media counts once, a carousel too, and one that was deleted. */
export function publishedSince(world: World, accountId: string, since: number): number {
  return [...world.nodes.values()].filter(
    (node) =>
      node.kind === 'picsContainer' &&
      node.accountId === accountId &&
      node.publishedAt !== undefined &&
      node.publishedAt > since,
  ).length;
}
