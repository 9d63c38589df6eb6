// Receives webhooks: prints leads of a Page and answers comments in private, each once, also if delivered again.
//
//   npm install hono @hono/node-server
//   node --env-file=.env webhook.ts [events.db]
import { DatabaseSync } from 'node:sqlite';

import { serve } from '@hono/node-server';
import { ApiError, createPageClientFromEnv } from 'pagepics';
import { eventsOnce, sqliteJournal } from 'pagepics/journal';
import { createWebhookHandler } from 'pagepics/webhooks';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PORT = '3000' } = process.env;
// An app of login mode has a secret of its own.
const secrets = [process.env['PAGE_APP_SECRET'], process.env['PICS_APP_SECRET']];
const [file = 'events.db'] = process.argv.slice(2);
const journal = sqliteJournal(new DatabaseSync(file));
const client = createPageClientFromEnv({ journal });

const handler = createWebhookHandler({
  verifyToken: 'a-text-of-your-own',
  secrets: secrets.filter((one) => one !== undefined),
  once: eventsOnce(journal),
  onEvent: async ({ type, data, accountId }, { idempotencyKey }) => {
    if (type === 'leadgen') {
      const { id, fields } = await client.lead({ leadgenId: data.leadgen_id, pageToken });
      console.log(`lead ${id}: ${JSON.stringify(fields)}`);
    } else if (type === 'feed' && data.item === 'comment' && data.verb === 'add') {
      const { comment_id: commentId, from } = data;
      // What the Page itself does comes as an event too.
      if (commentId === undefined || from?.id === accountId) return;
      await answer(commentId, idempotencyKey('answer'));
    }
  },
  onError: (error, { type }) => console.error(`${type} failed, and comes again:`, error),
  onRejected: ({ status, hint }) => console.warn(`${status}: ${hint}`),
});

await client.subscribePage({ pageId, pageToken, fields: ['feed', 'leadgen'] });
serve({ fetch: handler, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) =>
  console.log(`receiving at http://127.0.0.1:${port}/webhooks`),
);

/** Answers a comment in private, which the platform allows once. */
async function answer(commentId: string, idempotencyKey: string): Promise<void> {
  const text = 'Thank you! How can we help?';
  try {
    await client.privateReply({ pageId, pageToken, commentId, text, idempotencyKey });
    console.log(`comment ${commentId}: answered`);
  } catch (error) {
    // It has an answer already, or can get none. After any other failure, the event comes again.
    const isOver =
      error instanceof ApiError && (error.outcome === 'applied' || error.category === 'recipient');
    if (!isOver) throw error;
    console.warn(`comment ${commentId}: ${error.message}`);
  }
}
