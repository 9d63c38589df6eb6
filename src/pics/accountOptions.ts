import type { Result } from 'neverthrow';

import { ConfigurationError } from '../core/errors.ts';
import { listRules } from '../core/lists/list.ts';
import { check, type Check, type Rules } from '../core/options/check.ts';
import { readable } from '../core/options/read.ts';
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

/** The account that a call of page mode is about. */
export interface PageModeOptions extends PicsCallOptions {
  /** Id of the account that the call is made for. Required. */
  readonly picsUserId?: string | undefined;
}

export type Mode = Pick<PicsContext, 'mode'>;

/** Whether a context is of page mode. What is no context has no mode: it is refused before its rules are used. */
export function isPageMode(context: Mode): boolean {
  return readable(() => context.mode) === 'page';
}

/**
 * The rule for an account id, which is required in page mode. `me` is refused there: it means the Page of the token, not
 * the account.
 */
export function accountId(context: Mode): rule.Rule {
  return isPageMode(context) ? accountOfPage : rule.optional(rule.id);
}

const accountOfPage = rule.refine(rule.optional(rule.id), (value) => faultInAccount(value, 'in page mode'));

function faultInAccount(value: string | undefined, where: string): string | undefined {
  if (value === undefined) return `is required ${where}`;
  return value === 'me' ? `must be an id ${where}, not me` : undefined;
}

/** Refuses a key without an account: it must mean one account, whatever the token. */
export function checkKeyedAccount(
  { idempotencyKey, picsUserId }: Pick<AccountOptions, 'picsUserId'> & KeyedOptions,
  { mode }: PicsContext,
): rule.Fault | undefined {
  if (mode !== 'login' || idempotencyKey === undefined) return undefined;
  const fault = faultInAccount(picsUserId, 'with an idempotencyKey');
  return fault === undefined ? undefined : rule.faultOf(fault, 'picsUserId');
}

/** The rule for an option that login mode has not. */
export function inPageMode({ mode }: Mode, pageRule: rule.Rule): rule.Rule {
  return mode === 'page' ? rule.optional(pageRule) : rule.onlyFor('page mode');
}

/** Rules that depend on the mode, made once for each. */
export function rulesByMode<TRules>(make: (mode: Mode) => TRules): (context: Mode) => TRules {
  const made: { [TMode in PicsContext['mode']]?: TRules } = {};
  return (context) => {
    const mode = isPageMode(context) ? 'page' : 'login';
    return (made[mode] ??= make({ mode }));
  };
}

/** The account as part of a path. Call this after {@link accountId} has checked the id. */
export function accountOf(picsUserId: string | undefined): string {
  return picsUserId ?? 'me';
}

export function accountRules(context: Mode): Record<'token' | 'picsUserId', rule.Rule> {
  return { token: rule.token, picsUserId: accountId(context) };
}

export function accountListRules(context: PicsContext) {
  return { ...accountRules(context), ...listRules };
}

export function checkInMode<TOptions extends object>(
  mode: PicsContext['mode'],
  context: PicsContext,
  options: TOptions,
  rules: Rules<TOptions>,
  ...also: readonly Check<TOptions, PicsContext>[]
): Result<TOptions, ConfigurationError> {
  return check(context, options, rules, onlyIn(mode), ...also);
}

/** Said of what only some functions need of a context. */
export const isRequired = 'is required: set it in the context';

/** Refuses a function in the other mode, where it does not exist. `hint` says what to do instead. */
export function onlyIn(mode: PicsContext['mode'], hint = ''): Check<unknown, PicsContext> {
  return (_, context) =>
    context.mode === mode
      ? undefined
      : new ConfigurationError(`this function works in ${mode} mode only${hint}`, 'context');
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

/** The person of an inbox whom a call is about. */
export interface RecipientOptions extends InboxOptions {
  /** Messaging-scoped id of the person, as conversations and message events hold it. */
  readonly recipientId: string;
}

export function inboxRules(context: PicsContext): Rules<InboxOptions> {
  return { token: rule.token, picsUserId: rule.optional(rule.id), pageId: accountId(context) };
}

export function recipientRules(context: PicsContext): Rules<RecipientOptions> {
  return { recipientId: rule.id, ...inboxRules(context) };
}
