import { path } from '../../core/http/path.ts';
import type { CallLimits } from '../../core/http/types.ts';
import { lookAtNewest } from '../../core/writes/newest.ts';
import type { Look } from '../../core/writes/once.ts';
import type { Created } from '../../models/created.ts';
import type { PageContext } from '../context.ts';

/** Looks for a reply among the newest ones to its comment. */
export function newestReplies(
  context: PageContext,
  commentId: string,
  message: string,
  request: CallLimits & { readonly token: string },
): Look<Created> {
  const idOf = ({ id }: Created): string => id;
  return {
    key: `${commentId}/comments ${message.trim()}`,
    idOf,
    find: () =>
      lookAtNewest(context, {
        ...request,
        path: path`${commentId}/comments`,
        query: { fields: 'id,message,created_time', order: 'reverse_chronological', limit: 25 },
        time: 'created_time',
        match: ({ id, message: written }) =>
          typeof id === 'string' && typeof written === 'string' && written.trim() === message.trim()
            ? { id }
            : undefined,
        idOf,
      }),
  };
}
