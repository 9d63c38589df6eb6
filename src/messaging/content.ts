import { textOf } from '../core/writes/recentEntries.ts';
import type { MessageSign } from './messageLookup.ts';

/** A message to send. */
export interface MessageContent {
  readonly text: string;
}

/** The wire form of a message. */
export function toMessage({ text }: MessageContent): object {
  return { text };
}

/** What a message is known by. Spaces at the ends of a text do not count: the platform cuts them. */
export function signOf({ text }: MessageContent): MessageSign {
  const content = text.trim();
  return { content, fields: 'message', fits: ({ message }) => textOf(message).trim() === content };
}
