import { ConfigurationError } from '../../core/errors.ts';
import { id, type Rule } from '../../core/options/check.ts';
import type { PicsContext } from '../context.ts';

/**
 * The rule for an account id, which is required in page mode.
 *
 * `me` is refused there, since it stands for the Page of the token, not for the account.
 */
export function accountId({ mode }: PicsContext): Rule {
  return (value) => {
    if (value === undefined) return mode === 'page' ? 'is required in page mode' : undefined;
    return mode === 'page' && value === 'me' ? 'must be an id in page mode, not me' : id(value);
  };
}

/** The account in a path. Call it after {@link accountId} has checked the id. */
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
  return new ConfigurationError(hint === undefined ? message : `${message}: ${hint}`, 'mode');
}
