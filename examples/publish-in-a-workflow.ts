// Publishes a Reel in a Cloudflare Workflow, run here in miniflare, in steps that are retried: one of them fails after
// taking effect, and there is still only one Reel. The Workflow is `support/reelWorkflow.ts`.
//
//   npm run example -- publish-in-a-workflow     no account, no network
import { build } from 'esbuild';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { startWorker } from './support/miniflare.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
sandbox.tune({ containers: { processingMs: 2000 } });
const server = await serveSandbox(sandbox);
const [page] = sandbox.pages;
if (page?.picsId === undefined) throw new Error('the first Page has an account');

const bundled = await build({
  entryPoints: [new URL('support/reelWorkflow.ts', import.meta.url).pathname],
  external: ['cloudflare:*'],
  bundle: true,
  format: 'esm',
  write: false,
});
const apiKey = crypto.randomUUID();
const miniflare = await startWorker({
  modules: [{ type: 'ESModule', path: 'worker.js', contents: bundled.outputFiles[0]?.text ?? '' }],
  compatibilityDate: '2026-07-01',
  bindings: {
    API_KEY: apiKey,
    APP_SECRET: sandbox.app.secret,
    PAGE_TOKEN: page.token,
    PICS_USER_ID: page.picsId,
    PLATFORM: server.platform,
  },
  durableObjects: { JOURNAL: 'PublishingJournal' },
  workflows: { REELS: { name: 'reels', className: 'PublishReel' } },
});

const run = new URL('/tour-2026', await miniflare.ready);
log.step('a stranger, without the key');
log.show('answered', (await fetch(run, { method: 'PUT', body: '{}' })).status);

log.step('a run, whose publishing step fails after its effect');
const reel = { videoUrl: 'https://cdn.example/tour.mp4', caption: 'A tour of the shop' };
let state = await ask({ method: 'PUT', body: JSON.stringify(reel) });
while (!/complete|errored|terminated/.test(state.status)) {
  await new Promise((resolve) => void setTimeout(resolve, 200));
  state = await ask();
}
log.show('run', state.status);
log.show('reel', state.output);
if (state.error) log.show('error', state.error);

log.step('what the platform saw');
for (const { method, path, status } of sandbox.requests) log.show('  <-', `${method} ${path} ${status}`);
log.show('made', `${sandbox.effects('media').length} Reel`);
await miniflare.dispose();
await server.close();
log.say('\nDone.');

async function ask(init?: RequestInit): Promise<State> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(run, { ...init, headers });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as State;
}

interface State {
  readonly status: string;
  readonly output?: unknown;
  readonly error?: unknown;
}
