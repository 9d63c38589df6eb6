import { readFileSync } from 'node:fs';

import ts from 'typescript';

import { facts } from '../../src/core/codes.ts';
import { knownOf, mediaRules } from '../../src/media/rules.ts';
import { type MediaFormat, mediaKinds } from '../../src/media/types.ts';
import { subjectsIn } from '../support/subjects.ts';
import { type Declarations, type PackageEntry, targetOf } from './print.ts';

/** The files that list what the package exports, as they should be: by path. */
export async function writeLists({ checker, entries }: Declarations): Promise<ReadonlyMap<string, string>> {
  const loaded = await Promise.all(
    entries.map(async (entry) => {
      const names = Object.keys((await import(`${process.cwd()}/${entry.module}`)) as object);
      return { ...entry, exports: entry.exports.filter(({ name }) => names.includes(name)) };
    }),
  );
  return new Map([
    ['llms.txt', llmsText()],
    ['docs/functions.md', functionsPage({ checker, entries: loaded })],
    ['docs/media-rules.md', mediaRulesPage()],
    ['docs/errors.md', errorsPage(readFileSync('docs/errors.md', 'utf8'))],
  ]);
}

/** The page with the codes of each category, and those that tell what is wrong with media: the last cells of its tables. */
function errorsPage(page: string): string {
  return page.replaceAll(/^(\| `(\w+)` \| .* \|) [^|]* \|$/gm, (row, cells: string, name: string) => {
    const found = facts.filter(({ is, media }) => is === name || media === name);
    return found.length === 0 ? row : `${cells} ${listOf(found.flatMap(({ codes }) => codes.split(' ')))} |`;
  });
}

/** What stands for many codes. */
const families: Readonly<Record<string, string>> = { '2xx': '200 to 299', '800xx': '80000 to 80014' };

/** Codes in one line: those alone, three and more in a row as a range, then those with a subcode, then subcodes alone. */
function listOf(codes: readonly string[]): string {
  const names = codes.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const alone = names.filter((name) => /^-?\d+$/.test(name)).toSorted((a, b) => Number(a) - Number(b));
  const runs = alone.reduce<string[][]>((found, name) => {
    const last = found.at(-1);
    if (Number(last?.at(-1)) === Number(name) - 1) last?.push(name);
    else found.push([name]);
    return found;
  }, []);
  const subcodes = names.filter((name) => name.startsWith('/')).map((name) => name.slice(1));
  return [
    ...runs.flatMap((run) => (run.length > 2 ? [`${run[0]} to ${run.at(-1)}`] : run)),
    ...names.flatMap((name) => families[name] ?? []),
    ...names.filter((name) => name.indexOf('/') > 0),
    ...(subcodes.length === 0 ? [] : [`subcode${subcodes.length > 1 ? 's' : ''} ${subcodes.join(' ')}`]),
  ].join(', ');
}

const mediaFormats: readonly MediaFormat[] = [
  ...(['mp4', 'mov', '3gp', 'matroska', 'webm', 'mpegts', 'mpegps', 'avi', 'flv', 'asf', 'ogg'] as const),
  ...(['jpeg', 'png', 'gif', 'webp', 'heic', 'avif', 'tiff', 'bmp', 'jxl'] as const),
  ...(['m4a', 'mp3', 'aac', 'wav', 'amr', 'flac', 'aiff', 'caf', 'pdf', 'html'] as const),
];

/** The page of the rules of media, with the tables as the source has them. */
function mediaRulesPage(): string {
  const page = readFileSync('docs/media-rules.md', 'utf8');
  const tables = mediaKinds.map((kind) => {
    const refused = new Set<MediaFormat>();
    const rows = mediaRules
      .filter(([, kinds]) => kinds.includes(kind))
      .map(([severity, , [property, find, rule], source, number, note]) => {
        const formats = mediaFormats.filter(
          (format) =>
            !refused.has(format) &&
            find(knownOf({ kind: 'unknown', format, size: 1, bytesRead: 0, requests: 0 })),
        );
        const found = property === 'format' ? `, not ${formats.join(', ')}` : '';
        if (property === 'format' && severity === 'refused') for (const each of formats) refused.add(each);
        const more = `${found}${typeof note === 'string' && note ? `; ${note}` : ''}`;
        return `| \`${property}\` | ${severity} | ${rule}${more} | ${number ?? ''} | ${source} |\n`;
      });
    return `\n## \`${kind}\`\n\n| Property | If not | Asked for | Code | Source |\n|---|---|---|---|---|\n${rows.join('')}`;
  });
  return page.replace(/(?<=<!-- rules -->\n)[\s\S]*(?=\n<!-- end of rules -->)/, tables.join(''));
}

/** What coding tools read first: the groups of pages that the README has, and the headings of each page. */
function llmsText(): string {
  const readme = readFileSync('README.md', 'utf8');
  const { description } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly description: string;
  };
  const [, about = ''] = /^# .*\n\n([^\n]+(?:\n[^\n]+)*)/.exec(readme) ?? [];
  const [, documentation = ''] = /\n## Documentation\n([\s\S]*?)(?:\n## |$)/.exec(readme) ?? [];
  const groups = [...documentation.matchAll(/^\| (?!-)(\w[^|]*?) +\| (.*?) +\|$/gm)].map(
    ([, title = '', links = '']) => {
      const lines = [...links.matchAll(/\[[^\]]+\]\([\w/-]+\.md\)/g)].map(
        ([link]) => `- ${link}${headingsOf(link)}\n`,
      );
      return `\n## ${title}\n\n${lines.join('')}`;
    },
  );
  return `# pagepics\n\n> ${description}\n\n${about}\n${groups.join('')}`;
}

