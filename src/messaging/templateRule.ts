import { asJson, fields, listOf, optional, type Rule, text, that, url } from '../core/options/check.ts';

const mostCharacters = 640;

/** The rule for a template whose buttons are of these types. */
export function templateRule(buttonTypes: readonly unknown[]): Rule {
  const type = that((value) => buttonTypes.includes(value), buttonTypes.join(', '));
  const buttons = listOf(button, 1, 3);
  const generic = fields({ elements: listOf(element, 1, 10) });
  const simple = fields({ text: words, buttons });
  // As it is sent, with all the fields that it has.
  return asJson((value) => {
    const kind = (Object(value) as { readonly type?: unknown }).type;
    if (kind === 'generic') return generic(value);
    return kind === 'button' ? simple(value) : 'must be of type generic or button';
  });

  function element(value: unknown): ReturnType<Rule> {
    const verdict = fields({ title: text, buttons: optional(buttons) })(value);
    if (typeof verdict === 'string') return verdict;
    return Object.keys(value as object).length > 1 ? undefined : 'needs more than a title';
  }

  function button(value: unknown): ReturnType<Rule> {
    const { type: kind } = Object(value) as { readonly type?: unknown };
    const opens = kind === 'web_url' || kind === 'account_link';
    return fields({
      type,
      ...(kind !== 'account_link' && { title: text }),
      ...(opens ? { url } : { payload: text }),
    })(value);
  }
}

function words(value: unknown): string | undefined {
  const fault = text(value);
  if (fault !== undefined) return fault;
  return Array.from(value as string).length > mostCharacters
    ? `must have at most ${mostCharacters} characters`
    : undefined;
}
