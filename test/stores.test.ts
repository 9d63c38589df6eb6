// docs/stores.md has the code that `npm run test:servers:more` compiles and runs.
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

test('the code of docs/stores.md is that which is run, of at most 80 lines each', () => {
  const page = readFileSync('docs/stores.md', 'utf8');
  const samples = [...page.matchAll(/```typescript\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  expect(samples).toEqual(
    ['mysql', 'dynamodb'].map((name) => readFileSync(`test/servers/more/${name}.ts`, 'utf8')),
  );
  expect(samples.filter((text) => text.split('\n').length > 81)).toEqual([]);
});
