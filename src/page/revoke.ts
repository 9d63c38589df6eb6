import { err, errAsync, ok, type Result, type ResultAsync } from 'neverthrow';

import type { Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { send } from '../core/http/send.ts';
import { check, id, optional, token } from '../core/options/check.ts';
import { successSchema } from '../models/success.ts';
import type { PageContext } from './context.ts';

export interface RevokeOptions {
  /** User token. */
  readonly token: string;
  /** @default 'me', the user that the token belongs to */
  readonly userId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type RevokeFailure = Failure;

/**
 * Takes all permissions of the app back, as if the user had removed the app. The user's tokens are dead then.
 *
 * A lost answer is asked for again; that the token is dead by then, since the app is removed, is a success.
 *
 * Source: platform reference, User permissions.
 *
 * @example
 * const revoked = await revoke(context, { token });
 * if (revoked.isOk()) console.log('the app is removed');
 */
export function revoke(context: PageContext, options: RevokeOptions): ResultAsync<boolean, RevokeFailure> {
  const invalid = check(options, { token, userId: optional(id) });
  if (invalid) return errAsync(invalid);
  const { userId = 'me', signal } = options;
  return send(context, {
    method: 'DELETE',
    path: path`${userId}/permissions`,
    token: options.token,
    schema: successSchema,
    signal,
  }).orElse((failure): Result<boolean, RequestFailure> => (isDoneBefore(failure) ? ok(true) : err(failure)));
}

/** Whether the app is removed, and an earlier attempt, whose answer was lost, can have done it. */
function isDoneBefore(failure: RequestFailure): boolean {
  if (failure.name === 'TransportError') return false;
  return failure.outcome === 'unknown' && failure.code === 190 && failure.subcode === 458;
}
