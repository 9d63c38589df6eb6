import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { publishingsOf } from '../src/mcp/plans.ts';
import * as pageEndpoints from '../src/page/endpoints.ts';
import * as picsEndpoints from '../src/pics/endpoints.ts';
import { publishedKinds } from '../src/sandbox/effects.ts';
import { createSandbox, serveSandbox } from '../src/sandbox/index.ts';
import { type Endpoint, endpoints } from './functions/index.ts';

// What the README, the pages of docs/ and the doc comments show is compiled, with the variables that a reader takes
// for granted.
const given = `
declare const appId: string, appSecret: string, pageId: string, pageToken: string, token: string, userToken: string;
declare const access_token: string, postId: string, commentId: string, formId: string, leadgenId: string, leadId: string, adId: string;
declare const picsUserId: string, mediaId: string, containerId: string, conversationId: string, recipientId: string;
declare const redirectUri: string, code: string, state: string, igsid: string, videoId: string, photoId: string, secret: string;
declare const url: string, imageUrl: string, videoUrl: string, imageUrls: string[], lastSeen: Date;
declare const page: import('pagepics').Page;
declare const rawBody: string, verifyToken: string, bundle: import('pagepics').TokenBundle;
`;
const folder = 'test/.docs';

interface Block {
  readonly where: string;
  readonly imports: readonly string[];
  readonly body: string;
}

function toBlock(where: string, text: string): Block {
  // Augmentations of modules stand outside of functions, too.
  const outside = text.match(/^(?:import .*|declare module [\s\S]*?^})$/gm) ?? [];
  return {
    where,
    imports: outside,
    body: outside.reduce((body, part) => body.replace(part, ''), text),
  };
}

const docs = readdirSync('docs').filter((name) => name.endsWith('.md'));
const pages = ['README.md', 'SKILL.md', ...docs.map((name) => `docs/${name}`)];

const blocks = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = ''], at) =>
    toBlock(`${page} block ${at + 1}`, text),
  ),
);

// As they are packed: the build completes those of endpoints. The methods of clients repeat them.
const comments = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.d.ts') && !/^sandbox\b|\bmethods\.d\.ts$/.test(name))
  .flatMap((name) =>
    [...readFileSync(`dist/${name}`, 'utf8').matchAll(/@example.*\n((?: \*(?!\/)(?: (?!@).*)?\n)+)/g)].map(
      ([, text = '']) => ({ ...toBlock(name, text.replaceAll(/^ \* ?/gm, '')), name }),
    ),
  );

/** A module for a block. For a doc comment, its functions are imported and a context is declared. */
function toModule({ where, imports, body, name }: Block & { readonly name?: string }): string {
  const [platform = ''] = (name ?? '').split('/');
  const isOther = ['connections', 'governor', 'media'].includes(platform);
  const own =
    name === undefined
      ? contextOf(imports.join(), body)
      : platform === 'page' || platform === 'pics'
        ? `import * as pagepics from 'pagepics/${platform}'; import * as root from 'pagepics'; declare const context: pagepics.${platform === 'page' ? 'Page' : 'Pics'}Context, client: root.${platform === 'page' ? 'Page' : 'Pics'}Client;`
        : platform === 'stores' || name.startsWith('webhooks/eventsOnce')
          ? `import * as pagepics from 'pagepics/journal'; import * as root from 'pagepics/core';`
          : platform === 'webhooks'
            ? `import * as pagepics from 'pagepics/webhooks'; import * as root from 'pagepics'; declare const request: Request;`
            : `import * as pagepics from 'pagepics/${isOther ? platform : 'core'}'; import * as root from 'pagepics'; import * as endpoints from 'pagepics/page'; declare const context: import('pagepics/page').PageContext, client: root.PageClient;`;
  const names =
    name === undefined
      ? ''
      : `const {${used(body)}} = { ...root, ...pagepics${platform === 'core' || isOther ? ', ...endpoints' : ''} };`;
  return `// ${where}\n${imports.join('\n')}\n${own}\n${given}\nexport async function example() {\n${names}\n${body}\n}\n`;
}

/** The context that a block takes for granted, by what it imports. */
function contextOf(imports: string, body: string): string {
  if (/const context\b/.test(body) || !/\bcontext\b/.test(body)) return '';
  const name = imports.includes('pagepics/pics')
    ? "import('pagepics/pics').PicsContext"
    : "import('pagepics/page').PageContext";
  return `declare const context: ${name};`;
}

