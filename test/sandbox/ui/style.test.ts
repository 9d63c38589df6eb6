import { expect, test } from 'vitest';

import { style } from '../../../src/sandbox/ui/html.ts';

/** The relative luminance of a colour, as WCAG defines it. */
function luminance(colour: string): number {
  const short = /^#(.)(.)(.)$/.exec(colour)?.slice(1);
  const long = /^#(..)(..)(..)$/.exec(colour)?.slice(1);
  const [red = 0, green = 0, blue = 0] = (short?.map((one) => one + one) ?? long ?? [])
    .map((text) => Number.parseInt(text, 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const schemes = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, text = '']) =>
  Object.fromEntries(
    [...text.matchAll(/--([\w-]+): (#\w+)/g)].map(([, name = '', colour = '']) => [name, colour]),
  ),
);

test('there is a light and a dark scheme', () => {
  expect(schemes.map((scheme) => Object.keys(scheme))).toEqual([
    Object.keys(schemes[0] ?? {}),
    Object.keys(schemes[0] ?? {}),
  ]);
});

test.each([
  ['text', 'back'],
  ['text', 'box'],
  ['soft', 'back'],
  ['act', 'back'],
  ['on-act', 'act'],
  ['good', 'back'],
  ['bad', 'back'],
])('--%s is readable on --%s: 4.5 to 1 or more', (front, back) => {
  for (const scheme of schemes)
    expect(contrast(scheme[front] ?? '', scheme[back] ?? '')).toBeGreaterThanOrEqual(4.5);
});
