import { text } from '../../core/options/check.ts';
import type { ContentBounds } from '../../messaging/contentRules.ts';

/** The longest text that a Page can send, in characters. */
const mostCharacters = 2000;

/** The bounds of what a Page can send. */
export const contentBounds: ContentBounds = {
  text: (value) => {
    const fault = text(value);
    if (fault !== undefined) return fault;
    const characters = Array.from(value as string).length;
    return characters > mostCharacters
      ? `must have at most ${mostCharacters} characters, not ${characters}`
      : undefined;
  },
  buttons: ['web_url', 'postback', 'phone_number', 'account_link'],
  takesPosts: false,
};
