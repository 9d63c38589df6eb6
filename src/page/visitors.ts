import { Result, ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { DELETE, POST } from '../core/http/methods.ts';
import { mapConcurrent, perform, performRequest, send } from '../core/http/send.ts';
import type { WithWithheld } from '../core/lists/inside.ts';
import { type FieldOptions, type List, type ListOptions, performList } from '../core/lists/list.ts';
import { check, exactlyOneOf, type Rules } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { type BlockedUser, blockedUserSchema } from '../models/community.ts';
import { type Acknowledgement, acknowledgementSchema, entriesAt, objectTo } from '../models/fields.ts';
import { type PagePost, pagePostSchema } from '../models/posts.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { checkPostFields, performInside, postInsideRules, postsInside } from './inside.ts';
import { type OnePageOptions, pageRules } from './pageOptions.ts';
import type { PostsOptions } from './posts.ts';
import { type PageListOptions, pageListRules } from './publications.ts';

export type VisitorPostsOptions = PageListOptions;

/**
 * Lists what visitors posted on a Page, newest first.
 *
 * The platform refuses this for Pages of the "new Pages experience": a PermissionError that no permission mends. There,
 * `feed` lists visitors' posts among all others, and the webhook field `feed` reports them.
 *
 * Source: platform reference, Page visitor posts.
 *
 * @example
 * const found = await visitorPosts(context, { pageId, pageToken, limit: 50 });
 * if (found.isOk()) console.log(found.value.map((post) => post.message));
 */
export function visitorPosts(
  context: PageContext,
  options: VisitorPostsOptions,
): ResultAsync<List<PagePost>, Failure> {
  const checked = check(context, options, pageListRules);
  return performList(context, 'visitorPosts', checked, 25, (options) =>
    entriesAt(path`${options.pageId}/visitor_posts`, pagePostSchema, options),
  );
}

export type TaggedPostsOptions = PostsOptions;

/**
 * Lists public posts that tag a Page, newest first.
 *
 * Posts of other Pages are listed only if the platform has verified those Pages as authentic.
 *
 * `totals`, `metrics` and `comments` are those of `posts`. Whether the platform gives numbers of others' posts is unverified.
 *
 * Source: platform reference, Page tagged.
 *
 * @example
 * const found = await taggedPosts(context, { pageId, pageToken, limit: 50 });
 * if (found.isOk()) console.log(found.value.map((post) => post.message));
 */
export function taggedPosts(
  context: PageContext,
  options: TaggedPostsOptions,
): ResultAsync<List<PagePost> & WithWithheld, Failure> {
  const checked = check(context, options, { ...pageListRules, ...postInsideRules }, checkPostFields);
  return performInside(context, 'taggedPosts', checked, (options) => ({
    path: path`${options.pageId}/tagged`,
    ...postsInside(options),
  }));
}

export interface BlockedUsersOptions extends OnePageOptions, ListOptions, FieldOptions {}

/**
 * Lists the people whom a Page blocks.
 *
 * The platform documents the task and not the permissions. Source: platform reference, Page blocked.
 *
 * @example
 * const blocked = await blockedUsers(context, { pageId, pageToken, limit: 100 });
 * if (blocked.isOk()) console.log(blocked.value.map((user) => user.name));
 */
export function blockedUsers(
  context: PageContext,
  options: BlockedUsersOptions,
): ResultAsync<List<BlockedUser>, Failure> {
  const checked = check(context, options, pageListRules);
  return performList(context, 'blockedUsers', checked, 25, (options) =>
    entriesAt(path`${options.pageId}/blocked`, blockedUserSchema, options),
  );
}

export type BlockUserOptions = PeopleOptions;

/**
 * Blocks people: they can no longer comment, post or write to the Page. People who are already blocked stay blocked. It
 * is safe to repeat, so it is retried.
 *
 * The value says for each id whether the person is now blocked. Check for `false`: the platform reports success even
 * then. It does not document which of a person's ids it accepts: most likely that of the author of a comment or a post.
 * The same person may have another id in the inbox.
 *
 * The platform documents the task and not the permissions. Source: platform reference, Page blocked.
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
  const checked = check(context, options, peopleRules, exactlyOneOf('userId', 'userIds'));
  return performRequest(context, 'blockUser', checked, (options) => {
    const people = peopleOf(options);
    return {
      method: POST,
      path: path`${options.pageId}/blocked`,
      form: { user: JSON.stringify(people) },
      schema: objectTo(
        Object.fromEntries(people.map((id) => [id, v.boolean()])),
        // The value has nothing else of the response.
        (blocked) => Object.fromEntries(people.map((id) => [id, blocked[id] === true])),
      ),
    };
  });
}

export type UnblockUserOptions = PeopleOptions;

/**
 * Unblocks people. It also succeeds for people who are not blocked. It is safe to repeat, so it is retried.
 *
 * Each person takes a request; up to five run in parallel. If one fails, the call fails with its error, and the others
 * may have been unblocked.
 *
 * The platform documents the task and not the permissions. Source: platform reference, Page blocked.
 *
 * @example
 * const unblocked = await unblockUser(context, { pageId, pageToken, userId: '1020' });
 * if (unblocked.isErr()) console.error(unblocked.error.message);
 */
export function unblockUser(
  context: PageContext,
  options: UnblockUserOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, peopleRules, exactlyOneOf('userId', 'userIds'));
  return perform(context, 'unblockUser', checked, (call, options) => {
    const each = mapConcurrent(peopleOf(options), (user) =>
      send(context, {
        ...call,
        method: DELETE,
        path: path`${options.pageId}/blocked`,
        query: { user },
        schema: acknowledgementSchema,
      }),
    );
    return new ResultAsync(each.then((results) => Result.combine(results))).map(() => ({ success: true }));
  });
}

type PeopleOptions = PageCallOptions & { readonly pageId: string } & (
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

const peopleRules: Rules<PeopleOptions> = {
  ...pageRules,
  userId: rule.optional(rule.id),
  userIds: rule.optional(rule.listOf(rule.id, 1)),
};

function peopleOf(options: PeopleOptions): readonly string[] {
  return [...new Set(options.userIds === undefined ? [options.userId] : options.userIds)];
}
