import type { Route } from '../route.ts';
import { accountRoutes } from './account.ts';
import { commentRoutes } from './comment.ts';
import { contactRoutes } from './contact.ts';
import { containerRoutes } from './container.ts';
import { conversationRoutes } from './conversation.ts';
import { insightsRoutes } from './insights.ts';
import { mediaRoutes } from './media.ts';
import { mediaInsightsRoutes } from './mediaInsights.ts';
import { messageRoutes } from './messages.ts';
import { publishRoutes } from './publish.ts';
import { sendRoutes } from './send.ts';

/** Every endpoint of the photo-sharing client in both modes, except for logins and tokens. */
export const picsRoutes: readonly Route[] = [
  ...accountRoutes,
  ...mediaRoutes,
  ...containerRoutes,
  ...publishRoutes,
  ...commentRoutes,
  ...contactRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...sendRoutes,
  ...insightsRoutes,
  ...mediaInsightsRoutes,
];
