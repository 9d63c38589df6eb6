// Receives webhooks in a Cloudflare Worker, run here in miniflare: answers at once, and handles the events in
// `waitUntil`. The worker is `support/worker.ts`.
//
//   npm run example -- receive-webhooks-in-a-worker     no account, no network
import { build } from 'esbuild';
import { createPageContext } from 'pagepics';
import { subscribePage } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { startWorker } from './support/miniflare.ts';
import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
await using server = await serveSandbox(sandbox);
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
const { app } = sandbox;
const context = orThrow(
  createPageContext({
    appId: app.id,
    appSecret: app.secret,
    platform: server.platform,
  }),
);

const bundled = await build({
  entryPoints: [new URL('support/worker.ts', import.meta.url).pathname],
  bundle: true,
  format: 'esm',
  write: false,
});
const miniflare = await startWorker({
  modules: true,
  script: bundled.outputFiles[0]?.text ?? '',
  compatibilityDate: '2026-10-01',
  bindings: { VERIFY_TOKEN: 'verify-token', APP_SECRET: app.secret },
  kvNamespaces: ['HANDLED'],
});
const callback = new URL('/webhooks', await miniflare.ready).href;

log.step('the handshake');
const query = 'hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=verify-token';
const challenge = await fetch(`${callback}?${query}`);
log.show('answered', `${challenge.status} ${await challenge.text()}`);

log.step('a lead');
const fields = ['leadgen'];
const subscribed = await subscribePage(context, { pageId: page.id, pageToken: page.token, fields });
if (subscribed.isErr()) throw subscribed.error;
sandbox.happen({ kind: 'lead', formId: page.formIds[0] ?? '' });
for (const { statuses } of await sandbox.deliver(callback, { duplicates: true })) {
  log.show('answered', statuses.join(', '));
}

log.step('what waitUntil left');
const handled = await miniflare.getKVNamespace('HANDLED');
let keys: readonly { readonly name: string }[] = [];
while (keys.length === 0) ({ keys } = await handled.list());
for (const { name } of keys) log.show('handled', `${await handled.get(name)} ${name}`);
await miniflare.dispose();
log.say('\nDone.');
