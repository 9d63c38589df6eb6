// Publishes stories: a picture and a video, on a Page and on its photo-sharing account.
import { createPageClientFromEnv, createPicsClientViaPagesFromEnv } from 'pagepics';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const page = createPageClientFromEnv();
const pics = createPicsClientViaPagesFromEnv();
const onPage = { pageId, pageToken };
const onAccount = { token: pageToken, picsUserId };

const imageUrl = 'https://example.com/today.jpg';
const videoUrl = 'https://example.com/today.mp4'; // or a file of yours: `video: './today.mp4'`

const picture = await page.publishPhotoStory({ ...onPage, photoUrl: imageUrl });
const video = await page.publishVideoStory({ ...onPage, videoUrl });
console.log(`Page: ${picture.post_id}, ${video.post_id}`);

for (const media of [{ imageUrl }, { videoUrl }]) {
  const { media_id } = await pics.publishStory({ ...onAccount, ...media });
  console.log(`Account: ${media_id}`);
}

const [stories, others] = [await page.stories(onPage), await pics.stories(onAccount)];
console.log(`There are ${stories.length} stories on the Page, and ${others.length} on the account.`);
