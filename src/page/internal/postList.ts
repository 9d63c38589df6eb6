import { path } from '../../core/http/path.ts';
import type { TextList } from '../../core/writes/findByText.ts';
import type { ListEntry } from '../../core/writes/recentEntries.ts';

/** A list of the posts of a Page. */
interface PostList extends Pick<TextList<unknown>, 'list' | 'path' | 'query' | 'textField' | 'timeField'> {
  readonly entriesIn: (posts: readonly ListEntry[]) => readonly ListEntry[];
}

/** The list that shows a new post: of those that are published or, with a time in unix seconds, are to be. */
export function postList(pageId: string, time: number | undefined, more = ''): PostList {
  const list = path`${pageId}` + (time === undefined ? '/published_posts' : '/scheduled_posts');
  const at = time === undefined ? '' : ',scheduled_publish_time';
  return {
    list,
    path: list,
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
