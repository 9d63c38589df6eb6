import { err, ok, type ResultAsync } from 'neverthrow';

import type { Failure, RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/path.ts';
import { perform, send } from '../core/http/send.ts';
import { check, id, optional, token } from '../core/options/check.ts';
import { successSchema } from '../models/written.ts';
import type { PageContext, UserCallOptions } from './context.ts';

export interface RevokeOptions extends UserCallOptions {
  /** @default 'me', the user that the token belongs to */
  readonly userId?: string | undefined;
}

/**
 * Withdraws all permissions of the app, as if the user had removed it. The user's tokens then no longer work.
 *
 * After a lost response it is sent again. If the platform then says that the app was removed, the call succeeds.
 *
 * Source: platform reference, User permissions.
 *
 * @example
 * const revoked = await revoke(context, { token });
 * if (revoked.isOk()) console.log('the app is removed');
 *
 * @example With a client, which throws
 * const revoked = await client.revoke({ token });
 */
export function revoke(context: PageContext, options: RevokeOptions): ResultAsync<boolean, Failure> {
  const checked = check(context, options, () => ({ token, userId: optional(id) }));
  return perform(context, 'revoke', checked, (call, { userId = 'me' }) =>
    send(context, {
      ...call,
      method: 'DELETE',
      path: path`${userId}/permissions`,
      schema: successSchema,
    }).orElse((failure) => (showsRemoval(failure) ? ok(true) : err(failure))),
  );
}

/**
 * Whether a refusal says that the app was removed, and its outcome is unknown: an earlier attempt, whose response was
 * lost, may have done it.
 */
function showsRemoval(failure: RequestFailure): boolean {
  if (failure.name === 'TransportError') return false;
  const { status = 0, code, subcode, outcome } = failure;
  return code === 190 && subcode === 458 && status >= 400 && status < 500 && outcome === 'unknown';
}
