// Receives webhooks: prints leads and comments on a Page, each once, also when the platform delivers them again.
//
//   npm install hono @hono/node-server
//   node --env-file=.env webhook.ts [events.db]
import { DatabaseSync } from 'node:sqlite';

import { serve } from '@hono/node-server';
import { createPageClientFromEnv } from 'pagepics';
import { eventsOnce, sqliteJournal } from 'pagepics/journal';
import { createWebhookHandler } from 'pagepics/webhooks';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PORT = '3000' } = process.env;
// An app of login mode has a secret of its own.
const secrets = [process.env['PAGE_APP_SECRET'], process.env['PICS_APP_SECRET']];
const [file = 'events.db'] = process.argv.slice(2);
const client = createPageClientFromEnv();

const handler = createWebhookHandler({
  verifyToken: 'a-text-of-your-own',
  secrets: secrets.filter((one) => one !== undefined),
  once: eventsOnce(sqliteJournal(new DatabaseSync(file))),
  onEvent: async ({ type, data, accountId }) => {
    if (type === 'leadgen') {
      const { id, fields } = await client.lead({ leadgenId: data.leadgen_id, pageToken });
      console.log(`lead ${id}: ${JSON.stringify(fields)}`);
    } else if (type === 'feed' && data.item === 'comment' && data.verb === 'add') {
      // What the Page itself does comes as an event too.
      if (data.from?.id !== accountId) console.log(`comment ${data.comment_id}: ${data.message}`);
    }
  },
  onError: (error, { type }) => console.error(`${type} failed, and comes again:`, error),
  onRejected: ({ status, hint }) => console.warn(`${status}: ${hint}`),
});

await client.subscribePage({ pageId, pageToken, fields: ['feed', 'leadgen'] });
serve({ fetch: handler, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) =>
  console.log(`receiving at http://127.0.0.1:${port}/webhooks`),
);
