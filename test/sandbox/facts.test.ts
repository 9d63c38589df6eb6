import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { facts } from './facts.ts';

test.each(Object.entries(facts))('each fact has the test that it names: %s', (_, rows) => {
  const lacking = Object.entries(rows).filter(
    ([, [file, title]]) => !readFileSync(`test/sandbox/${file}.test.ts`, 'utf8').includes(`'${title}'`),
  );

  expect(lacking).toEqual([]);
});
