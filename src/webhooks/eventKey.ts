import { err, ok, type Result, ResultAsync } from 'neverthrow';

import type { ConfigurationError } from '../core/errors.ts';
import { digestOf, type OnceType, subjects } from './readDelivery.ts';
import { areTexts, wrong } from './signature.ts';

/** What an event is about. */
export interface EventSubject {
  /** The Page or account that it happens to, as events of it have it in `accountId`. */
  readonly accountId: string;
  /** Of the lead, the message or the comment. */
  readonly id: string;
}

/**
 * The `key` that the event of a lead, a new message or an added comment has, for what a poll reads: `leadgen` for what
 * `leads` reads, `message` for `messages`, and for `comments` `feed` on a Page and `comments` on a photo-sharing
 * account.
 *
 * Fails with ConfigurationError for another type, and for an empty id.
 *
 * @example
 * const key = await eventKey('leadgen', { accountId: pageId, id: leadgenId });
 * if (key.isOk()) console.log(key.value);
 */
export function eventKey(type: OnceType, subject: EventSubject): ResultAsync<string, ConfigurationError> {
  return new ResultAsync(keyOf(type, subject));
}

async function keyOf(type: OnceType, subject: EventSubject): Promise<Result<string, ConfigurationError>> {
  if (!Object.hasOwn(subjects, type)) return err(wrong('type'));
  const { accountId, id }: EventSubject = Object(subject);
  for (const [option, value] of Object.entries({ accountId, id }))
    if (!areTexts([value])) return err(wrong(option));
  return ok(await digestOf(accountId, subjects[type], id));
}
