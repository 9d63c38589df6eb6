// Cloudflare Workflows in miniflare, as a worker process starts them: what is returned starts a workflow.
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

export const adapters = {
  cloudflare: async ({ isFirst, ...settings }) => {
    const run = await startMiniflare(settings);
    // Nothing else makes an instance go on.
    if (!isFirst) await run('POST');
    return (job) => run('PUT', job);
  },

  'cloudflare, left alone': async (settings) => {
    const run = await startMiniflare(settings);
    return (job) => run('PUT', job);
  },
};

async function startMiniflare({ persisted, diesAtEnd, app, platform, onPage, isKeyed }) {
  const bundled = await build({
    entryPoints: [new URL('worker.ts', import.meta.url).pathname],
    external: ['cloudflare:*'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const miniflare = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: bundled.outputFiles[0].text }],
    compatibilityDate: '2026-10-01',
    bindings: { SETTINGS: { app, platform, onPage, isKeyed, diesAtEnd } },
    durableObjects: { JOURNAL: { className: 'PublishingJournal', useSQLite: true } },
    workflows: { POSTS: { name: 'posts', className: 'PublishPlanned' } },
    defaultPersistRoot: persisted,
    handleRuntimeStdio: (stdout, stderr) => {
      stderr.pipe(process.stderr);
      stdout.setEncoding('utf8').on('data', (text) => {
        for (const [, event] of text.matchAll(/^call: (.*)$/gm)) {
          // Both this process and that of workerd, which are a group of their own.
          if (diesAtEnd && event === 'end') process.kill(-process.pid, 'SIGKILL');
          process.send({ event });
        }
      });
    },
  });
  const url = await miniflare.ready;
  return async (method, job) => {
    const init = { method, body: job && JSON.stringify(job) };
    const response = await fetch(url, init);
    if (!response.ok) throw new Error(await response.text());
  };
}
