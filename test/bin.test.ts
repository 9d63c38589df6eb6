import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import pkg from '../package.json' with { type: 'json' };

interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

const commands = ['sandbox', 'doctor', 'scopes', 'check', 'mcp', 'example'];
const wrong = [
  [[], 'A command is missing.'],
  [['serve'], 'Unknown command: serve'],
  [['constructor'], 'Unknown command: constructor'],
  [['EAAOpasted0by0mistake01234'], 'Unknown command: (26 characters)'],
] as const;
const examples = [
  ['quickstar', 'There is no example quickstar.\n\n'],
  ['EAAOpasted0by0mistake01234', 'There is no example (26 characters).\n\n'],
] as const;

/** What the command `pagepics` says to each of these arguments. */
const told = await tellAll([
  ['--help'],
  ['-h'],
  ['--version'],
  ...commands.map((command) => [command, '--help']),
  ...examples.map(([name]) => ['example', name]),
  ...wrong.map(([args]) => args),
]);

/** Runs the command once for each: in one process, since to start one takes longer than all that it says. */
async function tellAll(calls: readonly (readonly string[])[]): Promise<ReadonlyMap<string, Said>> {
  const code = `
    const told = [];
    for (const args of ${JSON.stringify(calls)}) {
      const said = { code: 0, out: '', error: '' };
      process.argv = [process.execPath, 'bin/pagepics.js', ...args];
      for (const [stream, name] of [[process.stdout, 'out'], [process.stderr, 'error']])
        stream.write = (text) => void (said[name] += text);
      await import('./bin/pagepics.js?' + told.length);
      said.code = process.exitCode;
      told.push(said);
    }
    delete process.stdout.write;
    process.exitCode = 0;
    process.stdout.write(JSON.stringify(told));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  const said = JSON.parse(stdout) as readonly Said[];
  return new Map(said.map((one, at) => [JSON.stringify(calls[at]), one]));
}

function said(...args: readonly string[]): Said | undefined {
  return told.get(JSON.stringify(args));
}

test.each(['--help', '-h'])('%s lists the commands', (help) => {
  const { out, ...rest } = said(help) ?? {};
  expect(rest).toEqual({ code: 0, error: '' });
  expect(out).toMatch(/^Usage: pagepics <command>/);
  expect(out?.match(/^ {2}[a-z]+(?= {3})/gm)?.map((name) => name.trim())).toEqual(commands);
});

test.each(commands)('%s --help tells more', (command) => {
  const { out, ...rest } = said(command, '--help') ?? {};
  expect(rest).toEqual({ code: 0, error: '' });
  expect(out).toMatch(new RegExp(`^Usage: (?:.*\\n +)?pagepics ${command}\\b`));
});

test.each(examples)(
  'an example that there is none of is named, but for what may be a token: %s',
  (name, message) => {
    expect(said('example', name)?.error).toBe(message);
  },
);

test('--version prints the version', () => {
  expect(said('--version')).toEqual({ code: 0, out: `${pkg.version}\n`, error: '' });
});

test.each(wrong)('%j is refused: %s', (args, message) => {
  const { error, ...rest } = said(...args) ?? {};
  expect(rest).toEqual({ code: 1, out: '' });
  expect(error?.startsWith(`${message}\n\nUsage: pagepics <command>`)).toBe(true);
});

test('the process ends with the code of the command', async () => {
  const child = spawn(process.execPath, ['bin/pagepics.js', 'serve']);
  expect(await once(child, 'exit')).toEqual([1, null]);
});

// Where `kill` ends npm and its shell only; on Windows, a process keeps the number of its parent.
test.skipIf(process.platform === 'win32')(
  'a sandbox that npx started ends with npx',
  { tags: 'long' },
  async () => {
    const shell = spawn('sh', ['-c', `"${process.execPath}" bin/pagepics.js sandbox --port 0; true`], {
      env: { ...process.env, npm_command: 'exec' },
    });
    const [line] = (await once(shell.stdout, 'data')) as [Buffer];
    const [url = ''] = /http:\S+/.exec(line.toString()) ?? [];
    expect((await fetch(`${url}/.env`)).status).toBe(200);

    shell.kill();

    // Its output is closed only when the sandbox has ended, too.
    await once(shell, 'close');
    await expect(fetch(`${url}/.env`)).rejects.toThrow('fetch failed');
  },
);
