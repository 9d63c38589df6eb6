// What is new on the platform: the fields, parameters and topics that the newest official SDK on the registry has, and
// `test/platform/officialSdk.json` has not. It needs the network, so no test calls it: `npm run watch`, and with
// `-- --write` to keep what it saw. It only reads the SDK's sources, and runs none of them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { differences, listsIn, merged } from '../test/platform/sdkLists.ts';

const known = 'test/platform/officialSdk.json';

/** The objects of the SDK that this package is about, by the names of their files. */
const objects = `
  comment ig-comment ig-media ig-media-for-ig-only-api ig-user ig-user-for-ig-only-api
  instagram-insights-result lead leadgen-form page page-post persona photo stories unified-thread
`
  .trim()
  .split(/\s+/);

/** The newest SDK on the registry: its version, and the lists of each object. */
function newest(name) {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  try {
    const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' });
    const version = npm('view', name, 'version').trim();
    const [{ filename }] = JSON.parse(npm('pack', `${name}@${version}`, '--json', '--ignore-scripts'));
    execFileSync('tar', ['-xzf', filename], { cwd: folder });
    const sources = join(folder, 'package/src/objects');
    const there = new Set(readdirSync(sources));
    const found = objects.filter((object) => there.has(`${object}.js`));
    const lists = found.map((object) => [
      object,
      listsIn(readFileSync(join(sources, `${object}.js`), 'utf8')),
    ]);
    return { name, version, objects: Object.fromEntries(lists) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const before = JSON.parse(readFileSync(known, 'utf8'));
const now = newest(before.name);
// What other sources have told of before the SDK has it is no news.
const { alsoKnown } = before;
const lines = differences(merged(before.objects, alsoKnown), merged(now.objects, alsoKnown));
console.log([`${now.name} ${before.version} -> ${now.version}`, ...lines].join('\n'));
if (process.argv.includes('--write')) writeFileSync(known, `${JSON.stringify({ ...now, alsoKnown })}\n`);
else process.exitCode = lines.length === 0 && before.version === now.version ? 0 : 1;
