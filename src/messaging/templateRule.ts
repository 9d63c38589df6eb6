import { type Rule, text, url } from '../core/options/check.ts';
import { fieldsOf, isList } from './list.ts';

const mostCharacters = 640;

/** The rule for a template whose buttons are of these types. */
export function templateRule(buttonTypes: readonly unknown[]): Rule {
  return (value) => {
    // As it is sent. What JSON cannot hold throws, which `check` tells.
    const { type, elements, buttons, text: words } = fieldsOf(JSON.parse(JSON.stringify(value)));
    if (type === 'generic') return faultIn(elements, 'elements', 10, element);
    if (type !== 'button') return 'must be of type generic or button';
    const fault = text(words);
    if (fault !== undefined) return `text ${fault}`;
    return Array.from(words as string).length > mostCharacters
      ? `text must have at most ${mostCharacters} characters`
      : faultIn(buttons, 'buttons', 3, button);
  };

  function element(value: unknown): string | undefined {
    const { title, ...more } = fieldsOf(value);
    if (text(title) !== undefined) return 'needs a title';
    if (Object.values(more).every((one) => one === undefined)) return 'needs more than a title';
    return more['buttons'] === undefined ? undefined : faultIn(more['buttons'], 'buttons', 3, button);
  }

  function button(value: unknown): string | undefined {
    const { type, title, url: address, payload } = fieldsOf(value);
    if (!buttonTypes.includes(type)) return `must be of type ${buttonTypes.join(', ')}`;
    if (type !== 'account_link' && text(title) !== undefined) return 'needs a title';
    const opens = type === 'web_url' || type === 'account_link';
    return opens ? url(address) && 'needs a url' : text(payload) && 'needs a payload';
  }
}

/** What is wrong with a list, or with the first wrong one of it, as the end of a sentence. */
function faultIn(
  list: unknown,
  name: string,
  most: number,
  rule: (value: unknown) => string | undefined,
): string | undefined {
  if (!isList(list, 1, most)) return `needs 1 to ${most} ${name}`;
  for (const [at, one] of list.entries()) {
    const fault = rule(one);
    if (fault !== undefined) return `${name}.${at} ${fault}`;
  }
  return undefined;
}
