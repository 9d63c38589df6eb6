// Publishes a week: texts, photos and a Reel on a Page, which schedules them itself; a Reel and a carousel on its
// photo-sharing account, which cannot schedule, so that they go out on their day. One fails half-way, and is finished an
// hour later from the ids that its error holds.
//
//   npm run example -- schedule-a-week     on the embedded sandbox: no account, no network
import { createPageContext, createPicsContextViaPages, type CreatedIds, type Outcome } from 'pagepics';
import { posts, publishPhotos, publishPost, publishReel, scheduledPosts } from 'pagepics/page';
import { type CarouselItem, media, publish, publishCarousel, publishContainer } from 'pagepics/pics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

/** An entry of the plan: what goes out, and on which day of the week. */
type Entry = { readonly day: number; readonly text: string } & (
  | { readonly kind: 'post'; readonly link?: string }
  | { readonly kind: 'photos'; readonly photoUrls: readonly string[] }
  | { readonly kind: 'page-reel'; readonly videoUrl: string }
  | { readonly kind: 'reel'; readonly videoUrl: string }
  | {
      readonly kind: 'carousel';
      readonly items: readonly CarouselItem[];
    }
);

/** What became of an entry. A real scheduler keeps it in its database, before and after each step. */
type State =
  | { readonly is: 'planned' | 'scheduled' | 'published' }
  | { readonly is: 'half-way'; readonly outcome: Outcome; readonly ids: CreatedIds };

const at = (name: string): string => `https://cdn.example/${name}`;
const plan: readonly Entry[] = [
  { day: 1, kind: 'post', text: 'A new week, a new roast.' },
  { day: 2, kind: 'reel', text: 'From bean to cup', videoUrl: at('bean-to-cup.mp4') },
  { day: 3, kind: 'photos', text: 'The new window', photoUrls: [at('window.jpg'), at('street.jpg')] },
  {
    day: 4,
    kind: 'carousel',
    text: 'Three ways to pour',
    items: [
      { videoUrl: at('pour.mp4') },
      { imageUrl: at('filter.jpg'), altText: 'A paper filter, half full' },
      { imageUrl: at('press.jpg'), altText: 'A press on a counter' },
    ],
  },
  { day: 5, kind: 'page-reel', text: 'How we pour', videoUrl: at('pour.mp4') },
  { day: 6, kind: 'post', text: 'Open until nine on Saturday', link: 'https://example.com/hours' },
];
const states = new Map<Entry, State>(plan.map((entry) => [entry, { is: 'planned' }]));

const sandbox = createSandbox({ posts: 0 });
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const [page] = sandbox.pages;
if (page?.picsId === undefined) throw new Error('the first Page has an account');

const settings = {
  appId: sandbox.app.id,
  appSecret: sandbox.app.secret,
  platform: server.platform,
  // Short, so that the lookups of a lost response take no time here.
  retry: { baseDelayMs: 50 },
  onResponse: log.sent,
  onFailure: log.lost,
};
const pageContext = orThrow(createPageContext(settings));
const picsContext = orThrow(createPicsContextViaPages(settings));
const onPage = { pageId: page.id, pageToken: page.token };
const onPics = { token: page.token, picsUserId: page.picsId };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const begins = sandbox.now();

log.step('the Page: all of the week, at once');
for (const entry of plan) await schedule(entry);
const waiting = orThrow(await scheduledPosts(pageContext, onPage));
log.show(
  'waiting',
  waiting.map((post) => post.message),
);

for (let day = 1; day <= 7; day++) {
  sandbox.advance(dayMs - hourMs);
  // The publishing request of the carousel is lost without a trace.
  if (day === 4) sandbox.fault({ method: 'POST', path: /\/media_publish$/, drop: true });
  for (const entry of plan) if (entry.day === day) await begin(entry);
  sandbox.advance(hourMs);
  for (const entry of plan) await finish(entry);
}

log.step('what is there after the week');
for (const { message } of orThrow(await posts(pageContext, onPage))) log.show('post', message);
for (const { media_type, caption } of orThrow(await media(picsContext, { ...onPics, limit: 2 })))
  log.show('media', { media_type, caption });
log.show(
  'states',
  plan.map((entry) => `${entry.text}: ${states.get(entry)?.is}`),
);
await server.close();

/** Hands an entry of the Page to the platform, which publishes it when its time has come. */
async function schedule(entry: Entry): Promise<void> {
  if (entry.kind === 'reel' || entry.kind === 'carousel') return;
  const { text: message } = entry;
  const post = { ...onPage, scheduledAt: new Date(begins + entry.day * dayMs) };
  const scheduled =
    entry.kind === 'post'
      ? await publishPost(pageContext, { ...post, message, link: entry.link })
      : entry.kind === 'photos'
        ? await publishPhotos(pageContext, {
            ...post,
            message,
            photos: entry.photoUrls.map((photoUrl) => ({ photoUrl })),
          })
        : await publishReel(pageContext, { ...post, description: message, videoUrl: entry.videoUrl });
  log.show(entry.kind, orThrow<object>(scheduled));
  states.set(entry, { is: 'scheduled' });
}

/** Publishes an entry of the account on its day. */
async function begin(entry: Entry): Promise<void> {
  if (entry.kind !== 'reel' && entry.kind !== 'carousel') return;
  log.step(`day ${entry.day}: ${entry.kind}`);
  const post = { ...onPics, caption: entry.text };
  const result =
    entry.kind === 'reel'
      ? await publish(picsContext, { ...post, videoUrl: entry.videoUrl })
      : await publishCarousel(picsContext, { ...post, items: entry.items });
  if (result.isOk()) {
    states.set(entry, { is: 'published' });
    log.show(entry.kind, result.value);
    return;
  }
  const { error } = result;
  if (error.name === 'ConfigurationError') throw error;
  states.set(entry, { is: 'half-way', outcome: error.outcome, ids: error.ids });
  log.show('failed', { name: error.name, outcome: error.outcome, ids: error.ids });
}

/**
 * Finishes an entry from the ids that its first attempt left. It looks first, so that nothing goes out twice. A container
 * can be published for 24 hours.
 */
async function finish(entry: Entry): Promise<void> {
  const state = states.get(entry);
  if (state?.is !== 'half-way') return;
  const { container_id: containerId } = state.ids;
  // Nothing was ready to be published: what was made goes away by itself.
  if (containerId === undefined) return begin(entry);
  log.step(`an hour later: the ${entry.kind}, from its container`);
  const finished = orThrow(await publishContainer(picsContext, { ...onPics, containerId }));
  states.set(entry, { is: 'published' });
  log.show(entry.kind, finished);
}
