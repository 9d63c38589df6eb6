// Installs folders that have packages of their own, unless they are installed already; examples also get this package,
// as built: node scripts/install.mjs test/servers examples/scheduler
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

for (const folder of process.argv.slice(2)) {
  const modules = join(folder, 'node_modules');
  // npm writes it last.
  const installed = join(modules, '.package-lock.json');
  if (!existsSync(installed) || changed(installed) < changed(join(folder, 'package-lock.json'))) ci(folder);
  if (/^(examples|test.engines|test.servers.more)/.test(folder)) linkOwn(join(modules, 'pagepics'));
}

function changed(file) {
  return statSync(file).mtimeMs;
}

function ci(folder) {
  // The npm that runs this script. Its command has another name on Windows.
  const npm = [process.env.npm_execpath, 'ci', '--prefix', folder];
  const { status } = spawnSync(process.execPath, npm, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Only what is published: a link to the whole repository would be circular. */
function linkOwn(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  copyFileSync('package.json', join(folder, 'package.json'));
  symlinkSync(resolve('dist'), join(folder, 'dist'), 'junction');
}
