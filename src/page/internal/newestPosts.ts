import { path } from '../../core/http/path.ts';
import type { CallLimits } from '../../core/http/types.ts';
import { lookAtNewest } from '../../core/writes/newest.ts';
import type { Look } from '../../core/writes/once.ts';
import type { Created } from '../../models/created.ts';
import type { PageContext } from '../context.ts';

/** Looks for a post among the newest of its Page. Links are not compared: the platform rewrites them. */
export function newestPosts(
  context: PageContext,
  pageId: string,
  message: string,
  request: CallLimits & { readonly token: string },
): Look<Created> {
  const idOf = ({ id }: Created): string => id;
  return {
    key: `${pageId}/feed ${message.trim()}`,
    idOf,
    find: () =>
      lookAtNewest(context, {
        ...request,
        path: path`${pageId}/published_posts`,
        query: { fields: 'id,message,created_time', limit: 25 },
        time: 'created_time',
        match: ({ id, message: posted }) =>
          typeof id === 'string' && typeof posted === 'string' && posted.trim() === message.trim()
            ? { id }
            : undefined,
        idOf,
      }),
  };
}
