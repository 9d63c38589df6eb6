// The cost of a cold import next to that of the three dependencies, and of the start of a bundled worker: the processor time of
// all threads of fresh processes, in turn, minus that of an empty one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

import { createRandom } from './random.ts';
import { inMs, median, ratioOf, type Row } from './rows.ts';

const rounds = 41;
const workers = {
  'a bundled read': `import { createPageContext, me } from 'pagepics/page';
globalThis.run = [createPageContext({ appId: '1', appSecret: 'x' }), me];`,
  'a bundled handler of webhooks': `import { createWebhookHandler } from 'pagepics/webhooks';
globalThis.run = createWebhookHandler({ secrets: 'x', verifyToken: 'y', onEvent() {} });`,
};

export async function starts(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pagepics-bench-'));
  const bundles = Object.entries(workers).map(([name, contents], at) => {
    const outfile = join(folder, `${at}.mjs`);
    const stdin = { contents, resolveDir: join(import.meta.dirname, '..') };
    buildSync({ stdin, outfile, bundle: true, minify: true, format: 'esm', platform: 'browser' });
    return [name, [outfile]] as const;
  });
  const modules: Readonly<Record<string, readonly string[]>> = {
    'an empty process': [],
    dependencies: ['ky', 'neverthrow', 'valibot'],
    'pagepics/page': ['pagepics/page'],
    'pagepics/pics': ['pagepics/pics'],
    pagepics: ['pagepics'],
    'pagepics/webhooks': ['pagepics/webhooks'],
    ...Object.fromEntries(bundles),
  };
  const random = createRandom(1);
  const times = new Map(Object.keys(modules).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++)
    for (const [name, from] of inAnyOrder(Object.entries(modules), random))
      times.get(name)?.push(startOf(from));
  rmSync(folder, { recursive: true });

  const empty = times.get('an empty process') ?? [];
  const above = (name: string): readonly number[] =>
    times.get(name)?.map((time, round) => time - (empty[round] ?? Number.NaN)) ?? [];
  const peer = above('dependencies');
  return Object.keys(modules)
    .slice(2)
    .map((name): Row => ({
      figure: `cold start of ${name}`,
      own: `${inMs(median(above(name)))} of processor time`,
      peer: `of ky, neverthrow and valibot: ${inMs(median(peer))}`,
      ratio: ratioOf(above(name), peer),
      ...(name === 'pagepics/page' && { aim: 1.33 }),
    }));
}

/** Milliseconds of processor time in which a process starts and imports these modules. */
function startOf(modules: readonly string[]): number {
  const imports = modules.map((module) => `import ${JSON.stringify(module)};`).join('');
  const code = `${imports}const{user,system}=process.cpuUsage();console.log((user+system)/1000)`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', code]).toString());
}

function inAnyOrder<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}
