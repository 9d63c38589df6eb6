// A server whose requests publish posts, and responds to each failure with the HTTP status that fits. The function that
// finds it is in `support/errorResponse.ts`.
//
//   npm run example -- answer-with-statuses     on the embedded sandbox: no account, no network
import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { createPageContext } from 'pagepics';
import { publishPost } from 'pagepics/page';
import { createSandbox, type FaultRule, serveSandbox } from 'pagepics/sandbox';

import { errorResponse } from './support/errorResponse.ts';
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
    retry: { baseDelayMs: 10 }, // short, so that the example ends soon
  }),
);
const [page] = sandbox.pages;
if (page === undefined) throw new Error('the sandbox has Pages');
const { id: pageId, token: pageToken } = page;

// In production, what your users log in with: whoever passes here publishes on the Page.
const apiKey = crypto.randomUUID();

const app = new Hono();
app.use(bearerAuth({ token: apiKey }));
app.post('/posts', async (c) => {
  const message = await c.req.text();
  const post = await publishPost(context, { pageId, pageToken, message });
  if (post.isErr()) return errorResponse(post.error, ['message']);
  return c.json(post.value, 201);
});

log.step('a stranger, without the key');
log.show('answered', (await app.request('/posts', { method: 'POST', body: 'Buy here' })).status);

const headers = { authorization: `Bearer ${apiKey}` };
const feed = { method: 'POST', path: '/feed' };
const cases: readonly [what: string, message: string, fault?: FaultRule][] = [
  ['a post', 'Open until nine'],
  ['a post without a text', ''],
  ['a dead token', 'a', { ...feed, error: { code: 190, error_subcode: 463, message: 'It has expired' } }],
  ['a missing permission', 'b', { ...feed, error: { code: 200, message: 'Not allowed' } }],
  ['too many calls: an hour to wait', 'c', { ...feed, status: 429, headers: { 'Retry-After': '3600' } }],
  ['a block for earlier behavior', 'd', { ...feed, error: { code: 368, message: 'Blocked for now' } }],
  ['a fault of the platform that passes', 'e', { ...feed, error: { code: 2, message: 'Try later' } }],
  ['a lost response, and nothing to be found', 'f', { ...feed, when: 'before', drop: true }],
];
for (const [what, message, fault] of cases) {
  log.step(what);
  const mend = fault === undefined ? undefined : sandbox.fault({ times: Infinity, ...fault });
  const response = await app.request('/posts', { method: 'POST', headers, body: message });
  mend?.();
  const retryAfter = response.headers.get('retry-after');
  log.show('answered', `${response.status}${retryAfter === null ? '' : `, Retry-After: ${retryAfter}`}`);
  log.show('body', await response.text());
}
await server.close();
log.say('\nDone.');
