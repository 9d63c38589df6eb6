// Two Cloudflare Workers, run here in miniflare, publish on one Page and stay under its limit together: what one of them
// learns of it, the other one reads from a Durable Object. The Workers are `support/publishingWorker.ts`.
//
//   npm run example -- share-limits-in-workers     no account, no network
import { build } from 'esbuild';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { startWorker } from './support/miniflare.ts';
import * as log from './support/print.ts';

/** Fifty calls in twenty minutes, for all Workers together. */
const quota = { calls: 50, windowMs: 1_200_000 };
const sandbox = createSandbox({ posts: 0, quotas: { page: quota } });
const server = await serveSandbox(sandbox);
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');

const bundled = await build({
  entryPoints: [new URL('support/publishingWorker.ts', import.meta.url).pathname],
  external: ['cloudflare:*'],
  bundle: true,
  format: 'esm',
  write: false,
});
const apiKey = crypto.randomUUID();
const worker = {
  modules: [{ type: 'ESModule', path: 'worker.js', contents: bundled.outputFiles[0]?.text ?? '' }],
  compatibilityDate: '2026-07-01',
  bindings: {
    API_KEY: apiKey,
    APP_ID: sandbox.app.id,
    APP_SECRET: sandbox.app.secret,
    PAGE_ID: page.id,
    PAGE_TOKEN: page.token,
    PLATFORM: server.platform,
  },
};
const miniflare = await startWorker({
  workers: [
    { ...worker, name: 'one', durableObjects: { LIMITS: 'Limits' } },
    { ...worker, name: 'other', durableObjects: { LIMITS: { className: 'Limits', scriptName: 'one' } } },
  ],
});
const workers = [await miniflare.getWorker('one'), await miniflare.getWorker('other')];

log.step('a stranger, without the key');
const stranger = await workers[0]?.fetch('https://worker.example/', { method: 'POST', body: 'Buy here' });
log.show('answered', `${stranger?.status}`);

log.step('a hundred posts');
const answers: Answer[] = [];
for (let number = 0; number < 100; number += 2) {
  answers.push(...(await Promise.all(workers.map((each, at) => publish(each, number + at)))));
}
const of = (status: number): readonly Answer[] => answers.filter((one) => one.status === status);
log.show('answered', `201: ${of(201).length}, 429: ${of(429).length}`);
log.show('wait', `${Math.min(...of(429).map(({ retryAfter }) => retryAfter))} s or more`);

log.step('what the platform saw');
const [used] = sandbox.quotas;
const refused = sandbox.requests.filter(({ status = 0 }) => status >= 400).length;
log.show('quota', { calls: used?.calls, limit: used?.limit, percent: used?.percent });
log.show('refused', refused);
log.show('made', `${sandbox.effects('post').length} posts`);
await miniflare.dispose();
await server.close();
log.say('\nDone.');

async function publish(to: (typeof workers)[number], number: number): Promise<Answer> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const init = { method: 'POST', headers, body: `Number ${number}` };
  const response = await to.fetch('https://worker.example/', init);
  const text = await response.text();
  if (response.status !== 201 && response.status !== 429) throw new Error(text);
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
}

interface Answer {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: number;
}
