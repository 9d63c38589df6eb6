// Publishes several pictures with alt texts: as a carousel of an account, and as one post of a Page.
import { createPageClientFromEnv, createPicsClientViaPagesFromEnv } from 'pagepics';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const page = createPageClientFromEnv();
const pics = createPicsClientViaPagesFromEnv();

const pictures = [
  { url: 'https://example.com/counter.jpg', altText: 'Ada behind the counter, with a cup in each hand' },
  { url: 'https://example.com/window.jpg', altText: 'The new window, seen from the street' },
  { url: 'https://example.com/cake.jpg', altText: 'A carrot cake with one slice missing' },
];

const carousel = await pics.publishCarousel({
  token: pageToken,
  picsUserId,
  items: pictures.map(({ url, altText }) => ({ imageUrl: url, altText })), // 2 to 10; `{ videoUrl }` is an item, too
  caption: 'A day at the harbour',
});
const { permalink, children } = await pics.mediaDetails({ token: pageToken, mediaId: carousel.media_id });
console.log(`Account: ${carousel.media_id}, ${permalink}`);

// The list of items has no alt texts: each item is read by its own id.
for (const { id } of children?.data ?? []) {
  const item = await pics.mediaDetails({ token: pageToken, mediaId: id });
  console.log(`  ${id}: ${item.alt_text}`);
}

const photos = await page.publishPhotos({
  pageId,
  pageToken,
  photos: pictures.map(({ url, altText }) => ({ photoUrl: url, altText })),
  message: 'A day at the harbour',
});
console.log(`Page: ${photos.id}`);
