import { expect, test } from 'vitest';

import { catalogue } from './hostile/catalogue.ts';
import { attempt, expectNone } from './hostile/judge.ts';
import { isBad } from './hostile/kinds.ts';
import { createBench } from './hostile/platform.ts';

/** A few values, of which each kind of option refuses some. The hostile suites draw more. */
const values: readonly unknown[] = [
  '',
  '..',
  'a b',
  'ftp://example.com',
  'http://example.com',
  0,
  1.5,
  -1,
  NaN,
  null,
  true,
  [],
  [''],
  {},
  new Date(NaN),
];

test.each(catalogue())('$name refuses bad options before anything is sent', async (subject) => {
  const bench = createBench(subject);
  const faults: string[] = [];
  let tried = 0;
  for (const [option, kind] of Object.entries(subject.kinds)) {
    const valid = subject.variants.find((options) => option in options) ?? {};
    // `me` is the Page in page mode, so that an account must be named.
    const more = kind === 'account' && subject.realm === 'viaPages' ? [undefined, 'me'] : [];
    for (const value of [...values.filter((one) => isBad(kind, one)), ...more]) {
      tried++;
      const fault = await attempt(subject, bench, { ...valid, [option]: value }, option);
      if (fault !== undefined) faults.push(`${option} ${JSON.stringify(value)}: ${fault}`);
    }
  }
  expectNone(faults);
  expect(tried).toBeGreaterThan(0);
});
