import { ok, okAsync, type ResultAsync } from 'neverthrow';

import { perform } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { givenId, readContact, unavailable } from '../messaging/inbox.ts';
import type { Contact } from '../models/inbox.ts';
import type { PageCallOptions, PageContext } from './context.ts';
import { contactFields } from './internal/inbox.ts';

export interface ContactOptions extends PageCallOptions {
  /** Page-scoped id of the partner, as conversations and message events hold it. */
  readonly psid: string;
}

export type ContactFailure = never;

/**
 * Reads the profile of a person who wrote to the Page. It never fails: a profile that cannot be read has
 * `available: false`, and the message of the error as `reason`.
 *
 * Permissions: `pages_manage_metadata`, `pages_messaging`, `pages_read_engagement`, `pages_show_list`; Page task
 * `MESSAGING`. Source: platform guide, User Profile API.
 *
 * @example
 * const partner = await contact(context, { psid: recipientId, pageToken });
 * if (partner.isOk()) console.log(partner.value.available ? partner.value.first_name : partner.value.reason);
 *
 * @example With a client, which throws
 * const partner = await client.contact({ psid: recipientId, pageToken });
 */
export function contact(context: PageContext, options: ContactOptions): ResultAsync<Contact, ContactFailure> {
  const checked = check(context, options, () => ({ psid: id, pageToken: token }));
  if (checked.isErr()) return okAsync(unavailable(givenId(options, 'psid'), checked.error.message));
  return perform(context, 'contact', ok(checked.value), (call, { psid }) =>
    readContact(context, psid, contactFields, call),
  );
}
