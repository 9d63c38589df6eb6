// One app, many customers: the same job for each, with their own token, under the limits that they share.
import { createGovernor } from 'pagepics/governor';
import { createPageContextFromEnv, pages, publishPost } from 'pagepics/page';

interface Customer {
  readonly name: string;
  readonly pageId: string;
  readonly pageToken: string;
}

// One context for all: it holds the app, and no token. The governor holds calls back before they go over a limit; with
// several processes, give it a store that they share.
const context = createPageContextFromEnv({ governor: createGovernor({ maxWaitMs: 60_000 }) });
if (context.isErr()) throw context.error;

// In an app, a table: a row is written when a customer logs in, its token encrypted. Here, the Pages of one person.
const managed = await pages(context.value, { token: process.env['USER_TOKEN'] ?? '' });
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
    for (const customer of rest) console.log(`${customer.name}: ${await serve(customer)}`);
  }),
);

async function serve({ pageId, pageToken }: Customer): Promise<string> {
  if (context.isErr()) throw context.error;
  const post = await publishPost(context.value, { pageId, pageToken, message: 'Open until nine.' });
  if (post.isOk()) return `published ${post.value.id}`;
  const { error } = post;
  switch (error.name) {
    case 'RateLimitError': // this Page's, or the app's
      return `later, in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} s`;
    case 'ApiError':
    case 'PermissionError':
      return error.action === 'login' ? 'must connect again' : error.message; // tell this customer
    case 'TransportError':
      return error.outcome === 'rejected' ? 'again, nothing was sent' : `look first: ${error.outcome}`;
    case 'ConfigurationError':
      return error.message;
  }
}
