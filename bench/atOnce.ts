// Many calls at once. They run in a process of their own, with a young generation of one size: with one that grows, the figures
// are those of the collector, and differ by half from run to run.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import ky from 'ky';

import { base, compare, contextOf, query, respond } from './calls.ts';
import { startServer } from './loopback.ts';
import { me, token } from './responses.ts';
import type { Case, Row } from './rows.ts';

const youngMb = 64;

export async function atOnce(): Promise<readonly Row[]> {
  const flags = ['min', 'max'].map((end) => `--${end}-semi-space-size=${youngMb}`);
  const options = process.argv.slice(2);
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    import.meta.filename,
    ...options,
  ]);
  // What this file prints.
  return JSON.parse(stdout) as readonly Row[];
}

const all =
  (count: number, one: Case): Case =>
  () =>
    Promise.all(Array.from({ length: count }, () => one()));

async function measure(count: number, over: string, graph: string, fetch: typeof globalThis.fetch) {
  const url = `${graph}/v26.0/me?${query}`;
  return compare({
    figure: `${count.toLocaleString('en')} me at once, over ${over}`,
    name: 'as many ky.get(url).json()',
    peer: all(count, () => ky.get(url, { fetch }).json()),
    own: (build) => {
      const context = contextOf(build, { fetch }, graph);
      return all(count, () => build.page.me(context, { token }));
    },
    aim: over === 'a stub' ? 1.05 : 1.1,
    rounds: 15,
    runs: 1,
  });
}

if (import.meta.main) {
  const server = await startServer();
  const rows = [
    await measure(1000, 'loopback, gzip', server.gzip, (...request) => fetch(...request)),
    await measure(10_000, 'a stub', base, respond(me)),
  ];
  server.close();
  console.log(JSON.stringify(rows));
}
