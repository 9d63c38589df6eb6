// Writes the descriptions of the public API: the files next to this one, docs/functions.md and llms.txt. `npm run api`.
import { writeFileSync } from 'node:fs';

import { writeLists } from './lists.ts';
import { printApi, readDeclarations } from './print.ts';

const declarations = readDeclarations();
for (const [name, text] of printApi(declarations)) writeFileSync(`${import.meta.dirname}/${name}`, text);
for (const [path, text] of await writeLists(declarations)) writeFileSync(path, text);
