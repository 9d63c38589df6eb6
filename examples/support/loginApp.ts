import { Hono } from 'hono';
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie';
import { type Failure, isRefreshDue, type TokenBundle } from 'pagepics';
import { exchangeCode, loginUrl, type PicsContext, refreshToken } from 'pagepics/pics';

import type { Vault } from './vault.ts';

/** An account that logged in: a row of a table. */
export interface Account {
  readonly userId: string;
  /** Encrypted. */
  readonly token: string;
  readonly expiresAt: Date | undefined;
  readonly expiresIn: number | undefined;
  /** Set when its token has ended, and only its owner can go on. */
  readonly mustLogIn: boolean;
}

export interface LoginSettings {
  readonly context: PicsContext;
  /** Of this server, such as `https://example.org`. */
  readonly origin: string;
  /** Signs the cookie. */
  readonly cookieSecret: string;
  readonly vault: Vault;
  readonly accounts: Map<string, Account>;
  /** What the browser is shown. */
  readonly errorResponse: (error: Failure) => Response;
}

/** A server that people log in to. */
export function createLoginApp(settings: LoginSettings): Hono {
  const { context, origin, cookieSecret, vault, accounts, errorResponse } = settings;
  const redirectUri = `${origin}/login/callback`;
  const app = new Hono();

  app.get('/login', async (c) => {
    const state = crypto.randomUUID();
    const dialog = loginUrl(context, { redirectUri, state });
    if (dialog.isErr()) return errorResponse(dialog.error);
    // Signed by HMAC. `Lax`, since the browser comes back from another site, for which `Strict` sends no cookie.
    await setSignedCookie(c, 'login', state, cookieSecret, {
      prefix: 'host', // which stands for: only over HTTPS, for this host, on all its paths
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: 600,
    });
    return c.redirect(dialog.value);
  });

  app.get('/login/callback', async (c) => {
    const expected = await getSignedCookie(c, cookieSecret, 'login', 'host');
    deleteCookie(c, 'login', { prefix: 'host', path: '/', secure: true });
    const { state, code, error } = c.req.query();
    // Without this, a link of a stranger could log a browser in to the stranger's account.
    if (!expected || state !== expected) return c.text('This login was not begun here. Log in again.', 400);
    if (error === 'access_denied') return c.text('You did not allow access, so nothing is connected.', 403);
    if (error !== undefined || code === undefined)
      return c.text('The login failed on the platform. Log in again.', 502);

    const bundle = await exchangeCode(context, { code, redirectUri }); // a long-lived token
    if (bundle.isErr()) return errorResponse(bundle.error);
    const { user_id: userId } = bundle.value;
    if (userId === undefined) return c.text('The platform did not say whose account it is.', 502);
    accounts.set(userId, await toAccount(vault, userId, bundle.value));
    return c.text('Connected.');
  });
  return app;
}

/** Run it daily: renews each token whose second half has begun, which leaves a month for what fails. */
export async function refreshTokens(
  { context, vault, accounts }: LoginSettings,
  now: number,
): Promise<{ readonly [userId: string]: 'renewed' | 'must log in' | 'failed' }> {
  const done: Record<string, 'renewed' | 'must log in' | 'failed'> = {};
  for (const account of accounts.values()) {
    const { userId, token, expiresAt: expires_at, expiresIn: expires_in, mustLogIn } = account;
    const due = isRefreshDue({ expires_at, expires_in }, now);
    if (mustLogIn || due === false) continue;
    let mustAsk = due === 'ended';
    if (!mustAsk) {
      const renewed = await refreshToken(context, { token: await vault.open(token, userId) });
      if (renewed.isOk()) accounts.set(userId, await toAccount(vault, userId, renewed.value));
      else mustAsk = 'action' in renewed.error && renewed.error.action === 'login';
      done[userId] = renewed.isOk() ? 'renewed' : 'failed'; // the next run tries again
    }
    if (mustAsk) {
      accounts.set(userId, { ...account, mustLogIn: true }); // and write to its owner
      done[userId] = 'must log in';
    }
  }
  return done;
}

async function toAccount(vault: Vault, userId: string, bundle: TokenBundle): Promise<Account> {
  return {
    userId,
    token: await vault.seal(bundle.access_token, userId),
    expiresAt: bundle.expires_at,
    expiresIn: bundle.expires_in,
    mustLogIn: false,
  };
}
