import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

/** Bundles `code` for the browser: the modules of the package in it, and its text. */
async function bundle(code: string): Promise<{ readonly modules: string[]; readonly text: string }> {
  const result = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
  });
  const [output] = Object.values(result.metafile.outputs);
  const held = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return {
    modules: held.map(([path]) => path).filter((path) => path.startsWith('dist/')),
    text: result.outputFiles[0]?.text ?? '',
  };
}

describe('a browser bundle', () => {
  test('of one endpoint holds no other endpoint, no facade, no sandbox and no Node built-in', async () => {
    const { modules, text } = await bundle(
      `import { publishPost } from 'pagepics/page'; console.log(publishPost);`,
    );

    expect(modules.filter((path) => /^dist\/(page|pics)\/[a-z]+\.js$/i.test(path))).toEqual([
      'dist/page/publishPost.js',
    ]);
    expect(modules.filter((path) => /client|bind|sandbox|context|fetcher/.test(path))).toEqual([]);
    expect(text).not.toMatch(/node:|require\(/);
  });

  test('of an unused import is empty', async () => {
    for (const entry of ['core', 'page', 'pics', 'models', 'sandbox', 'webhooks']) {
      expect((await bundle(`import * as all from 'pagepics/${entry}';`)).modules).toEqual([]);
    }
    expect((await bundle(`import * as all from 'pagepics';`)).modules).toEqual([]);
  });

  test('of everything has no Node built-in', async () => {
    const { text } = await bundle(
      `import * as root from 'pagepics'; import * as page from 'pagepics/page'; import * as pics from 'pagepics/pics'; console.log(root, page, pics);`,
    );

    expect(text).not.toMatch(/from"node:|import\("node:|require\(/);
  });
});
