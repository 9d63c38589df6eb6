import type { Route } from '../route.ts';
import { accountRoutes } from './account.ts';
import { audioRoutes } from './audio.ts';
import { commentRoutes } from './comment.ts';
import { communityRoutes } from './community.ts';
import { containerRoutes } from './container.ts';
import { hashtagRoutes } from './hashtag.ts';
import { insightsRoutes } from './insights.ts';
import { mediaRoutes } from './media.ts';
import { mediaInsightsRoutes } from './mediaInsights.ts';
import { publishRoutes } from './publish.ts';
import { shopRoutes } from './shop.ts';

/** Every endpoint of the photo-sharing client in both modes, except for logins and tokens. */
export const picsRoutes: readonly Route[] = [
  ...accountRoutes,
  ...mediaRoutes,
  ...containerRoutes,
  ...publishRoutes,
  ...commentRoutes,
  ...insightsRoutes,
  ...mediaInsightsRoutes,
  ...communityRoutes,
  ...hashtagRoutes,
  ...audioRoutes,
  ...shopRoutes,
];
