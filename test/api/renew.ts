// Renews the files beside it that `test/api.test.ts` compares: `npm run api`.
import { writeFileSync } from 'node:fs';

import { printApi } from './print.ts';

for (const [name, text] of printApi()) writeFileSync(`${import.meta.dirname}/${name}`, text);
