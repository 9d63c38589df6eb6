// An entry for each subpath and a few shared chunks: Node pays for every file that it loads. Bundlers drop what is
// unused by the statement, so each statement of the top level says that it has no effect but its value.
import { existsSync, readFileSync } from 'node:fs';

import { build } from 'esbuild';
import MagicString from 'magic-string';
import esbuild from 'rollup-plugin-esbuild';

import pkg from './package.json' with { type: 'json' };

const deps = Object.keys(pkg.dependencies);
const entries = Object.values(pkg.exports)
  .filter((files) => typeof files !== 'string')
  .map((files) => files.default.slice('./dist/'.length, -'.js'.length))
  // What `bin` runs.
  .concat('commandLine', 'publicHost', 'sandbox/cli', 'connections/cli', 'mcp/cli', 'media/cli');

/** What is used of packages that nobody installs with this one. It becomes files of the package, by their names. */
const builtIn = {
  // Only a command needs it.
  builtIn: {
    '@modelcontextprotocol/server': ['parseJSONRPCMessage', 'ProtocolError', 'ProtocolErrorCode', 'Server'],
    '@modelcontextprotocol/server/stdio': ['serveStdio'],
    '@valibot/to-json-schema': ['toJsonSchema'],
  },
  // With the module of this name, which digests many texts.
  digest: {
    '@noble/hashes/hmac.js': ['hmac'],
    '@noble/hashes/sha2.js': ['_SHA256', 'sha256'],
  },
};
/** The entries of which each needs a part of the core only. */
const partial = entries
  .filter((name) => name.endsWith('/index') && !/^(?:core|sandbox)\//.test(name))
  .map((name) => `${import.meta.dirname}/src/${name}.ts`);
const isBuiltIn = (id) => id.startsWith('\0built-in:');

export default {
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  external: (id) => id.startsWith('node:') || deps.some((dep) => id === dep || id.startsWith(`${dep}/`)),
  plugins: [
    packagesBuiltIn(),
    esbuild({ target: 'es2023', tsconfig: false }),
    pure(),
    packagesFirst(),
    inAscii(),
    withoutMaps('sandbox', ...Object.keys(builtIn)),
  ],
  // Nothing is unused, for which linter and `npm run unused` see. Bundlers drop what an app does not use. A file imports
  // only those of which it uses something.
  treeshake: { moduleSideEffects: false, annotations: false },
  onwarn: (warning) => {
    throw new Error(warning.message);
  },
  output: {
    dir: 'dist',
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
    manualChunks: chunkOf,
    hoistTransitiveImports: false,
    sourcemap: true,
    // They are packed as files.
    sourcemapExcludeSources: true,
  },
};

/**
 * Node pays for each file about as much as for ten thousand characters, so chunks are few: one for each platform, and
 * three for what they share. What needs no ky, or not even neverthrow, drags neither into a process. The pages of the
 * sandbox are part of the command line's file.
 */
function chunkOf(id, { getModuleInfo }) {
  if (isBuiltIn(id)) return id.replace(/.*:/, '');
  // Media and commands need it, and each other not.
  if (id.endsWith('/src/publicHost.ts')) return 'publicHost';
  // Who only judges needs no neverthrow.
  if (/\/src\/media\/(?:judgeMedia|kinds|made|rules)\.ts$/.test(id)) return 'rules';
  const [, folder] =
    /\/src\/(core|media|models|messaging|page|pics|sandbox)\/(?!ui\/|cli\.ts)/.exec(id) ?? [];
  // What these entries export is in chunks of its own.
  if (/\/(?:core|media|models|webhooks)\/index\.ts$/.test(id)) return undefined;
  // Only whoever imports these pays for them. Without the endpoints as an object, the code of a platform exports what its
  // entry does, and is the entry's file.
  if (/\/(?:page|pics)\/client\.ts$/.test(id)) return undefined;
  if (/\/(?:page|pics)\/endpoints\.ts$/.test(id)) return 'endpoints';
  // Handlers need no neverthrow, which bundlers keep whole wherever it is imported.
  if (id.includes('/src/webhooks/'))
    return reaches('neverthrow', id, getModuleInfo) ? 'deliveries' : 'handlers';
  if (folder === 'models') return 'results';
  // Both platforms need it, as they need ky.
  if (folder === 'messaging') return 'http';
  if (folder !== 'core') return folder;
  if (id.endsWith('/core/digest.ts')) return 'digest';
  // Loaded with a journal.
  if (id.includes('/core/writes/journal/')) return 'journal';
  // The other entries need none of it.
  if (!partial.some((entry) => reaches(id, entry, getModuleInfo))) return 'lowLevel';
  // What webhooks need of it, and media, neither of which needs more.
  if (
    /\/core\/(?:action|codes|errors|deriveError|objects|platform|hex|http\/(?:json|callId|networkFailure)|options\/(?:clock|given|path|unknown))\.ts$/.test(
      id,
    )
  )
    return 'errors';
  return reaches('ky', id, getModuleInfo) ? 'http' : 'results';
}

/** Whether a module imports another one, be it through others. */
function reaches(wanted, id, getModuleInfo, seen = new Set()) {
  if (id === wanted) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return (getModuleInfo(id)?.importedIds ?? []).some((next) => reaches(wanted, next, getModuleInfo, seen));
}

/** Marks what runs when a module loads as free of side effects, which all of it is: see `sideEffects`. */
function pure() {
  const mark = '/* @__PURE__ */ ';
  return {
    name: 'pure',
    transform(code, id) {
      if (isBuiltIn(id)) return null;
      const text = new MagicString(code);
      for (const { init } of this.parse(code).body.flatMap(declarationsOf)) {
        const nodes = runsIn(init);
        if (nodes.some(mayRunCode))
          text.appendLeft(init.start, `${mark}(() => (`).appendRight(init.end, '))()');
        else for (const { start } of nodes.filter(isCall)) text.appendLeft(start, mark);
      }
      return { code: text.toString(), map: text.generateMap({ hires: true }) };
    },
  };
}

/**
 * Bundlers place modules in the order in which they are imported. With packages first, our code stands in one piece,
 * which compresses better.
 */
function packagesFirst() {
  const ranks = [/ 'neverthrow';/, / 'ky';/, /\/http\.js';/];
  const rankOf = (statement) => ranks.findIndex((pattern) => pattern.test(statement)) >>> 0;
  return {
    name: 'packages first',
    renderChunk(code) {
      const [imports] = /^(?:import .*\n|export .* from .*\n)+/.exec(code) ?? [];
      if (imports === undefined) return null;
      const sorted = imports.match(/.*\n/g).sort((a, b) => rankOf(a) - rankOf(b));
      // The code below keeps its place, and so the source map its truth.
      return { code: sorted.join('') + code.slice(imports.length), map: null };
    },
  };
}

/** Refuses other characters: with one of them, engines keep a whole file in twice the memory, and read it in twice the time. */
function inAscii() {
  return {
    name: 'in ASCII',
    generateBundle(_, bundle) {
      for (const { code, fileName } of Object.values(bundle)) {
        const [other] = /[\u0080-\uffff].*/.exec(code ?? '') ?? [];
        if (other && !/sandbox|builtIn/.test(fileName))
          this.error(`${fileName} has a character beyond ASCII: ${other.slice(0, 60)}`);
      }
    },
  };
}

/** Bundles the packages that are built in, without what is not used of them, and adds their licenses. */
function packagesBuiltIn() {
  return {
    name: 'packages built in',
    resolveId(id) {
      const chunk = Object.keys(builtIn).find((name) => Object.hasOwn(builtIn[name], id));
      return chunk === undefined ? null : `\0built-in:${chunk}`;
    },
    async load(id) {
      if (!isBuiltIn(id)) return null;
      const chunk = chunkOf(id, this);
      const exported = Object.entries(builtIn[chunk]).map(
        ([name, names]) => `export { ${names.join()} } from '${name}';`,
      );
      const { outputFiles, metafile } = await build({
        stdin: { contents: exported.join('\n'), resolveDir: import.meta.dirname },
        bundle: true,
        external: deps,
        format: 'esm',
        metafile: true,
        // Bundlers need comments to see what is unused; nobody bundles a command.
        minify: chunk === 'builtIn',
        platform: 'node',
        plugins: [withoutValidator],
        target: 'es2023',
        write: false,
      });
      const folders = Object.keys(metafile.inputs).map(
        (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0],
      );
      const licenses = [...new Set(folders)]
        .filter((folder) => folder !== undefined)
        .map((folder) => {
          const { name, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
          const file = `${folder}/LICENSE`;
          return `${name}: ${existsSync(file) ? readFileSync(file, 'utf8') : license}`;
        });
      this.emitFile({ type: 'asset', fileName: `shared/${chunk}.LICENSE`, source: licenses.join('\n\n') });
      return { code: outputFiles[0].text, map: null };
    },
  };
}

/** The library's own validator of answers is a third of it. The command passes one, so it is never made. */
const withoutValidator = {
  name: 'without validator',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'shims',
      namespace: 'ours',
    }));
    onLoad({ filter: /./, namespace: 'ours' }, () => ({
      contents:
        "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
    }));
  },
};

