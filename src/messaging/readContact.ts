import { okAsync, type ResultAsync } from 'neverthrow';

import type { Context } from '../core/context.ts';
import type { RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { send } from '../core/http/send.ts';
import type { Call } from '../core/http/types.ts';
import { type Contact, contactProfileSchema } from '../models/inbox.ts';

/** Reads a partner's profile. A profile that cannot be read is a value, not a failure. */
export function readContact(...args: Parameters<typeof readProfile>): ResultAsync<Contact, never> {
  return readProfile(...args).orElse(({ message }) => okAsync(unavailable(args[1], message)));
}

/** Reads a partner's profile. */
export function readProfile(
  context: Context,
  id: string,
  fields: string,
  request: Call,
): ResultAsync<Contact, RequestFailure> {
  return send(context, {
    ...request,
    method: 'GET',
    path: path`${id}`,
    query: { fields },
    schema: contactProfileSchema,
  }).map((profile) => ({ ...profile, id: profile.id ?? id, available: true }));
}

export function unavailable(id: string, reason: string): Contact {
  return { id, available: false, reason };
}

/** The id as it was given, which may be the invalid option itself. */
export function givenId<TOptions extends object>(
  options: TOptions | null | undefined,
  name: keyof TOptions,
): string {
  try {
    const id: unknown = options?.[name];
    return typeof id === 'string' ? id : '';
  } catch {
    return '';
  }
}
