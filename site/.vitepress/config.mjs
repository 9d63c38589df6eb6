import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { defineConfig } from 'vitepress';

const readme = readFileSync('../README.md', 'utf8');

/** The groups of pages are those of the README. */
const [, documentation = ''] = /\n## Documentation\n([\s\S]*?)(?:\n## |$)/.exec(readme) ?? [];
const guides = [...documentation.matchAll(/^\| (?!-)([^|]+) \| (.*) \|$/gm)].flatMap(([, text, links]) => {
  const items = [...links.matchAll(/\[([^\]]+)\]\((?:docs\/)?([^)]+\.md)\)/g)].map(([, title, path]) => ({
    text: title,
    link: links.includes(`(docs/${path})`) ? `/docs/${path}` : `/${path}`,
  }));
  return items.length === 0 ? [] : [{ text, items }];
});

const { exports } = JSON.parse(readFileSync('../package.json', 'utf8'));
const entries = Object.keys(exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => [`pagepics${path.slice(1)}`, path === '.' ? 'index' : path.slice(2)]);

/** The functions and classes of an entry, which have pages of their own. */
function membersOf(folder) {
  return globSync(`.build/api/${folder}/{functions,classes}/*.md`)
    .map((file) => ({ text: basename(file, '.md'), link: file.slice('.build'.length) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
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
  // No request for a /favicon.ico, which is not there.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: { anchor: { slugify } },
  vite: { build: { chunkSizeWarningLimit: 10_000 } },
  themeConfig: {
    nav: [
      { text: 'Guides', link: guides[0].items[0].link, activeMatch: '/docs/' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
      { text: 'Changes', link: '/CHANGELOG.md' },
    ],
    sidebar: { '/': guides, '/api/': [all], ...Object.fromEntries(api) },
    outline: [2, 3],
    search: { provider: 'local' },
  },
});

/** As GitHub names headings, so that links work in both places. */
function slugify(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
