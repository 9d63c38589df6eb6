import ts from 'typescript';
import { expect, test } from 'vitest';

/** What an editor shows for `client.<method>`, from the built declarations. */
function hover(maker: string, method: string): string {
  const file = `${process.cwd()}/test/.hover.ts`;
  const text = `import { ${maker} } from 'pagepics';\nconst client = ${maker}({ appId: '', appSecret: '' });\nclient.${method};\n`;
  const host: ts.LanguageServiceHost = {
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
  };
  const info = ts.createLanguageService(host).getQuickInfoAtPosition(file, text.lastIndexOf(method));
  return ts.displayPartsToString(info?.documentation);
}

test.each([
  ['createPageClient', 'publishPost', 'Publishes a text'],
  ['createPageClient', 'deletePost', 'Deletes a post'],
  ['createPicsClient', 'publish', 'Publishes'],
])(
  'an editor shows the doc comment of the function for %s().%s',
  { timeout: 30_000 },
  (maker, method, text) => {
    expect(hover(maker, method)).toContain(text);
  },
);
