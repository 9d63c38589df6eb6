import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build, type Plugin, transform } from 'esbuild';
import { type Plugin as RollupPlugin, rollup, type RollupCache } from 'rollup';
import { describe, expect, test } from 'vitest';

import pkg from '../package.json' with { type: 'json' };
import * as page from '../src/page/endpoints.ts';
import * as pics from '../src/pics/endpoints.ts';

const entries = Object.keys(pkg.exports)
  .filter((path) => path !== './package.json')
  .map((path) => `pagepics${path.slice(1)}`);
const built = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .map((name) => `dist/${name}`);

const declared = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((file) => {
    const declarations = /^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)/gm;
    const names = [...readFileSync(`src/${file}`, 'utf8').matchAll(declarations)].map(
      ([, name = '']) => name,
    );
    return { file, names };
  });

interface Bundle {
  readonly text: string;
  /** The functions and classes of the package that it holds. */
  readonly names: readonly string[];
  /** The dependencies of which it holds something. */
  readonly dependencies: readonly string[];
}

/** What not every app uses, and the names that only its code declares. */
const rooms = Object.entries({
  'once-only writes': /^core\/writes\/\w+\.ts$/,
  journals: /^core\/writes\/journal\//,
  uploads: /^core\/upload\.ts$/,
  waits: /^core\/http\/polling\.ts$/,
  lists: /^core\/lists\//,
  'low-level calls': /^core\/lowLevel\//,
}).map(([room, files]): [string, ReadonlySet<string>] => {
  const of = (inside: boolean): string[] =>
    declared.flatMap(({ file, names }) => (files.test(file) === inside ? names : []));
  // A context keeps the memory that its writes would share.
  const others = new Set([...of(false), 'emptyMemory', 'memories', 'memoryOf']);
  return [room, new Set(of(true).filter((name) => !others.has(name)))];
});

/** Bundles `code` for the browser. */
async function bundle(code: string, plugins: Plugin[] = []): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
    plugins,
  });
  const text = outputFiles[0]?.text ?? '';
  const [output] = Object.values(metafile.outputs);
  const held = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return {
    text,
    names: [...text.matchAll(/^(?:async )?(?:function\*?|var|class) (\w+)/gm)].map(([, name = '']) => name),
    dependencies: Object.keys(pkg.dependencies).filter((name) =>
      held.some(([path]) => path.includes(`node_modules/${name}/`)),
    ),
  };
}

