import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { afterAll, expect, test } from 'vitest';

// What the README and the doc comments show is compiled, with the variables that a reader takes for granted.
const given = `
declare const appId: string, appSecret: string, pageId: string, pageToken: string, token: string, userToken: string;
declare const access_token: string, postId: string, commentId: string, formId: string, leadgenId: string, adId: string;
declare const picsUserId: string, mediaId: string, containerId: string, conversationId: string, recipientId: string;
declare const redirectUri: string, code: string, state: string, igsid: string, videoId: string, secret: string;
declare const url: string, imageUrl: string, videoUrl: string, imageUrls: string[], lastSeen: Date;
declare const page: import('pagepics').Page;
`;
const folder = 'test/.docs';

interface Block {
  readonly where: string;
  readonly imports: readonly string[];
  readonly body: string;
}

function toBlock(where: string, text: string): Block {
  const lines = text.split('\n');
  return {
    where,
    imports: lines.filter((line) => line.startsWith('import ')),
    body: lines.filter((line) => !line.startsWith('import ')).join('\n'),
  };
}

const readme = [...readFileSync('README.md', 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, text = ''], at) => toBlock(`README block ${at + 1}`, text),
);

const comments = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('sandbox/'))
  .flatMap((name) =>
    [
      ...readFileSync(`src/${name}`, 'utf8').matchAll(
        /@example\n((?: \* ?.*\n)+?) \*\/\n(?:export |[^\n]*)/g,
      ),
    ].map(([, text = '']) => ({ ...toBlock(name, text.replaceAll(/^ \* ?/gm, '')), name })),
  );

/** A module for a block; a doc comment's finds its own functions imported and a context declared. */
function toModule({ where, imports, body, name }: Block & { readonly name?: string }): string {
  const [platform] = (name ?? '').split('/');
  const own =
    name === undefined
      ? contextOf(imports.join(), body)
      : platform === 'page' || platform === 'pics'
        ? `import * as pagepics from 'pagepics/${platform}'; import * as root from 'pagepics'; declare const context: pagepics.${platform === 'page' ? 'Page' : 'Pics'}Context;`
        : `import * as pagepics from 'pagepics/core'; import * as root from 'pagepics'; import * as endpoints from 'pagepics/page'; declare const context: import('pagepics/page').PageContext;`;
  const names =
    name === undefined
      ? ''
      : `const {${used(body)}} = { ...root, ...pagepics${platform === 'core' ? ', ...endpoints' : ''} };`;
  return `// ${where}\n${imports.join('\n')}\n${own}\n${given}\nexport async function example() {\n${names}\n${body}\n}\n`;
}

/** The context that a README block takes for granted, by what it imports. */
function contextOf(imports: string, body: string): string {
  if (/const context\b/.test(body) || !/\bcontext\b/.test(body)) return '';
  const name = imports.includes('pagepics/pics')
    ? "import('pagepics/pics').PicsContext"
    : "import('pagepics/page').PageContext";
  return `declare const context: ${name};`;
}

/** The functions that a text calls and does not make. */
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

test('every example in the README and in a doc comment compiles', { timeout: 60_000 }, () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const blocks = [...readme, ...comments.filter(({ body }) => !body.includes('path`'))];
  for (const [at, block] of blocks.entries()) writeFileSync(`${folder}/${at}.ts`, toModule(block));
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({
      extends: '../../tsconfig.test.json',
      compilerOptions: { noImplicitReturns: false },
      include: ['*.ts'],
    }),
  );

  let errors = '';
  try {
    execFileSync('tsc', ['-p', folder], { encoding: 'utf8' });
  } catch (failed) {
    errors = (failed as { readonly stdout: string }).stdout;
  }

  expect(errors).toBe('');
  expect(readme.length).toBeGreaterThan(5);
  expect(comments.length).toBeGreaterThan(30);
});

const guarantees = [
  ...readFileSync('README.md', 'utf8').matchAll(/\| `((?:core|faults)\/[\w/]+)`: (.*?) \|$/gm),
];

test('the README names guarantees', () => {
  expect(guarantees.length).toBeGreaterThan(8);
});

test.each(guarantees.map(([, file = '', title = '']) => [file, title]))(
  'the test that shows a guarantee of the README is there: %s, %s',
  (file, title) => {
    expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(`test('${title}'`);
  },
);
