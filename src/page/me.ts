import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { perform, send } from '../core/http/send.ts';
import { check, token } from '../core/options/check.ts';
import { type Profile, profileSchema } from '../models/profiles.ts';
import type { PageContext, UserCallOptions } from './context.ts';

export interface MeOptions extends UserCallOptions {
  /** User token. A page token is refused: a Page has no email. */
  readonly token: string;
}

/**
 * Reads the profile of the user that the token belongs to.
 *
 * Permission: `public_profile`. `email` too for the email address. Source: platform reference, User.
 *
 * @example
 * const profile = await me(context, { token });
 * if (profile.isOk()) console.log(profile.value.name);
 *
 * @example With a client, which throws
 * const profile = await client.me({ token });
 */
export function me(context: PageContext, options: MeOptions): ResultAsync<Profile, Failure> {
  const checked = check(context, options, () => ({ token }));
  return perform(context, 'me', checked, (call) =>
    send(context, {
      ...call,
      method: 'GET',
      path: 'me',
      query: { fields: 'id,name,email,picture.type(large)' },
      schema: profileSchema,
    }),
  );
}
