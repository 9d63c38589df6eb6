// The example with a queue on Redis, where there is a server: jobs wait as long as they are asked to.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { has } from '../support/machine.ts';

const run = promisify(execFile);

test.runIf(has('redis-server'))('a refused job is delayed, and each post goes out once', async () => {
  const { stdout, stderr } = await run(process.execPath, ['examples/queue-with-bullmq/main.ts']);

  expect(stderr).toBe('');
  const done = [...stdout.matchAll(/done +(\{.*\})/g)].map(([, json]) => JSON.parse(json));
  expect(new Set(done.map(({ key }) => key))).toEqual(new Set(['monday', 'tuesday', 'wednesday']));
  expect(done).toHaveLength(3);
  // Which one it is depends on which comes first.
  expect(Math.max(...done.map(({ afterSeconds }) => afterSeconds))).toBeGreaterThanOrEqual(2);
  expect([...stdout.matchAll(/post +Open on (\w+)/g)].map(([, day]) => day).sort()).toEqual([
    'monday',
    'tuesday',
    'wednesday',
  ]);
  expect(stdout).toContain('feed 429');
  expect(stdout).not.toMatch(/failed|EAAO\w{40}|access_token=|appsecret_proof/);
});

test('its code compiles', async () => {
  const compiled = await run('tsc', ['-p', 'examples/queue-with-bullmq']).catch((thrown) => thrown);
  expect(compiled.stdout).toBe('');
});
