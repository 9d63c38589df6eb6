#!/usr/bin/env node
// `npx pagepics sandbox` serves the emulated platform, with pages for people; `doctor` and `scopes` tell what works with
// a token, and what to ask for; `example` copies and runs an example; `mcp` lets a model read and publish.
import process from 'node:process';

const args = process.argv.slice(2);
const { env, stdin, stdout } = process;
const modules = {
  doctor: '../dist/connections/cli.js',
  example: './examples.js',
  mcp: '../dist/mcp/cli.js',
  sandbox: '../dist/sandbox/cli.js',
  scopes: '../dist/connections/cli.js',
};
const command = Object.hasOwn(modules, args[0] ?? '') ? args[0] : 'sandbox';
const { run } = await import(modules[command]);

process.exitCode = await run(args, {
  write: (line) => console.log(line),
  writeError: (line) => console.error(line),
  stopped: new Promise((resolve) => {
    if (command !== 'sandbox') return;
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve());
  }),
  env,
  readInput: async () => {
    if (stdin.isTTY) return '';
    let text = '';
    for await (const part of stdin.setEncoding('utf8')) text += part;
    return text;
  },
  ...(command === 'mcp' && (await forModels())),
  hasColours: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
});

/** What `mcp` needs beside that. */
async function forModels() {
  const { readFile } = await import('node:fs/promises');
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  // A client that is gone reads no more.
  stdout.on('error', () => {});
  const { publicFetch } = await import('./publicFetch.js');
  return { version, input: stdin.setEncoding('utf8'), openJournal, fetch: publicFetch() };
}

async function openJournal(path) {
  // What was published is nobody else's business on this machine. This command makes no other files.
  process.umask(0o077);
  const { DatabaseSync } = await import('node:sqlite');
  const { sqliteJournal } = await import('../dist/journal/index.js');
  return sqliteJournal(new DatabaseSync(path));
}