describe('a browser bundle', () => {
  const endpoints = [...Object.keys(page), ...Object.keys(pics)];

  test.each([
    ...Object.keys(page).map((name) => ['page', name] as const),
    ...Object.keys(pics).map((name) => ['pics', name] as const),
  ])('of an endpoint of %s, %s, holds no other, no facade, no context and no sandbox', async (from, name) => {
    const { names, dependencies, text } = await bundle(
      `import { ${name} } from 'pagepics/${from}'; console.log(${name});`,
    );

    expect(names.filter((held) => endpoints.includes(held))).toEqual([name]);
    expect(names.filter((held) => /^(?:create|serve)\w*(?:Context|Client|Sandbox)|^bind/.test(held))).toEqual(
      [],
    );
    // Those without a response to read need no schema.
    expect(dependencies.filter((name) => name !== 'valibot')).toEqual(['neverthrow']);
    expect(text).not.toMatch(/["']node:|require\(/);
  });

  test('without pagepics/connections and pagepics/models holds nothing of them', async () => {
    const { text, dependencies } = await bundle(
      `import * as root from 'pagepics'; import * as page from 'pagepics/page'; import * as pics from 'pagepics/pics'; console.log(root, page, pics);`,
    );
    const { names } = await bundle(
      `import * as connections from 'pagepics/connections'; console.log(connections);`,
    );

    expect(names).toContain('checkConnection');
    expect(dependencies).toEqual(['ky', 'neverthrow', 'valibot']);
    expect(text).not.toMatch(/checkConnection|scopesFor|ads_read/);
  });

  test('that only judges media has no dependencies, and no reader', async () => {
    const { names, dependencies } = await bundle(
      `import { judgeCarousel, judgeImage, judgeMedia } from 'pagepics/media'; console.log(judgeCarousel, judgeImage, judgeMedia);`,
    );

    expect(names).toContain('judgeImage');
    expect(names.filter((name) => /^(?:read|inspect|sourceOf|mend)/.test(name))).toEqual([
      'readMade',
      'readFacts',
    ]);
    expect(dependencies).toEqual([]);
  });

  test('without pagepics/governor holds nothing of it, and one with it no journal', async () => {
    const { text } = await bundle(
      `import * as root from 'pagepics'; import * as page from 'pagepics/page'; import * as pics from 'pagepics/pics'; console.log(root, page, pics);`,
    );
    const governed = await bundle(
      `import { createGovernor, limits } from 'pagepics/governor'; console.log(createGovernor, limits);`,
    );

    expect(text).not.toMatch(/x-app-usage.*call_count|onStoreError/);
    expect(governed.names).toContain('createGovernor');
    expect(governed.names.filter((held) => rooms.some(([, own]) => own.has(held)))).toEqual([]);
  });

  test.each([
    ['a read', 'page', 'me, createPageContext', []],
    ['a login', 'page', 'loginUrl, exchangeCode, pages, createPageContext', ['lists']],
    ['an account and its comments', 'pics', 'profile, comments, createPicsContext', ['lists']],
    ['a post', 'page', 'publishPost, createPageContext', ['once-only writes']],
    ['a video', 'page', 'publishVideo, createPageContext', ['once-only writes', 'uploads', 'waits']],
    ['a batch', 'core', 'batch', ['low-level calls']],
    ['a journal', 'journal', 'createJournal', ['once-only writes', 'journals']],
  ])('of %s has code of what it uses only', async (_, from, imports, used) => {
    const { names } = await bundle(`import { ${imports} } from 'pagepics/${from}'; console.log(${imports});`);
    const held = rooms.filter(([, own]) => names.some((name) => own.has(name))).map(([room]) => room);

    expect(held).toEqual(used);
  });

  test('of an error holds no dependency', async () => {
    const { names, dependencies } = await bundle(
      `import { ApiError } from 'pagepics/core'; console.log(ApiError);`,
    );

    expect(names).toContain('ApiError');
    expect(dependencies).toEqual([]);
  });

  test.each(entries)('of an unused import of %s is empty', async (entry) => {
    expect((await bundle(`import * as all from '${entry}';`)).text).toBe('');
  });

  // What it names cannot be found, or is a file next to the bundle that is not the package's.
  test.each(entries)(
    'of %s imports nothing of Node, and nothing by a name that is not written out',
    async (entry) => {
      const { text } = await bundle(`import * as all from '${entry}'; console.log(all);`);
      const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');

      expect(code).toContain('console.log(');
      // The sandbox and the journals get what they need of Node at run time.
      expect(code).not.toMatch(/(?:from |import\s*\(?|require\s*\()["'](?:node:|fs|path|http|crypto)/);
      expect([...code.matchAll(/\bimport\s*\((?!["'])[^\n]*/g)].map(([found]) => found)).toEqual([]);
    },
  );
});

interface SizeRow {
  readonly ignore?: readonly string[];
  readonly name: string;
  readonly path: string | readonly string[];
  readonly import: string | Readonly<Record<string, string>>;
  readonly limit: string;
}

describe('rollup', () => {
  const apps = JSON.parse(readFileSync('.size-limit.json', 'utf8')) as readonly SizeRow[];
  // What the apps share is parsed once.
  let cache: RollupCache | undefined;
  const resolving = (code: string, ignored: readonly string[]): RollupPlugin => ({
    name: 'resolve',
    load: (id) => (id === 'app' ? code : null),
    resolveId: (id, from) => {
      if (from === undefined) return id;
      if (ignored.includes(id)) return { id, external: true };
      if (id.startsWith('dist/')) return { id: resolve(id), moduleSideEffects: false };
      if (id.startsWith('.')) return { id: resolve(dirname(from), id), moduleSideEffects: false };
      // neverthrow has another file for bundlers than for Node, and does not say that it has no side effects.
      const file = fileURLToPath(import.meta.resolve(id)).replace('.cjs.', '.es.');
      return { id: file, moduleSideEffects: id === 'neverthrow' };
    },
  });

  // `npm run size` measures them as esbuild bundles them.
  test.each(apps)('bundles $name within its limit', async ({ path, import: imports, ignore = [], limit }) => {
    const from = typeof imports === 'string' ? { [String(path)]: imports } : imports;
    const code = Object.entries(from).map(([file, names]) => `export ${names} from '${file}';`);
    // The cache holds how an import was resolved.
    const isPlain = ignore.length === 0;
    const plugins = [resolving(code.join(''), ignore)];
    const bundled = await rollup({ input: 'app', cache: isPlain ? cache : false, plugins });
    if (isPlain) ({ cache } = bundled);
    const { output } = await bundled.generate({ format: 'es', inlineDynamicImports: true });
    const { code: minified } = await transform(output[0].code, { minify: true, format: 'esm' });

    expect(gzipSync(minified, { level: 9 }).length).toBeLessThanOrEqual(1000 * parseFloat(limit));
  });
});

describe('the packed layout', () => {
  // As if `sideEffects` were not there: then a bundler keeps every statement that may have any.
  const withEffects: Plugin = {
    name: 'with effects',
    setup: (build) => {
      // Packages, which are built in for a command that nobody bundles.
      build.onResolve({ filter: /\/builtIn\.js$/ }, ({ path, importer }) =>
        importer.endsWith('.js') ? { path, external: true, sideEffects: false } : undefined,
      );
      build.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir, kind }) => ({
        path: resolve(importer === '<stdin>' ? resolveDir : dirname(importer), path),
        // What is loaded later is another bundle.
        ...(kind === 'dynamic-import' ? { external: true, sideEffects: false } : { sideEffects: true }),
      }));
      build.onResolve({ filter: /^[a-z]/ }, ({ path }) => ({ path, external: true, sideEffects: false }));
    },
  };

  const builtIn = 'dist/shared/builtIn.js';
  const ours = built.filter((file) => file !== builtIn);

  test('digests at once are in a file of their own, with its license, that requests do not load', () => {
    const users = built.filter((file) => readFileSync(file, 'utf8').includes('/digest.js'));
    expect(users.toSorted()).toEqual([
      'dist/mcp/cli.js',
      'dist/shared/handlers.js',
      'dist/shared/journal.js',
      'dist/shared/sandbox.js',
    ]);
    expect(readFileSync('dist/shared/digest.LICENSE', 'utf8')).toContain('@noble/hashes: The MIT License');
  });

  test('packages that are built in are in a file that only the command for models loads', () => {
    const users = built.filter((file) => readFileSync(file, 'utf8').includes('/builtIn.js'));
    expect(users).toEqual(['dist/mcp/cli.js']);
    const licenses = readFileSync(builtIn.replace('.js', '.LICENSE'), 'utf8');
    for (const name of [
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/core',
      'zod',
      '@valibot/to-json-schema',
    ])
      expect(licenses).toContain(`${name}: `);
    expect(readFileSync(builtIn, 'utf8')).not.toContain('ajv');
  });

  test.each(ours)('%s has no statement with side effects', async (file) => {
    const { text } = await bundle(`import './${file}';`, [withEffects]);
    expect(text.replaceAll(/^\/\/.*\n|\n/gm, '')).toBe('');
  });

  test('is the entries, what the command line runs, and a few files that they share', () => {
    const commands = [
      'dist/commandLine.js',
      'dist/connections/cli.js',
      'dist/mcp/cli.js',
      'dist/media/cli.js',
      'dist/sandbox/cli.js',
      'dist/publicHost.js',
    ];
    expect(built).toEqual(expect.arrayContaining(commands));
    // Two of them are for commands only.
    expect(built.length).toBeLessThanOrEqual(entries.length + commands.length + 15);
  });

  const ofSandbox = /^dist\/(?:shared\/)?sandbox\b/;
  // Most of it is a library, whose sources are not packed.
  const digest = 'dist/shared/digest.js';

  test.each(ours.filter((file) => file !== digest && !ofSandbox.test(file)))(
    '%s has a source map to files of src that are packed',
    (file) => {
      const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as {
        readonly sources: string[];
      };
      const paths = sources.map((source) => join(dirname(file), source));

      expect(pkg.files).toContain('src');
      expect(paths.filter((path) => !path.startsWith('src/') || !existsSync(path))).toEqual([]);
      expect(paths.filter((path) => path.startsWith('src/sandbox/'))).toEqual([]);
    },
  );

  // Its sources are not packed.
  test('of the sandbox has no source maps, and no types but those that its entry needs', () => {
    const files = readdirSync('dist', { recursive: true, encoding: 'utf8' })
      .map((name) => `dist/${name}`)
      .filter((file) => ofSandbox.test(file) && /\.(?:js|ts|map)$/.test(file));

    expect(pkg.files).toContain('!src/sandbox');
    expect(files).toContain('dist/shared/sandbox.js');
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    expect(files.filter((file) => readFileSync(file, 'utf8').includes('sourceMappingURL'))).toEqual([]);
    expect(files.filter((file) => file.endsWith('.ts')).length).toBeLessThan(9);
  });

  /** A file, and those that it loads with itself. */
  const loaded = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    const found = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?:.* from )?['"](\..*?)['"];/gm);
    for (const [, path = ''] of found) loaded(join(dirname(file), path), seen);
    return seen;
  };

  test.each(['page', 'pics'])('pagepics/%s loads its own file and what both platforms share', (platform) => {
    const own = `dist/${platform}/index.js`;
    const shared = ['errors', 'http', 'results'].map((name) => `dist/shared/${name}.js`);
    expect([...loaded(own)].toSorted()).toEqual([own, ...shared].toSorted());
  });

  test('pagepics/media loads nothing that only requests need', () => {
    const own = 'dist/media/index.js';
    const shared = ['shared/errors', 'shared/media', 'shared/rules', 'publicHost'];
    expect([...loaded(own)].toSorted()).toEqual([own, ...shared.map((name) => `dist/${name}.js`)].toSorted());
  });

  // The sandbox and the command load the rules of media when they need them.
  test('only its own entry and command load code of media with themselves', () => {
    const holds = (file: string): boolean =>
      [...loaded(file)].some((each) => readFileSync(each, 'utf8').includes('IG User Media reference'));

    expect(
      ours
        .filter(holds)
        .filter((file) => !file.startsWith('dist/shared/'))
        .toSorted(),
    ).toEqual(['dist/media/cli.js', 'dist/media/index.js']);
    expect(readFileSync('dist/shared/sandbox.js', 'utf8')).toMatch(
      /import\(['"]\.\.\/media\/index\.js['"]\)/,
    );
  });

  test.each(built.filter((file) => !ofSandbox.test(file)))('%s imports no sandbox', (file) => {
    const imports = [...readFileSync(file, 'utf8').matchAll(/(?:from |import\(|import )['"](.*?)['"]/g)];
    expect(imports.filter(([, path = '']) => ofSandbox.test(join(dirname(file), path)))).toEqual([]);
  });
});
