import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Packs the package and installs it as its users do, once with what npm chooses, once with what `versions` says. */
export async function installApps(apps) {
  const root = await mkdtemp(join(tmpdir(), 'pagepics-runtimes-'));
  await npm(['pack', '--ignore-scripts', '--pack-destination', root], '.');
  const [tarball] = await readdir(root);
  const folders = await Promise.all(
    Object.entries(apps).map(async ([name, versions]) => {
      const folder = join(root, name);
      await mkdir(folder);
      const dependencies = { pagepics: `file:../${tarball}`, ...versions };
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
      // The Node that runs npm may be older than the package asks for; it runs nothing of it.
      await npm(['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
      for (const file of ['smoke.mjs', 'command.mjs'])
        await cp(resolve('test/runtimes', file), join(folder, file));
      return [name, folder];
    }),
  );
  return {
    ...Object.fromEntries(folders),
    tarball: join(root, tarball),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Runs a command; its output, or that of its failure. */
export async function run(command, args, options = {}) {
  const { stdout, stderr } = await promisify(execFile)(command, args, {
    maxBuffer: 2 ** 26,
    ...options,
  }).catch((failed) => {
    throw new Error(`${command} ${args[0]}: ${failed.stdout}${failed.stderr}`);
  });
  return { stdout, stderr };
}

/** The npm that runs the tests. Its command has another name on Windows. */
function npm(args, cwd) {
  const { npm_execpath: script } = process.env;
  return script === undefined ? run('npm', args, { cwd }) : run(process.execPath, [script, ...args], { cwd });
}
