import { okAsync, type ResultAsync } from 'neverthrow';
import * as v from 'valibot';

import { repeatsOf } from '../core/codes.ts';
import type { Context } from '../core/context.ts';
import { withItem } from '../core/deriveError.ts';
import { ConfigurationError, type RequestFailure } from '../core/errors.ts';
import { path } from '../core/http/addresses.ts';
import { POST } from '../core/http/methods.ts';
import type { Call } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import type { Rules } from '../core/options/check.ts';
import { rulesOf } from '../core/options/read.ts';
import * as rule from '../core/options/rules.ts';
import { pagePlatform } from '../core/platform.ts';
import type { EffectLookup, ListedEntries, ListEntry, LookupLimits } from '../core/writes/lookups.ts';
import {
  askForLookup,
  idIn,
  oldestOf,
  queryEntries,
  textOf,
  toEntries,
  toListed,
} from '../core/writes/lookups.ts';
import { sendOnce } from '../core/writes/sendOnce.ts';
import { checkText, type TextExcess, type TextKind } from '../models/checkText.ts';
import { createdSchema, idSchema, objectOf, objectTo, optionalId, type Schema } from '../models/fields.ts';
import { type SentMessage, sentMessageSchema } from '../models/inbox.ts';
import type { MessageContent } from './content.ts';
import type { Inbox } from './inbox.ts';

/** What a message can have besides its content. */
export interface MessageOptions {
  /** The message that this one replies to, from either side. */
  readonly replyTo?: string | undefined;
  /**
   * `true` says that a person wrote it: it is accepted for 7 days after the customer's last message. The app needs the
   * Human Agent feature.
   * @default false
   */
  readonly humanAgent?: boolean | undefined;
}

/** What a message of a Page can have besides its content. */
export interface PageMessageOptions extends MessageOptions {
  /**
   * A text for your own webhooks, which get it back in the echo of the message. The customer does not see it. At most
   * 1000 characters.
   */
  readonly metadata?: string | undefined;
  /** A persona of the Page: the message is shown under its name and picture. */
  readonly personaId?: string | undefined;
  /**
   * How the person's device tells of the message: `REGULAR`, with a sound; `SILENT_PUSH`, without; `NO_PUSH`, not at all.
   * @default `REGULAR`, the platform's
   */
  readonly notificationType?: NotificationType | undefined;
}

/** How a person's device tells of a message. */
type NotificationType = 'REGULAR' | 'SILENT_PUSH' | 'NO_PUSH';

/** A person, by the id in the inbox, or before they have one: by the reference of the plugin in which they agreed. */
type Recipient =
  | { readonly recipientId: string; readonly userRef?: undefined }
  | { readonly userRef: string; readonly recipientId?: undefined };

export type OutgoingMessage = MessageContent & PageMessageOptions & Recipient;

