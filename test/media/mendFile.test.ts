// How `check --mend` puts a file in its place. What makes the file is tried in mended.test.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { CheckLine } from '../../src/media/cli.ts';
import { be, bytesOf, tiff } from './support.ts';

/** It is JavaScript, without types. */
const { href } = new URL('../../bin/mendFile.js', import.meta.url);
const { createMender } = (await import(href)) as {
  readonly createMender: NonNullable<CheckLine['mender']>;
};
const mender = createMender();

let folder: string;
let source: string;
let target: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagepics-place-'));
  [source, target] = [join(folder, 'in.jpg'), join(folder, 'out.jpg')];
  await writeFile(source, 'the original');
});
afterEach(() => rm(folder, { recursive: true }));

function copy(isForced: boolean, meanwhile: () => Promise<void>): Promise<string | undefined> {
  const places = { source, target, isForced, onProgress: () => {}, check: meanwhile };
  return mender.write({ args: [], before: [] }, places);
}

test('what has taken the name in the meantime stays, unless --force is given', async () => {
  const meanwhile = () => writeFile(target, 'of somebody else');
  expect(await copy(false, meanwhile)).toMatch(/is there now.*--force overwrites it\.$/);
  expect(await readFile(target, 'utf8')).toBe('of somebody else');
  expect(await copy(true, meanwhile)).toBeUndefined();
  expect(await readFile(target, 'utf8')).toBe('the original');
  expect(await readdir(folder)).toEqual(['in.jpg', 'out.jpg']);
});

test('a file is there once it is complete, and a link that leads nowhere is there too', async () => {
  const seen: string[][] = [];
  expect(await copy(false, async () => void seen.push(await readdir(folder)))).toBeUndefined();
  expect(seen).toEqual([[expect.stringMatching(/^\.pagepics-/), 'in.jpg']]);
  await symlink(join(folder, 'nothing'), join(folder, 'dangling'));
  expect(await mender.isThere(join(folder, 'dangling'))).toBe(true);
});

test('the file itself is known behind links of both kinds', async () => {
  const [hard, soft] = [join(folder, 'hard'), join(folder, 'soft')];
  await link(source, hard);
  await symlink(source, soft);
  expect(await Promise.all([hard, soft, source].map((path) => mender.isSame(source, path)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await mender.isSame(source, target)).toBe(false);
});

test.each([
  ['float', 3, 'float'],
  ['whole', 1, 'uint'],
])(
  'a TIFF of %s numbers of 32 bits, which would get other colours, is not read',
  async (_, format, depth) => {
    const short = (value: number): Uint8Array => bytesOf(be(value, 2), 0, 0);
    const entries: Parameters<typeof tiff>[0] = [
      [256, 3, 1, short(2)],
      [257, 3, 1, short(2)],
      [258, 3, 1, short(32)],
      [259, 3, 1, short(1)],
      [262, 3, 1, short(1)],
      [273, 4, 1, be(8 + 2 + 10 * 12 + 4, 4)],
      [277, 3, 1, short(1)],
      [278, 3, 1, short(2)],
      [279, 4, 1, be(16, 4)],
      [339, 3, 1, short(format)],
    ];
    await writeFile(source, bytesOf(tiff(entries), new Uint8Array(16)));
    const places = { source, target, isForced: false, onProgress: () => {}, check: async () => {} };
    const wrong = await mender.write({ tool: 'sharp', args: [['jpeg']], before: [] }, places);
    expect(wrong).toContain(`(${depth})`);
    expect(await readdir(folder)).toEqual(['in.jpg']);
  },
);

describe.skipIf(process.platform === 'win32')('nothing is left', () => {
  const title = 'after %s';
  test.each([
    ['SIGINT', 130],
    ['an error', 1],
  ] as const)(title, isLeftClean);
  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(title, { tags: 'long' }, isLeftClean);

  async function isLeftClean(way: 'an error' | NodeJS.Signals, code: number): Promise<void> {
    const script = `
      import { createMender } from ${JSON.stringify(href)};
      const [source, target, way] = process.argv.slice(1);
      const check = () => {
        console.log('made');
        if (way === 'an error') setImmediate(() => { throw new Error('such as that of a closed output'); });
        return new Promise(() => setInterval(() => {}, 1000));
      };
      await createMender().write({ args: [], before: [] }, { source, target, isForced: false, check });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, source, target, way], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    if (way !== 'an error') child.kill(way);
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(await readdir(folder)).toEqual(['in.jpg']);
  }
});
