import { ok, okAsync, type ResultAsync } from 'neverthrow';

import { perform } from '../core/http/send.ts';
import { check, id, token } from '../core/options/check.ts';
import { givenId, readContact, unavailable } from '../messaging/inbox.ts';
import type { Contact } from '../models/inbox.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';
import { contactFields } from './internal/inbox.ts';

export interface ContactOptions extends PicsCallOptions {
  /** Messaging-scoped id of the partner, as conversations and message events hold it. */
  readonly igsid: string;
}

export type ContactFailure = never;

/**
 * Reads the profile of a conversation partner. It never fails: a profile that cannot be read has `available: false`,
 * and the message of the error as `reason`.
 *
 * The platform shows a profile once its owner has consented by writing to the account, or by tapping an icebreaker or
 * the persistent menu. A person who only commented has not consented.
 *
 * Permissions in login mode: `pics_business_basic`, `pics_business_manage_messages`; in page mode: `pics_basic`,
 * `pics_manage_messages`, `pages_manage_metadata`, `pages_read_engagement`, `pages_show_list`. Source: platform guide,
 * User Profile API.
 *
 * @example
 * const partner = await contact(context, { igsid, token });
 * if (partner.isOk()) console.log(partner.value.available ? partner.value.username : partner.value.reason);
 *
 * @example With a client, which throws
 * const partner = await client.contact({ igsid, token });
 */
export function contact(context: PicsContext, options: ContactOptions): ResultAsync<Contact, ContactFailure> {
  const checked = check(context, options, () => ({ igsid: id, token }));
  if (checked.isErr()) return okAsync(unavailable(givenId(options, 'igsid'), checked.error.message));
  return perform(context, 'contact', ok(checked.value), (call, { igsid }) =>
    readContact(context, igsid, contactFields, call),
  );
}
