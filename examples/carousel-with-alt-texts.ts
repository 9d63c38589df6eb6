// Publishes several pictures with alt texts: as a carousel of an account, and as one post of a Page. If a picture is
// refused, correct it and run the file again.
//
//   node --env-file=.env carousel-with-alt-texts.ts [harbour-day] [journal.db]
import { DatabaseSync } from 'node:sqlite';

import { createPageClientFromEnv, createPicsClientViaPagesFromEnv, isSdkError, untilSettled } from 'pagepics';
import { sqliteJournal } from 'pagepics/journal';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const [name = 'harbour-day', file = ':memory:'] = process.argv.slice(2);
const journal = sqliteJournal(new DatabaseSync(file));
const page = createPageClientFromEnv({ journal });
const pics = createPicsClientViaPagesFromEnv({ journal });

const pictures = [
  { url: 'https://example.com/counter.jpg', altText: 'Ada behind the counter, with a cup in each hand' },
  { url: 'https://example.com/window.jpg', altText: 'The new window, seen from the street' },
  { url: 'https://example.com/cake.jpg', altText: 'A carrot cake with one slice missing' },
];

const carousel = await untilSettled(() =>
  pics.publishCarousel({
    token: pageToken,
    picsUserId,
    items: pictures.map(({ url, altText }) => ({ imageUrl: url, altText })), // 2 to 10; `{ videoUrl }` is an item, too
    caption: 'A day at the harbour',
    idempotencyKey: `${name}/carousel`,
  }),
).catch(explain);
const { permalink, children } = await pics.mediaDetails({ token: pageToken, mediaId: carousel.media_id });
console.log(`Account: ${carousel.media_id}, ${permalink}`);

// The list of items has no alt texts: each item is read by its own id.
for (const { id } of children?.data ?? []) {
  const item = await pics.mediaDetails({ token: pageToken, mediaId: id });
  console.log(`  ${id}: ${item.alt_text}`);
}

const photos = await untilSettled(() =>
  page.publishPhotos({
    pageId,
    pageToken,
    photos: pictures.map(({ url, altText }) => ({ photoUrl: url, altText })),
    message: 'A day at the harbour',
    idempotencyKey: `${name}/photos`,
  }),
).catch(explain);
console.log(`Page: ${photos.id}`);

/** Names the picture that was refused. */
function explain(error: unknown): never {
  if (isSdkError(error) && 'failedItem' in error && error.failedItem !== undefined)
    console.error(`Correct this picture, and run it again: ${pictures[error.failedItem]?.url}`);
  throw error;
}
