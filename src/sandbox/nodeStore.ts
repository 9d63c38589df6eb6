import type { InboxNodes } from './inbox/nodes.ts';
import type { PageNodes } from './page/nodes.ts';
import type { PicsNodes } from './pics/nodes.ts';

export interface NodeMap extends PageNodes, PicsNodes, InboxNodes {}
export type NodeKind = keyof NodeMap;
export type Node = NodeMap[NodeKind];

/** The nodes by their ids, and by their kinds in the order in which they were made. */
export interface NodeStore {
  readonly get: (id: string) => Node | undefined;
  readonly set: (id: string, node: Node) => void;
  readonly delete: (id: string) => void;
  readonly values: () => Iterable<Node>;
  readonly size: () => number;
  readonly ofKind: <K extends NodeKind>(kind: K) => Iterable<NodeMap[K]>;
  readonly newestFirst: <K extends NodeKind>(kind: K) => readonly NodeMap[K][];
}

export function createNodeStore(): NodeStore {
  const byId = new Map<string, Node>();
  // A node may have two ids.
  const byKind = new Map<NodeKind, Set<Node>>();
  /** Sorted on demand; dropped when a node is added or deleted. */
  const sorted = new Map<NodeKind, readonly Node[]>();
  return {
    get: (id) => byId.get(id),
    set: (id, node) => {
      byId.set(id, node);
      sorted.delete(node.kind);
      byKind.set(node.kind, (byKind.get(node.kind) ?? new Set()).add(node));
    },
    delete: (id) => {
      const node = byId.get(id);
      if (node !== undefined) {
        byKind.get(node.kind)?.delete(node);
        sorted.delete(node.kind);
      }
      byId.delete(id);
    },
    values: () => byId.values(),
    size: () => byId.size,
    ofKind: <K extends NodeKind>(kind: K) => (byKind.get(kind) ?? []) as Iterable<NodeMap[K]>,
    newestFirst: <K extends NodeKind>(kind: K) => {
      const known =
        sorted.get(kind) ??
        [...(byKind.get(kind) ?? [])].toReversed().sort((a, b) => b.createdAt - a.createdAt);
      sorted.set(kind, known);
      return known as readonly NodeMap[K][];
    },
  };
}