/** Leaves out the source maps of files whose sources are not packed. */
function withoutMaps(...names) {
  return {
    name: 'without maps',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'asset') continue;
        if (!names.some((name) => chunk.fileName.startsWith(`${name}/`) || chunk.name === name)) continue;
        delete bundle[chunk.sourcemapFileName];
        chunk.map = null;
        chunk.code = chunk.code?.replace(/\/\/# sourceMappingURL=.*\n$/, '');
      }
    },
  };
}

function declarationsOf(statement) {
  return (statement.declaration ?? statement).declarations ?? [];
}

/** The nodes of an expression that run when it does: those of functions in it do not. */
function runsIn(node, parent) {
  if (typeof node?.type !== 'string' || /Function/.test(node.type)) return [];
  const isCallee = node.type === 'MemberExpression' && parent?.callee === node;
  const children = Object.values(node)
    .flat()
    .flatMap((child) => runsIn(child, node));
  return isCallee ? children : [node, ...children];
}

function isCall({ type }) {
  return type === 'CallExpression' || type === 'NewExpression';
}

/** Reads of properties and conversions to text run code of their object, for all that a bundler knows. */
function mayRunCode({ type, computed, expressions, left, right }) {
  return (
    (type === 'BinaryExpression' && [left, right].some((operand) => operand.type !== 'Literal')) ||
    type === 'SpreadElement' ||
    type === 'MemberExpression' ||
    type === 'TaggedTemplateExpression' ||
    (type === 'Property' && computed) ||
    (type === 'TemplateLiteral' && expressions.length > 0)
  );
}
