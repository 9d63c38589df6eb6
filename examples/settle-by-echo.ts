// Settles a message by its echo: the response to it is lost while the inbox cannot be read, so nobody knows whether the
// customer has it. Then the platform tells in an event what the app has sent, and the queue's next call sends nothing.
//
//   npm run example -- settle-by-echo     on the embedded sandbox: no account, no network
import { createPageContext } from 'pagepics';
import { journalState, memoryJournal, settleKey } from 'pagepics/core';
import { conversations, sendMessage, subscribePage } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';
import { createWebhookHandler, type EventOf } from 'pagepics/webhooks';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const { app } = sandbox;
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
const { id: pageId, token: pageToken } = page;
const context = orThrow(
  createPageContext({
    appId: app.id,
    appSecret: app.secret,
    platform: server.platform,
    journal: memoryJournal(), // in production, one of pagepics/journal
    retry: { baseDelayMs: 50 }, // in production, left at its default
    onResponse: log.sent,
    onFailure: log.lost,
  }),
);

interface Job {
  readonly idempotencyKey: string;
  readonly recipientId: string;
  readonly text: string;
}

// In production, a table: the jobs that are not done.
const jobs = new Map<string, Job>();

/** What the queue calls, as often as it takes. */
async function work(job: Job): Promise<void> {
  const sent = await sendMessage(context, { pageId, pageToken, ...job });
  if (sent.isOk()) {
    jobs.delete(job.idempotencyKey);
    return log.show('done', sent.value);
  }
  const { outcome, message } = sent.error;
  log.show('err', { outcome, message });
}

/** What the app sent comes back as an echo: its text and recipient say of which job it is. */
async function onEcho({ data, recipientId }: EventOf<'message'>): Promise<void> {
  // Other apps and people send, too, which makes no job done.
  if (data.is_echo !== true || data.app_id !== app.id) return;
  const [job, ...others] = [...jobs.values()].filter(
    (one) => one.recipientId === recipientId && one.text.trim() === data.text,
  );
  // Of two equal texts to one customer, it cannot be told which one this is: their next calls look.
  if (job === undefined || others.length > 0) return log.show('echo', 'of no open job');
  const { idempotencyKey } = job;
  const state = orThrow(await journalState(context, idempotencyKey))?.state;
  // The call is still under way. What throws comes again, and by then the call knows, or the echo settles it.
  if (state === 'held') throw new Error('too early');
  if (state !== 'sent') return log.show('echo', `the key is ${state}`);
  const value = { recipient_id: job.recipientId, message_id: data.mid };
  const settled = await settleKey(context, idempotencyKey, { value });
  if (settled.isErr()) throw settled.error; // the event has failed, and comes again
  log.show('settled', idempotencyKey);
}

const handler = createWebhookHandler({
  verifyToken: 'a-text-of-your-own',
  secrets: app.secret,
  onEvent: (event) => (event.type === 'message' ? onEcho(event) : undefined),
});

log.step('subscribePage, conversations');
const fields = ['message_echoes'];
log.show('page', orThrow(await subscribePage(context, { pageId, pageToken, fields })));
const inbox = orThrow(await conversations(context, { pageId, pageToken }));
const recipientId = inbox.data.find(({ last_message, contact }) => last_message?.from?.id === contact?.id)
  ?.contact?.id;
if (recipientId === undefined) throw new Error('somebody has written to the Page');

log.step('sendMessage, and its response is lost while the inbox cannot be read');
const job = { idempotencyKey: 'message-1742', recipientId, text: 'Your order is on its way.' };
jobs.set(job.idempotencyKey, job);
sandbox.fault({ method: 'POST', path: '/messages', when: 'after', drop: true });
const mend = sandbox.fault({ method: 'GET', path: '/conversations', status: 503, times: Infinity });
await work(job);

log.step('the platform delivers the echo');
for (const { statuses } of await sandbox.deliver(handler))
  log.show('  <-', `answered ${statuses.join(', ')}`);

log.step('the queue calls again, while the inbox still cannot be read');
await work(job);
mend();

log.step('what is on the platform');
const sent = sandbox.effects('message').filter(({ content }) => content['text'] === job.text);
log.show('sent', `${sent.length} message with this text`);
await server.close();
log.say('\nDone.');
