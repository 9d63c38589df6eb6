import type { Route } from '../route.ts';
import { attachmentRoutes } from './attachment.ts';
import { contactRoutes } from './contact.ts';
import { conversationRoutes } from './conversation.ts';
import { messageRoutes } from './messages.ts';
import { profileRoutes } from './profile.ts';
import { sendRoutes } from './send.ts';

/** Every endpoint of the inboxes, those of accounts in both modes and those of Pages. */
export const inboxRoutes: readonly Route[] = [
  ...contactRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...sendRoutes,
  ...profileRoutes,
  ...attachmentRoutes,
];