/** The functions that a text calls and does not declare. */
function used(body: string): string {
  const called = [...body.matchAll(/(?<![.\w`])([a-z]\w*)(?=\()|\{ (\w+), (\w+) \}\)/g)].flatMap(
    ([, ...names]) => names.filter((found) => found !== undefined),
  );
  const reserved = ['if', 'for', 'switch', 'await', 'path'];
  return [...new Set(called)]
    .filter((called) => !reserved.includes(called) && !given.includes(` ${called}:`))
    .join(', ');
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const all = [...blocks, ...comments.filter(({ body }) => !body.includes('path`'))];
  for (const [at, block] of all.entries()) writeFileSync(`${folder}/${at}.ts`, toModule(block));
});

/** Comes to what the compiler says of all samples. It works beside the tests. */
let compiled: Promise<string>;

beforeAll(() => {
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({
      extends: '../../tsconfig.test.json',
      // The declarations are checked where the package is: see `packed.test.ts`.
      compilerOptions: { noImplicitReturns: false, skipLibCheck: true },
      include: ['*.ts'],
    }),
  );

  // What has not changed since the last run is not checked again.
  const known = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/pagepics/docs.tsbuildinfo'];
  compiled = new Promise((resolve) => {
    execFile('tsc', ['-p', folder, ...known], (failed, said) =>
      resolve(failed === null ? '' : `${failed.message}${said}`),
    );
  });
});

/** Runs a block, and returns what it logs. Its given variables are globals. */
async function run(at: number): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const { example } = (await import(/* @vite-ignore */ `${process.cwd()}/${folder}/${at}.ts`)) as {
    readonly example: () => Promise<void>;
  };
  await example();
  return log.mock.calls;
}

/** The blocks of a page: title and index. */
function blocksOf(page: string): [where: string, at: number][] {
  return blocks.flatMap(({ where }, at) => (where.startsWith(`${page} `) ? [[where, at]] : []));
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const sandboxed = blocks.flatMap(({ where, body }, at): [where: string, at: number][] =>
  body.includes('createSandbox(') ? [[where, at]] : [],
);

test.each(sandboxed)('%s runs on a sandbox', async (_, at) => {
  expect(await run(at)).not.toEqual([]);
});

test.each(blocksOf('README.md'))('%s publishes a post, with the variables of the sandbox', async (_, at) => {
  const sandbox = createSandbox();
  await using server = await serveSandbox(sandbox);
  const { app, pages, effects } = sandbox;
  vi.stubEnv('PAGE_APP_ID', app.id);
  vi.stubEnv('PAGE_APP_SECRET', app.secret);
  vi.stubEnv('PAGE_ID', pages[0]?.id);
  vi.stubEnv('PAGE_TOKEN', pages[0]?.token);
  vi.stubEnv('PAGEPICS_PLATFORM', JSON.stringify(server.platform));

  const logged = await run(at);

  expect(logged).toEqual(effects('post').map(({ id }) => [id]));
  expect(logged).toHaveLength(1);
});

const examples = filesOf('examples/**/*.ts');

/** The texts of files, without those of packages that are installed for an example. */
function filesOf(pattern: string): readonly string[] {
  return globSync(pattern, { exclude: ['**/node_modules'] }).map((name) => readFileSync(name, 'utf8'));
}

test('the README and the examples show nothing that Node 22 cannot run; no sample unwraps a Result blindly', () => {
  const shown = blocksOf('README.md').map(([, at]) => blocks[at]?.body);

  expect(shown).toHaveLength(2);
  expect(shown.filter((body) => body === undefined || /\busing\b/.test(body))).toEqual([]);
  expect(blocks.filter(({ body }) => body.includes('_unsafeUnwrap'))).toEqual([]);
  expect(examples.filter((text) => /_unsafeUnwrap|\busing \w+ =/.test(text))).toEqual([]);
});

test.each(docs)('the README links to docs/%s, and so does llms.txt', (page) => {
  expect(readFileSync('README.md', 'utf8')).toContain(`](docs/${page})`);
  expect(readFileSync('llms.txt', 'utf8')).toContain(`](docs/${page})`);
});

// The pages are packed, so a link must work in the repository and in the package. Only the picture of the sandbox is
// left out, since it would be a thirtieth of the download.
const packed = new Set(
  ['CHANGELOG.md', 'README.md', 'SECURITY.md', 'SKILL.md', 'llms.txt'].concat(
    readdirSync('docs').map((name) => `docs/${name}`),
  ),
);

test.each(pages)('every link of %s leads to a page and a heading that are there', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
  const dead = links.filter(([, path = '', anchor]) => {
    const target = path === '' ? page : join(dirname(page), path);
    return !packed.has(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });

  expect(dead.map(([link]) => link)).toEqual([]);
});

/** The headings of a page, as links name them. */
function anchorsOf(page: string): readonly string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each([
  ['Pages', pageEndpoints],
  ['Photo-sharing accounts', picsEndpoints],
])('docs/calls.md has a call for each function: %s', (heading, endpoints) => {
  const [, part = ''] = readFileSync('docs/calls.md', 'utf8').split(`\n## ${heading}\n`);
  const [table = ''] = part.split('\n## ');
  const cells = [...table.matchAll(/^\| .* \| (.*) \|$/gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));

  const isIterator = (name: string): boolean => name.startsWith('iterate');
  expect(named.filter(isIterator), 'an iterator makes the calls of its list, and has no row').toEqual([]);
  const made = Object.keys(endpoints).filter((name) => !isIterator(name));
  const ofPlatform = named.filter((name) => name !== 'batch' && name !== 'request');
  expect([...new Set(ofPlatform)].toSorted()).toEqual(made.toSorted());
});

/** The rows of the tables of a page, by their headers. */
function rowsOf(page: string): readonly (readonly (readonly [header: string, cell: string])[])[] {
  const rows: (readonly [string, string])[][] = [];
  let headers: readonly string[] | undefined;
  for (const line of readFileSync(page, 'utf8').split('\n')) {
    const cells = line.startsWith('|')
      ? line
          .slice(1, -1)
          .split(' | ')
          .map((cell) => cell.trim())
      : undefined;
    if (headers && cells) rows.push(cells.map((cell, at) => [headers?.[at] ?? '', cell]));
    headers = cells && (headers ?? cells);
  }
  return rows;
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([a-z]\w*)`/g)].map(([, name = '']) => name);

// What is taken out of the code is left nowhere in them.
test('the options that tables of the docs name are in the public API', () => {
  const known = new Set(filesOf('test/api/*.txt').join(' ').match(/\w+/g));
  const cells = docs
    .flatMap((page) => rowsOf(`docs/${page}`).flat())
    .filter(([header]) => /option/i.test(header));
  expect(cells.length).toBeGreaterThan(30);
  expect(cells.flatMap(([, cell]) => namesIn(cell)).filter((name) => !known.has(name))).toEqual([]);
});

/** The functions that a table names in a column, of the one that has these headers. */
function functionsIn(page: string, column: string, other: RegExp): readonly string[] {
  const rows = rowsOf(`docs/${page}`).filter((row) => row.some(([header]) => other.test(header)));
  const cells = rows.flatMap((row) => row.filter(([header]) => header === column));
  return [...new Set(cells.flatMap(([, cell]) => namesIn(cell)))]
    .filter((name) => known.has(name))
    .toSorted();
}

const known = new Set(endpoints.map(({ name }) => name));

/** The names of functions by what test/functions knows of them. */
function functionsWith(has: (endpoint: Endpoint) => boolean): readonly string[] {
  return [...new Set(endpoints.filter(has).map(({ name }) => name))].toSorted();
}

const takesKey = ({ entry }: Endpoint): boolean => 'idempotencyKey' in entry.kinds;
const publishes = ({ entry: { writes = [] } }: Endpoint): boolean =>
  writes.some(({ kind }) => kind !== 'message' && publishedKinds.includes(kind));

test.each([
  ['journal.md', 'Function', /^Its effect is found/, takesKey],
  ['errors.md', 'Function', /^`onCreated` gets/, ({ entry }: Endpoint) => 'onCreated' in entry.kinds],
  [
    'pages.md',
    'Function',
    /^Later/,
    (one: Endpoint) => one.platform === 'page' && takesKey(one) && publishes(one),
  ],
] as const)('a table of docs/%s has each function that it is about', (page, column, other, has) => {
  expect(functionsIn(page, column, other)).toEqual(functionsWith(has));
});

test('docs/mcp.md has each function that can be planned, and what cannot is known', () => {
  const planned = (['page', 'pics'] as const).flatMap((platform) => Object.keys(publishingsOf({ platform })));
  expect(functionsIn('mcp.md', 'Functions', /^$/)).toEqual([...new Set(planned)].toSorted());
  const left = functionsWith((one) => takesKey(one) && publishes(one)).filter(
    (name) => !planned.includes(name),
  );
  // A container is made by a plan of its own; a mention is of a person, as messages are.
  expect(left).toEqual(['publishContainer', 'replyMention']);
});

test('the paths for which docs/calls.md names a function are in the code', () => {
  const code = ['page', 'pics', 'messaging', 'core']
    .flatMap((room) => filesOf(`src/${room}/**/*.ts`))
    .join('\n');
  // The first word of some is put in.
  const isAsked = (end: string): boolean =>
    new RegExp(`[/'\`]${end}\\b|\\}${end.replace(/^[^_]+/, '')}\\b`).test(code);
  const ends = rowsOf('docs/calls.md')
    .filter((row) => namesIn(row.at(-1)?.[1] ?? '').some((name) => name !== 'request' && name !== 'batch'))
    .flatMap(([call]) => [...(call?.[1] ?? '').matchAll(/\/(\w+)/g)].map(([, end = '']) => end));
  expect(ends.length).toBeGreaterThan(80);
  expect(ends.filter((end) => !isAsked(end))).toEqual([]);
});

test('each edge of the sandbox is one of docs/calls.md: what is taken out leaves none behind', () => {
  const calls = readFileSync('docs/calls.md', 'utf8');
  const edges = filesOf('src/sandbox/**/*.ts').flatMap((text) =>
    [...text.matchAll(/\bon\('[A-Z]+', (?:\w+|'\w+'|\[[^\]]*\]), '(\w+)'/g)].map(([, edge = '']) => edge),
  );
  expect(edges.length).toBeGreaterThan(50);
  expect(edges.filter((edge) => !new RegExp(`[/\`]${edge}\\b`).test(calls))).toEqual([]);
});

test('docs/costs.md gives the bundle sizes that `npm run size` allows, to 5 %', () => {
  const limits = JSON.parse(readFileSync('.size-limit.json', 'utf8')) as { readonly limit: string }[];
  const told = [...readFileSync('docs/costs.md', 'utf8').matchAll(/about ([\d.]+) kB/g)];

  // The docs give the first ones.
  expect(told).toHaveLength(3);
  for (const [at, { limit }] of limits.slice(0, 3).entries()) {
    expect(Math.abs(Number(told[at]?.[1]) / parseFloat(limit) - 1)).toBeLessThan(0.05);
  }
});

const exampleCode = filesOf('examples/**/*.{ts,jsonc}').join('\n');

// Code that needs packages of its own is marked as `typescript`, and compiled with its example.
test.each(docs.filter((page) => page === 'recipes.md' || page.startsWith('how-to-')))(
  'the code of docs/%s is that of the examples',
  (page) => {
    const all = exampleCode.replaceAll(/^export /gm, '');
    const text = readFileSync(`docs/${page}`, 'utf8');
    const parts = [...text.matchAll(/```(?:ts|typescript|jsonc)\n([\s\S]*?)```/g)]
      .flatMap(([, code = '']) => code.replaceAll(/^import .*\n|^export /gm, '').split('\n\n'))
      .map((part) => part.trim())
      // The example brings a file of its own.
      .filter((part) => part !== "const [video = './reel.mp4', file = ':memory:'] = process.argv.slice(2);");

    expect(parts.length).toBeGreaterThan(2);
    expect(parts.filter((part) => !all.includes(part))).toEqual([]);
  },
);

test('the sample for vitest in docs/testing.md is one of our own tests', () => {
  const all = readFileSync('test/sandbox/testing.test.ts', 'utf8');
  const [, sample = ''] =
    /```ts\n(import [^`]*sandboxFixtures[^`]*)```/.exec(readFileSync('docs/testing.md', 'utf8')) ?? [];
  const parts = sample
    .replaceAll(/^import .*\n/gm, '')
    .trim()
    .split('\n\n');

  expect(parts.length).toBeGreaterThan(4);
  expect(parts.filter((part) => !all.includes(part.trim()))).toEqual([]);
});

const promises = ['retries', 'comparison'].flatMap((page) => [
  ...readFileSync(`docs/${page}.md`, 'utf8').matchAll(/\| `([a-z]+\/[\w/]+)`: (.*?) \|$/gm),
]);

test('docs/retries.md and docs/comparison.md name promises', () => {
  expect(promises.length).toBeGreaterThan(12);
});

test.each(promises.map(([, file = '', title = '']) => [file, title]))(
  'the test that shows a promise is there: %s, %s',
  (file, title) => {
    expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(`('${title}'`);
  },
);

test('the doc comment of each option that takes a path warns of paths from user input', () => {
  const options = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      readFileSync(join('src', name), 'utf8')
        .split(/(?<=;\n)/)
        .filter((member) => /readonly \w+\??: .*(?:FileSource|ArrayBuffer)/.test(member))
        .map((member) => `${name}: ${member}`),
    )
    // What functions of the SDK hand to each other.
    .filter((member) => !/writes.journal|sandbox|publishMedia/.test(member));

  expect(options.length).toBeGreaterThan(8);
  for (const option of options)
    expect(option.replace(/\s+\*?\s*/g, ' ')).toContain('Never use a path from user input');
});

test('every sample in the README, on a page and in a doc comment compiles', async () => {
  expect(await compiled).toBe('');
  expect(blocks.length).toBeGreaterThan(25);
  expect(comments.length).toBeGreaterThan(100);
});
