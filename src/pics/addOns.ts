import { okAsync, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import { path } from '../core/http/addresses.ts';
import { send } from '../core/http/send.ts';
import type { Call, Params } from '../core/http/types.ts';
import * as rule from '../core/options/rules.ts';
import type { Published } from '../models/media.ts';
import { mediaPollSchema } from '../models/polls.ts';
import { inPageMode, type Mode } from './accountOptions.ts';
import type { PicsContext } from './context.ts';

/** A poll below a post. Its question is the caption. */
interface Poll {
  /** The answers, 2 to 4. */
  readonly options: readonly string[];
  /**
   * `true` leaves it open without an end.
   * @default false: it is open for 3 days
   */
  readonly isEndless?: boolean | undefined;
}

/** What a post can have below its caption: one of the two, from the beginning and for good. */
export interface AddOnOptions {
  /**
   * A poll, whose question is the `caption`. Page mode only; not with `commentPrompt`. It cannot be added, changed or
   * taken away later. A post may come out without it: see `addOn` of the value.
   */
  readonly poll?: Poll | undefined;
  /**
   * Asks people to answer the `caption` by a comment. Page mode only; not with `poll`. It cannot be added or taken away
   * later. A post may come out without it: see `addOn` of the value.
   */
  readonly commentPrompt?: boolean | undefined;
}

export function addOnRules(mode: Mode): Record<keyof AddOnOptions, rule.Rule> {
  const poll = { options: rule.listOf(rule.text, 2, 4), isEndless: rule.optional(rule.flag) };
  return { poll: inPageMode(mode, rule.fields(poll)), commentPrompt: inPageMode(mode, rule.flag) };
}

/** Refuses both at once, and either of them without a caption, which it is about. */
export function checkAddOn({
  poll,
  commentPrompt,
  caption = '',
}: AddOnOptions & { readonly caption?: string | undefined }): rule.Fault | undefined {
  const name = poll === undefined ? 'commentPrompt' : 'poll';
  if (poll === undefined && commentPrompt !== true) return undefined;
  if (poll !== undefined && commentPrompt === true)
    return rule.faultOf('cannot be combined with poll', 'commentPrompt');
  return caption.trim() === ''
    ? rule.faultOf(`must not be empty with ${name}, whose question it is`, 'caption')
    : undefined;
}

const letters = ['a', 'b', 'c', 'd'];

export function toAddOnForm({ poll, commentPrompt }: AddOnOptions): Params {
  const options = poll?.options.map((text, at) => [`option_${letters[at]}`, text]);
  return {
    poll_attachment: options && JSON.stringify(Object.fromEntries(options)),
    is_poll_duration_extended: poll?.isEndless,
    is_comment_prompt_used: commentPrompt,
  };
}

/** The request for the poll of a media; `null` if it has none. */
export function pollOf(mediaId: string) {
  // No fields: the platform does not expand them here.
  return { path: path`${mediaId}/poll_attachment`, schema: mediaPollSchema };
}

/** The request for the answers to the prompt of a media, as the platform sends them; `null` if it has none. */
export function promptResponsesOf(mediaId: string) {
  return { path: path`${mediaId}/prompt_response`, schema: v.unknown() };
}

/**
 * A post that was published, and what became of the add-on that it asked for. It is never a failure: whatever the read
 * says, the post is out.
 */
export function withAddOn<TPublished extends Published>(
  context: PicsContext,
  call: Call,
  { poll, commentPrompt }: AddOnOptions,
  published: TPublished,
): ResultAsync<TPublished, never> {
  if (poll === undefined && commentPrompt !== true) return okAsync(published);
  const what = poll === undefined ? promptResponsesOf(published.media_id) : pollOf(published.media_id);
  return send<unknown>(context, { ...call, attempts: 1, purpose: 'status', ...what })
    .map((found) => ({ ...published, addOn: found === null ? ('missing' as const) : ('attached' as const) }))
    .orElse(() => okAsync(published));
}
