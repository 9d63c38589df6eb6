import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, send } from '../core/http/send.ts';
import { check, names, optional } from '../core/options/check.ts';
import { successSchema } from '../models/written.ts';
import type { PageContext } from './context.ts';
import { type AppObject, appObject, ofApp, objectName } from './internal/appObject.ts';

export interface UnsubscribeAppOptions {
  /** Whose events the app is no longer to receive. */
  readonly object: AppObject;
  /** @default all fields of the object */
  readonly fields?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Ends the app's subscription to an object, or to some of its fields: no Page or account delivers them any more.
 *
 * It is sent with the app's own token. Source: platform reference, Application subscriptions.
 *
 * @example
 * const ended = await unsubscribeApp(context, { object: 'page', fields: ['mention'] });
 * if (ended.isErr()) console.error(ended.error.message);
 *
 * @example With a client, which throws
 * const ended = await client.unsubscribeApp({ object: 'page', fields: ['mention'] });
 */
export function unsubscribeApp(
  context: PageContext,
  options: UnsubscribeAppOptions,
): ResultAsync<boolean, Failure> {
  const checked = check(context, options, () => ({ object: appObject, fields: optional(names) }));
  return perform(context, 'unsubscribeApp', checked, (call, { object, fields }) =>
    send(context, {
      ...call,
      ...ofApp(context),
      method: 'DELETE',
      query: { object: objectName(context, object), fields: fields?.join(',') },
      schema: successSchema,
    }),
  );
}
