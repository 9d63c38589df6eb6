// `export *` on purpose: it exports the function's own symbol, so that the client's methods keep its doc comment and
// its definition. `export { a } from` makes an alias, which has neither. A line comment starts the group of a subject:
// README.md and docs/functions.md list the functions by them (`npm run api`).

// [Login](docs/login.md) and [tokens](docs/tokens.md)
export * from './tokens.ts';

// [Profile](docs/photo-sharing.md#profile) and [other accounts](docs/community.md#accounts)
export * from './accounts.ts';

// [Publishing](docs/photo-sharing.md#publishing)
export * from './publishing/publish.ts';
export * from './publishing/carousel.ts';

// [Media](docs/photo-sharing.md#media) and [stories](docs/photo-sharing.md#stories)
export * from './media.ts';

// [Comments](docs/photo-sharing.md#comments)
export * from './comments.ts';

// [Inbox](docs/inbox.md)
export * from './inbox.ts';

// [Thread control](docs/inbox.md#thread-control)
export * from './threadControl.ts';

// [Messenger profile](docs/inbox.md#messenger-profile)
export * from './messengerProfile.ts';

// [Hashtags](docs/community.md#hashtags)
export * from './hashtags.ts';

// [Mentions](docs/community.md#mentions)
export * from './mentions.ts';

// [Co-authors](docs/community.md#co-authors)
export * from './coAuthors.ts';

// [Music](docs/community.md#music)
export * from './music.ts';

// [Products](docs/community.md#products)
export * from './products.ts';

// [Insights](docs/photo-sharing.md#insights)
export * from './insights.ts';

// [Subscriptions](docs/webhooks.md)
export * from './subscriptions.ts';
