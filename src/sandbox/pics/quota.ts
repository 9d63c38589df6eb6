import type { World } from '../world.ts';

/** Publications by the app after a time; each media counts once, a carousel included. */
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
