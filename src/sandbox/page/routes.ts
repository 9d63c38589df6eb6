import type { Route } from '../route.ts';
import { adRoutes } from './ad.ts';
import { appSubscriptionRoutes } from './appSubscription.ts';
import { blockedRoutes } from './blocked.ts';
import { businessRoutes } from './business.ts';
import { commentRoutes } from './comment.ts';
import { pageInsightsRoutes, postInsightsRoutes } from './insights.ts';
import { leadRoutes } from './lead.ts';
import { likeRoutes } from './like.ts';
import { pageNodeRoutes } from './page.ts';
import { photoRoutes } from './photo.ts';
import { postRoutes } from './post.ts';
import { storyRoutes } from './story.ts';
import { subscriptionRoutes } from './subscription.ts';
import { userRoutes } from './user.ts';
import { videoRoutes } from './video.ts';
import { videoPartRoutes } from './videoParts.ts';

/** Every endpoint of the page client, except for logins and tokens. */
export const pageRoutes: readonly Route[] = [
  ...userRoutes,
  ...appSubscriptionRoutes,
  ...businessRoutes,
  ...pageNodeRoutes,
  ...pageInsightsRoutes,
  ...subscriptionRoutes,
  ...blockedRoutes,
  ...postRoutes,
  ...postInsightsRoutes,
  ...commentRoutes,
  ...likeRoutes,
  ...photoRoutes,
  ...videoRoutes,
  ...videoPartRoutes,
  ...storyRoutes,
  ...adRoutes,
  ...leadRoutes,
];
