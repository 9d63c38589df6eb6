// Hides comments that look like spam, and the replies among them: on a Page, and on its photo-sharing account.
import { createPageClientFromEnv, createPicsClientViaPagesFromEnv, type PageComment } from 'pagepics';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const isSpam = (text = '') => /cheap watches|https?:\/\/\S+\.example/i.test(text);

const page = createPageClientFromEnv();
for (const { id: postId } of await page.posts({ pageId, pageToken, limit: 10 })) {
  for await (const comment of page.iterateComments({ postId, pageToken })) {
    await judge(comment);
    if (!comment.comment_count) continue;
    // The replies to a comment are listed by its id.
    for await (const reply of page.iterateComments({ postId: comment.id, pageToken })) await judge(reply);
  }
}

async function judge({ id, message, is_hidden }: PageComment): Promise<void> {
  if (is_hidden || !isSpam(message)) return;
  await page.hideComment({ commentId: id, pageToken }); // or `deleteComment`, which cannot be undone
  console.log(`Page: hid ${id}`);
}

const pics = createPicsClientViaPagesFromEnv();
const token = pageToken;
for (const { id: mediaId } of await pics.media({ token, picsUserId, limit: 10 })) {
  for await (const comment of pics.iterateComments({ token, mediaId })) {
    // A comment comes with its first replies only.
    const replies = comment.replies ? await pics.replies({ token, commentId: comment.id }) : [];
    for (const { id, text, hidden } of [comment, ...replies]) {
      if (hidden || !isSpam(text)) continue;
      await pics.hideComment({ token, commentId: id });
      console.log(`Account: hid ${id}`);
    }
  }
}
