// `export *` on purpose: it exports the function's own symbol, so that the client's methods keep its doc comment and
// its definition. `export { a } from` makes an alias, which has neither. A line comment starts the group of a subject:
// README.md and docs/functions.md list the functions by them (`npm run api`).

// [Login](docs/login.md) and [tokens](docs/tokens.md)
export * from './tokens.ts';

// [Pages](docs/login.md#pages), their [profiles](docs/pages.md#profile), and [places](docs/pages.md#places)
export * from './pages.ts';

// [Posts](docs/pages.md#posts), also [scheduled ones](docs/pages.md#scheduled-posts)
export * from './posts.ts';

// [Photos](docs/pages.md#photos)
export * from './photos.ts';

// [Videos](docs/pages.md#videos)
export * from './videos/videos.ts';
export * from './videos/reels.ts';

// [Stories](docs/pages.md#stories)
export * from './stories.ts';

// [Comments](docs/pages.md#comments)
export * from './comments.ts';

// [Inbox](docs/inbox.md)
export * from './inbox.ts';

// [Thread control](docs/inbox.md#thread-control)
export * from './threadControl.ts';

// [Message templates](docs/inbox.md#message-templates)
export * from './messageTemplates.ts';

// [Messenger profile](docs/inbox.md#messenger-profile)
export * from './messengerProfile.ts';

// [Visitors](docs/community.md#visitors)
export * from './visitors.ts';

// [Leads](docs/pages.md#leads)
export * from './leads.ts';

// [Insights](docs/pages.md#insights)
export * from './insights.ts';

// [Subscriptions](docs/pages.md#subscriptions)
export * from './subscriptions.ts';
