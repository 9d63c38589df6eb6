import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, test } from 'vitest';

import pkg from '../package.json' with { type: 'json' };

interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs the command `pagepics`. */
function said(...args: readonly string[]): Promise<Said> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['bin/pagepics.js', ...args], (_, out, error) =>
      resolve({ code: child.exitCode ?? -1, out, error }),
    );
  });
}

test.each(['--help', '-h'])('%s lists the commands', async (help) => {
  const { code, out, error } = await said(help);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toMatch(/^Usage: pagepics <command>/);
  expect(out.match(/^ {2}[a-z]+(?= {3})/gm)?.map((name) => name.trim())).toEqual([
    'sandbox',
    'doctor',
    'scopes',
    'check',
    'mcp',
    'example',
  ]);
});

test.each(['sandbox', 'doctor', 'scopes', 'check', 'mcp', 'example'])(
  '%s --help tells more',
  async (command) => {
    const { code, out, error } = await said(command, '--help');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(new RegExp(`^Usage: (?:.*\\n +)?pagepics ${command}\\b`));
  },
);

test('an example that there is none of is named, but for what may be a token', async () => {
  expect((await said('example', 'quickstar')).error).toBe('There is no example quickstar.\n\n');
  expect((await said('example', 'EAAOpasted0by0mistake01234')).error).toBe(
    'There is no example (26 characters).\n\n',
  );
});

test('--version prints the version', async () => {
  expect(await said('--version')).toEqual({ code: 0, out: `${pkg.version}\n`, error: '' });
});

test.each([
  [[], 'A command is missing.'],
  [['serve'], 'Unknown command: serve'],
  [['constructor'], 'Unknown command: constructor'],
  [['EAAOpasted0by0mistake01234'], 'Unknown command: (26 characters)'],
])('%j is refused: %s', async (args, message) => {
  const { code, out, error } = await said(...args);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(error.startsWith(`${message}\n\nUsage: pagepics <command>`)).toBe(true);
});

// Where `kill` ends npm and its shell only; on Windows, a process keeps the number of its parent.
test.skipIf(process.platform === 'win32')('a sandbox that npx started ends with npx', async () => {
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
});
