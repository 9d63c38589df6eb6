// Installs folders that have packages of their own, at once, unless they are installed already; examples also get this
// package, as built: node scripts/install.mjs test/servers examples/scheduler
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

await Promise.all(process.argv.slice(2).map(install));

async function install(folder) {
  const modules = join(folder, 'node_modules');
  // npm writes it last.
  const installed = join(modules, '.package-lock.json');
  if (!existsSync(installed) || changed(installed) < changed(join(folder, 'package-lock.json')))
    await ci(folder);
  if (/^(examples|test.engines|test.servers.more)/.test(folder)) linkOwn(join(modules, 'pagepics'));
}

function changed(file) {
  return statSync(file).mtimeMs;
}

async function ci(folder) {
  // The npm that runs this script. Its command has another name on Windows.
  const npm = [process.env.npm_execpath, 'ci', '--prefix', folder];
  const [status] = await once(spawn(process.execPath, npm, { stdio: 'inherit' }), 'exit');
  if (status !== 0) process.exit(status ?? 1);
}

/** Only what is published: a link to the whole repository would be circular. */
function linkOwn(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  copyFileSync('package.json', join(folder, 'package.json'));
  symlinkSync(resolve('dist'), join(folder, 'dist'), 'junction');
}
