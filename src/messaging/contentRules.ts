import { ConfigurationError } from '../core/errors.ts';
import {
  copyOfJson,
  fields,
  fieldsOf,
  id,
  listOf,
  oneOf,
  optional,
  type Rule,
  type Rules,
  text,
  that,
  url,
} from '../core/options/check.ts';
import type { MessageContent } from './content.ts';

/** The bounds of a platform. */
export interface ContentBounds {
  /** The rule for texts. */
  readonly text: Rule;
  /** The types of buttons that it supports. */
  readonly buttons: readonly string[];
  /** Whether posts and stickers can be sent. */
  readonly takesPosts: boolean;
}

const contents = ['text', 'attachment', 'images', 'template', 'mediaId', 'sticker'] as const;

/** The rules for the content of a message, option by option. */
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

/** A message has exactly one kind of content. The error names the first one given. */
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

/** The rule for the kind of a file. */
export const attachmentType: Rule = oneOf('image', 'video', 'audio', 'file');

const attachment = fields(
  { type: attachmentType, url: optional(url), attachmentId: optional(id) },
  ({ url: address, attachmentId }) =>
    (address === undefined) === (attachmentId === undefined) ? 'needs either url or attachmentId' : undefined,
);

/** The rule for a template whose buttons are of these types. */
function templateRule(buttonTypes: readonly unknown[]): Rule {
  const type = oneOf(...buttonTypes);
  const buttons = listOf(button, 1, 3);
  const generic = fields({ elements: listOf(element, 1, 10) });
  const simple = fields({ text: textUpTo(640), buttons });
  // Kept as it is, with all its fields, since it is sent like that.
  return copyOfJson((value) => {
    const { type: kind } = fieldsOf(value);
    if (kind === 'generic') return generic(value);
    return kind === 'button' ? simple(value) : 'must be of type generic or button';
  });

  function element(value: unknown): ReturnType<Rule> {
    const verdict = fields({ title: text, buttons: optional(buttons) })(value);
    if (typeof verdict === 'string') return verdict;
    return Object.keys(fieldsOf(value)).length > 1 ? undefined : 'needs more than a title';
  }

  function button(value: unknown): ReturnType<Rule> {
    const { type: kind } = fieldsOf(value);
    const opens = kind === 'web_url' || kind === 'account_link';
    return fields({
      type,
      ...(kind !== 'account_link' && { title: text }),
      ...(opens ? { url } : { payload: text }),
    })(value);
  }
}

/** The rule for a text of at most this many characters. */
export function textUpTo(most: number): Rule {
  return (value) => {
    const fault = text(value);
    if (fault !== undefined) return fault;
    const { length } = Array.from(String(value));
    return length > most ? `must have at most ${most} characters, not ${length}` : undefined;
  };
}
