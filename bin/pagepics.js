#!/usr/bin/env node
// `npx pagepics sandbox` serves the emulated platform, with pages for people.
import process from 'node:process';

import { run } from '../dist/sandbox/cli.js';

const stopped = new Promise((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve());
});
process.exitCode = await run(process.argv.slice(2), {
  write: (line) => console.log(line),
  writeError: (line) => console.error(line),
  stopped,
});
