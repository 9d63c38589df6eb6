import { expect, test } from 'vitest';

import { html } from '../../../src/sandbox/http.ts';
import { fc } from '../../support/property.ts';

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

test('whatever is put into markup stays text, in an attribute and in an element', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', 'amp;', '/', ' ') }),
      (text) => {
        const found = /^<p title="([^"<>']*)">([^"<>']*)<\/p>$/.exec(
          html`<p title="${text}">${text}</p>`.html,
        );
        const [, title = '', content = ''] = found ?? [];
        const shown = [title, content].map((part) =>
          part.replaceAll(/&(.*?);/g, (_, name) => entities[name as keyof typeof entities]),
        );
        expect(shown).toEqual([text, text]);
      },
    ),
  );
});

test('markup in markup is not escaped again; nothing stands for nothing', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(html`${items}${undefined}${0}`.html).toBe('<li>a</li><li>&lt;b&gt;</li>0');
});
