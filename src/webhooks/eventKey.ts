import { sha256 } from '../core/sha256.ts';
import { areTexts, wrong } from './signature.ts';

/** Types of events that happen once, with what happens. */
export const subjects = {
  leadgen: 'leadgen',
  message: 'message',
  comments: 'comment',
  live_comments: 'comment',
  feed: 'comment',
} as const;

/** A type of events of which some happen once: a lead, a new message, or a comment that was added. */
export type OnceType = keyof typeof subjects;

/** What an event is about. */
export interface EventSubject {
  /** The Page or account that it happens to, as events of it have it in `accountId`. */
  readonly accountId: string;
  /** Of the lead, the message or the comment. */
  readonly id: string;
}

/**
 * The `key` that the event of a lead, a new message or an added comment has, for what a poll reads: `leadgen` for what
 * `leads` reads, `message` for `messages`, and for `comments` `feed` on a Page and `comments` on a photo-sharing
 * account.
 *
 * Throws a ConfigurationError for another type, and for an empty id.
 *
 * @example
 * console.log(eventKey('leadgen', { accountId: pageId, id: leadgenId }));
 */
export function eventKey(type: OnceType, subject: EventSubject): string {
  if (!Object.hasOwn(subjects, type)) throw wrong('type');
  const { accountId, id }: EventSubject = Object(subject);
  for (const [option, value] of Object.entries({ accountId, id }))
    if (!areTexts([value])) throw wrong(option);
  return digestOf(accountId, subjects[type], id);
}

/** The key of what happens to an account: of its id if it happens once, of the whole item otherwise. */
export function digestOf(accountId: string, name: string, what: unknown): string {
  let text = '';
  try {
    text = JSON.stringify([accountId, name, what]);
  } catch {
    // Values nested thousands of levels deep, which no platform sends, all get the same digest.
  }
  return sha256(text);
}
