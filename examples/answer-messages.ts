// Answers the customers who wrote last: reads the conversations, sends a text to each of them, and says where the
// platform no longer lets the business answer.
//
//   npm run example -- answer-messages     on the embedded sandbox: no account, no network
import { createPicsContext } from 'pagepics';
import { conversations, messages, sendMessage } from 'pagepics/pics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
// Login mode: the token is the account's own. In page mode it is the page token, and `pageId` is needed as well.
const context = orThrow(
  createPicsContext({
    appId: sandbox.picsApp.id,
    appSecret: sandbox.picsApp.secret,
    platform: server.platform,
    onResponse: (event) => log.sent(event, event.status === 403 ? 'more than 24 hours since carl wrote' : ''),
  }),
);
const { token, userId: picsUserId } = sandbox.account;

log.step('conversations');
const inbox = await conversations(context, { token, picsUserId });
if (inbox.isErr()) throw inbox.error;
for (const { contact, updated_time } of inbox.value.data) {
  // The profile cannot be read until the customer has consented, for example by tapping an icebreaker.
  log.show('from', { username: contact?.username, profile: contact?.available, updated_time });
}

for (const { id: conversationId, contact, last_message } of inbox.value.data) {
  if (contact === undefined || last_message?.from?.id !== contact.id) continue; // already answered
  log.step(`sendMessage to ${contact.username}`);
  log.show('asked', last_message.message);
  const answer = await sendMessage(context, {
    token,
    recipientId: contact.id,
    text: 'Thank you! We are open until nine.',
  });
  if (answer.isErr()) {
    const { error } = answer;
    if (error.name !== 'PermissionError') throw error;
    // More than 24 hours since the customer wrote. Nothing was sent, and only the customer can open the window.
    log.show('err', {
      name: error.name,
      category: error.category,
      outcome: error.outcome,
      message: error.message,
    });
    continue;
  }
  const newest = await messages(context, { token, conversationId, limit: 1 });
  if (newest.isErr()) throw newest.error;
  log.show('sent', newest.value.data[0]?.message);
}
await server.close();
