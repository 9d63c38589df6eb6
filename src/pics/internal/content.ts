import { text } from '../../core/options/check.ts';
import type { ContentBounds } from '../../messaging/contentRules.ts';

/** The longest text that an account can send, in bytes of UTF-8. */
const mostBytes = 1000;

/** The bounds of what an account can send. */
export const contentBounds: ContentBounds = {
  text: (value) => {
    const fault = text(value);
    if (fault !== undefined) return fault;
    const bytes = new TextEncoder().encode(value as string).length;
    return bytes > mostBytes ? `must have at most ${mostBytes} bytes of UTF-8, not ${bytes}` : undefined;
  },
  buttons: ['web_url', 'postback'],
  takesPosts: true,
};
