// The cost of a cold import next to that of the three dependencies, and of the start of a bundled worker: measured in fresh
// processes, in turn, minus an empty one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

import { inMs, inTurn, median, type Row } from './rows.ts';

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
  const cases = Object.fromEntries(
    Object.entries(modules).map(([name, from]) => {
      const code = from.map((module) => `import ${JSON.stringify(module)};`).join('');
      return [name, () => execFileSync(process.execPath, ['--input-type=module', '--eval', code])];
    }),
  );
  const times = await inTurn(cases, 31, 1);
  rmSync(folder, { recursive: true });

  const above = (name: string): number => median(times.get(name)) - median(times.get('an empty process'));
  const peer = above('dependencies');
  return Object.keys(modules)
    .slice(2)
    .map((name): Row => ({
      figure: `cold start of ${name}`,
      own: inMs(above(name)),
      peer: `of ky, neverthrow and valibot: ${inMs(peer)}`,
      ratio: above(name) / peer,
      ...(name === 'pagepics/page' && { aim: 1.2 }),
    }));
}
