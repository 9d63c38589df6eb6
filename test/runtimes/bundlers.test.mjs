// What the packed package weighs in an app, as each bundler makes it with its own settings for production.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rspack } from '@rspack/core';
import { build as esbuild, transform } from 'esbuild';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import { describe, expect, inject, test } from 'vitest';
import webpack from 'webpack';

const { newest } = inject('apps');

/** Each bundles a file of a folder, and gives the code and the warnings. */
const bundlers = {
  esbuild: (input) => built(input),
  // As docs/dependencies.md has it.
  'esbuild for a neutral platform': (input) =>
    built(input, { platform: 'neutral', mainFields: ['module', 'main'] }),
  rollup: async (input) => {
    const warnings = [];
    const plugins = [nodeResolve({ browser: true })];
    const bundled = await rollup({ input, plugins, onLog: (_, log) => void warnings.push(log) });
    const { output } = await bundled.generate({ format: 'es', inlineDynamicImports: true });
    // rollup has no minifier of its own.
    const { code } = await transform(output[0].code, { minify: true, format: 'esm' });
    return { code, warnings };
  },
  vite: async (input) => {
    const warnings = [];
    const log = { ...silent, warn: (text) => warnings.push(text), warnOnce: (text) => warnings.push(text) };
    const { output } = await vite({
      root: join(input, '..'),
      configFile: false,
      logLevel: 'warn',
      customLogger: log,
      build: {
        write: false,
        modulePreload: false,
        rolldownOptions: { input, output: { codeSplitting: false } },
      },
    });
    return { code: output[0].code, warnings };
  },
  webpack: (input) => packed(webpack, input),
  rspack: (input) => packed(rspack, input),
};
const silent = { info() {}, error() {}, clearScreen() {}, hasErrorLogged: () => false, hasWarned: false };

async function built(input, more) {
  const options = { entryPoints: [input], bundle: true, format: 'esm', minify: true, write: false, ...more };
  const { outputFiles, warnings } = await esbuild({ ...options, logLevel: 'silent' });
  return { code: outputFiles[0].text, warnings };
}

async function packed(bundler, entry) {
  const path = join(entry, '..', `dist-${bundler === rspack ? 'rspack' : 'webpack'}`);
  const stats = await promisify(bundler)({
    mode: 'production',
    context: newest,
    entry,
    output: { path, filename: 'app.js' },
    // The bound below is what counts.
    performance: false,
  });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  expect(errors).toEqual([]);
  return { code: await readFile(join(path, 'app.js'), 'utf8'), warnings };
}

const uses = {
  'a post': "import { createPageContext, publishPost as use } from 'pagepics/page';",
  'a read': "import { createPageContext, me as use } from 'pagepics/page';",
};

describe.each(Object.entries(uses))('an app with %s', (name, imports) => {
  const folder = join(newest, name.replace(' ', '-'));
  const sizes = {};

  test.each(Object.entries(bundlers))(
    'is as small with %s as with esbuild, without a warning',
    async (bundler, bundle) => {
      await mkdir(folder, { recursive: true });
      const input = join(folder, `${bundler}.js`);
      await writeFile(input, `${imports}\nglobalThis.app = [createPageContext, use];\n`);

      const { code, warnings } = await bundle(input);
      sizes[bundler] = gzipSync(code, { level: 9 }).length;

      console.log(`${name}, ${bundler}: ${sizes[bundler]} bytes gzipped, ${code.length} minified`);
      expect(warnings).toEqual([]);
      expect(code).toContain('globalThis.app');
      expect(sizes[bundler]).toBeLessThan(sizes.esbuild * 1.05);
    },
  );
});
