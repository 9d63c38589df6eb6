// Builds the documentation site into `dist`: `npm run docs`. It is made of README.md, docs/ and the doc comments, so
// that nothing is said twice. `npm run docs -- --base /pagepics/` builds it for a server that has it below that path.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { format } from 'oxfmt';

import { completeComments } from '../scripts/comments.mjs';
import { checkLinks } from './checkLinks.mjs';
import { folderOf, writeEntryPages } from './entries.mjs';
import { writeFunctionPages } from './functions.mjs';

const { base } = parseArgs({ options: { base: { type: 'string', default: '/' } } }).values;
const here = import.meta.dirname;
const root = dirname(here);
const pages = join(here, '.build');
const dist = join(here, 'dist');

rmSync(pages, { recursive: true, force: true });
rmSync(dist, { recursive: true, force: true });

cpSync(join(root, 'src'), join(pages, 'src'), { recursive: true });
for (const platform of ['page', 'pics'])
  for (const name of globSync(`src/${platform}/**/*.ts`, { cwd: pages }))
    edit(name, (text) => completeComments(platform, text));
const { exports } = JSON.parse(textOf('package.json'));
const entries = Object.entries(exports).flatMap(([path, { default: file }]) => {
  if (file === undefined) return [];
  const source = file.replace(/^\.\/dist(.*)\.js$/, 'src$1.ts');
  // Its pages go by what is imported: without that name, typedoc takes that of the folder.
  edit(source, (text) => `/** @module ${folderOf(path)} */\n\n${text}`);
  return join(pages, source);
});
// An export of several entries is documented with the first of them, so the entry that has all comes last.
const [whole, ...parts] = entries;
run('typedoc/bin/typedoc', '--options', 'typedoc.json', ...parts, whole);
for (const name of globSync('api/**/*.md', { cwd: pages })) edit(name, withCaptions);
writeFunctionPages(pages);
edit('api/index/interfaces/PageClient.md', (text) => withMethods('page', text));
edit('api/index/interfaces/PicsClient.md', (text) => withMethods('pics', text));
rmSync(join(pages, 'api/index/namespaces'), { recursive: true });
cpSync(join(root, 'docs'), join(pages, 'docs'), { recursive: true });
for (const name of globSync('*-narrow.svg', { cwd: here }))
  cpSync(join(here, name), join(pages, 'docs', name));
writeEntryPages(pages);

for (const name of ['CHANGELOG.md', 'SECURITY.md', 'SKILL.md']) cpSync(join(root, name), join(pages, name));
writeFileSync(join(pages, 'index.md'), homeOf(textOf('README.md')));

mkdirSync(join(pages, 'public'));
cpSync(join(here, 'logo.svg'), join(pages, 'public/logo.svg'));
for (const name of ['index.md', ...globSync('docs/*.md', { cwd: pages })]) edit(name, withNarrowPictures);
for (const name of globSync('{*,docs/*,api/**/*}.md', { cwd: pages })) {
  const file = join(pages, name);
  writeFileSync(file, await withFittingCode(readFileSync(file, 'utf8')));
}

run('vitepress/bin/vitepress.js', 'build', '.', '--base', base);
writeTexts();
const { dead, checked } = checkLinks(dist, base);
for (const link of dead) console.error(link);
console.log(`${checked} links lead to what is there, ${dead.length} do not. The site is in site/dist.`);
process.exitCode = dead.length === 0 ? 0 : 1;

/** Files for programs: the sources of the pages, and all of them in one file. */
function writeTexts() {
  const names = [...textOf('llms.txt').matchAll(/\]\(([\w/-]+\.md)\)/g)].map(([, name]) => name);
  for (const name of ['llms.txt', 'docs', ...names])
    cpSync(join(root, name), join(dist, name), { recursive: true });
  writeFileSync(join(dist, 'llms-full.txt'), ['README.md', ...names].map(textOf).join('\n\n'));
}

/**
 * The start page: what it is, with the picture, the install command and the first sample of the README, above the rest
 * of it. What stands above is not repeated below.
 */
