// A server on which people log in and choose Pages: a permission that a person declined is asked for again, and the tokens
// of the Pages are encrypted where they are stored. The server is `support/pageLogin.ts`.
//
//   npm run example -- log-in-with-pages     on the embedded sandbox: no account, no network
import { randomBytes } from 'node:crypto';

import { createPageContext } from 'pagepics';
import { publishPost } from 'pagepics/page';
import { createSandbox, type Decision, serveSandbox } from 'pagepics/sandbox';

import { errorResponse } from './support/errorResponse.ts';
import { orThrow } from './support/orThrow.ts';
import { createPageLogin } from './support/pageLogin.ts';
import * as log from './support/print.ts';
import { createVault } from './support/vault.ts';

const origin = 'https://example.org';
// `openssl rand -base64 32` makes such a key. It belongs in the environment: with a new one, no stored token opens.
const { VAULT_KEY = randomBytes(32).toString('base64') } = process.env;

const sandbox = createSandbox();
const server = await serveSandbox(sandbox);
log.say(`The platform, emulated at ${server.url}.`);
const context = orThrow(
  createPageContext({ appId: sandbox.app.id, appSecret: sandbox.app.secret, platform: server.platform }),
);
const vault = await createVault(VAULT_KEY);
const cookieSecret = randomBytes(32).toString('hex'); // from the environment, too
const connected = new Map<string, string>();
const people = new Map<string, string>();
const app = createPageLogin({ context, origin, cookieSecret, vault, people, connected, errorResponse });

/** What the browser keeps. */
const cookies = new Map<string, string>();

/** Asks the server as a browser does, and follows it to the dialog and back. */
async function browse(path: string, decision: Decision = {}, body?: URLSearchParams): Promise<string> {
  const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const response = await app.request(new URL(path, origin), {
    headers,
    ...(body && { method: 'POST', body }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
  const to = response.headers.get('location');
  if (to === null) return `${response.status} ${(await response.text()).replaceAll(/\s*\n\s*/g, ' ')}`;
  return browse(to.startsWith('/') ? to : (await sandbox.authorize(to, decision)).href, decision);
}

log.step('a stranger asks for the Pages, logs in, and says no');
log.show('answered', await browse('/pages', { deny: true }));

log.step('a person logs in, and declines most permissions');
log.show('answered', await browse('/login', { scopes: ['pages_show_list', 'pages_read_engagement'] }));

log.step('the person is asked again, and allows all');
log.show('answered', await browse('/login?again'));

log.step('the person chooses one of the Pages');
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
log.show('answered', await browse('/pages', {}, new URLSearchParams({ page: page.id })));
const sealed = connected.get(page.id) ?? '';
log.show('stored', { pages: connected.size, token: sealed.includes(page.token) ? 'plain' : 'encrypted' });
const pageToken = await vault.open(sealed, page.id);
const post = await publishPost(context, { pageId: page.id, pageToken, message: 'Connected' });
log.show('published', orThrow(post));
log.show('elsewhere', await vault.open(sealed, 'another Page').catch(() => 'does not open'));
await server.close();
log.say('\nDone.');