/** What a page is about, in its own words: its headings. */
function headingsOf(link: string): string {
  const [, path = ''] = /\((.*)\)/.exec(link) ?? [];
  if (path === 'CHANGELOG.md') return '';
  const headings = [...readFileSync(path, 'utf8').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  return headings.length === 0 ? '' : `: ${headings.join('; ')}`;
}

/** Functions that belong together, with the Markdown links that lead to their page. */
interface Group {
  readonly title: string;
  readonly names: readonly string[];
}

/** The groups of a platform's endpoints, as the comments of its `endpoints.ts` tell them. */
function groupsOf(platform: string): readonly Group[] {
  const [, ...parts] = readFileSync(`src/${platform}/endpoints.ts`, 'utf8').split('\n// [');
  return parts.map((part) => ({
    title: `[${part.split('\n')[0]}`,
    names: subjectsIn(platform, part).flatMap(({ names }) => names),
  }));
}

const introduction = `# All functions

All that the package exports for use at run time, entry by entry; types are beside the functions that use them. \`npm run api\` writes this page.

A function of a platform takes a context first and returns a \`Result\`. The client's method of the same name has its context, and throws; \`del\` is \`client.delete\`. The specification's \`publish_post\` is \`publishPost\`, and so on. **Once-only** functions publish at most once and take an \`idempotencyKey\`: see [retries](retries.md) and [the journal](journal.md).
`;

/** What each entry is, in the order in which they are told. */
const abouts: Readonly<Record<string, string>> = {
  './page': 'The functions of Pages, and the context that they take.',
  './pics':
    'The functions of photo-sharing accounts, and the context that they take: with the account’s own login, or by way of its Page.',
  './core':
    'What both platforms share: errors, requests to any other endpoint, batches, clients of your own.',
  './webhooks': 'Verifies and reads the deliveries of webhooks. It stands alone, without the rest.',
  './journal': 'Journals over your stores, for publishing exactly once under an idempotency key.',
  './connections': 'What each function needs, and whether a token has it.',
  './governor': 'Keeps the calls of a process, or of a fleet, below the rate limits.',
  './media': 'What the platforms take of a file, before it is published.',
  './models': 'The types of the platform’s data, and their schemas.',
  './sandbox': 'Both platforms, emulated in memory, for tests.',
  '.': 'The clients of both platforms, whose methods throw, and all types.',
};

/** A table for each entry; what several entries export stands with the first of them, most special first. */
function functionsPage({ checker, entries }: Declarations): string {
  const told = new Map<ts.Symbol, string>();
  const sorted = entries.toSorted((a, b) => rankOf(a) - rankOf(b));
  return `${introduction}${sorted.map(section).join('')}`;

  function rankOf({ path }: PackageEntry): number {
    const at = Object.keys(abouts).indexOf(path);
    if (at === -1) throw new Error(`${path}: say in test/api/lists.ts what it is`);
    return at;
  }

  function section({ path, name, exports }: PackageEntry): string {
    const values = exports
      .map((symbol) => [symbol.name, targetOf(checker, symbol)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const rows = new Map<string, string>();
    const elsewhere = new Map<string, string[]>();
    for (const [exported, symbol] of values) {
      const owner = told.get(symbol);
      if (owner === undefined) {
        told.set(symbol, name);
        rows.set(exported, `| ${code(exported)} | ${describe(symbol)} |\n`);
      } else {
        elsewhere.set(owner, [...(elsewhere.get(owner) ?? []), exported]);
      }
    }
    const grouped = path === './page' || path === './pics' ? groupsOf(path.slice(2)) : [];
    const tables = grouped.map(({ title, names }) => {
      const lines = names.map((exported) => {
        const line = rows.get(exported) ?? '';
        rows.delete(exported);
        return line;
      });
      return table(title.replaceAll('](docs/', ']('), lines);
    });
    const rest = rows.size === 0 ? '' : table('', [...rows.values()]);
    const also = [...elsewhere].map(
      ([owner, names]) => `\nAs in ${code(owner)}: ${names.map(code).join(' ')}\n`,
    );
    return `\n## ${code(name)}\n\n${abouts[path]}\n${tables.join('')}${rest}${also.join('')}`;
  }

  function table(title: string, lines: readonly string[]): string {
    return `\n| ${title}${title && ' '}| |\n|---|---|\n${lines.join('')}`;
  }

  /** The first sentence of the doc comment, and whether the function is once-only. */
  function describe(symbol: ts.Symbol): string {
    const comment = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ');
    const [, first = comment] = /^(.*?(?<!e\.g)[.])(?: |$)/.exec(comment) ?? [];
    return `${first.replace(/\{@link (\w+)\}/g, '`$1`').replaceAll('|', '\\|')}${isOnceOnly(symbol) ? ' **Once-only.**' : ''}`;
  }

  function isOnceOnly(symbol: ts.Symbol): boolean {
    const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
    const options = signature?.getParameters()[1];
    if (options === undefined) return false;
    const type = checker.getTypeOfSymbol(options);
    return (type.isUnion() ? type.types : [type]).some(
      (part) => part.getProperty('idempotencyKey') !== undefined,
    );
  }
}

function code(text: string): string {
  return `\`${text}\``;
}