function homeOf(readme) {
  const { name, description } = JSON.parse(textOf('package.json'));
  const [, text = ''] = /^# .*\n([\s\S]*)$/.exec(readme) ?? [];
  const [picture = ''] = /^!\[.*$/m.exec(text) ?? [];
  const [install = ''] = /^.*\n\n```sh\n[\s\S]*?^```$/m.exec(text) ?? [];
  const [sample = ''] = /^## .*\n\n[^\n]*\n\n```ts\n[\s\S]*?^```$/m.exec(text) ?? [];
  // The tagline and the picture say it, too.
  const [opening = ''] = /^\w[\s\S]*?\n\n/m.exec(text) ?? [];
  const rest = [opening, picture, install, sample].reduce((left, part) => left.replace(part, ''), text);
  const actions = [
    [
      'The first ten minutes',
      existsSync(join(root, 'docs/first-ten-minutes.md')) ? 'docs/first-ten-minutes.md' : '#try-it',
    ],
    ['API reference', 'api/index.md'],
  ];
  return `---
layout: page
title: ${name}
titleTemplate: false
sidebar: false
---

<main class="vp-doc home">
<div class="top">
<div>

# <img src="/logo.svg" alt="" width="40" height="40" style="width:40px"> ${name}

<p class="tagline">${description}</p>

<div class="actions">

${actions.map(([label, link]) => `[${label}](${link})`).join('\n')}

</div>

${picture}

</div>
<div>

${install}

${sample}

</div>
</div>
<div class="rest">

${rest.trim()}

</div>
</main>
`;
}

/** A line of words above a sample is its caption, which typedoc takes for code. */
function withCaptions(text) {
  return text.replaceAll(/```ts\n([A-Z][a-z,' ]+)\n/g, '$1:\n\n```ts\n');
}

/** Code with lines that are too long for a page is broken as the formatter does it. */
async function withFittingCode(text) {
  const parts = text.split(/^(```ts\n[^]*?^```$)/m).map(async (part) => {
    const [, code = ''] = /^```ts\n([^]*)```$/.exec(part) ?? [];
    if (!code.split('\n').some((line) => line.length > 84)) return part;
    const options = { printWidth: 84, singleQuote: true };
    const { code: fitting, errors } = await format('sample.ts', code, options);
    return errors.length === 0 ? `\`\`\`ts\n${fitting}\`\`\`` : part;
  });
  return (await Promise.all(parts)).join('');
}

/** The type of a client names all endpoints of its platform, which typedoc would tell of a second time. */
function withMethods(platform, text) {
  return text
    .replaceAll(/\[(`?)\.build\/src\/(\w+)\/endpoints`?\]\([^)]*\)/g, '[$1pagepics/$2$1](../../$2/index.md)')
    .replaceAll(/^(\|.*`(\w+)` \|.*\| )-( \|)$/gm, (row, before, name, after) => {
      const page = `${platform}/functions/${name}.md`;
      return existsSync(join(pages, 'api', page)) ? `${before}[${name}](../../${page})${after}` : row;
    });
}

/** A drawing that has a narrow form is shown in that on a phone. */
function withNarrowPictures(text) {
  return text.replaceAll(/^!\[(.*)\]\(((?:docs\/)?[\w-]+)\.svg\)$/gm, (picture, alt, path) => {
    const narrow = join(pages, path.startsWith('docs/') ? '' : 'docs', `${path}-narrow.svg`);
    if (!existsSync(narrow)) return picture;
    return `<picture><source media="(max-width: 640px)" srcset="./${path}-narrow.svg"><img src="./${path}.svg" alt="${alt}"></picture>`;
  });
}

function edit(name, change) {
  const file = join(pages, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function textOf(name) {
  return readFileSync(join(root, name), 'utf8');
}

function run(script, ...args) {
  const command = [join(here, 'node_modules', script), ...args];
  const { status } = spawnSync(process.execPath, command, { cwd: here, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
