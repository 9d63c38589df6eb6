import * as v from 'valibot';

import { ConfigurationError } from '../core/errors.ts';
import * as rule from '../core/options/rules.ts';
import type { KeyedOptions } from '../core/writes/journal/types.ts';
import type { PicsCallOptions, PicsContext } from './context.ts';

/** The account that a call is about. */
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
export function accountId({ mode }: PicsContext, given?: KeyedOptions): rule.Rule {
  return v.lazy(() => {
    const where =
      mode === 'page'
        ? 'in page mode'
        : given?.idempotencyKey === undefined
          ? undefined
          : 'with an idempotencyKey';
    if (where === undefined) return rule.optional(rule.id);
    return rule.refine(rule.optional(rule.id), (value) =>
      value === undefined
        ? `is required ${where}`
        : value === 'me'
          ? `must be an id ${where}, not me`
          : undefined,
    );
  });
}

/** The account as part of a path. Call this after {@link accountId} has checked the id. */
export function accountOf(picsUserId: string | undefined): string {
  return picsUserId ?? 'me';
}

/** Refuses a function that does not exist in the context's mode. `hint` says what to do instead. */
export function checkMode(
  context: PicsContext,
  mode: PicsContext['mode'],
  hint?: string,
): ConfigurationError | undefined {
  if (context.mode === mode) return undefined;
  const message = `this function works in ${mode} mode only`;
  return new ConfigurationError(hint === undefined ? message : `${message}: ${hint}`, 'context');
}

/** The node that sends: the account's Page, or the account. Call this after `accountId` has checked `pageId`. */
export function senderOf(
  { mode }: PicsContext,
  { pageId, picsUserId }: Pick<InboxOptions, 'pageId' | 'picsUserId'>,
): string {
  return accountOf(mode === 'page' ? pageId : picsUserId);
}

/** Options of calls for the inbox of an account. */
export interface InboxOptions extends PicsCallOptions {
  /**
   * The account, in login mode. Required there with an `idempotencyKey`.
   * @default the token's owner
   */
  readonly picsUserId?: string | undefined;
  /** Page of the account. Required in page mode. */
  readonly pageId?: string | undefined;
}
