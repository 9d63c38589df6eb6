// Watches a hashtag: looks at its newest media every five minutes, reports each of them once, likes those that are liked,
// and thanks who mentions the account. Then it looks at another account that posts with the hashtag.
//
//   npm run example -- watch-a-hashtag     on the embedded sandbox: no account, no network
import { createPicsContextViaPages } from 'pagepics';
import {
  businessDiscovery,
  hashtagId,
  hashtagMedia,
  likeMedia,
  mentionedMedia,
  recentHashtags,
  replyMention,
} from 'pagepics/pics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const [page] = sandbox.pages;
if (page?.picsId === undefined) throw new Error('the first Page has an account');

const context = orThrow(
  createPicsContextViaPages({
    appSecret: sandbox.app.secret,
    platform: server.platform,
    onResponse: log.sent,
    onFailure: log.lost,
  }),
);
const at = { token: page.token, picsUserId: page.picsId };
const { username } = sandbox.account;

// The id of a hashtag never changes, and an account may search for 30 different ones in a week: a service keeps it.
log.step('hashtagId');
const { id } = orThrow(await hashtagId(context, { ...at, name: '#flatwhite' }));
log.show(
  'searched',
  orThrow(await recentHashtags(context, at)).map(({ name }) => name),
);

/** Media that were reported. A service keeps them in its database for a day: older ones are no longer listed. */
const told = new Set<string>();

async function look(): Promise<void> {
  const newest = orThrow(await hashtagMedia(context, { ...at, hashtagId: id, order: 'recent', limit: 200 }));
  const fresh = newest.filter((media) => !told.has(media.id));
  if (fresh.length === 0) log.show('new', 'nothing');
  for (const { id: mediaId, caption = '', like_count: likes = 0 } of fresh.toReversed()) {
    told.add(mediaId);
    log.show('new', caption);
    if (likes < 10) continue;
    const liked = await likeMedia(context, { ...at, mediaId });
    log.show('liked', liked.isOk() ? mediaId : liked.error.message);
  }
}

log.step('10:00');
sandbox.happen({ kind: 'media', by: 'nora', caption: 'The first #flatwhite of the day', likes: 3 });
sandbox.happen({ kind: 'media', by: 'liam', caption: 'A swan, at last #flatwhite', likes: 48 });
await look();

log.step('10:05');
sandbox.advance(300_000);
const mention = sandbox.happen({ kind: 'media', by: 'yuki', caption: `#flatwhite at @${username}` });
await look();

// Whom a media mentions, the hashtag does not tell: the webhook event `mentions` does, with this id.
log.step('the webhook tells of a mention');
const media = orThrow(await mentionedMedia(context, { ...at, mediaId: mention }));
log.show('by', media.username);
const reply = orThrow(
  await replyMention(context, { ...at, mediaId: mention, message: 'See you again tomorrow!' }),
);
log.show('replied', reply.id);

log.step('10:10');
sandbox.advance(300_000);
await look();

log.step('the other account');
const [, other] = sandbox.pages;
const rival = sandbox.addAccount({ pageId: other?.id ?? '', username: 'bluebottle' });
sandbox.addMedia({ by: rival.username, caption: 'Our own #flatwhite', likes: 120 });
const found = orThrow(await businessDiscovery(context, { ...at, username: rival.username }));
log.show('account', { username: found.username, followers: found.followers_count });
for (const { caption, like_count } of found.media.data) log.show('media', { caption, like_count });

const unknown = await businessDiscovery(context, { ...at, username: 'nobody_here' });
if (unknown.isErr() && unknown.error.name === 'ApiError') log.show('nobody', unknown.error.category);
await server.close();
log.say('Done.');
