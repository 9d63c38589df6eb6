#!/usr/bin/env node
// `npx pagepics sandbox` serves the emulated platform, with pages for people; `doctor` and `scopes` tell what works with
// a token, and what to ask for.
import process from 'node:process';

const args = process.argv.slice(2);
const { env, stdin, stdout } = process;
const isOfConnections = args[0] === 'doctor' || args[0] === 'scopes';
const { run } = await (isOfConnections
  ? import('../dist/connections/cli.js')
  : import('../dist/sandbox/cli.js'));

process.exitCode = await run(args, {
  write: (line) => console.log(line),
  writeError: (line) => console.error(line),
  stopped: new Promise((resolve) => {
    if (isOfConnections) return;
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve());
  }),
  env,
  readInput: async () => {
    if (stdin.isTTY) return '';
    let text = '';
    for await (const part of stdin.setEncoding('utf8')) text += part;
    return text;
  },
  hasColours: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
});
