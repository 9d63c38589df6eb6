// Receives webhooks with Hono on Node, and acts on them: reads leads, answers comments, hides rude ones, answers
// messages, and leaves alone what it did itself, which comes back as events. Then a person removes the app, and wants
// their data deleted.
//
//   npm run example -- receive-webhooks     on the embedded sandbox: no account, no network
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { createPageContext, createPicsContext, isFinal } from 'pagepics';
import { hideComment, lead, replyComment, subscribePage } from 'pagepics/page';
import { contact, sendMessage, subscribeAccount } from 'pagepics/pics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';
import {
  createDataDeletionHandler,
  createDeauthorizeHandler,
  createWebhookHandler,
  type EventOf,
  type WebhookEvent,
} from 'pagepics/webhooks';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const { app, picsApp, account } = sandbox;
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
const pageToken = page.token;
const { platform } = server;
const pageContext = orThrow(createPageContext({ appId: app.id, appSecret: app.secret, platform }));
const picsContext = orThrow(
  createPicsContext({
    appId: picsApp.id,
    appSecret: picsApp.secret,
    platform,
  }),
);

// In production, a table with a unique key: the platform delivers an event again until it was answered with 200.
const seen = new Set<string>();

async function onEvent(event: WebhookEvent): Promise<void> {
  if (seen.has(event.key)) return log.show('again', event.type);
  if (event.type === 'leadgen') await onLead(event);
  else if (event.type === 'feed') await onFeed(event);
  else if (event.type === 'message') await onMessage(event);
  else log.show('other', `${event.type} ${event.field}`);
  seen.add(event.key);
}

async function onLead({ data }: EventOf<'leadgen'>): Promise<void> {
  const found = await lead(pageContext, { leadgenId: data.leadgen_id, pageToken });
  if (found.isErr()) return failed(found.error);
  log.show('lead', { id: found.value.id, answered: Object.keys(found.value.fields) });
}

async function onFeed({ data, accountId }: EventOf<'feed'>): Promise<void> {
  if (data.from?.id === accountId) return log.show('own', `${data.item} ${data.verb}`);
  const { comment_id: commentId } = data;
  if (data.item !== 'comment' || data.verb !== 'add' || commentId === undefined) return;
  const rude = /stupid/i.test(data.message ?? '');
  const acted = rude
    ? await hideComment(pageContext, { commentId, pageToken })
    : await replyComment(pageContext, { commentId, pageToken, message: 'Thank you!' });
  if (acted.isErr()) return failed(acted.error);
  log.show('comment', rude ? 'hidden' : 'answered');
}

async function onMessage({ data, senderId }: EventOf<'message'>): Promise<void> {
  if (data.is_echo === true || senderId === undefined) return log.show('own', 'message');
  const { token } = account;
  const who = await contact(picsContext, { token, igsid: senderId });
  const text = `Hello ${who.isOk() ? who.value.username : 'there'}, we are open until nine.`;
  const sent = await sendMessage(picsContext, { token, recipientId: senderId, text });
  if (sent.isErr()) return failed(sent.error);
  log.show('message', text);
}

/** An event that fails comes again, for 36 hours, which is no help where, for example, a comment was deleted. */
function failed(error: Error): void {
  if (!isFinal(error)) throw error;
  log.show('given up', error.message);
}

const secrets = [app.secret, picsApp.secret];
const handler = createWebhookHandler({
  verifyToken: 'a-text-of-your-own',
  secrets,
  onEvent,
  onError: (error, { type }) => log.show('failed', `${type}: ${String(error)}`),
});
const deauthorized = createDeauthorizeHandler({
  secrets,
  onDeauthorize: (userId) => log.show('removed', userId), // their tokens are dead
});
const deletion = createDataDeletionHandler({
  secrets,
  onDelete: () => {
    // In production, delete what is known of the id, or put that in a queue, and store the code.
    const confirmationCode = crypto.randomUUID().replaceAll('-', '');
    return { url: `https://example.org/deletions/${confirmationCode}`, confirmationCode };
  },
});
const web = new Hono()
  .on(['GET', 'POST'], '/webhooks', (context) => handler(context.req.raw))
  .all('/deauthorized', (context) => deauthorized(context.req.raw))
  .all('/deletion', (context) => deletion(context.req.raw));
const listening = serve({ fetch: web.fetch, port: 0, hostname: '127.0.0.1' });
await new Promise((resolve) => void listening.once('listening', resolve));
const address = listening.address();
if (address === null || typeof address === 'string') throw new Error('the server has a port');
const url = `http://127.0.0.1:${address.port}`;
const callback = `${url}/webhooks`;

log.step('subscribePage, subscribeAccount');
const fields = ['feed', 'leadgen'];
log.show('page', orThrow(await subscribePage(pageContext, { pageId: page.id, pageToken, fields })));
log.show('account', orThrow(await subscribeAccount(picsContext, { token: account.token })));

log.step('people act, and the platform delivers');
const [on = ''] = page.postIds;
const [formId = ''] = page.formIds;
const [anna] = account.contacts;
sandbox.happen({ kind: 'lead', formId });
sandbox.happen({ kind: 'comment', on, message: 'How lovely! \u{1f600}' });
sandbox.happen({ kind: 'comment', on, message: 'How stupid.' });
sandbox.happen({ kind: 'message', contactId: anna?.id ?? '', text: 'Are you open?' });
for (const { statuses } of await sandbox.deliver(callback))
  log.show('  <-', `answered ${statuses.join(', ')}`);

log.step('what the app did comes back, and is left alone');
for (const { statuses } of await sandbox.deliver(callback, { duplicates: true })) {
  log.show('  <-', `answered ${statuses.join(', ')}`);
}

log.step('a person removes the app, and wants their data deleted');
const removed = await sandbox.callBack('deauthorize', `${url}/deauthorized`);
log.show('  <-', `answered ${removed.status}`);
const deleted = await sandbox.callBack('deletion', `${url}/deletion`);
log.show('  <-', `answered ${deleted.status} ${deleted.body}`);
listening.close();
await server.close();
log.say('\nDone.');
