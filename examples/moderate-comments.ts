// Hides comments that look like spam, and the replies among them: on a Page, and on its photo-sharing account.
import { ApiError, createPageClientFromEnv, createPicsClientViaPagesFromEnv, untilSettled } from 'pagepics';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const isSpam = (text = '') => /cheap watches|https?:\/\/\S+\.example/i.test(text);
const complain = ({ message }: Error) => {
  console.error(message);
  process.exitCode = 1;
};
// What the platform cannot deliver is named: nobody has looked at it.
const walk = { replies: true, onUnreadable: complain };
const check = ({ unreadable }: { readonly unreadable: number }) =>
  unreadable > 0 && complain(new Error(`${unreadable} of the newest cannot be read, nor their comments`));
// Comments come with what they are on. Only where there are more of them are they asked for apart.
const newest = { limit: 10, comments: { limit: 50, replies: true } };

const page = createPageClientFromEnv();
const posts = await page.posts({ pageId, pageToken, ...newest });
check(posts);
for (const { id: postId, comments } of posts) {
  const isWhole = comments ? !comments.hasMore : posts.withheld.length === 0;
  const walked = () => page.iterateComments({ postId, pageToken, ...walk });
  for await (const comment of isWhole ? (comments?.data ?? []) : walked()) {
    const { id, message, is_hidden, can_hide } = comment;
    if (is_hidden || !isSpam(message)) continue;
    // Or `deleteComment`, which cannot be undone.
    if (can_hide === false) console.warn(`Page: cannot hide ${id}`);
    else await tell(`Page: hid ${id}`, () => page.hideComment({ commentId: id, pageToken }));
  }
}

const pics = createPicsClientViaPagesFromEnv();
const token = pageToken;
const media = await pics.media({ token, picsUserId, ...newest });
check(media);
for (const { id: mediaId, comments } of media) {
  const lists = [comments, ...(comments?.data.map(({ replies }) => replies) ?? [])];
  const isWhole = comments ? !lists.some((list) => list?.hasMore) : media.withheld.length === 0;
  const walked = () => pics.iterateComments({ token, mediaId, ...walk });
  for await (const { id, text, hidden } of isWhole ? lists.flatMap((list) => list?.data ?? []) : walked()) {
    if (hidden || !isSpam(text)) continue;
    await tell(`Account: hid ${id}`, () => pics.hideComment({ token, commentId: id }));
  }
}

/** A limit is waited out. A refusal of one comment, such as a deleted one, does not end the run; a lack of rights does. */
async function tell(done: string, hide: () => Promise<{ readonly success: boolean }>): Promise<void> {
  try {
    const { success } = await untilSettled(hide);
    if (success) console.log(done);
  } catch (error) {
    const isOfOne = error instanceof ApiError && error.action === 'fix' && error.category !== 'permission';
    if (!isOfOne) throw error;
    complain(error);
  }
}
