import { okAsync, type ResultAsync } from 'neverthrow';

import { path } from '../../core/http/path.ts';
import { send } from '../../core/http/send.ts';
import type { CallLimits } from '../../core/http/types.ts';
import { type Contact, contactProfileSchema } from '../../models/contact.ts';
import type { PicsContext } from '../context.ts';

const fields =
  'name,username,profile_pic,follower_count,is_user_follow_business,is_business_follow_user,is_verified_user';

/** Reads a partner's profile. A profile that cannot be read is a value, not a failure. */
export function readContact(
  context: PicsContext,
  igsid: string,
  request: CallLimits & { readonly token: string },
): ResultAsync<Contact, never> {
  return send(context, {
    ...request,
    method: 'GET',
    path: path`${igsid}`,
    query: { fields },
    schema: contactProfileSchema,
  })
    .map((profile): Contact => ({ ...profile, id: profile.id ?? igsid, available: true }))
    .orElse(({ message }) => okAsync(unavailable(igsid, message)));
}

export function unavailable(id: string, reason: string): Contact {
  return { id, available: false, reason };
}
