import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, send } from '../core/http/send.ts';
import { check, text, token as tokenRule } from '../core/options/check.ts';
import { converted, firstOf, objectOf, type Schema } from '../core/schema.ts';
import { idSchema } from '../models/fields.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { accountId, checkMode } from './internal/account.ts';

export interface HashtagIdOptions extends PicsCallOptions {
  /** Id of the account that searches. Required. */
  readonly picsUserId?: string | undefined;
  /** The word; a `#` before it is taken off. */
  readonly name: string;
}

/**
 * Finds the id of a hashtag. It is the same for everybody and does not change, so that it can be kept. Page mode only.
 *
 * An account may search for 30 different hashtags in 7 days; the same one again is free. The platform refuses more with
 * a RateLimitError; it does not document the code of that error. It refuses sensitive words and emoji.
 *
 * Permissions: `pics_basic`, `pages_read_engagement`, `pages_show_list`. Feature Public Content Access of the
 * photo-sharing platform. Source: platform guide, Hashtag Search.
 *
 * @example
 * const hashtag = await hashtagId(context, { token, picsUserId, name: 'coffee' });
 * if (hashtag.isOk()) console.log(hashtag.value.id);
 *
 * @example With a client, which throws
 * const { id } = await client.hashtagId({ token, picsUserId, name: 'coffee' });
 */
export function hashtagId(
  context: PicsContext,
  options: HashtagIdOptions,
): ResultAsync<{ readonly id: string }, Failure> {
  const checked = check(
    context,
    options,
    () => ({ token: tokenRule, picsUserId: accountId(context), name: word }),
    () => checkMode(context, 'page'),
  );
  return perform(context, 'hashtagId', checked, (call, own) => {
    const { picsUserId, name } = own;
    return send(context, {
      ...call,
      method: 'GET',
      path: 'ig_hashtag_search',
      query: { user_id: picsUserId, q: bare(name) },
      schema: foundSchema,
    });
  });
}

function word(value: unknown): string | undefined {
  return text(value) ?? text(bare(String(value)));
}

function bare(name: string): string {
  return name.trim().replace(/^#/, '');
}

const foundSchema: Schema<{ readonly id: string }> = converted(
  objectOf({ data: firstOf(objectOf({ id: idSchema })) }),
  ({ data: { id } }) => ({ id }),
);
