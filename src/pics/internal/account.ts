import { ConfigurationError } from '../../core/errors.ts';
import { id, optional, type Rule } from '../../core/options/check.ts';
import type { KeyedOptions } from '../../core/writes/journal/types.ts';
import type { PicsCallOptions, PicsContext } from '../context.ts';

/** Whose account a call is about. */
export interface AccountOptions extends PicsCallOptions {
  /**
   * Id of the account. Required in page mode.
   * @default the token's own account, in login mode
   */
  readonly picsUserId?: string | undefined;
}

/**
 * The rule for an account id, which is required in page mode, and with an idempotency key.
 *
 * `me` is refused in both cases: in page mode it means the Page of the token, not the account; and a key must mean one
 * account, whatever the token.
 */
export function accountId({ mode }: PicsContext, options?: KeyedOptions): Rule {
  return (value) => {
    const where =
      mode === 'page'
        ? 'in page mode'
        : options?.idempotencyKey === undefined
          ? undefined
          : 'with an idempotencyKey';
    if (value === undefined) return where && `is required ${where}`;
    return where && value === 'me' ? `must be an id ${where}, not me` : id(value);
  };
}

/** The rule for the account that sends a message: in page mode, its Page does. */
export function senderId(context: PicsContext, options: KeyedOptions): Rule {
  return context.mode === 'login' ? accountId(context, options) : optional(id);
}

/** The account as part of a path. Call this after {@link accountId} has checked the id. */
export function accountOf(picsUserId: string | undefined): string {
  return picsUserId ?? 'me';
}

/** Refuses a function that the context's mode lacks. `hint` says what to do instead. */
export function checkMode(
  context: PicsContext,
  mode: PicsContext['mode'],
  hint?: string,
): ConfigurationError | undefined {
  if (context.mode === mode) return undefined;
  const message = `this function works in ${mode} mode only`;
  return new ConfigurationError(hint === undefined ? message : `${message}: ${hint}`, 'context');
}

/** Address of an endpoint for long-lived tokens, which has no version in its path. */
export function tokenAddress({ platform }: PicsContext, edge: string): string {
  return `${platform.picsGraphUrl.replace(/\/+$/, '')}/${edge}`;
}
