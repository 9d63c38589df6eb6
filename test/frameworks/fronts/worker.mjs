// workerd, as wrangler starts it: with the flag `nodejs_compat`, the variables are in `process.env`.
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

const { outputFiles } = await build({
  entryPoints: ['worker.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  conditions: ['workerd', 'worker', 'browser'],
});
const variables = [
  'ORIGIN',
  'VERIFY_TOKEN',
  'PAGE_APP_ID',
  'PAGE_APP_SECRET',
  'PICS_APP_ID',
  'PICS_APP_SECRET',
];
const worker = new Miniflare({
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  modules: true,
  script: outputFiles[0].text,
  compatibilityDate: '2026-07-01',
  compatibilityFlags: ['nodejs_compat'],
  bindings: Object.fromEntries([...variables, 'PAGEPICS_PLATFORM'].map((name) => [name, process.env[name]])),
  handleRuntimeStdio: (out, error) => {
    out.pipe(process.stdout);
    error.pipe(process.stderr);
  },
});
await worker.ready;
