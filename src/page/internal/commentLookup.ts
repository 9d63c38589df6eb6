import type { Context } from '../../core/context.ts';
import { path } from '../../core/http/path.ts';
import type { CallLimits } from '../../core/http/types.ts';
import type { EffectLookup } from '../../core/writes/effectLookup.ts';
import { findByText } from '../../core/writes/findByText.ts';
import type { Created } from '../../models/created.ts';

/** Looks up a comment by its text among the newest ones below an object. */
export function commentLookup(
  context: Context,
  objectId: string,
  message: string,
  request: CallLimits & { readonly token: string },
): EffectLookup<Created> {
  return findByText(context, {
    ...request,
    list: `${objectId}/comments`,
    path: path`${objectId}/comments`,
    query: { fields: 'id,message,created_time', order: 'reverse_chronological', limit: 25 },
    text: message,
    textField: 'message',
    timeField: 'created_time',
    idOf: (comment) => comment.id,
    toValue: (commentId) => ({ id: commentId }),
  });
}
