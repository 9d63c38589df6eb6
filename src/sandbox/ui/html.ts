/** Markup that is safe to send: everything that was put into it is escaped. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly Part[];

/** Markup of a template. Its values are text, escaped, unless they are markup themselves. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { html: texts.map((text, at) => text + markupOf(values[at])).join('') };
}

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part !== 'object') return escape(String(part));
  return 'html' in part ? part.html : part.map(markupOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
