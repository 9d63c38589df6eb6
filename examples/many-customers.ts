// One app, many customers: the same job for each, with their own token, under the limits that they share.
import { AsyncLocalStorage } from 'node:async_hooks';

import { close } from 'pagepics/core';
import { createGovernor } from 'pagepics/governor';
import { createPageContextFromEnv, pages, publishPost } from 'pagepics/page';

interface Customer {
  readonly name: string;
  readonly pageId: string;
  readonly pageToken: string;
}

// Hooks, and a `fetch` of your own, run in the async context of the call, behind a governor too: here they find whose.
const current = new AsyncLocalStorage<string>();
const requests = new Map<string, number>();
function count(): void {
  const name = current.getStore() ?? 'setup';
  requests.set(name, (requests.get(name) ?? 0) + 1);
}

// One context for all: it holds the app, and no token. The governor holds calls back before they go over a limit; with
// several processes, give it a store that they share.
const created = createPageContextFromEnv({
  governor: createGovernor({ maxWaitMs: 60_000 }),
  onRequest: count,
});
if (created.isErr()) throw created.error;
const context = created.value;

// The next customers are left for the next run; calls that run get ten seconds, and are aborted then.
let isStopping = false;
process.once('SIGTERM', () => {
  isStopping = true;
  void close(context, { drainMs: 10_000 });
});

// In an app, a table: a row is written when a customer logs in, its token encrypted. Here, the Pages of one person.
const managed = await pages(context, { token: process.env['USER_TOKEN'] ?? '' });
if (managed.isErr()) throw managed.error;
const customers = managed.value.map((page): Customer => ({
  name: page.name,
  pageId: page.id,
  pageToken: page.access_token,
}));

// Four at a time. What fails for one customer is no reason to stop for the others.
const rest = customers.values();
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (const customer of rest) {
      if (isStopping) break;
      const said = await current.run(customer.name, () => serve(customer));
      console.log(`${customer.name}: ${said}`);
    }
  }),
);
void close(context);
console.log(`requests: ${JSON.stringify(Object.fromEntries(requests))}`);

async function serve({ pageId, pageToken }: Customer): Promise<string> {
  const post = await publishPost(context, { pageId, pageToken, message: 'Open until nine.' });
  if (post.isOk()) return `published ${post.value.id}`;
  const { error } = post;
  if ('action' in error && error.action === 'login') return 'must connect again'; // tell this customer
  if ('outcome' in error && error.outcome !== 'rejected') return `look first: ${error.outcome}`; // it may be published
  const { retryAfterMs: waitMs } = error; // of this Page's limit, or the app's
  if (waitMs === undefined) return error.message; // the same call would fail again
  return `later, in ${Math.ceil(waitMs / 1000)} s`;
}
