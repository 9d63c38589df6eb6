import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { requirements } from '../src/connections/index.ts';
import { livePlatform } from '../src/core/platform.ts';
import * as page from '../src/page/endpoints.ts';
import * as pics from '../src/pics/endpoints.ts';

const { picsScopePrefix } = livePlatform.words;
const lowLevel = ['request', 'get', 'post', 'delete', 'paginate', 'iterate'];
const functions = [
  ...Object.keys(page).map((name) => ['page', name] as const),
  ...Object.keys(pics).map((name) => ['pics', name] as const),
];
const shown = [
  ...Object.keys(page)
    .concat(lowLevel)
    .map((method) => ['createPageClient', method] as const),
  ...Object.keys(pics).map((method) => ['createPicsClient', method] as const),
];
const anyFailure = '{ApiError | RateLimitError | PermissionError | TransportError | ConfigurationError}';

// One program for all, on the built declarations: each one takes a second to read.
const file = `${process.cwd()}/test/.hover.ts`;
const text = [
  ...shown.map(([maker, method]) => `import('pagepics').then(({ ${maker}: make }) => make({}).${method});\n`),
  ...functions.map(([platform, name]) => `import('pagepics/${platform}').then((all) => all.${name});\n`),
].join('');
const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    skipLibCheck: true,
  }),
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => {
    const content = name === file ? text : ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => process.cwd(),
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
  directoryExists: (name) => ts.sys.directoryExists(name),
});

/** Where a method is read, or a function of a platform. */
function placeOf(owner: string, name: string): number {
  const begin = owner.startsWith('create')
    ? `{ ${owner}: make }) => make({}).`
    : `import('pagepics/${owner}').then((all) => all.`;
  return text.indexOf(`${begin}${name});`) + begin.length;
}

/** What an editor shows for a method or a function: its type, its text, and its tags in their order. */
function hover(owner: string, name: string): { type: string; text: string; tags: [string, string][] } {
  const info = service.getQuickInfoAtPosition(file, placeOf(owner, name));
  return {
    type: ts.displayPartsToString(info?.displayParts),
    text: ts.displayPartsToString(info?.documentation),
    tags: info?.tags?.map((tag) => [tag.name, ts.displayPartsToString(tag.text)]) ?? [],
  };
}

describe('an editor', () => {
  test.each(shown)('shows for %s().%s its own example first, and what it throws', (maker, method) => {
    const { type, text: comment, tags } = hover(maker, method);

    expect(type).toMatch(new RegExp(String.raw`\b${method}: `));
    expect(comment).not.toBe('');
    const examples = tags.filter(([name]) => name === 'example').map(([, example]) => example);
    expect(examples[0]).toContain(`client.${method}(`);
    expect(examples.slice(1).join('\n')).not.toContain('client.');
    const thrown = tags.filter(([name]) => name === 'throws').map(([, classes]) => classes);
    // Of a profile that cannot be read, the value says so.
    expect(thrown).toEqual(
      method === 'contact' ? [] : [expect.stringMatching(/^\{?(?:\w+Error(?: \| )?)+\}?$/)],
    );
  });

  test.each(functions)(
    'shows for the function %s %s its own example first, then that of the client',
    (platform, name) => {
      const { type, tags } = hover(platform, name);

      expect(type).toMatch(new RegExp(String.raw`\bfunction ${name}\(`));
      const examples = tags.filter(([tag]) => tag === 'example').map(([, example]) => example);
      expect(examples[0]).toContain(`${name}(context`);
      expect(examples.at(-1)).toMatch(/^With a client, which throws\n/);
      expect(examples.at(-1)).toContain(`client.${name}(`);
    },
  );

  test.each(functions)(
    'shows the permissions of %s %s where it needs any, and its source',
    (platform, name) => {
      const tables =
        platform === 'page' ? [requirements.page] : [requirements['pics-login'], requirements['pics-pages']];
      const needed = new Set(tables.flatMap((table) => table[name]?.permissions ?? []));
      const { text: comment } = hover(platform, name);
      const [, sentence = ''] =
        /\n(Permissions?(?: in login mode)?: .*\.)\n[^]*\bSource: /.exec(comment) ?? [];

      const told = [...sentence.matchAll(/`([a-z_]+)`/g)].map(([, permission]) => permission);
      expect(told.toSorted()).toEqual(
        [...needed].map((permission) => permission.replace(picsScopePrefix, 'pics_')).toSorted(),
      );
      expect(comment.match(/Permissions?(?: in login mode)?: /g)?.length ?? 0).toBe(needed.size > 0 ? 1 : 0);
    },
  );

  test.each([
    ['page', 'me', 'Permission: `public_profile`.'],
    [
      'page',
      'comments',
      'Permissions: `pages_read_engagement`, `pages_read_user_content`, `pages_show_list`; Page task `CREATE_CONTENT`, `MANAGE` or `MODERATE`.',
    ],
    ['pics', 'refreshToken', 'Permission: `pics_business_basic`.'],
    [
      'pics',
      'profile',
      'Permissions in login mode: `pics_business_basic`; in page mode: `pics_basic`, `pages_read_engagement`, `pages_show_list`.',
    ],
  ])('shows what %s %s needs: %s', (platform, name, sentence) => {
    expect(hover(platform, name).text.split('\n')).toContain(sentence);
    expect(hover(platform === 'page' ? 'createPageClient' : 'createPicsClient', name).text).toContain(
      sentence,
    );
  });

  test('shows the hover of page.publishPost as it is meant', () => {
    const { type, text: comment, tags } = hover('createPageClient', 'publishPost');

    expect(type).toBe('(property) Methods.publishPost: (options: PublishPostOptions) => Promise<Created>');
    expect(comment).toMatch(/^Publishes a text/);
    expect(tags).toEqual([
      [
        'example',
        "const post = await client.publishPost({ pageId, pageToken, message: 'Open until nine.' });",
      ],
      ['throws', anyFailure],
      [
        'example',
        "With the function, which does not throw\nconst post = await publishPost(context, { pageId, pageToken, message: 'Open until nine.' });\nif (post.isOk()) console.log(post.value.id);",
      ],
    ]);
  });

  test.each([
    ['createPicsClient', 'publish', 'ContainerNotReadyError'],
    ['createPageClient', 'loginUrl', '{ConfigurationError}'],
    ['createPageClient', 'postInsights', '{TransportError | ConfigurationError}'],
  ])('names exactly what %s().%s throws: %s', (maker, method, classes) => {
    const [, thrown] = hover(maker, method).tags.find(([name]) => name === 'throws') ?? [];
    expect(thrown).toContain(classes);
  });

  test.each([
    ['createPageClient', 'publishPost', 'src/page/posts.ts'],
    ['createPicsClient', 'iterateMedia', 'src/pics/media.ts'],
  ])('leads from %s().%s to the function in its source', (maker, method, source) => {
    const [at] = service.getDefinitionAtPosition(file, placeOf(maker, method)) ?? [];
    const declared = readFileSync(at?.fileName ?? '', 'utf8')
      .slice(0, at?.textSpan.start)
      .split('\n');
    const map = new SourceMap(JSON.parse(readFileSync(`${at?.fileName}.map`, 'utf8')));
    const entry = map.findEntry(declared.length - 1, declared.at(-1)?.length ?? 0);
    if (!('originalSource' in entry)) throw new Error('no place in a source');

    expect(entry.originalSource).toBe(`../../${source}`);
    const line = readFileSync(source, 'utf8').split('\n')[entry.originalLine];
    expect(line?.slice(entry.originalColumn)).toMatch(new RegExp(String.raw`^${method}\(`));
  });
});
