#!/usr/bin/env node
// The command `pagepics`: finds the module of the command that it is called with, and gives it what the process has.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { shownArgument } from '../dist/commandLine.js';

const usage = `Usage: pagepics <command> [options]

  sandbox   serves the emulated platform, with pages for people
  doctor    tells which functions work with a token, and what to do about the
            others
  scopes    prints the permissions that functions need
  check     tells whether the platform takes a file, before it is published, and
            mends it
  mcp       lets a model read and publish, by the Model Context Protocol
  example   copies and runs an example

  pagepics <command> --help   tells more
  pagepics --version          prints the version`;

const modules = {
  check: '../dist/media/cli.js',
  doctor: '../dist/connections/cli.js',
  example: './examples.js',
  mcp: '../dist/mcp/cli.js',
  sandbox: '../dist/sandbox/cli.js',
  scopes: '../dist/connections/cli.js',
};

const args = process.argv.slice(2);
const [command] = args;
const { env, stderr, stdin, stdout } = process;
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

process.exitCode = await run();

async function run() {
  if (command === '--version') return shows(version);
  if (command === '--help' || command === '-h') return shows(usage);
  if (command !== undefined && Object.hasOwn(modules, command)) {
    const { run: runCommand } = await import(modules[command]);
    return runCommand(args, await surroundings());
  }
  const wrong =
    command === undefined ? 'A command is missing.' : `Unknown command: ${shownArgument(command)}`;
  console.error(`${wrong}\n\n${usage}`);
  return 1;
}

function shows(text) {
  console.log(text);
  return 0;
}

/** What commands take from the process. */
async function surroundings() {
  return {
    write: (line) => console.log(line),
    writeError: (line) => console.error(line),
    stopped: new Promise((resolve) => {
      if (command !== 'sandbox') return;
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve());
      // npm ends its shell only, so that `npx pagepics sandbox & kill $!` would leave this process behind.
      const { ppid } = process;
      if (env.npm_command !== undefined) setInterval(() => process.ppid !== ppid && resolve(), 250).unref();
    }),
    env,
    readInput: async () => {
      if (stdin.isTTY) return '';
      let text = '';
      for await (const part of stdin.setEncoding('utf8')) text += part;
      return text;
    },
    ...(command === 'mcp' && (await forModels())),
    ...(command === 'check' && (await forFiles())),
    hasColours: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
  };
}

/** What `mcp` needs beside that. */
async function forModels() {
  // A client that is gone reads no more.
  stdout.on('error', () => {});
  const { publicFetch } = await import('./publicFetch.js');
  return { version, input: stdin.setEncoding('utf8'), openJournal, fetch: publicFetch() };
}

/** What `check` needs beside that. */
async function forFiles() {
  const [{ publicFetch }, { createMender }] = await Promise.all([
    import('./publicFetch.js'),
    import('./mendFile.js'),
  ]);
  return {
    fetch: publicFetch(),
    filesIn,
    mender: createMender,
    // One line that is written anew, for people who wait.
    ...(stderr.isTTY === true && { progress: (text) => stderr.write(`\r\u{1b}[K${text}`) }),
  };
}

/** The files of a folder; `undefined` if it is none. */
async function filesIn(path) {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    return names
      .filter((name) => !name.startsWith('.'))
      .toSorted()
      .map((name) => join(path, name));
  } catch {
    return undefined;
  }
}

async function openJournal(path) {
  // What was published is nobody else's business on this machine. This command makes no other files.
  process.umask(0o077);
  const { DatabaseSync } = await import('node:sqlite');
  const { sqliteJournal } = await import('../dist/stores/index.js');
  return sqliteJournal(new DatabaseSync(path));
}
