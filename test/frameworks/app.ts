import { createPageClientFromEnv, createPicsClientFromEnv, isSdkError } from 'pagepics';
import {
  createDataDeletionHandler,
  createDeauthorizeHandler,
  createWebhookHandler,
  type Rejection,
} from 'pagepics/webhooks';

const { ORIGIN = '', VERIFY_TOKEN = '', PAGE_APP_SECRET = '', PICS_APP_SECRET = '' } = process.env;
const page = createPageClientFromEnv();
const pics = createPicsClientFromEnv();
const secrets = [PAGE_APP_SECRET, PICS_APP_SECRET];
const onRejected = ({ status, hint }: Rejection) => console.warn(status, hint);

/** GET and POST /webhooks */
export const webhooks = createWebhookHandler({
  verifyToken: VERIFY_TOKEN,
  secrets,
  onEvent: ({ type, accountId }) => console.log(type, accountId),
  onRejected,
});

/** POST /webhooks/deauthorize, and /webhooks/delete: a person removes the app, or wants their data deleted. */
const onDeauthorize = createDeauthorizeHandler({
  secrets,
  onDeauthorize: (userId) => console.log('removed by', userId),
  onRejected,
});
const onDelete = createDataDeletionHandler({
  secrets,
  onDelete: (userId) => ({ url: `${ORIGIN}/deletions/${userId}`, confirmationCode: userId }),
  onRejected,
});

/** GET /login/page, and /login/account for login mode: sends the browser to the dialog. */
export function logIn(request: Request): Response {
  const { pathname } = new URL(request.url);
  const state = crypto.randomUUID();
  const client = pathname.startsWith('/login/page') ? page : pics;
  const location = client.loginUrl({ redirectUri: `${ORIGIN}${pathname}/callback`, state });
  const cookie = `login=${state}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=600`;
  return new Response(null, { status: 302, headers: { location, 'set-cookie': cookie } });
}

/** GET /login/page/callback, and /login/account/callback: where the dialog sends the browser back to. */
export async function callback(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, expected] = /(?:^|; )login=([\w-]+)/.exec(request.headers.get('cookie') ?? '') ?? [];
  if (expected === undefined || searchParams.get('state') !== expected)
    return new Response('This login was not begun here. Log in again.', { status: 400 });
  const code = searchParams.get('code');
  if (!code) return new Response('You did not allow access, so nothing is connected.', { status: 403 });
  try {
    const redirectUri = `${ORIGIN}${pathname}`;
    // Store the tokens, encrypted: that of the account, or those of the Pages.
    if (pathname.startsWith('/login/account')) {
      const { user_id } = await pics.exchangeCode({ code, redirectUri });
      return Response.json([user_id]);
    }
    const { access_token } = await page.exchangeCode({ code, redirectUri });
    const managed = await page.pages({ token: access_token });
    return Response.json(managed.map(({ id }) => id));
  } catch (error) {
    if (!isSdkError(error)) throw error;
    return Response.json({ error: error.name }, { status: 502 });
  }
}

/** All of them: what a framework hands everything below /webhooks and /login to. */
export function respond(request: Request): Response | Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/webhooks') return webhooks(request);
  if (pathname === '/webhooks/deauthorize') return onDeauthorize(request);
  if (pathname === '/webhooks/delete') return onDelete(request);
  if (/^\/login\/(page|account)$/.test(pathname)) return logIn(request);
  if (/^\/login\/(page|account)\/callback$/.test(pathname)) return callback(request);
  return new Response(null, { status: 404 });
}
