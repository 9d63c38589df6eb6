// A small server that people log in to: the state is in a signed cookie, tokens are encrypted where they are stored,
// and a job renews them before they end. The server is `support/loginApp.ts`.
//
//   npm run example -- log-in-on-a-server     on the embedded sandbox: no account, no network
import { randomBytes } from 'node:crypto';

import { createPicsContext } from 'pagepics';
import { profile } from 'pagepics/pics';
import { createSandbox, serveSandbox, type Decision } from 'pagepics/sandbox';

import { errorResponse } from './support/errorResponse.ts';
import { type Account, createLoginApp, refreshTokens } from './support/loginApp.ts';
import { orThrow } from './support/orThrow.ts';
import * as log from './support/print.ts';
import { createVault } from './support/vault.ts';

const day = 86_400_000;
const origin = 'https://example.org';

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const context = orThrow(
  createPicsContext({
    appId: sandbox.picsApp.id,
    appSecret: sandbox.picsApp.secret,
    platform: server.platform,
    clock: sandbox.clock,
    onResponse: log.sent,
  }),
);
// In production, both keys come from the environment, and the accounts are a table.
const accounts = new Map<string, Account>();
const vault = await createVault(randomBytes(32).toString('base64'));
const cookieSecret = randomBytes(32).toString('hex');
const settings = { context, origin, cookieSecret, vault, accounts, errorResponse };
const app = createLoginApp(settings);

/** Goes through the login as a browser does. */
async function logIn(decision: Decision, toCallback = (callback: URL) => callback): Promise<void> {
  const begun = await app.request(`${origin}/login`);
  const [cookie = '', ...attributes] = (begun.headers.get('set-cookie') ?? '').split('; ');
  log.show('cookie', attributes.join('; '));
  const callback = toCallback(await sandbox.authorize(begun.headers.get('location') ?? '', decision));
  const answered = await app.request(callback.href, { headers: { cookie } });
  log.show('answered', `${answered.status} ${await answered.text()}`);
}

log.step('a person says no');
await logIn({ deny: true });

log.step('a callback with another state, as in a link of a stranger');
await logIn({}, (callback) => {
  callback.searchParams.set('state', 'another');
  return callback;
});

log.step('a code that does not exist');
await logIn({}, (callback) => {
  callback.searchParams.set('code', 'guessed');
  return callback;
});

log.step('a person says yes');
await logIn({});
const [account] = accounts.values();
if (account === undefined) throw new Error('an account is stored');
const token = await vault.open(account.token, account.userId);
log.show('stored', `encrypted, for ${Math.round((account.expiresIn ?? 0) / 86_400)} days`);
log.show('profile', { username: orThrow(await profile(context, { token })).username });
const asAnother = await vault.open(account.token, 'another account').catch(() => 'does not open');
log.show('elsewhere', asAnother);

log.step('the job, on the next day, and a month later');
for (const days of [1, 30]) {
  sandbox.advance(days * day);
  log.show('job', Object.values(await refreshTokens(settings, sandbox.now())));
}

log.step('the owner removes the app; the job, a month later');
const renewed = accounts.get(account.userId);
sandbox.killToken(await vault.open(renewed?.token ?? '', account.userId), 'revoked');
sandbox.advance(31 * day);
log.show('job', Object.values(await refreshTokens(settings, sandbox.now())));
log.show('account', { mustLogIn: accounts.get(account.userId)?.mustLogIn });
await server.close();
log.say('\nDone.');
