// Runs what mends a file: ffmpeg of the PATH, or sharp of the project that the command runs in. Nothing is left of a file
// that breaks off.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, mkdtempSync, rmSync } from 'node:fs';
import { copyFile, link, lstat, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants as osConstants, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/** What `check --mend` needs: each function resolves to `undefined`, or to what went wrong, in words for people. */
export function createMender() {
  const children = new Set();
  const folders = new Set();
  let isStopped = false;
  // However the process ends: by a signal, or by an error such as that of an output that nobody reads any more.
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    // What still writes there may add a file in between.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      isStopped = true;
      process.exit(128 + osConstants.signals[signal]);
    });

  return { isThere, isSame, write, remux };

  /** Makes the file at a place, by what is given a path that nobody sees until it is complete. */
  async function write(job, { source, target, isForced, onProgress, check }) {
    let folder;
    try {
      // In the same folder as the target: then it can be moved there in one step.
      folder = folderIn(dirname(resolve(target)));
    } catch (thrown) {
      return `${dirname(target)} cannot be written to: ${inWords(thrown)}`;
    }
    try {
      const made = join(folder, basename(target));
      const wrong = await perform(job, source, made, onProgress);
      if (wrong !== undefined) return wrong;
      await check(made);
      return await move(made, target, isForced);
    } catch (thrown) {
      return `${target} cannot be written: ${inWords(thrown)}`;
    } finally {
      await rm(folder, { recursive: true, force: true });
      folders.delete(folder);
    }
  }

  async function perform(job, source, made, onProgress) {
    if (job.tool === 'ffmpeg') {
      // ffmpeg does not read all TIFFs, and leaves colours as their profile has them.
      const picture = `${made}.png`;
      const wrong = job.picture && (await runSharp(source, job.picture.steps, picture));
      if (wrong && job.picture.isNeeded) return wrong;
      const isMade = job.picture && !wrong;
      return runFfmpeg(job.before, isMade ? picture : source, job.args, made, onProgress);
    }
    if (job.tool === 'sharp') return runSharp(source, job.args, made);
    await copyFile(source, made);
    return undefined;
  }

  /** A new folder, known before a signal can come. */
  function folderIn(place) {
    const folder = mkdtempSync(join(place, '.pagepics-'));
    folders.add(folder);
    return folder;
  }

  /** The same pictures and sounds in a container that is read here, as far as it can hold them. */
  async function remux(source, read) {
    const folder = folderIn(tmpdir());
    try {
      const made = join(folder, 'same');
      // Each of the two takes codecs that the other does not.
      for (const format of ['mov', 'mp4']) {
        const args = ['-map', '0:v:0', '-map', '0:a:0?', '-c', 'copy', '-strict', '-2', '-f', format];
        if ((await runFfmpeg([], source, args, made)) === undefined) return await read(made);
      }
      return undefined;
    } finally {
      await rm(folder, { recursive: true, force: true });
      folders.delete(folder);
    }
  }

  async function runFfmpeg(before, source, args, made, onProgress) {
    const quiet = ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-progress', 'pipe:1', '-nostats'];
    // A name may look like an option or a protocol.
    const all = [...quiet, ...before, '-i', `file:${source}`, ...args, `file:${made}`];
    const child = spawn('ffmpeg', all, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (said = `${said}${text}`.slice(-2000)));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const [, time] = [...text.matchAll(/out_time_us=(\d+)/g)].at(-1) ?? [];
      if (time !== undefined) onProgress?.(Number(time) / 1000);
    });
    try {
      const [code, signal] = await once(child, 'close');
      if (isStopped) return 'it was stopped';
      const last = said.trim().split('\n').slice(-3).join('; ');
      // Some versions end well although the last bytes did not fit.
      if (/No space left on device/.test(said)) return `ffmpeg failed: ${last}`;
      return code === 0 ? undefined : `ffmpeg failed: ${last || signal || code}`;
    } catch (thrown) {
      return thrown.code === 'ENOENT'
        ? 'ffmpeg is missing: install it (apt install ffmpeg, brew install ffmpeg, winget install ffmpeg), so that it is on the PATH'
        : `ffmpeg cannot be run: ${thrown.code}`;
    } finally {
      children.delete(child);
    }
  }
}

/** What went wrong with a file or a folder, for people. */
function inWords({ code }) {
  return reasons[code] ?? code ?? 'it failed';
}

const reasons = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'nobody may write there',
  ENOSPC: 'there is no room left',
};

async function runSharp(source, steps, made) {
  let sharp;
  try {
    const { resolve: find } = createRequire(join(process.cwd(), 'package.json'));
    ({ default: sharp } = await import(pathToFileURL(find('sharp')).href));
  } catch {
    return 'sharp is missing: npm install sharp, in the folder where you run this';
  }
  try {
    // Their numbers may be linear or not, and of whole ones sharp takes the lowest bits.
    const { depth } = await sharp(source).metadata();
    if (/int|float|double|complex/.test(depth))
      return `its colours are numbers of another kind (${depth}) than can be read for certain: save it with 8 or 16 bits, by what has made it`;
    await steps.reduce((image, [method, ...given]) => image[method](...given), sharp(source)).toFile(made);
    return undefined;
  } catch (thrown) {
    return `sharp failed: ${String(thrown.message).split('\n')[0]}`;
  }
}

/** Gives a file its name. What has taken that name in the meantime is only overwritten where that was asked for. */
async function move(made, target, isForced) {
  if (isForced) {
    await rename(made, target);
    return undefined;
  }
  try {
    await link(made, target).catch(async (thrown) => {
      if (thrown.code === 'EEXIST') throw thrown;
      // Some file systems have no links.
      await copyFile(made, target, constants.COPYFILE_EXCL).catch(async (failed) => {
        if (failed.code !== 'EEXIST') await rm(target, { force: true });
        throw failed;
      });
    });
    return undefined;
  } catch (thrown) {
    if (thrown.code !== 'EEXIST') throw thrown;
    return `${target} is there now, made by something else in the meantime. --force overwrites it.`;
  }
}

/** Also a link that leads nowhere. */
async function isThere(path) {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Whether two paths lead to one file. */
async function isSame(one, other) {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
