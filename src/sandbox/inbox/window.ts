import { day } from '../auth/tokens.ts';
import type { World } from '../world.ts';
import type { ConversationNode } from './nodes.ts';

/** Whether the account or the Page may write: for 24 hours after the contact's newest message, for 7 days as a human agent. */
export function isOpen(world: World, conversation: ConversationNode, tag: string | undefined): boolean {
  const times = [...world.nodes.values()]
    .filter((node) => node.kind === 'message')
    .filter((node) => node.conversationId === conversation.id && node.inbound)
    .map((node) => node.createdAt);
  return world.now() - Math.max(...times) <= (tag === 'HUMAN_AGENT' ? 7 * day : day);
}
