// Prints one table of the costs of pagepics, next to those of its peers and the limits. With `--write`, it
// also keeps the table in `results.md`; with `--against` and the folder of a built clone, it compares with that.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

import { atOnce } from './atOnce.ts';
import { bodies } from './bodies.ts';
import { builds } from './builds.ts';
import { calls } from './calls.ts';
import { equals } from './equals.ts';
import { inside } from './inside.ts';
import { keyed } from './keyed.ts';
import { loopback } from './loopback.ts';
import { media } from './media.ts';
import type { Row } from './rows.ts';
import { sandboxes } from './sandbox.ts';
import { starts } from './start.ts';
import { uploads } from './uploads.ts';
import { waiting } from './waiting.ts';
import { walks } from './walks.ts';
import { webhooks } from './webhooks.ts';

const root = join(import.meta.dirname, '..');
const began = loadavg()[0] ?? 0;

/** The bundles of `.size-limit.json`, with all that is in them. */
function sizes(): readonly Row[] {
  // It exits with 1 if a bundle is too large, which the table shows as well.
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/size-limit/bin.js'), '--json'], {
    cwd: root,
    encoding: 'utf8',
  });
  // The documented output of size-limit.
  const bundles = JSON.parse(stdout) as readonly {
    readonly name: string;
    readonly size: number;
    readonly sizeLimit: number;
  }[];
  return bundles.map(({ name, size, sizeLimit }) => ({
    figure: `${name}, bundled and gzipped`,
    own: inKb(size),
    aim: inKb(sizeLimit),
  }));
}

function inKb(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}

function versionOf(name: string): string {
  const path = createRequire(import.meta.url)
    .resolve.paths(name)
    ?.map((folder) => join(folder, name, 'package.json'));
  for (const file of path ?? []) {
    try {
      return `${name} ${(JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version}`;
    } catch {
      // Not in this folder.
    }
  }
  return name;
}

const rows: Row[] = [];
for (const measure of [
  sizes,
  calls,
  loopback,
  atOnce,
  walks,
  inside,
  webhooks,
  keyed,
  equals,
  starts,
  bodies,
  uploads,
  media,
  waiting,
  sandboxes,
])
  rows.push(...(await measure()));
const cells = [
  ['Figure', 'pagepics', 'Beside', 'Ratio', 'Aim', 'Earlier build'],
  ['---', '---', '---', '---', '---', '---'],
  ...rows.map(({ figure, own, peer = '', ratio, aim = '', before = '' }) => [
    figure,
    own,
    peer,
    ratio?.toFixed(2) ?? '',
    String(aim),
    before,
  ]),
].map((row) => (builds.length > 1 ? row : row.slice(0, -1)));
const table = cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
const versions = [
  'ky',
  'neverthrow',
  'valibot',
  '@octokit/request',
  'facebook-nodejs-business-sdk',
  'instagram-graph-api',
]
  .map(versionOf)
  .join(', ');
const [{ model } = { model: 'unknown processor' }] = cpus();
const machine = `${cpus().length} × ${model.trim()}, ${process.platform}, load ${began.toFixed(1)} at the start and ${(loadavg()[0] ?? 0).toFixed(1)} at the end`;
console.log(`${table}\n\nnode ${process.version}, ${versions}; ${machine}`);

if (process.argv.includes('--write')) {
  const file = join(import.meta.dirname, 'results.md');
  const old = readFileSync(file, 'utf8');
  const measured = `Measured on ${new Date().toISOString().slice(0, 10)}: node ${process.version}, ${versions}; ${machine}.\n\n${table}\n`;
  // The text around the table is written by hand.
  writeFileSync(file, old.replace(/(<!-- table -->\n)[\s\S]*(<!-- end -->)/, `$1\n${measured}\n$2`));
}
