// Per-file ESM output: one output module per source module, so bundlers drop whole files.
import esbuild from 'rollup-plugin-esbuild';

import pkg from './package.json' with { type: 'json' };

const deps = Object.keys(pkg.dependencies);
const entries = ['core', 'page', 'pics', 'models', 'sandbox', 'webhooks'];

export default {
  input: {
    index: 'src/index.ts',
    ...Object.fromEntries(entries.map((n) => [`${n}/index`, `src/${n}/index.ts`])),
  },
  external: (id) => deps.some((d) => id === d || id.startsWith(`${d}/`)),
  plugins: [esbuild({ target: 'es2023', tsconfig: false })],
  onwarn: (w) => {
    throw new Error(w.message);
  },
  output: {
    dir: 'dist',
    format: 'es',
    preserveModules: true,
    preserveModulesRoot: 'src',
    entryFileNames: '[name].js',
    sourcemap: true,
  },
};
