// The changelog at a release. `check` fails if nothing is unreleased, which `npm version` asks before it changes anything;
// `release` turns the unreleased part into a section, between the change of package.json and the commit; `notes v1.4.0`
// prints the section of a version, if that is the one here.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [command, tag] = process.argv.slice(2);

if (command === 'check' || command === 'release') {
  if (sectionOf('Unreleased') === '') fail('There is nothing under [Unreleased] in CHANGELOG.md.');
}
if (command === 'release') {
  if (sectionOf(version) !== '') fail(`CHANGELOG.md tells of ${version} already.`);
  const today = new Date().toISOString().slice(0, 10);
  const heading = '## [Unreleased]\n';
  writeFileSync('CHANGELOG.md', changelog.replace(heading, `${heading}\n## [${version}] - ${today}\n`));
} else if (command === 'notes') {
  if (tag !== `v${version}`) fail(`The tag is ${tag}, and package.json has version ${version}.`);
  const notes = sectionOf(version);
  if (notes === '') fail(`CHANGELOG.md does not tell of ${version}.`);
  console.log(notes);
} else if (command !== 'check') fail('node scripts/changelog.mjs check, or: release, or: notes <tag>');

/** What stands between the heading of a version and the next one. */
function sectionOf(name) {
  const [, section = ''] = changelog.split(
    new RegExp(`^## \\[?${name.replaceAll('.', '\\.')}\\]?(?: .*)?$`, 'm'),
  );
  return section.split(/^## /m)[0].trim();
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
