// The example with a job queue, a small part of it: its workers are killed, and responses are lost.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const run = promisify(execFile);

test('what a queue publishes whose workers are killed goes out once', { timeout: 180_000 }, async () => {
  const script = 'examples/scheduler/main.ts';
  const { stdout, stderr } = await run(process.execPath, [script, '--posts', '16', '--kills', '4']);

  const figures = Object.fromEntries(
    [...stdout.matchAll(/^(\w+) +(\d+)/gm)].map(([, name, figure]) => [name, Number(figure)]),
  );
  expect(stderr).toBe('');
  expect(figures).toMatchObject({ planned: 16, published: 16, twice: 0 });
  // A worker that has nothing in hand when its turn comes is not killed.
  expect(figures.killed).toBeGreaterThan(0);
  expect(figures.resumed).toBeGreaterThan(0);
  expect(stdout).toContain('left to a person: 0');
  expect(stdout).not.toMatch(/EAAO\w{40}|access_token=|appsecret_proof/);
});

test('its code compiles', async () => {
  const compiled = await run('tsc', ['-p', 'examples/scheduler']).catch((thrown) => thrown);
  expect(compiled.stdout).toBe('');
});
