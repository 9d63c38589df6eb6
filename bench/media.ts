// What it costs to say whether the platform takes a file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { checkMedia } from '../dist/media/index.js';
import { inMs, inTurn, median, type Row } from './rows.ts';

const headers = join(import.meta.dirname, '../test/media/files');

/** A check of each file of the tests, on disk, and what a bundle of it weighs. */
export async function media(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-bench-'));
  const paths = readdirSync(headers).map((name) => {
    const path = join(folder, name.replace(/\.gz$/, ''));
    writeFileSync(path, gunzipSync(readFileSync(join(headers, name))));
    return path;
  });
  const cases = Object.fromEntries(
    paths.map((path) => [path, () => checkMedia(path, { kind: 'pics.reel' })]),
  );
  const times = await inTurn(cases, 20, 1);
  rmSync(folder, { recursive: true });
  const each = [...times.values()].map((values) => median(values));
  return [
    { figure: 'checkMedia of a video on disk', own: inMs(median(each)), aim: '2 ms' },
    await sizeOf('judgeMedia', '6 kB'),
    await sizeOf('judgeMedia, inspectImage', '9 kB'),
    await sizeOf('checkMedia, judgeCarousel', '14 kB'),
  ];
}

async function sizeOf(names: string, aim: string): Promise<Row> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${names} } from '../dist/media/index.js';`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['neverthrow'],
    write: false,
  });
  const size = gzipSync(outputFiles[0]?.text ?? '', { level: 9 }).length;
  return { figure: `${names}, without neverthrow, gzipped`, own: `${(size / 1000).toFixed(2)} kB`, aim };
}
