import { path } from '../../core/http/path.ts';
import type { ListRequest } from '../../core/lists/list.ts';
import { countOrAll, fieldNames, id, optional, type Rules, token } from '../../core/options/check.ts';
import { time, toSeconds } from '../../core/options/time.ts';
import { type PageComment, pageCommentSchema } from '../../models/comments.ts';
import { type Lead, leadFields, leadSchema } from '../../models/leads.ts';
import { type Page, pageSchema } from '../../models/page.ts';
import { type PagePost, pagePostSchema } from '../../models/posts.ts';
import type { CommentsOptions } from '../comments.ts';
import type { PageContext } from '../context.ts';
import type { LeadsOptions } from '../leads.ts';
import type { PostsOptions } from '../posts.ts';

// Shared by the functions that collect a list and those that walk it.

/** What both kinds of functions request from a list. */
type Asked<TItem> = Pick<ListRequest<TItem>, 'path' | 'query' | 'item'>;

/** The rules of a list of a Page. */
export function pageListRules(): Rules<PostsOptions> {
  return { pageId: id, pageToken: token, limit: optional(countOrAll), fields: optional(fieldNames) };
}

export function publishedPosts(own: PostsOptions): Asked<PagePost> {
  return postsOn(path`${own.pageId}/published_posts`, own);
}

/** What to request from a list of posts at this path. */
export function postsOn(at: Asked<PagePost>['path'], { fields }: PostsOptions): Asked<PagePost> {
  return { path: at, query: { fields: fields?.join(',') ?? postFields }, item: pagePostSchema };
}

const postFields =
  'id,message,story,created_time,updated_time,permalink_url,full_picture,status_type,is_published,is_hidden,from,shares';

export function commentRules(): Rules<CommentsOptions> {
  return { postId: id, pageToken: token, limit: optional(countOrAll), fields: optional(fieldNames) };
}

export function commentsOf({ postId, fields }: CommentsOptions): Asked<PageComment> {
  return {
    path: path`${postId}/comments`,
    query: { fields: fields?.join(',') ?? commentFields, order: 'reverse_chronological' },
    item: pageCommentSchema,
  };
}

const commentFields =
  'id,message,created_time,from,like_count,comment_count,is_hidden,can_hide,can_remove,permalink_url,parent,attachment';

export function leadRules(): Rules<LeadsOptions> {
  return { formId: id, pageToken: token, since: optional(time), limit: optional(countOrAll) };
}

export function leadsOf({ formId, since }: LeadsOptions): Asked<Lead> {
  const later = { field: 'time_created', operator: 'GREATER_THAN', value: toSeconds(since) };
  return {
    path: path`${formId}/leads`,
    query: { fields: leadFields, filtering: since === undefined ? undefined : JSON.stringify([later]) },
    item: leadSchema,
  };
}

/** How to read a list of Pages, whichever edge it is on. */
export function pageList(
  context: PageContext,
): Pick<ListRequest<Page>, 'query' | 'tokens' | 'item' | 'idOf'> {
  const { linkedAccount } = context.platform.words;
  return {
    query: { fields: `id,name,access_token,tasks,${linkedAccount}{id,username}` },
    tokens: 'named',
    item: pageSchema(linkedAccount),
    idOf: ({ id }) => id,
  };
}
