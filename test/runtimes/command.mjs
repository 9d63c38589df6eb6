// Runs the smoke suite in a process of Node, Bun or Deno: the setting is its argument, the report its output.
import process from 'node:process';

import { runtime, smoke } from './smoke.mjs';

const report = await smoke(JSON.parse(process.argv[2]));
console.log(JSON.stringify({ runtime: runtime(), report }));
