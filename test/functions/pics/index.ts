import type { PicsContext } from '../../../src/pics/context.ts';
import type * as endpoints from '../../../src/pics/endpoints.ts';
import type { Table } from '../table.ts';
import { accounts } from './accounts.ts';
import { coAuthors } from './coAuthors.ts';
import { comments } from './comments.ts';
import { hashtags } from './hashtags.ts';
import { inbox } from './inbox.ts';
import { insights } from './insights.ts';
import { media } from './media.ts';
import { mentions } from './mentions.ts';
import { messengerProfile } from './messengerProfile.ts';
import { music } from './music.ts';
import { products } from './products.ts';
import { carousel } from './publishing/carousel.ts';
import { publish } from './publishing/publish.ts';
import { subscriptions } from './subscriptions.ts';
import { threadControl } from './threadControl.ts';
import { tokens } from './tokens.ts';

/** Those of each subject, in the order of `src/pics/endpoints.ts`. */
export const picsFunctions: Table<PicsContext, typeof endpoints> = {
  ...tokens,
  ...accounts,
  ...publish,
  ...carousel,
  ...media,
  ...comments,
  ...inbox,
  ...threadControl,
  ...messengerProfile,
  ...hashtags,
  ...mentions,
  ...coAuthors,
  ...music,
  ...products,
  ...insights,
  ...subscriptions,
};
