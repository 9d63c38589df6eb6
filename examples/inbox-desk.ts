// A small help desk for a Page's inbox: it answers the latest message with buttons, reacts to thanks, and hands over to a
// human once the platform's 24 hours have passed.
//
//   npm run example -- inbox-desk     on the embedded sandbox: no account, no network
import { type Conversation, createPageContext } from 'pagepics';
import { conversations, sendAction, sendMessage, sendReaction } from 'pagepics/page';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const context = orThrow(
  createPageContext({
    appId: sandbox.app.id,
    appSecret: sandbox.app.secret,
    platform: server.platform,
    onResponse: (event) => log.sent(event, event.status === 403 ? 'more than 24 hours, or no consent' : ''),
  }),
);
const { id: pageId, token: pageToken } = sandbox.pages[0] ?? { id: '', token: '' };
const page = { pageId, pageToken };

/** Answers every customer who wrote last. */
async function answerAll(): Promise<void> {
  // The history comes in the same request: a person who takes over needs it.
  const inbox = orThrow(await conversations(context, { ...page, messages: 20, enrich: true }));
  for (const conversation of inbox.data) {
    const { contact, last_message: last } = conversation;
    if (contact === undefined || last?.from?.id !== contact.id) continue; // the last word is the Page's
    log.step(`${contact.name}: ${last.message}`);
    const to = { ...page, recipientId: contact.id };
    if (/thank/i.test(last.message ?? '')) {
      const reacted = orThrow(await sendReaction(context, { ...to, messageId: last.id }));
      log.show('reacted', `love, to ${reacted.recipient_id}`);
    } else if (/hours/i.test(last.message ?? '')) {
      const text = 'Open until nine.';
      const sent = orThrow(await sendMessage(context, { ...to, text, replyTo: last.id }));
      log.show('sent', `${sent.message_id.slice(0, 12)}: ${text}`);
    } else await askBack(contact.id, conversation);
  }
}

/** Asks with buttons what the customer would like to know. */
async function askBack(recipientId: string, { messages }: Conversation): Promise<void> {
  const typing = await sendAction(context, { ...page, recipientId, action: 'typing_on' });
  if (typing.isErr()) log.show('err', typing.error.message); // no reason not to answer
  const sent = await sendMessage(context, {
    ...page,
    recipientId,
    template: {
      type: 'button',
      text: 'Hello! What would you like to know?',
      buttons: [
        { type: 'postback', title: 'Opening hours', payload: 'HOURS' },
        { type: 'web_url', title: 'The menu', url: 'https://example.com/menu' },
      ],
    },
  });
  if (sent.isOk()) return log.show('sent', sent.value.message_id.slice(0, 12));
  if (sent.error.name !== 'PermissionError' || sent.error.category !== 'window') throw sent.error;
  // Nothing was sent. A bot may no longer write, but a person may, for 7 days.
  log.show('handed', `over to a colleague, with ${messages?.data.length ?? 0} messages`);
  const text = 'Sorry for the wait! This is Ada. We are open until nine.';
  const byHand = orThrow(await sendMessage(context, { ...page, recipientId, text, humanAgent: true }));
  log.show('sent', byHand.message_id.slice(0, 12));
}

await answerAll();

// An app would learn of these from webhooks, and answer one conversation at a time.
const [nora, liam] = sandbox.pages[0]?.contacts ?? [];
sandbox.happen({ kind: 'postback', contactId: nora?.id ?? '', payload: 'HOURS', title: 'Opening hours' });
sandbox.advance(60_000);
sandbox.receiveMessage({ contactId: liam?.id ?? '', text: 'Thank you!' });
await answerAll();
await server.close();
