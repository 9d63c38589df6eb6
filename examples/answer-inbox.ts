// Answers the customers who wrote last, in the inbox of a Page and in that of its photo-sharing account. Run it every
// minute, or in several processes: each message gets one answer.
//
//   node --env-file=.env answer-inbox.ts [journal.db]
import { DatabaseSync } from 'node:sqlite';

import { createPageClientFromEnv, createPicsClientViaPagesFromEnv } from 'pagepics';
import { PermissionError, untilSettled } from 'pagepics/core';
import { sqliteJournal } from 'pagepics/journal';

const { PAGE_ID: pageId = '', PAGE_TOKEN: pageToken = '', PICS_USER_ID: picsUserId = '' } = process.env;
const [file = 'journal.db'] = process.argv.slice(2);
const journal = sqliteJournal(new DatabaseSync(file));
const page = createPageClientFromEnv({ journal });
const pics = createPicsClientViaPagesFromEnv({ journal });
// What customers can tap instead of writing; the payload comes back in the event of their message.
const quickReplies = [
  { title: 'Reserve a table', payload: 'RESERVE' },
  { title: 'Ask a person', payload: 'PERSON' },
];
const answerTo = (text = '') => (/open/i.test(text) ? 'We are open until nine.' : 'Thank you, we will look.');

// A conversation that the platform cannot deliver is named: nobody has answered it.
const walk = { limit: 50, onUnreadable: ({ message }: Error) => console.error(message) };

const ofPage = { pageId, pageToken };
for await (const { contact, last_message: last } of page.iterateConversations({ ...ofPage, ...walk })) {
  if (contact === undefined || last?.from?.id !== contact.id) continue; // the last word is ours
  const message = {
    recipientId: contact.id,
    text: answerTo(last.message),
    quickReplies,
    idempotencyKey: `answer/${last.id}`,
  };
  await tell(`Page: ${contact.name ?? contact.id}`, () => page.sendMessage({ ...ofPage, ...message }));
}

const ofAccount = { token: pageToken, picsUserId, pageId };
for await (const { contact, last_message: last } of pics.iterateConversations({ ...ofAccount, ...walk })) {
  if (contact === undefined || last?.from?.id !== contact.id) continue;
  const message = {
    recipientId: contact.id,
    text: answerTo(last.message),
    quickReplies,
    idempotencyKey: `answer/${last.id}`,
  };
  await tell(`Account: ${contact.username ?? contact.id}`, () =>
    pics.sendMessage({ ...ofAccount, ...message }),
  );
}

/** More than 24 hours after a customer wrote, only a person may answer; everything else ends the run. */
async function tell(
  who: string,
  send: () => Promise<{ readonly message_id?: string | undefined }>,
): Promise<void> {
  try {
    console.log(`${who}: answered, ${(await untilSettled(send)).message_id}`);
  } catch (error) {
    if (!(error instanceof PermissionError) || error.category !== 'window') throw error;
    console.log(`${who}: too late for a machine, a person must answer`);
  }
}
