import { ConfigurationError } from '../core/errors.ts';
import {
  fields,
  id,
  listOf,
  optional,
  type Rule,
  type Rules,
  text,
  that,
  url,
} from '../core/options/check.ts';
import { attachmentType } from './attachmentRule.ts';
import type { MessageContent } from './content.ts';
import { templateRule } from './templateRule.ts';

/** The bounds of a platform. */
export interface ContentBounds {
  /** The rule for texts. */
  readonly text: Rule;
  /** The types of buttons that it shows. */
  readonly buttons: readonly string[];
  /** Whether posts and stickers can be sent. */
  readonly takesPosts: boolean;
}

const contents = ['text', 'attachment', 'images', 'template', 'mediaId', 'sticker'] as const;

/** The rules for the content of a message, each option alone. */
export function contentRules(bounds: ContentBounds): Rules<MessageContent> {
  const elsewhere: Rule = () => 'cannot be sent by a Page';
  return {
    text: optional(bounds.text),
    quickReplies: optional(listOf(fields({ title: text, payload: text, imageUrl: optional(url) }), 1, 13)),
    attachment: optional(attachment),
    images: optional(listOf(url, 2, 10)),
    template: optional(templateRule(bounds.buttons)),
    mediaId: optional(bounds.takesPosts ? id : elsewhere),
    sticker: optional(bounds.takesPosts ? that((value) => value === 'like_heart', 'like_heart') : elsewhere),
  };
}

/** A message has one content and no more. The error names the first that is given. */
export function checkOneContent(options: MessageContent): ConfigurationError | undefined {
  const given = contents.filter((name) => options[name] !== undefined);
  const [first = 'text', ...others] = given;
  if (given.length === 0 || others.length > 0) {
    return new ConfigurationError(`give exactly one of ${contents.join(', ')}`, first);
  }
  return options.quickReplies === undefined || first === 'text'
    ? undefined
    : new ConfigurationError('quickReplies need a text', 'quickReplies');
}

const attachment = fields(
  { type: attachmentType, url: optional(url), attachmentId: optional(id) },
  ({ url: address, attachmentId }) =>
    (address === undefined) === (attachmentId === undefined) ? 'needs either url or attachmentId' : undefined,
);
