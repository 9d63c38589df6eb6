// Receives webhooks: prints leads of a Page and answers comments in private, each once, also if delivered again.
//
//   npm install hono @hono/node-server
//   node --env-file=.env webhook.ts [events.db]
import { DatabaseSync } from 'node:sqlite';

import { serve } from '@hono/node-server';
import { ApiError, createPageClientFromEnv, isFinal } from 'pagepics';
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
      await unlessFinal(`lead ${data.leadgen_id}`, show(data.leadgen_id));
    } else if (type === 'feed' && data.item === 'comment' && data.verb === 'add') {
      const { comment_id: commentId, from } = data;
      // What the Page itself does comes as an event too.
      if (commentId === undefined || from?.id === accountId) return;
      await unlessFinal(`comment ${commentId}`, answer(commentId, idempotencyKey('answer')));
    }
  },
  onError: (error, { type }) => console.error(`${type} failed, and comes again:`, error),
  onRejected: ({ status, hint }) => console.warn(`${status}: ${hint}`),
});

await client.subscribePage({ pageId, pageToken, fields: ['feed', 'leadgen'] });
serve({ fetch: handler, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) =>
  console.log(`receiving at http://127.0.0.1:${port}/webhooks`),
);

async function show(leadgenId: string): Promise<void> {
  const { id, fields } = await client.lead({ leadgenId, pageToken });
  console.log(`lead ${id}: ${JSON.stringify(fields)}`);
}

/** Answers a comment in private, which the platform allows once. */
async function answer(commentId: string, idempotencyKey: string): Promise<void> {
  const text = 'Thank you! How can we help?';
  await client.privateReply({ pageId, pageToken, commentId, text, idempotencyKey });
  console.log(`comment ${commentId}: answered`);
}

/**
 * Throws a failure only if the event is to come again, as it would for 36 hours. That helps neither a comment that has an
 * answer or was deleted, nor a lead that is gone; but where a login is missing, somebody may log in.
 */
async function unlessFinal(what: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isOver = isFinal(error) && !(error instanceof ApiError && error.category === 'auth');
    if (!isOver) throw error;
    console.warn(`${what}:`, error instanceof Error ? error.message : error);
  }
}
