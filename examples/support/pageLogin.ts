import { type Context, Hono } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Failure } from 'pagepics';
import { exchangeCode, loginUrl, me, type PageContext, pages, permissions } from 'pagepics/page';

import type { Vault } from './vault.ts';

interface PageLoginSettings {
  readonly context: PageContext;
  /** Of this server, such as `https://example.org`. */
  readonly origin: string;
  /** Signs the cookies. */
  readonly cookieSecret: string;
  readonly vault: Vault;
  /** The user token of each person, by the person's id; encrypted, as those of Pages. */
  readonly people: Map<string, string>;
  /** The token of each Page that somebody connected, by its id. */
  readonly connected: Map<string, string>;
  /** What the browser is shown. */
  readonly errorResponse: (error: Failure) => Response;
}

/** A server on which people log in and choose the Pages that it may work for. */
export function createPageLogin(settings: PageLoginSettings): Hono {
  const { context, origin, cookieSecret, vault, people, connected, errorResponse } = settings;
  const redirectUri = `${origin}/login/callback`;
  // Over HTTPS and for this host only; not sent with forms of other sites.
  const cookie = { prefix: 'host', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const;
  const app = new Hono();

  app.get('/login', async (c) => {
    const state = crypto.randomUUID();
    // What a person declined before, the dialog leaves out, unless it is told to ask again.
    const authType = c.req.query('again') === undefined ? undefined : 'rerequest';
    const dialog = loginUrl(context, { redirectUri, state, authType });
    if (dialog.isErr()) return errorResponse(dialog.error);
    await setSignedCookie(c, 'login', state, cookieSecret, { ...cookie, maxAge: 600 });
    return c.redirect(dialog.value);
  });

  app.get('/login/callback', async (c) => {
    const expected = await getSignedCookie(c, cookieSecret, 'login', 'host');
    deleteCookie(c, 'login', cookie);
    const { state, code, error } = c.req.query();
    if (!expected || state !== expected) return c.text('This login was not begun here. Log in again.', 400);
    if (error === 'access_denied') return c.text('You did not allow access, so nothing is connected.', 403);
    if (code === undefined) return c.text('The login failed on the platform. Log in again.', 502);
    const login = await exchangeCode(context, { code, redirectUri }).andThen(({ access_token: token }) =>
      me(context, { token }).map(({ id }) => ({ id, token })),
    );
    if (login.isErr()) return errorResponse(login.error);
    const { id, token } = login.value;
    people.set(id, await vault.seal(token, id));
    await setSignedCookie(c, 'person', id, cookieSecret, cookie);
    return c.redirect('/pages');
  });

  app.get('/pages', async (c) => {
    const token = await tokenOf(c);
    if (token === undefined) return c.redirect('/login');
    const managed = await pages(context, { token });
    if (managed.isErr()) return errorResponse(managed.error);
    const asked = await permissions(context, { token });
    if (asked.isErr()) return errorResponse(asked.error);
    const declined = asked.value.filter(({ status }) => status === 'declined').map((one) => one.permission);
    const choices = managed.value.map(
      ({ id, name }) => html`<label><input type="checkbox" name="page" value="${id}" /> ${name}</label>`,
    );
    return c.html(
      html`<form method="post">${choices}<button>Connect</button></form>
        ${declined.length > 0 && html`<a href="/login?again">Also allow ${declined.join(', ')}</a>`}
        ${managed.value.isComplete || html`<p>Some of your Pages cannot be shown now.</p>`}`,
    );
  });

  app.post('/pages', async (c) => {
    const token = await tokenOf(c);
    if (token === undefined) return c.redirect('/login');
    const chosen = (await c.req.formData()).getAll('page');
    // Read again: which Pages are theirs is not for the form to say.
    const managed = await pages(context, { token });
    if (managed.isErr()) return errorResponse(managed.error);
    for (const { id, access_token } of managed.value)
      if (chosen.includes(id)) connected.set(id, await vault.seal(access_token, id));
    return c.text('Connected.');
  });

  /** The user token of the person who is logged in. */
  async function tokenOf(c: Context): Promise<string | undefined> {
    const id = await getSignedCookie(c, cookieSecret, 'person', 'host');
    const sealed = id ? people.get(id) : undefined;
    return id && sealed ? vault.open(sealed, id) : undefined;
  }

  return app;
}
