import ts from 'typescript';
import { expect, test } from 'vitest';

const shown = [
  ['createPageClient', 'publishPost', 'Publishes a text'],
  ['createPageClient', 'deletePost', 'Deletes a post'],
  ['createPicsClient', 'publish', 'Publishes'],
  ['createPicsClient', 'iterateMessages', 'the messages of a conversation'],
  ['createPageClient', 'get', 'Sends a GET'],
  ['createPageClient', 'delete', 'Sends a DELETE'],
  ['createPageClient', 'paginate', 'Collects the entries'],
  ['createPageClient', 'iterate', 'one by one'],
] as const;

// One program for all, on the built declarations: each one takes a second to read.
const file = `${process.cwd()}/test/.hover.ts`;
const text = shown
  .map(([maker, method]) => `import('pagepics').then(({ ${maker}: make }) => make({}).${method});\n`)
  .join('');
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

test.each(shown)('an editor shows the doc comment of the function for %s().%s', (maker, method, comment) => {
  const line = text.indexOf(maker);
  const info = service.getQuickInfoAtPosition(file, text.indexOf(`.${method});`, line) + 1);
  const examples = info?.tags?.map((tag) => ts.displayPartsToString(tag.text)).join('\n');

  expect(ts.displayPartsToString(info?.documentation)).toContain(comment);
  expect(examples).toContain(`client.${method}(`);
});
