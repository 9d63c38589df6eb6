// Receives webhooks in a Cloudflare Worker, run here in miniflare: responds at once, and handles the events in
// `waitUntil`, each once. The worker is `support/worker.ts`, and `support/wrangler.jsonc` deploys it.
//
//   npm run example -- receive-webhooks-in-a-worker     no account, no network
import { readFile } from 'node:fs/promises';

import { build } from 'esbuild';
import { createPageContext } from 'pagepics';
import { subscribePage } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { startWorker } from './support/miniflare.ts';
import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
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

// The file that `wrangler deploy` reads. It has no comments, so commas at the end are all that is not JSON.
const folder = new URL('support/', import.meta.url);
const jsonc = await readFile(new URL('wrangler.jsonc', folder), 'utf8');
const config = JSON.parse(jsonc.replaceAll(/,(?=\s*[}\]])/g, '')) as WranglerConfig;
const bundled = await build({
  entryPoints: [new URL(config.main, folder).pathname],
  external: ['cloudflare:*'],
  bundle: true,
  format: 'esm',
  write: false,
});
const miniflare = await startWorker({
  modules: [{ type: 'ESModule', path: 'worker.js', contents: bundled.outputFiles[0]?.text ?? '' }],
  compatibilityDate: config.compatibility_date,
  bindings: { VERIFY_TOKEN: 'verify-token', APP_SECRET: app.secret },
  durableObjects: Object.fromEntries(
    config.durable_objects.bindings.map(({ name, class_name }) => [
      name,
      { className: class_name, useSQLite: config.migrations[0]?.new_sqlite_classes.includes(class_name) },
    ]),
  ),
  kvNamespaces: config.kv_namespaces.map(({ binding }) => binding),
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
const leads = await miniflare.getKVNamespace('LEADS');
let keys: readonly { readonly name: string }[] = [];
while (keys.length === 0) ({ keys } = await leads.list());
for (const { name } of keys) log.show('lead', name);
await miniflare.dispose();
await server.close();
log.say('\nDone.');

interface WranglerConfig {
  readonly main: string;
  readonly compatibility_date: string;
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly migrations: readonly { readonly new_sqlite_classes: readonly string[] }[];
  readonly kv_namespaces: readonly { readonly binding: string }[];
}
