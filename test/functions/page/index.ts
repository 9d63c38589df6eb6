import type { PageContext } from '../../../src/page/context.ts';
import type * as endpoints from '../../../src/page/endpoints.ts';
import type { Table } from '../table.ts';
import { comments } from './comments.ts';
import { inbox } from './inbox.ts';
import { insights } from './insights.ts';
import { leads } from './leads.ts';
import { messageTemplates } from './messageTemplates.ts';
import { messengerProfile } from './messengerProfile.ts';
import { pages } from './pages.ts';
import { photos } from './photos.ts';
import { posts } from './posts.ts';
import { stories } from './stories.ts';
import { subscriptions } from './subscriptions.ts';
import { threadControl } from './threadControl.ts';
import { tokens } from './tokens.ts';
import { reels } from './videos/reels.ts';
import { videos } from './videos/videos.ts';
import { visitors } from './visitors.ts';

/** Those of each subject, in the order of `src/page/endpoints.ts`. */
export const pageFunctions: Table<PageContext, typeof endpoints> = {
  ...tokens,
  ...pages,
  ...posts,
  ...photos,
  ...videos,
  ...reels,
  ...stories,
  ...comments,
  ...inbox,
  ...threadControl,
  ...messageTemplates,
  ...messengerProfile,
  ...visitors,
  ...leads,
  ...insights,
  ...subscriptions,
};
