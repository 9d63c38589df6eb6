// What it costs to say whether the platform takes a file.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { checkMedia } from '../dist/media/index.js';
import { collectGarbage, inMs, inTurn, median, type Row } from './rows.ts';

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
  const memory: number[] = [];
  for (const path of paths) memory.push(await memoryOf(path));
  rmSync(folder, { recursive: true });
  const each = [...times.values()].map((values) => median(values));
  return [
    { figure: 'checkMedia of a video on disk', own: inMs(median(each)), aim: '2 ms' },
    { figure: 'memory of it, the most of all', own: `${Math.max(...memory).toFixed(2)} MB`, aim: '5 MB' },
    await sizeOf('judgeMedia', '6 kB'),
    await sizeOf('judgeImage, inspectImage', '9.5 kB'),
    await sizeOf('checkMedia, judgeCarousel', '19.5 kB'),
    await sizeOf('checkMedia, judgeCarousel, checkMediaUrl'),
  ];
}

/** How much more memory the process has after a check than before it, in megabytes, with all garbage of the check. */
async function memoryOf(path: string): Promise<number> {
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  collectGarbage();
  const before = used();
  const result = await checkMedia(path, { kind: 'pics.reel' });
  const after = used();
  if (result.isErr()) throw result.error;
  return (after - before) / 1e6;
}

async function sizeOf(names: string, aim?: string): Promise<Row> {
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
  const figure = `${names}, without neverthrow, gzipped`;
  return { figure, own: `${(size / 1000).toFixed(2)} kB`, ...(aim && { aim }) };
}
