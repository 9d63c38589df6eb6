import { Result, ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { mapConcurrent } from '../core/http/concurrency.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check } from '../core/options/check.ts';
import { type Acknowledgement, acknowledgementSchema } from '../models/written.ts';
import type { PageContext } from './context.ts';
import { isOneOrSeveral, peopleOf, type PeopleOptions, peopleRules } from './internal/people.ts';

export type UnblockUserOptions = PeopleOptions;

/**
 * Ends the blocking of people. It succeeds for those who are not blocked, too. It is safe to repeat, so it is retried.
 *
 * The platform takes one person a request: several take as many, five at a time. If one of them fails, the call fails
 * with its error, and others may be unblocked.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. The
 * platform documents the task and not the permissions. Source: platform reference, Page blocked.
 *
 * @example
 * const unblocked = await unblockUser(context, { pageId, pageToken, userId: '1020' });
 * if (unblocked.isErr()) console.error(unblocked.error.message);
 *
 * @example With a client, which throws
 * await client.unblockUser({ pageId, pageToken, userIds: ['1020', '1021'] });
 */
export function unblockUser(
  context: PageContext,
  options: UnblockUserOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, peopleRules, isOneOrSeveral);
  return perform(context, 'unblockUser', checked, (call, own) => {
    const each = mapConcurrent(peopleOf(own), (user) =>
      send(context, {
        ...call,
        method: 'DELETE',
        path: path`${own.pageId}/blocked`,
        query: { user },
        schema: acknowledgementSchema,
      }),
    );
    return new ResultAsync(each.then((results) => Result.combine(results))).map(() => ({ success: true }));
  });
}
