import { ConfigurationError } from '../../core/errors.ts';
import { id, type Rule } from '../../core/options/check.ts';
import type { PicsContext } from '../context.ts';

/**
 * The rule for an id that page mode needs and login mode can do without.
 *
 * `me` is no id in page mode: there it is the Page behind the token, not the account.
 */
export function accountId({ mode }: PicsContext): Rule {
  return (value) => {
    if (value === undefined) return mode === 'page' ? 'is required in page mode' : undefined;
    return mode === 'page' && value === 'me' ? 'must be an id in page mode, not me' : id(value);
  };
}

/** What stands for the account in a path. To be called once {@link accountId} has let the id pass. */
export function accountOf(picsUserId: string | undefined): string {
  return picsUserId ?? 'me';
}

/** Refuses a function that exists in one mode only. `hint` is a sentence on what to do instead. */
export function checkMode(
  context: PicsContext,
  mode: PicsContext['mode'],
  hint?: string,
): ConfigurationError | undefined {
  if (context.mode === mode) return undefined;
  const message = `this function works in ${mode} mode only`;
  return new ConfigurationError(hint === undefined ? message : `${message}: ${hint}`, 'mode');
}
