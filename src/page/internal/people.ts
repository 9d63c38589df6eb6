import type { ConfigurationError } from '../../core/errors.ts';
import { exactlyOneOf, id, listOf, optional, type Rules, token } from '../../core/options/check.ts';
import type { PageCallOptions } from '../context.ts';

/** One person or several. */
export type PeopleOptions = PageCallOptions & { readonly pageId: string } & (
    | {
        /** The person, as the `from.id` of a comment or of a post. */
        readonly userId: string;
        readonly userIds?: undefined;
      }
    | {
        /** The people, at least one. */
        readonly userIds: readonly string[];
        readonly userId?: undefined;
      }
  );

export function peopleRules(): Rules<PeopleOptions> {
  return { pageId: id, pageToken: token, userId: optional(id), userIds: optional(listOf(id, 1)) };
}

export function isOneOrSeveral(own: PeopleOptions): ConfigurationError | undefined {
  return exactlyOneOf(own, 'userId', 'userIds');
}

/** The people, each of them once. */
export function peopleOf(own: PeopleOptions): readonly string[] {
  return [...new Set(own.userIds === undefined ? [own.userId] : own.userIds)];
}
