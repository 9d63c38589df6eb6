import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { defineConfig } from 'vitepress';

import { folderOf } from '../entries.mjs';

const readme = readFileSync('../README.md', 'utf8');

/** The links between pages name them as their headings do: those of a group may go on from its name. */
function titleOf(path, otherwise) {
  const file = [`.build/docs/${path}`, `.build/${path}`].find((one) => existsSync(one));
  return /^# (.*)$/m.exec(file === undefined ? '' : readFileSync(file, 'utf8'))?.[1] ?? otherwise;
}

/** The groups of pages are those of the README. */
const [, documentation = ''] = /\n## Documentation\n([\s\S]*?)(?:\n## |$)/.exec(readme) ?? [];
const guides = [...documentation.matchAll(/^\| (?!-)([^|]+) \| (.*) \|$/gm)].flatMap(([, text, links]) => {
  const items = [...links.matchAll(/\[([^\]]+)\]\((?:docs\/)?([^)]+\.md)\)/g)].map(([, title, path]) => ({
    text: title,
    docFooterText: titleOf(path, title),
    link: links.includes(`(docs/${path})`) ? `/docs/${path}` : `/${path}`,
  }));
  return items.length === 0 ? [] : [{ text, items }];
});

const { exports } = JSON.parse(readFileSync('../package.json', 'utf8'));
const entries = Object.keys(exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => [`pagepics${path.slice(1)}`, folderOf(path)]);

/** The functions and classes of an entry, which have pages of their own: by subject, or else by name. */
function membersOf(folder) {
  const members = globSync(`.build/api/${folder}/{functions,classes}/*.md`)
    .map((file) => ({ text: basename(file, '.md'), link: file.slice('.build'.length) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
  const page = readFileSync(`.build/api/${folder}/index.md`, 'utf8');
  const subjects = page.split(/^(?=\| .* \| \|$)/m).map((table) => {
    const [, heading = ''] = /^\| (.*) \| \|$/m.exec(table) ?? [];
    const names = new Set([...table.matchAll(/^\| \[`(\w+)`\]/gm)].map(([, name]) => name));
    const items = members.filter(({ text }) => names.has(text));
    return { text: heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'), items };
  });
  const grouped = subjects.filter(({ text, items }) => text !== '' && items.length > 0);
  const listed = new Set(grouped.flatMap(({ items }) => items));
  return [...grouped, ...members.filter((member) => !listed.has(member))];
}

/** The sidebar of an entry: all entries, and the contents of this one. */
const all = { text: 'Entries', items: entries.map(([text, folder]) => ({ text, link: `/api/${folder}/` })) };
const api = entries.map(([text, folder]) => [`/api/${folder}/`, [all, { text, items: membersOf(folder) }]]);

export default defineConfig({
  srcDir: '.build',
  outDir: 'dist',
  title: 'pagepics',
  description: JSON.parse(readFileSync('../package.json', 'utf8')).description,
  lang: 'en',
  // As data: its address would need the base, and browsers would ask for a /favicon.ico, which is not there.
  head: [
    [
      'link',
      { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(readFileSync('logo.svg', 'utf8'))}` },
    ],
  ],
  // What all pages have in common is a file of its own: it names all of them.
  metaChunk: true,
  markdown: {
    anchor: { slugify },
    config: withScrollingTables,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: { build: { chunkSizeWarningLimit: 10_000, assetsInlineLimit: 0 } },
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Guides', link: guides[0].items[0].link, activeMatch: '/docs/' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
      { text: 'Changes', link: '/CHANGELOG.md' },
    ],
    sidebar: { '/': guides, '/api/': [all], ...Object.fromEntries(api) },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        miniSearch: { searchOptions: { boostDocument: rankOf } },
      },
    },
  },
});

/** Guides and functions before types, and before the parts of their pages. It runs in the browser, from its text. */
function rankOf(id) {
  if (id.includes('/functions/'))
    return /#(?:signature|example|options|errors|permissions)$/.test(id) ? 0.2 : 1.5;
  return id.includes('/api/') ? 0.3 : 2;
}

/** Tables scroll in a box, which keys reach. */
function withScrollingTables({ renderer }) {
  renderer.rules.table_open = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>';
  renderer.rules.table_close = () => '</table></div>';
  // A heading without words is none.
  const isEmpty = (tokens, at) => tokens[at]?.type === 'th_open' && tokens[at + 1].content === '';
  renderer.rules.th_open = (tokens, at, options, env, self) => {
    if (isEmpty(tokens, at)) return isCovered(tokens, at) ? '' : '<td>';
    // The heading of a list stands above both of its columns.
    if (isCovered(tokens, at + 3)) return '<th colspan="2" scope="colgroup">';
    return self.renderToken(tokens, at, options);
  };
  renderer.rules.th_close = (tokens, at) =>
    !isEmpty(tokens, at - 2) ? '</th>' : isCovered(tokens, at - 2) ? '' : '</td>';

  /** Whether it is the empty second of two headings, of which the first is not empty. */
  function isCovered(tokens, at) {
    return (
      isEmpty(tokens, at) &&
      tokens[at + 3].type === 'tr_close' &&
      tokens[at - 4]?.type === 'tr_open' &&
      !isEmpty(tokens, at - 3)
    );
  }
}

/** As GitHub names headings, so that links work in both places. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