/** Sends a message once; after a lost response, it is looked up in the conversation. */
export function sendToInbox(
  context: Context,
  call: Call,
  inbox: Inbox,
  message: OutgoingMessage,
): ResultAsync<SentMessage, RequestFailure> {
  const { recipientId, userRef, replyTo, humanAgent = false, utility, metadata, personaId } = message;
  // The platform documents it as required of Pages.
  const usual = inbox.platform === pagePlatform ? { messaging_type: 'RESPONSE' } : {};
  return sendOnce(
    context,
    {
      ...call,
      method: POST,
      path: path`${inbox.sender}/messages`,
      json: {
        recipient: { id: recipientId, user_ref: userRef },
        message: { ...toMessage(message), metadata },
        persona_id: personaId,
        notification_type: message.notificationType,
        ...usual,
        ...(replyTo !== undefined && { reply_to: { mid: replyTo } }),
        ...(humanAgent && { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' }),
        ...(utility && { messaging_type: 'UTILITY' }),
      },
      schema: recipientId === undefined ? sentToRefSchema : sentMessageSchema,
    },
    recipientId === undefined ? sentToRef : messageLookup(context, inbox, recipientId, signOf(message), call),
  ).mapErr((failure) => ofImage(failure, message.images));
}

/** Who a reference is, the platform does not say, so that nothing finds a lost message to one. */
const sentToRefSchema: Schema<SentMessage> = objectTo(
  { recipient_id: optionalId, message_id: idSchema },
  ({ recipient_id = '', message_id }) => ({ recipient_id, message_id }),
);
const sentToRef: EffectLookup<SentMessage> = {
  kind: 'none',
  idOf: ({ message_id }) => message_id,
  toValue: (message_id) => ({ recipient_id: '', message_id }),
};

/** Adds to a refusal which of several images it is about, if the platform says so: by its number, or its address. */
function ofImage(failure: RequestFailure, images: readonly string[] = []): RequestFailure {
  if (failure.name === 'TransportError') return failure;
  const said = `${failure.message} ${failure.userMessage}`;
  const [, number] = /attachments\]?\[(\d+)\]/.exec(said) ?? [];
  const [named, ...others] = images
    .filter((url) => said.includes(url))
    .toSorted((a, b) => b.length - a.length);
  // One address may begin with another.
  const isOne = named !== undefined && others.every((url) => url !== named && named.startsWith(url));
  const at = number === undefined && isOne ? images.indexOf(named) : Number(number);
  return at in images ? withItem(failure, at) : failure;
}

type RepliedTo = { readonly comment_id: string | undefined } | { readonly post_id: string };

/**
 * Sends a private reply. The platform accepts only one, so it can be sent again after a lost response: the refusal
 * "already replied" then means that it took effect.
 */
export function replyPrivately(
  context: Context,
  call: Call,
  inbox: Inbox,
  recipient: RepliedTo,
  content: MessageContent,
): ResultAsync<SentMessage, RequestFailure> {
  const request = {
    ...call,
    method: POST,
    path: path`${inbox.sender}/messages`,
    json: { recipient, message: toMessage(content) },
    schema: sentMessageSchema,
  };
  const { text, sign } = signOf(content);
  const lookup: EffectLookup<SentMessage> = {
    kind: 'single',
    isRepeat: isRepeated,
    idOf: ({ message_id }) => message_id,
    toValue: () => undefined,
    // Nothing shows its effect; but a message with the same content could be mistaken for it.
    entries: { list: inboxList(inbox), target: Object.values(recipient).join(), text, sign },
    time: (limits) =>
      askForLookup(context, call, limits, { path: 'me', query: { fields: 'id' }, schema: createdSchema }),
  };
  return sendOnce(context, request, lookup).mapErr((failure) => ofImage(failure, content.images));
}

/** Whether the platform refuses a reply because there already is one. After a 5xx, that may be the first attempt's. */
function isRepeated(failure: RequestFailure): boolean {
  if (failure.name === 'TransportError' || !((failure.status ?? 500) < 500)) return false;
  return repeatsOf(failure) === 'surely';
}

/** What the account or the Page shows the person. */
export type SenderAction = 'typing_on' | 'typing_off' | 'mark_seen';

/** What to show the person. */
export interface ActionOptions {
  /**
   * `typing_on` and `typing_off` show and hide the typing indicator; `mark_seen` marks the person's messages as seen.
   */
  readonly action: SenderAction;
}

/** The person who received an action or a reaction. */
export interface ActionReceipt {
  readonly recipient_id: string;
}

export const senderAction: rule.Rule = rule.oneOf('typing_on', 'typing_off', 'mark_seen');

interface Action {
  readonly action: SenderAction | 'react' | 'unreact';
  readonly payload?: object | undefined;
}

/** The request by which this sender acts in a conversation. It is safe to repeat. */
export function act(sender: string, recipientId: string, { action, payload }: Action) {
  return {
    method: POST,
    path: path`${sender}/messages`,
    json: { recipient: { id: recipientId }, sender_action: action, payload },
    schema: receiptSchema,
  };
}

/** A reaction to a message. */
export interface ReactionOptions {
  /** Message of the conversation with this person. */
  readonly messageId: string;
  /**
   * The platform's name of the reaction; `null` takes it back. In page mode of photo-sharing, the platform documents
   * only `love`.
   * @default 'love'
   */
  readonly reaction?: string | null | undefined;
}

export const reactionRules = { messageId: rule.id, reaction: v.nullable(rule.optional(rule.text)) };

export function toReaction({ messageId: message_id, reaction = 'love' }: ReactionOptions): Action {
  return reaction === null
    ? { action: 'unreact', payload: { message_id } }
    : { action: 'react', payload: { message_id, reaction } };
}

const receiptSchema: Schema<ActionReceipt> = objectOf({ recipient_id: idSchema });

function toMessage(content: MessageContent): object {
  const { text, quickReplies, attachment, images, template, mediaId, sticker: type, utility } = content;
  if (text !== undefined) {
    const quick_replies = quickReplies?.map(({ title, payload, imageUrl: image_url }) => ({
      content_type: 'text',
      title,
      payload,
      image_url,
    }));
    return { text, quick_replies };
  }
  if (utility !== undefined) {
    const { name, language: code, components } = utility;
    return { template: { name, language: { code }, components } };
  }
  if (images !== undefined) {
    return { attachments: images.map((url) => ({ type: 'image', payload: { url } })) };
  }
  if (attachment !== undefined) {
    const { url, attachmentId: attachment_id } = attachment;
    return { attachment: { type: attachment.type, payload: { url, attachment_id } } };
  }
  if (template !== undefined) {
    const { type: template_type, ...rest } = template;
    return { attachment: { type: 'template', payload: { template_type, ...rest } } };
  }
  return { attachment: mediaId === undefined ? { type } : { type: 'MEDIA_SHARE', payload: { id: mediaId } } };
}

/** What a message is identified by: a text by its words; anything else shows only its kind. */
function signOf({ text, attachment, images, template, mediaId, utility }: MessageContent): MessageSign {
  if (text !== undefined) return { text, fields: 'message', fits: ({ message }) => textOf(message) !== '' };
  // It is shown as a text, or with buttons as a template: what it says is known to the platform alone.
  if (utility !== undefined) return { fields: 'message,attachments', fits: () => true };
  const kinds =
    images?.map(() => 'image') ??
    (template ? ['template'] : attachment && [attachment.type.replace('audio', 'file')]);
  const fields = kinds ? 'attachments' : mediaId === undefined ? 'sticker' : 'shares';
  return {
    sign: `${fields} ${kinds?.join()}`,
    fields,
    fits: ({ [fields]: found }) => {
      const list = toEntries(fieldsOf(found)['data']);
      return kinds ? list.map(kindOf).join() === kinds.join() : list.length > 0 || textOf(found) !== '';
    },
  };
}

/** The kind of an attachment as a conversation shows it, which does not always distinguish audio from other files. */
function kindOf(attachment: ListEntry): string {
  const names = Object.keys(attachment).join();
  return (
    /template/.exec(names)?.[0] ??
    /^(?:image|video)/.exec(textOf(attachment['mime_type']))?.[0] ??
    /(image|video)_data/.exec(names)?.[1] ??
    'file'
  );
}

/** How a sent message is recognized. */
interface MessageSign {
  readonly text?: string;
  /** Its kind, if it has no text. */
  readonly sign?: string;
  /** The fields of a message that show its content, besides its id, time and people. */
  readonly fields: string;
  /** Whether a message to the recipient is of this kind. */
  readonly fits: (entry: ListEntry) => boolean;
}

/** The name of the list of everything that is sent to an inbox. */
function inboxList({ node }: Inbox): string {
  return `${node}/messages`;
}

/** How many messages of a conversation have details: its newest ones. */
const maxMessages = 20;

/** Looks up a message among the newest ones of the conversation, those with details. */
function messageLookup(
  context: Context,
  inbox: Inbox,
  recipientId: string,
  { text, sign, fields, fits }: MessageSign,
  request: Call,
): EffectLookup<SentMessage> {
  return {
    kind: 'entry',
    idOf: ({ message_id }) => message_id,
    toValue: (message_id) => ({ recipient_id: recipientId, message_id }),
    entries: {
      list: `${inboxList(inbox)} ${recipientId}`,
      // The recipient of a private reply is not known beforehand.
      within: inboxList(inbox),
      text,
      sign,
      query,
    },
  };

  function query({ readPages, ...limits }: LookupLimits): ResultAsync<ListedEntries, RequestFailure> {
    return queryEntries(context, {
      ...request,
      ...limits,
      path: path`${inbox.node}/conversations`,
      query: {
        platform: inbox.platform,
        user_id: recipientId,
        fields: `messages.limit(${maxMessages}){id,created_time,from,to,${fields}}`,
      },
    }).andThen((threads): ResultAsync<ListedEntries, RequestFailure> => {
      const listed = threads.flatMap(({ messages }) => toEntries(fieldsOf(messages)['data']));
      const entries = listed
        .filter((entry) => isSentTo(recipientId, entry) && fits(entry))
        .map((entry) => toListed(entry, 'created_time', text === undefined ? undefined : entry['message']));
      const wholeSince = oldestOf(listed, maxMessages, 'created_time');
      if (wholeSince === undefined || readPages === undefined) return okAsync({ entries, wholeSince });
      // The platform lists older ones too, but without details: each may be of any kind, to either side.
      const shown = new Set(listed.map(idIn));
      return queryEntries(context, {
        ...request,
        ...limits,
        readPages,
        path: path`${idIn(threads[0])}/messages`,
        query: { fields: 'id,created_time', limit: 100 },
      }).map((all) => {
        const older = all.filter((entry) => !shown.has(idIn(entry)));
        return { entries: [...entries, ...older.map((entry) => toListed(entry, 'created_time'))] };
      });
    });
  }
}

/** Whether a message went to the recipient. A conversation holds both sides' messages, which may be identical. */
function isSentTo(recipientId: string, { from, to }: ListEntry): boolean {
  const sender = idIn(from);
  return (
    sender !== '' && sender !== recipientId && toEntries(fieldsOf(to)['data']).map(idIn).includes(recipientId)
  );
}

const contents = ['text', 'attachment', 'images', 'template', 'mediaId', 'sticker', 'utility'] as const;

/** The rules for what Pages and accounts can send, option by option. Their texts and the types of their buttons differ. */
export function contentRules(
  text: rule.Rule,
  buttons: readonly string[],
): Rules<Omit<MessageContent, 'mediaId' | 'sticker' | 'utility'>> {
  return {
    text: rule.optional(text),
    quickReplies: rule.optional(
      rule.listOf(
        rule.fields({ title: rule.text, payload: rule.text, imageUrl: rule.optional(rule.mediaUrl) }),
        1,
        13,
      ),
    ),
    attachment: rule.optional(attachment),
    images: rule.optional(rule.listOf(rule.mediaUrl, 2, 10)),
    template: rule.optional(templateRule(buttons)),
  };
}

export const pageMessageRules = {
  replyTo: rule.optional(rule.id),
  humanAgent: rule.optional(rule.flag),
  metadata: rule.optional(textWithin('page.metadata')),
  personaId: rule.optional(rule.id),
  notificationType: rule.optional(rule.oneOf('REGULAR', 'SILENT_PUSH', 'NO_PUSH')),
};

/** The rule for a message by a template. Its components are sent with all their fields, as they are. */
export const utilityRule: rule.Rule = rule.fields({
  name: rule.text,
  language: rule.text,
  components: rule.optional(
    rule.copyOfJson(
      rule.listOf(
        rule.openFields({ type: rule.text, parameters: rule.listOf(rule.openFields({ type: rule.text })) }),
      ),
    ),
  ),
});

/** A message has exactly one kind of content that its function takes. The error names the first one given. */
export function checkOneContent(options: MessageContent) {
  const [first, ...others] = contents.filter((name) => options[name] !== undefined);
  if (first === undefined || others.length > 0) {
    const rules = rulesOf(options);
    const taken = contents.filter((name) => rules[name] !== undefined && rules[name].is !== 'elsewhere');
    return new ConfigurationError(`give exactly one of ${taken.join(', ')}`, first ?? 'text');
  }
  return options.quickReplies === undefined || first === 'text'
    ? undefined
    : rule.faultOf('need a text', 'quickReplies');
}

/** Like {@link checkOneContent}. A message by a template has a type of its own, and is not tagged. */
export function checkPageMessage(options: MessageContent & PageMessageOptions) {
  return options.utility !== undefined && options.humanAgent === true
    ? rule.faultOf('is for messages without utility only', 'humanAgent')
    : checkOneContent(options);
}

const opening = { url: rule.url, webview_height_ratio: rule.optional(rule.text) };

export const attachmentType: rule.Rule = rule.oneOf('image', 'video', 'audio', 'file');

const attachment = rule.fields(
  { type: attachmentType, url: rule.optional(rule.mediaUrl), attachmentId: rule.optional(rule.id) },
  ({ url: address, attachmentId }) =>
    (address === undefined) === (attachmentId === undefined) ? 'needs either url or attachmentId' : undefined,
);

/** The rule for a template whose buttons are of these types. It is sent with all its fields, as it is. */
function templateRule(buttonTypes: readonly string[]): rule.Rule {
  const type = rule.oneOf(...buttonTypes);
  const link = rule.openFields({ type, title: rule.text, ...opening });
  const login = rule.openFields({ type, ...opening });
  const postback = rule.openFields({ type, title: rule.text, payload: rule.text });
  const button = v.lazy((value) => {
    const { type: kind } = fieldsOf(value);
    return kind === 'web_url' ? link : kind === 'account_link' ? login : postback;
  });
  const buttons = rule.listOf(button, 1, 3);
  const element = v.pipe(
    v.unknown(),
    v.check((value) => Object.keys(fieldsOf(value)).join() !== 'title', 'needs more than a title'),
    rule.openFields({
      title: rule.text,
      subtitle: rule.optional(rule.string),
      image_url: rule.optional(rule.url),
      default_action: rule.optional(rule.openFields({ type: rule.oneOf('web_url'), ...opening })),
      buttons: rule.optional(buttons),
    }),
  );
  const generic = rule.openFields({ elements: rule.listOf(element, 1, 10) });
  const simple = rule.openFields({ text: textWithin('template.text'), buttons });
  const other = rule.copying(() => 'must be of type generic or button');
  return rule.copyOfJson(
    v.lazy((value) => {
      const { type: kind } = fieldsOf(value);
      return kind === 'generic' ? generic : kind === 'button' ? simple : other;
    }),
  );
}

export function textWithin(kind: TextKind): rule.Rule {
  return rule.refine(rule.text, (value) => {
    const [excess] = checkText(value, kind).over;
    return excess && `must have at most ${excess.limit} ${unitOf(excess)}, not ${excess.count}`;
  });
}

function unitOf({ what }: TextExcess): string {
  return what === 'bytes' ? 'bytes of UTF-8' : what;
}
