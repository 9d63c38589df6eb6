import { path } from '../../core/http/path.ts';
import type { TextList } from '../../core/writes/findByText.ts';
import type { ListEntry } from '../../core/writes/recentEntries.ts';

/** A list of the posts of a Page. */
interface PostList extends Pick<
  TextList<unknown>,
  'list' | 'path' | 'query' | 'textField' | 'timeField' | 'dueAt'
> {
  readonly entriesIn: (posts: readonly ListEntry[]) => readonly ListEntry[];
}

/**
 * The list that shows a new post: of those that are published or, with a time in unix seconds, are to be. Once that
 * time has come, a scheduled post is among the published ones.
 */
export function postList(pageId: string, time: number | undefined, now: number, more = ''): PostList {
  const published = path`${pageId}/published_posts`;
  const scheduled = path`${pageId}/scheduled_posts`;
  const isDue = time !== undefined && time * 1000 <= now;
  const at = time === undefined || isDue ? '' : ',scheduled_publish_time';
  return {
    list: time === undefined ? published : scheduled,
    path: time === undefined || isDue ? published : scheduled,
    dueAt: isDue ? time * 1000 : undefined,
    query: { fields: `id,message,created_time${at}${more}`, limit: 25 },
    textField: 'message',
    timeField: 'created_time',
    // Equal texts at different times are usual.
    entriesIn: (posts) =>
      time === undefined
        ? posts
        : posts.filter(({ scheduled_publish_time }) => Number(scheduled_publish_time ?? time) === time),
  };
}
