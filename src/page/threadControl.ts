import type { ResultAsync } from 'neverthrow';

import type { Failure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { performRequest } from '../core/http/send.ts';
import { check, type Rules } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import { changeThread } from '../messaging/inbox.ts';
import type { Acknowledgement } from '../models/fields.ts';
import { type ThreadOwner, threadOwnerSchema } from '../models/inbox.ts';
import type { PageContext } from './context.ts';
import { type RecipientOptions, recipientRules } from './pageOptions.ts';

export interface ThreadOwnerOptions extends RecipientOptions {}

/**
 * Reads which app controls a conversation, and until when. The platform names the app only to itself and to the default
 * app of the Page; others get at most the expiration. Both are absent for a conversation that no app controls.
 *
 * Source: platform guide, Conversation Control.
 *
 * @example
 * const owner = await threadOwner(context, { pageId, pageToken, recipientId });
 * if (owner.isOk()) console.log(owner.value.app_id, owner.value.expiration);
 */
export function threadOwner(
  context: PageContext,
  options: ThreadOwnerOptions,
): ResultAsync<ThreadOwner, Failure> {
  const checked = check(context, options, recipientRules);
  return performRequest(context, 'threadOwner', checked, ({ pageId, recipientId }) => ({
    path: path`${pageId}/thread_owner`,
    query: { recipient: recipientId },
    schema: threadOwnerSchema,
  }));
}

export interface ThreadControlOptions extends RecipientOptions {
  /** A text for the other app, which gets it with the event. */
  readonly metadata?: string | undefined;
}

const controlRules: Rules<ThreadControlOptions> = { ...recipientRules, metadata: rule.optional(rule.text) };

/**
 * Takes control of a conversation from the app that has it. It is safe to repeat, so it is retried.
 *
 * The platform allows it only if Conversation Routing is set up for the Page, and the app may take over; otherwise it
 * refuses with code 27.
 *
 * Source: platform guide, Conversation Control.
 *
 * @example
 * const taken = await takeThreadControl(context, { pageId, pageToken, recipientId });
 * if (taken.isErr()) console.error(taken.error.message);
 */
export function takeThreadControl(
  context: PageContext,
  options: ThreadControlOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, controlRules);
  return performRequest(context, 'takeThreadControl', checked, (options) =>
    changeThread(options.pageId, 'take', options),
  );
}

export interface PassThreadControlOptions extends ThreadControlOptions {
  /**
   * The app that gets control. 263902037430900 is the Page's own inbox, where people answer.
   * @default the Page's default app
   */
  readonly targetAppId?: string | undefined;
}

/**
 * Passes control of a conversation to another app. Only the app that has control may, or any while none has.
 *
 * It is retried. If a lost attempt took effect, the next one is refused, because another app has control now: an error
 * whose `outcome` is `unknown`.
 *
 * Source: platform guide, Conversation Control.
 *
 * @example
 * const passed = await passThreadControl(context, { pageId, pageToken, recipientId, metadata: 'wants a person' });
 * if (passed.isErr()) console.error(passed.error.message);
 */
export function passThreadControl(
  context: PageContext,
  options: PassThreadControlOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, { ...controlRules, targetAppId: rule.optional(rule.id) });
  return performRequest(context, 'passThreadControl', checked, (options) =>
    changeThread(options.pageId, 'pass', options),
  );
}

/**
 * Asks the app that controls a conversation to pass it on. `success` means that the request was delivered, not that it
 * was granted: a message before the other app has passed control is still refused. The platform's own inbox, and the AI
 * that answers there, never pass it on. It is safe to repeat, so it is retried.
 *
 * The platform allows it only if Conversation Routing is not set up for the Page.
 *
 * Source: platform guide, Conversation Control.
 *
 * @example
 * const asked = await requestThreadControl(context, { pageId, pageToken, recipientId });
 * if (asked.isErr()) console.error(asked.error.message);
 */
export function requestThreadControl(
  context: PageContext,
  options: ThreadControlOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, controlRules);
  return performRequest(context, 'requestThreadControl', checked, (options) =>
    changeThread(options.pageId, 'request', options),
  );
}

/**
 * Gives up control of a conversation, which no app has then. Only the app that has control may.
 *
 * It is retried. If a lost attempt took effect, the next one is refused: an error whose `outcome` is `unknown`.
 *
 * Source: platform guide, Conversation Control.
 *
 * @example
 * const released = await releaseThreadControl(context, { pageId, pageToken, recipientId });
 * if (released.isErr()) console.error(released.error.message);
 */
export function releaseThreadControl(
  context: PageContext,
  options: ThreadControlOptions,
): ResultAsync<Acknowledgement, Failure> {
  const checked = check(context, options, controlRules);
  return performRequest(context, 'releaseThreadControl', checked, (options) =>
    changeThread(options.pageId, 'release', options),
  );
}
