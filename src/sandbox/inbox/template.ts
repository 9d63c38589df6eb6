import { invalid } from '../errors.ts';
import { addressIn, type Fields, listIn, textIn } from './values.ts';

const more = ['subtitle', 'image_url', 'default_action', 'buttons'];

/** A template as the conversation shows it. */
export function checkTemplate(payload: Fields, isPage: boolean): object {
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
