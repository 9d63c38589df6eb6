import type { PicsAccountNode, PicsMediaNode } from '../pics/nodes.ts';
import { find, listed, type World } from '../world.ts';
import { html, type Html } from './html.ts';
import { commentsPart, entries, inboxPart, subscriptionOf, timeOf } from './parts.ts';

/** Every photo-sharing account, with its media and its inbox. */
export function accountParts(world: World): Html {
  return html`${listed(world, 'picsAccount', () => true)
    .toReversed()
    .map((account, at) => partOf(world, account, at === 0))}`;
}

function partOf(world: World, account: PicsAccountNode, open: boolean): Html {
  const own = listed(
    world,
    'picsMedia',
    ({ accountId, parentId }) => accountId === account.id && parentId === undefined,
  );
  const stories = own.filter(({ product }) => product === 'STORY');
  const media = own.filter(({ product }) => product !== 'STORY');
  const page = find(world, 'page', account.pageId ?? '');
  return html`<details class="part" ${open ? html` open` : undefined}>
    <summary><h3>${account.username}</h3></summary>
    <p class="soft">Account <code>${account.id}</code>, in login mode <code>${account.scopedId}</code></p>
    <div id="subscription-${account.id}" data-live>
      ${subscriptionOf(account.id, account.subscribed ?? page?.subscribed)}
    </div>
    <h4>Media</h4>
    <div id="media-${account.id}" data-live>${entries(media, (one) => mediaOf(world, one), 'No media.')}</div>
    <h4>Stories</h4>
    <div id="stories-${account.id}" data-live>${entries(stories, storyOf, 'No stories.')}</div>
    ${inboxPart(world, account.id)}
  </details>`;
}

function mediaOf(world: World, media: PicsMediaNode): Html {
  const text = media.caption ?? 'without a caption';
  const comments = listed(world, 'picsComment', ({ mediaId }) => mediaId === media.id);
  return html`<p id="on-${media.id}">${text}</p>
    <p class="soft">${kindOf(media)}, ${timeOf(media.createdAt)}, <code>${media.id}</code></p>
    ${commentsPart(media.id, text, comments, (one) => [one.from.username, one.text], 'Lovely')}`;
}

function kindOf({ type, product }: PicsMediaNode): string {
  if (product === 'REELS') return 'reel';
  return { IMAGE: 'image', VIDEO: 'video', CAROUSEL_ALBUM: 'carousel' }[type];
}

function storyOf(media: PicsMediaNode): Html {
  return html`${kindOf(media)}, ${timeOf(media.createdAt)}, <code>${media.id}</code>`;
}
