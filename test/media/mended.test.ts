// Files that are mended by one command, by ffmpeg and sharp as they are, and looked at by ffprobe. By default the usual ones:
// MENDED=all tries all, MENDED=PATTERN those whose names it fits.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type CheckLine, run } from '../../src/media/cli.ts';
import { has, isCI } from '../support/machine.ts';
import { type Mendable, mendables, quarters, runs } from './mendable.ts';

const chosen = process.env['MENDED'] ?? '';
const files = mendables.filter(({ name, isUsual }) =>
  chosen === 'all'
    ? true
    : chosen
      ? new RegExp(chosen).test(name)
      : isUsual === true || (isCI && isUsual === 'in CI'),
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagepics-mend-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** It is JavaScript, without types. */
const { createMender } = (await import(new URL('../../bin/mendFile.js', import.meta.url).href)) as {
  readonly createMender: NonNullable<CheckLine['mender']>;
};
const mender = createMender();

async function check(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const said: string[] = [];
  const code = await run(['check', ...args], {
    env: {},
    write: (text) => said.push(text),
    writeError: (text) => said.push(text),
    fetch: () => Promise.reject(new Error('nothing may be asked')),
    filesIn: async () => undefined,
    mender: () => mender,
  });
  return { code, said: said.join('\n') };
}

/** What ffprobe says of a file. */
interface Probed {
  readonly width: number;
  readonly height: number;
  /** Of its pixels. */
  readonly aspect: number;
  readonly seconds: number;
  /** By how much its picture begins later than its sound, in seconds. */
  readonly late: number;
  readonly channels: number | undefined;
  readonly transfer: string | undefined;
}

async function probe(path: string): Promise<Probed> {
  const args = ['-show_streams', '-show_format', '-of', 'json', path];
  const { streams, format } = JSON.parse((await runs('ffprobe', args)).toString());
  const find = (type: string) =>
    streams.find((one: { readonly codec_type: string }) => one.codec_type === type);
  const [video, audio] = [find('video'), find('audio')];
  const turned = Math.abs(video?.side_data_list?.[0]?.rotation ?? 0) % 180 === 90;
  const [width, height] = turned ? [video?.height, video?.width] : [video?.width, video?.height];
  const [, x = 1, y = 1] = /(\d+):(\d+)/.exec(video?.sample_aspect_ratio ?? '') ?? [];
  return {
    width,
    height,
    aspect: Number(x) / Number(y),
    seconds: Number(video?.duration ?? format.duration),
    late: Number(video?.start_time ?? 0) - Number(audio?.start_time ?? 0),
    channels: audio?.channels,
    transfer: video?.color_transfer,
  };
}

/** The colours at the middle of each quarter of the picture, and of the whole. */
async function coloursOf(
  path: string,
  { shows, picture = shows, fit }: Mendable,
  size: Probed,
): Promise<number[][]> {
  const still = path.endsWith('.jpg');
  const frame = await runs('ffmpeg', [
    ...(still ? [] : ['-ss', '1']),
    '-i',
    path,
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
    'pipe:1',
  ]);
  const { width, height } = size;
  const isNarrow = picture < shows;
  const part =
    fit === 'pad'
      ? { width: isNarrow ? height * picture : width, height: isNarrow ? height : width / picture }
      : size;
  const at = (x: number, y: number): number[] => {
    const [left, top] = [
      Math.round(width / 2 + (x - 0.5) * part.width),
      Math.round(height / 2 + (y - 0.5) * part.height),
    ];
    const sum = [0, 0, 0];
    for (let dy = -2; dy <= 2; dy++)
      for (let dx = -2; dx <= 2; dx++)
        for (const i of [0, 1, 2])
          sum[i] = (sum[i] ?? 0) + (frame[((top + dy) * width + left + dx) * 3 + i] ?? 0) / 25;
    return sum;
  };
  return [at(0.27, 0.27), at(0.73, 0.27), at(0.27, 0.73), at(0.73, 0.73), at(0.5, 0.5)];
}

describe.skipIf(!has('ffmpeg'))('one command mends', () => {
  test.each(files.map((file) => [file.name, file.kind, file] as const))(
    '%s for %s',
    async (name, kind, file) => {
      await file.make(folder);
      const source = join(folder, name);
      const isSound = kind.endsWith('Audio');
      const isPicture = /image|photo|cover/i.test(kind);
      const out = join(folder, `${name}.${kind}.${isSound ? 'm4a' : isPicture ? 'jpg' : 'mp4'}`);
      const first = await check(source, '--for', kind);
      expect(first.said, 'there is something to mend').toContain('Mend it by one command:');
      const { code, said } = await check(source, '--for', kind, '--mend', out);
      expect([code, said]).toEqual([0, expect.stringContaining(out)]);
      expect((await check(out, '--for', kind)).said).not.toMatch(/^ +(?:refused|risk|unknown) /m);

      const [is, size, before, was] = await Promise.all([probe(out), stat(out), stat(source), probe(source)]);
      if (!file.grows) expect(size.size).toBeLessThan(before.size * 1.5);
      if (file.hasSound !== undefined) expect((is.channels ?? 0) > 0).toBe(file.hasSound);
      if (file.lasts) {
        expect(is.seconds).toBeGreaterThan(file.lasts[0]);
        expect(is.seconds).toBeLessThan(file.lasts[1]);
      }
      if (isSound) return;
      // As it was, or from the beginning.
      if (file.hasSound)
        expect(Math.min(Math.abs(is.late - was.late), Math.abs(is.late))).toBeLessThan(
          file.soundLate ?? 0.05,
        );
      expect(Math.abs((is.width * is.aspect) / is.height / file.shows - 1)).toBeLessThan(0.01);
      expect(['smpte2084', 'arib-std-b67']).not.toContain(is.transfer);
      const colours = await coloursOf(out, file, is);
      for (const [at, wanted] of quarters.entries()) {
        const found = colours[at] ?? [];
        if (file.isMapped) expect(at > 2 || strongest(found) === strongest(wanted)).toBe(true);
        else
          for (const [part, value] of wanted.entries())
            expect([at, Math.abs((found[part] ?? 0) - value) < (file.tolerance ?? 45), found]).toEqual([
              at,
              true,
              found,
            ]);
      }
      if (/hole/.test(name)) expect(Math.min(...(colours[4] ?? [0]))).toBeGreaterThan(235);
    },
  );

  test('leaves nothing behind of a file that breaks off, and overwrites nothing', async () => {
    const end = mendables.find(({ name }) => name === 'end.mp4');
    await end?.make(folder);
    const source = join(folder, 'end.mp4');
    const before = await readdir(folder);
    const nowhere = await check(source, '--for', 'pics.reel', '--mend', join(folder, 'none', 'out.mp4'));
    expect([nowhere.code, nowhere.said]).toEqual([
      2,
      expect.stringContaining('cannot be written to: there is no such folder'),
    ]);
    const own = await check(source, '--for', 'pics.reel', '--mend', source, '--force');
    expect([own.code, own.said]).toEqual([2, 'The file to be mended is never overwritten.']);
    expect(await readdir(folder)).toEqual(before);
  });
});

/** The place of the largest part of a colour. */
function strongest(colour: readonly number[]): number {
  return colour.indexOf(Math.max(...colour));
}
