import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where tests start Chromium from. */
export const chromiumPath = '/usr/bin/chromium';

/** Whether CI runs: it also takes what only repeats, which a clone leaves to it. */
export const isCI = Boolean(process.env['NOTHING_SKIPPED']);

/** What a process of a test gets of the environment: nothing that belongs to the person who runs it. */
export const bareEnvironment = {
  PATH: process.env['PATH'],
  // Each process compiles the same files.
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
};

const isHere = {
  chromium: () => existsSync(chromiumPath),
  ffmpeg: () => spawnSync('ffmpeg', ['-version']).status === 0,
  'redis-server': () => spawnSync('redis-server', ['--version']).status === 0,
  nginx: () => spawnSync('nginx', ['-v']).status === 0,
  pgbouncer: () => spawnSync('pgbouncer', ['--version']).status === 0,
};

/**
 * Whether this machine has a program that some tests need. They are left out where it has not; but in CI, which installs
 * all of them and sets `NOTHING_SKIPPED`, that is an error.
 */
export function has(program: keyof typeof isHere): boolean {
  const found = isHere[program]();
  if (!found && isCI) throw new Error(`this machine has no ${program}`);
  return found;
}
