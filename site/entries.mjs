// The pages of the entries of the package: what each is, its functions by subject as docs/functions.md tells them, and
// its types as typedoc lists them. All lead to the pages of their members.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { relative } from 'node:path/posix';

/** The folder of the pages of an entry: `journal` of `pagepics/journal`, and of `./journal` among the exports. */
export function folderOf(path) {
  return path.split('/')[1] ?? 'index';
}

/** Writes the pages of all entries, the list of them, and the links of docs/functions.md. */
export function writeEntryPages(pages) {
  const functions = readFileSync(join(pages, 'docs/functions.md'), 'utf8');
  const [intro, ...sections] = functions.split(/^(?=## `)/m);
  const entries = sections.map((text) => {
    const [, name] = /^## `(.*)`/.exec(text);
    const folder = folderOf(name);
    const [, about = ''] = /^## .*\n\n([^|\n].*)\n/.exec(text) ?? [];
    return { name, folder, about, text };
  });
  const described = describedIn(pages);
  for (const { name, folder, text } of entries) {
    const file = `api/${folder}/index.md`;
    const types = typesIn(readFileSync(join(pages, file), 'utf8'));
    const tables = toLinks(text, folder, `api/${folder}`)
      .replace(/^## .*\n/, '')
      .replaceAll(/\]\((\w[\w-]*\.md)/g, '](../../docs/$1');
    writeFileSync(join(pages, file), `# ${name}\n${tables}\n${types}`);
  }
  const linked = entries.map(({ text, folder }) => toLinks(text, folder, 'docs'));
  writeFileSync(join(pages, 'docs/functions.md'), intro + linked.join(''));
  const rows = entries.map(({ name, folder, about }) => `| [\`${name}\`](${folder}/index.md) | ${about} |\n`);
  const list = `# API reference\n\nThe entries of the package. [All functions](../docs/functions.md) has them on one page.\n\n| Entry | What it has |\n|---|---|\n${rows.join('')}`;
  writeFileSync(join(pages, 'api/index.md'), list);

  /** The names of a table, as links to their pages. */
  function toLinks(text, folder, from) {
    return text.replaceAll(/^\| `(\w+)` \|/gm, (row, name) => {
      const [file] = globSync(`api/${folder}/*/${name}.md`, { cwd: pages });
      return file === undefined ? row : `| [\`${name}\`](${relative(from, file)}) |`;
    });
  }

  /** Its own types, and those of other entries that it exports as well. */
  function typesIn(text) {
    const rows = [...text.matchAll(/^\| \[(\w+)\]\(((?:interfaces|type-aliases)\/[^)]+)\) \| (.*) \|$/gm)]
      .sort(([, a], [, b]) => (a < b ? -1 : 1))
      .map(([, name, path, about]) => `| [\`${name}\`](${path}) | ${described.has(name) ? about : ''} |\n`);
    const others = [...text.matchAll(/^Re-exports \[(\w+)\]\(([^)]+(?:interfaces|type-aliases)[^)]+)\)/gm)];
    const also = others.map(([, name, path]) => `[\`${name}\`](${path})`).join(' ');
    return [
      rows.length === 0 ? '' : `## Types\n\n| Type | |\n|---|---|\n${rows.join('')}`,
      also === '' ? '' : `## Types of other entries\n\n${also}\n`,
    ].join('\n');
  }
}

/** The types with a comment of their own. typedoc gives the others that of the type that they extend. */
function describedIn(pages) {
  const texts = globSync('src/**/*.ts', { cwd: pages }).map((name) =>
    readFileSync(join(pages, name), 'utf8'),
  );
  const found = texts.flatMap((text) => [...text.matchAll(/^ \*\/\n(?:export )?(?:interface|type) (\w+)/gm)]);
  return new Set(found.map(([, name]) => name));
}
