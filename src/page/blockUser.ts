import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check } from '../core/options/check.ts';
import { converted, objectOf, schemaOf } from '../core/schema.ts';
import type { PageContext } from './context.ts';
import { isOneOrSeveral, peopleOf, type PeopleOptions, peopleRules } from './internal/people.ts';

export type BlockUserOptions = PeopleOptions;

/**
 * Blocks people: they can no longer comment, post or write to the Page. Those who are blocked already stay so. It is
 * safe to repeat, so it is retried.
 *
 * The value says for each id whether the person is now blocked. Check for `false`: the platform reports success then,
 * too. The platform does not document which of a person's ids it takes: that of the author of a comment or of a post is
 * the likeliest. A person of the inbox may have another one.
 *
 * Permissions: `pages_manage_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `MODERATE`. The
 * platform documents the task and not the permissions. Source: platform reference, Page blocked.
 *
 * @example
 * const blocked = await blockUser(context, { pageId, pageToken, userId: '1020' });
 * if (blocked.isOk() && !blocked.value['1020']) console.error('still there');
 *
 * @example With a client, which throws
 * const blocked = await client.blockUser({ pageId, pageToken, userIds: ['1020', '1021'] });
 */
export function blockUser(
  context: PageContext,
  options: BlockUserOptions,
): ResultAsync<Readonly<Record<string, boolean>>, Failure> {
  const checked = check(context, options, peopleRules, isOneOrSeveral);
  return perform(context, 'blockUser', checked, (call, own) => {
    const people = peopleOf(own);
    return send(context, {
      ...call,
      method: 'POST',
      path: path`${own.pageId}/blocked`,
      form: { user: JSON.stringify(people) },
      schema: converted(
        objectOf(Object.fromEntries(people.map((id) => [id, boolean]))),
        // Nothing else of the response is told.
        (blocked) => Object.fromEntries(people.map((id) => [id, blocked[id] === true])),
      ),
    });
  });
}

const boolean = schemaOf<boolean>('boolean', (value) => (typeof value === 'boolean' ? { value } : undefined));
