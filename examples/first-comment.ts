// Publishes with a first comment, on a Page and on its photo-sharing account.
import { createPageClientFromEnv, createPicsClientViaPagesFromEnv } from 'pagepics';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const page = createPageClientFromEnv();
const pics = createPicsClientViaPagesFromEnv();

const post = await page.publishPost({ pageId, pageToken, message: 'The winter menu is here.' });
const comment = await page.publishComment({
  objectId: post.id,
  pageToken,
  message: 'Book a table: https://example.com/tables',
});
console.log(`Page: post ${post.id}, comment ${comment.id}`);

const photo = await pics.publish({
  token: pageToken,
  picsUserId,
  imageUrl: 'https://example.com/menu.jpg', // a JPEG at a public address
  caption: 'The winter menu is here.',
});
const first = await pics.publishComment({
  token: pageToken,
  mediaId: photo.media_id,
  message: '#wintermenu #coffee',
});
console.log(`Account: media ${photo.media_id}, comment ${first.id}`);
