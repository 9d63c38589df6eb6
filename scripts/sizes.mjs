// Compares the bundles of `.size-limit.json` with those of another commit: `npm run size:compare -- main`. The budgets leave
// room for code that moves; this says what a change itself costs. A bundle that grows by more than one percent fails, unless
// the change sets its budget anew.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [other = 'origin/main'] = process.argv.slice(2);
const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();

const base = git('merge-base', 'HEAD', other);
const folder = mkdtempSync(join(tmpdir(), 'sizes-'));
git('worktree', 'add', '--detach', '--quiet', folder, base);
try {
  if (readFileSync('package-lock.json', 'utf8') === readFileSync(join(folder, 'package-lock.json'), 'utf8')) {
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  } else execFileSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' });
  const before = new Map(sizesIn(folder).map(({ name, size }) => [name, size]));
  const rows = sizesIn('.').map(({ name, size }) => ({ name, before: before.get(name), now: size }));
  console.table(
    rows.map(({ name, before, now }) => ({ name, before, now, change: before && signed(now - before) })),
  );
  const grown = rows.filter(({ before, now }) => before && now > before * 1.01);
  const isMeant = git('diff', '--name-only', base, '--', '.size-limit.json') !== '';
  if (grown.length > 0 && !isMeant) {
    console.error(`Larger than at ${base.slice(0, 8)}: ${grown.map(({ name }) => name).join('; ')}`);
    process.exitCode = 1;
  }
} finally {
  git('worktree', 'remove', '--force', folder);
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {{ readonly name: string, readonly size: number }[]} in bytes */
function sizesIn(cwd) {
  // Each builds whole: the stamp of the last build lies in `node_modules`.
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd, stdio: 'inherit' });
  try {
    return JSON.parse(
      execFileSync(process.execPath, ['node_modules/size-limit/bin.js', '--json'], { cwd, encoding: 'utf8' }),
    );
  } catch (failed) {
    // It fails where a bundle is over its budget, which is what `npm run size` is for.
    return JSON.parse(failed.stdout);
  }
}

function signed(bytes) {
  return `${bytes > 0 ? '+' : ''}${bytes}`;
}
