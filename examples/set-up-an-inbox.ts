// Sets up the inbox of a Page, and of its photo-sharing account, as a deployment does: it reads what exists, and writes
// only what differs. Then people tap, and are answered; somebody posts spam on the Page, and is blocked.
//
//   npm run example -- set-up-an-inbox     on the embedded sandbox: no account, no network
import { isDeepStrictEqual } from 'node:util';

import { createPageContext, createPicsContextViaPages } from 'pagepics';
import {
  blockedUsers,
  blockUser,
  messengerProfile,
  sendMessage,
  subscribePage,
  updateMessengerProfile,
  visitorPosts,
} from 'pagepics/page';
import { updateMessengerProfile as updateAccountProfile } from 'pagepics/pics';
import { createSandbox, serveSandbox } from 'pagepics/sandbox';
import { createWebhookHandler } from 'pagepics/webhooks';

import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const { app } = sandbox;
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
const hooks = { onResponse: log.sent, onFailure: log.lost };
const common = { appSecret: app.secret, platform: server.platform, ...hooks };
const context = orThrow(createPageContext({ ...common, appId: app.id }));
const ofAccount = orThrow(createPicsContextViaPages(common));
const at = { pageId: page.id, pageToken: page.token };

/** What the inbox is to look like. A service keeps this in its repository. */
const questions = [
  { question: 'When are you open?', payload: 'HOURS' },
  { question: 'Do you roast yourselves?', payload: 'ROAST' },
];
const wanted = {
  greeting: [{ locale: 'default', text: 'Hello {{user_first_name}}, ask us anything about coffee.' }],
  getStarted: { payload: 'START' },
  iceBreakers: [{ locale: 'default', call_to_actions: questions }],
  persistentMenu: [
    {
      locale: 'default',
      call_to_actions: [
        { type: 'postback', title: 'Opening hours', payload: 'HOURS' },
        { type: 'web_url', title: 'The menu', url: 'https://example.com/menu' },
      ],
    },
  ],
};
const answers: Readonly<Record<string, string>> = {
  HOURS: 'Open until nine, every day.',
  ROAST: 'Every Monday, in the back of the shop.',
};

/** The platform allows 10 calls of the profile in 10 minutes: a deployment that changes nothing takes one. */
async function deploy(): Promise<void> {
  const { greeting, get_started, ice_breakers, persistent_menu } = orThrow(
    await messengerProfile(context, at),
  );
  const known = {
    greeting,
    getStarted: get_started,
    iceBreakers: ice_breakers,
    persistentMenu: persistent_menu,
  };
  if (isDeepStrictEqual(known, wanted)) return log.show('profile', 'as it should be');
  log.show('profile', orThrow(await updateMessengerProfile(context, { ...at, ...wanted })));
  // An account has questions and a menu only.
  const { iceBreakers } = wanted;
  const { pageId, pageToken: token } = at;
  log.show('account', orThrow(await updateAccountProfile(ofAccount, { token, pageId, iceBreakers })));
}

log.step('the first deployment');
await deploy();
log.show('taps', orThrow(await subscribePage(context, { ...at, fields: ['messaging_postbacks'] })));

log.step('the second deployment');
await deploy();

log.step('people tap, and are answered');
const handler = createWebhookHandler({
  verifyToken: 'a-text-of-your-own',
  secrets: app.secret,
  onEvent: async (event) => {
    if (event.type !== 'postback' || event.senderId === undefined) return;
    const { title = '', payload = '' } = event.data;
    const text = answers[payload] ?? 'Welcome! What would you like to know?';
    const sent = orThrow(await sendMessage(context, { ...at, recipientId: event.senderId, text }));
    log.show('answered', `${title}, with ${sent.message_id.slice(0, 12)}: ${text}`);
  },
});
const [nora, liam] = page.contacts;
sandbox.happen({ kind: 'postback', contactId: nora?.id ?? '', payload: 'HOURS', title: 'Opening hours' });
sandbox.happen({ kind: 'postback', contactId: liam?.id ?? '', payload: 'START', title: 'Get Started' });
await sandbox.deliver(handler);

log.step('somebody posts spam on the Page');
sandbox.happen({ kind: 'post', pageId: page.id, message: 'Cheap watches! example.com', by: 'Wanda Watch' });
for (const { message = '', from } of orThrow(await visitorPosts(context, { ...at, limit: 10 }))) {
  if (from === undefined || !/cheap watches/i.test(message)) continue;
  const blocked = orThrow(await blockUser(context, { ...at, userId: from.id }));
  log.show('blocked', blocked[from.id] === true ? (from.name ?? from.id) : 'the platform did not');
}
log.show(
  'list',
  orThrow(await blockedUsers(context, at)).map(({ name }) => name),
);
await server.close();
log.say('\nDone.');
