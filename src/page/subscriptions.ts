import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import type { List } from '../core/lists/list.ts';
import { check, id, token } from '../core/options/check.ts';
import { objectOf } from '../core/schema.ts';
import { arrayOf, node, optionalId, type Raw, text, texts, withMore } from '../models/fields.ts';
import type { PageCallOptions, PageContext } from './context.ts';

const schema = objectOf({
  data: arrayOf(
    node({
      id: optionalId,
      name: text,
      category: text,
      link: text,
      subscribed_fields: texts,
    }),
  ),
});

export interface SubscriptionsOptions extends PageCallOptions {
  readonly pageId: string;
}

/** An app that a Page is subscribed to. */
export interface Subscription {
  /** Id of the app. */
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly category?: string | undefined;
  readonly link?: string | undefined;
  /** The events that the app receives. */
  readonly subscribed_fields?: readonly string[] | undefined;
  /** The app as the platform sent it. Not enumerable. */
  readonly raw: Raw;
}

/**
 * Lists the apps that receive events of a Page, with the fields that they receive: the platform's first page of them.
 *
 * Permissions: `pages_manage_metadata`, `pages_show_list`; Page task `CREATE_CONTENT`, `MANAGE` or `MODERATE`. Source:
 * platform reference, Page subscribed apps.
 *
 * @example
 * const apps = await subscriptions(context, { pageId, pageToken });
 * if (apps.isOk()) console.log(apps.value.map((app) => app.subscribed_fields));
 *
 * @example With a client, which throws
 * const apps = await client.subscriptions({ pageId, pageToken });
 */
export function subscriptions(
  context: PageContext,
  options: SubscriptionsOptions,
): ResultAsync<List<Subscription>, Failure> {
  const checked = check(context, options, () => ({ pageId: id, pageToken: token }));
  return perform(context, 'subscriptions', checked, (call, { pageId }) =>
    send(context, {
      ...call,
      method: 'GET',
      path: path`${pageId}/subscribed_apps`,
      schema,
    }).map(({ data, paging }) => withMore([...data], paging)),
  );
}
