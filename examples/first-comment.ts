// Publishes with a first comment, on a Page and on its photo-sharing account. Run it again after a failure: what is out
// already does not go out again.
//
//   node --env-file=.env first-comment.ts [winter-menu] [journal.db]
import { DatabaseSync } from 'node:sqlite';

import { createPageClientFromEnv, createPicsClientViaPagesFromEnv, untilSettled } from 'pagepics';
import { sqliteJournal } from 'pagepics/journal';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const [name = 'winter-menu', file = 'journal.db'] = process.argv.slice(2);
const journal = sqliteJournal(new DatabaseSync(file));
const page = createPageClientFromEnv({ journal });
const pics = createPicsClientViaPagesFromEnv({ journal });

const post = await untilSettled(() =>
  page.publishPost({
    pageId,
    pageToken,
    message: 'The winter menu is here.',
    idempotencyKey: `${name}/post`,
  }),
);
const comment = await untilSettled(() =>
  page.publishComment({
    objectId: post.id,
    pageToken,
    message: 'Book a table: https://example.com/tables',
    idempotencyKey: `${name}/post/comment`,
  }),
);
console.log(`Page: post ${post.id}, comment ${comment.id}`);

const photo = await untilSettled(() =>
  pics.publish({
    token: pageToken,
    picsUserId,
    imageUrl: 'https://example.com/menu.jpg', // a JPEG at a public address
    caption: 'The winter menu is here.',
    idempotencyKey: `${name}/media`,
  }),
);
const first = await untilSettled(() =>
  pics.publishComment({
    token: pageToken,
    mediaId: photo.media_id,
    message: '#wintermenu #coffee',
    idempotencyKey: `${name}/media/comment`,
  }),
);
console.log(`Account: media ${photo.media_id}, comment ${first.id}`);
