import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { performRequest } from '../core/http/send.ts';
import { check, type Rules } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { changeThread } from '../messaging/inbox.ts';
import type { Acknowledgement } from '../models/fields.ts';
import { type RecipientOptions, recipientRules, senderOf } from './accountOptions.ts';
import type { PicsContext } from './context.ts';

export interface ThreadControlOptions extends RecipientOptions {
  /** A text for the other app, which gets it with the event. */
  readonly metadata?: string | undefined;
}

function controlRules(context: PicsContext): Rules<ThreadControlOptions> {
  return { ...recipientRules(context), metadata: rule.optional(rule.text) };
}

export interface PassThreadControlOptions extends ThreadControlOptions {
  /**
   * The app that gets control. 1217981644879628 is the account's own inbox, where people answer.
   * @default the default app of the account
   */
  readonly targetAppId?: string | undefined;
}

/**
 * Passes control of a conversation to another app. Only the app that has control may, or any while none has.
 *
 * It is retried. If a lost attempt took effect, the next one is refused, because another app has control now: an error
 * whose `outcome` is `unknown`.
 *
 * Unverified in login mode: the platform's own SDK has the call there, but no page documents it.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Source: platform guide, Conversation Control.
 *
 * @example
 * const passed = await passThreadControl(context, { token, recipientId, metadata: 'wants a person' });
 * if (passed.isErr()) console.error(passed.error.message);
 */
export function passThreadControl(
  context: PicsContext,
  options: PassThreadControlOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...controlRules(context), targetAppId: rule.optional(rule.id) });
  return performRequest(context, 'passThreadControl', checked, (options) =>
    changeThread(senderOf(context, options), 'pass', options),
  );
}

/**
 * Gives up control of a conversation, which no app has then. Only the app that has control may.
 *
 * It is retried. If a lost attempt took effect, the next one is refused: an error whose `outcome` is `unknown`.
 *
 * Unverified in login mode: the platform's own SDK has the call there, but no page documents it.
 *
 * Fails with ConfigurationError in page mode without `pageId`.
 *
 * Source: platform guide, Conversation Control.
 *
 * @example
 * const released = await releaseThreadControl(context, { token, recipientId });
 * if (released.isErr()) console.error(released.error.message);
 */
export function releaseThreadControl(
  context: PicsContext,
  options: ThreadControlOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, controlRules(context));
  return performRequest(context, 'releaseThreadControl', checked, (options) =>
    changeThread(senderOf(context, options), 'release', options),
  );
}
