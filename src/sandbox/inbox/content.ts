import { day } from '../auth/tokens.ts';
import { invalid } from '../errors.ts';
import { find, type World } from '../world.ts';
import { fileIn, type Fields, listIn, objectOf, textIn, addressIn } from './values.ts';

/** A message as the conversation keeps it. */
export interface Content {
  readonly text: string;
  readonly extra: Fields;
}

/** Whose message it is. */
export interface Sender {
  readonly world: World;
  /** The account or the Page. */
  readonly ownerId: string;
  readonly isPage: boolean;
}

const kinds = ['text', 'attachment', 'attachments'];
export const attachmentTypes: readonly string[] = ['image', 'video', 'audio', 'file'];

/** Reads the `message` of a request, or refuses it. */
export function contentOf(sender: Sender, message: Fields): Content {
  const given = kinds.filter((kind) => message[kind] !== undefined);
  if (given.length !== 1) return invalid(`Param message needs one of ${kinds.join(', ')}`);
  if (message['quick_replies'] !== undefined) checkQuickReplies(message);
  if (message['text'] !== undefined) return { text: readText(sender, message['text']), extra: {} };
  if (message['attachments'] !== undefined) {
    const images = listIn(message, 'attachments', 1, 10).map((one) => readFile(sender, one, ['image']));
    return { text: '', extra: { attachments: { data: images } } };
  }
  return readAttachment(sender, objectOf(message['attachment'], 'message[attachment]'));
}

function readText({ isPage }: Sender, text: unknown): string {
  if (typeof text !== 'string') return invalid('Param message[text] must be a string');
  if (text === '') return invalid('Param message[text] must be a non-empty string');
  const [length, most] = isPage
    ? [Array.from(text).length, 2000]
    : [new TextEncoder().encode(text).length, 1000];
  return length > most
    ? invalid(`Length of param message[text] must be less than or equal to ${most}`)
    : text;
}

function checkQuickReplies(message: Fields): void {
  if (message['text'] === undefined) invalid('Quick replies need a text');
  for (const reply of listIn(message, 'quick_replies', 1, 13)) {
    if (textIn(reply, 'content_type') !== 'text') invalid('Param content_type must be text');
    textIn(reply, 'title');
    if (textIn(reply, 'payload').length > 1000) invalid('Param payload is too long');
  }
}

function readAttachment(sender: Sender, attachment: Fields): Content {
  const { world, ownerId, isPage } = sender;
  const type = textIn(attachment, 'type');
  if (type === 'template') {
    const template = checkTemplate(objectOf(attachment['payload'], 'payload'), isPage);
    return { text: '', extra: { attachments: { data: [{ id: world.newId(), ...template }] } } };
  }
  if (type === 'like_heart' && !isPage) {
    return { text: '', extra: { sticker: 'https://cdn.sandbox.test/stickers/heart.png' } };
  }
  if (type === 'MEDIA_SHARE' && !isPage) {
    const id = textIn(objectOf(attachment['payload'], 'payload'), 'id');
    const media = find(world, 'picsMedia', id);
    if (media?.accountId !== ownerId) return invalid('The media is not one of the account');
    return { text: '', extra: { shares: { data: [{ id, link: media.url }] } } };
  }
  return {
    text: '',
    extra: { attachments: { data: [readFile(sender, attachment, attachmentTypes)] } },
  };
}

/** A file as the conversation shows it, from its address or its id. */
function readFile({ world, ownerId }: Sender, attachment: Fields, types: readonly string[]): object {
  const type = textIn(attachment, 'type');
  if (!types.includes(type)) return invalid(`Param type must be one of {${types.join(', ')}}`);
  const payload = objectOf(attachment['payload'], 'payload');
  const id = payload['attachment_id'];
  if (id === undefined) return shown(world.newId(), type, fileIn(payload, 'url'));
  const uploaded = find(world, 'attachment', textIn(payload, 'attachment_id'));
  const isUsable =
    uploaded?.ownerId === ownerId && uploaded.type === type && world.now() - uploaded.createdAt <= 90 * day;
  return isUsable
    ? shown(uploaded.id, type, uploaded.url)
    : invalid('Invalid attachment_id: it does not exist or has expired');
}

/** A file as the conversation shows it. */
export function shown(id: string, type: string, url: string): object {
  const size = { width: 800, height: 600 };
  const named = { id, name: `${type}-${id}` };
  if (type === 'image') return { ...named, mime_type: 'image/jpeg', image_data: { url, ...size } };
  if (type === 'video') return { ...named, mime_type: 'video/mp4', video_data: { url, ...size } };
  return { ...named, mime_type: type === 'audio' ? 'audio/mpeg' : 'application/pdf', file_url: url };
}

const more = ['subtitle', 'image_url', 'default_action', 'buttons'];

/** A template as the conversation shows it. */
function checkTemplate(payload: Fields, isPage: boolean): object {
  const kind = textIn(payload, 'template_type');
  if (kind === 'button') {
    const text = textIn(payload, 'text');
    if (Array.from(text).length > 640)
      return invalid('Length of param text must be less than or equal to 640');
    const buttons = listIn(payload, 'buttons', 1, 3);
    for (const button of buttons) checkButton(button, isPage);
    return { button_template: { text, buttons } };
  }
  if (kind !== 'generic') return invalid(`Param template_type has an unknown value: ${kind}`);
  const elements = listIn(payload, 'elements', 1, 10);
  for (const element of elements) checkElement(element, isPage);
  const [first] = elements;
  return { generic_template: { title: first?.['title'], subtitle: first?.['subtitle'] } };
}

function checkElement(element: Fields, isPage: boolean): void {
  textIn(element, 'title');
  if (!more.some((name) => element[name] !== undefined))
    invalid('An element needs a property beside its title');
  if (element['buttons'] === undefined) return;
  for (const button of listIn(element, 'buttons', 1, 3)) checkButton(button, isPage);
}

function checkButton(button: Fields, isPage: boolean): void {
  const type = textIn(button, 'type');
  if (type === 'web_url' || (isPage && type === 'account_link')) addressIn(button, 'url');
  else if (type === 'postback' || (isPage && type === 'phone_number')) textIn(button, 'payload');
  else if (!isPage || type !== 'game_play') invalid(`Buttons of type ${type} are not supported`);
  if (type !== 'account_link') textIn(button, 'title');
}
