// Renews tokens of login mode before they end, checks the user tokens of Pages, and tells who must log in again. Run it
// every night:
//
//   0 3 * * *   node --env-file=.env refresh-tokens.ts tokens.json
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';

import type { PageClient, PicsClient } from 'pagepics';
import { createPageClientFromEnv, createPicsClientFromEnv, isRefreshDue, isSdkError } from 'pagepics';

/** Somebody who logged in; in an app, a row of a table, its token encrypted. */
interface Login {
  readonly name: string;
  /** A `user` of Pages, whose token only a new login replaces, or an `account` of login mode. */
  readonly kind: 'user' | 'account';
  readonly token: string;
  /** Both are those of the bundle that the token came in. Without them, that of an account is renewed at once. */
  readonly expires_at?: Date | string | undefined;
  readonly expires_in?: number | undefined;
  readonly mustLogIn?: boolean;
}

const [file = 'tokens.json'] = process.argv.slice(2);
const { USER_TOKEN = '', PICS_TOKEN = '' } = process.env;
const logins = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Login[]) : [];
// Only for a kind that the file lacks: what it has is newer, as the environment keeps the token of the first run.
const kinds = new Set(logins.map(({ kind }) => kind));
if (USER_TOKEN !== '' && !kinds.has('user'))
  logins.push({ name: 'the user', kind: 'user', token: USER_TOKEN });
if (PICS_TOKEN !== '' && !kinds.has('account'))
  logins.push({ name: 'the account', kind: 'account', token: PICS_TOKEN });
if (logins.length === 0) {
  console.error(
    `USER_TOKEN and PICS_TOKEN are missing: the first run, which makes ${file}, begins with them`,
  );
  process.exit(1);
}
// Each is made when it is needed, so an app with one kind of token needs no variables of the other one.
let page: PageClient | undefined;
let pics: PicsClient | undefined;

for (const [at, login] of logins.entries()) {
  try {
    logins[at] = login.kind === 'user' ? await inspected(login) : await renewed(login);
  } catch (error) {
    if (!isSdkError(error)) throw error;
    // The next night tries again.
    failed(`${login.name}: ${error.message}`);
  }
  // Written after each one, so that a renewed token is kept whatever happens to the others. Only this user may read it.
  await writeFile(`${file}.new`, JSON.stringify(logins, undefined, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function renewed(login: Login): Promise<Login> {
  const { name, token, expires_at, mustLogIn } = login;
  const due = expires_at === undefined || isRefreshDue(login);
  if (mustLogIn || due === 'ended') return mustAsk(login);
  if (!due) {
    console.log(`${name}: lasts until ${new Date(expires_at).toISOString()}`);
    return login;
  }
  pics ??= createPicsClientFromEnv();
  try {
    const { access_token, expires_at, expires_in } = await pics.refreshToken({ token });
    console.log(`${name}: renewed, until ${expires_at?.toISOString()}`);
    return { ...login, token: access_token, expires_at, expires_in };
  } catch (error) {
    if (!isSdkError(error) || !('action' in error)) throw error;
    if (error.action === 'login') return mustAsk(login);
    // Too young, which only one whose end is not known yet can be.
    if (error.action !== 'wait' || expires_at !== undefined) throw error;
    console.log(`${name}: not yet: ${error.message}`);
    return login;
  }
}

/** Nothing but a login replaces the token of a user: the platform says how long it lasts, and the user is asked in time. */
async function inspected(login: Login): Promise<Login> {
  const { name, token } = login;
  page ??= createPageClientFromEnv();
  const { is_valid, issued_at, expires_at, error } = await page.inspectToken({ token });
  // Without a lifetime, `isRefreshDue` takes it for 60 days.
  const expires_in = issued_at && expires_at && (expires_at.getTime() - issued_at.getTime()) / 1000;
  const known = { ...login, expires_at, expires_in };
  if (error?.action === 'fix') failed(`${name}: must act on the platform first: ${error.message}`);
  else if (!is_valid) failed(`${name}: must log in again`);
  else if (isRefreshDue(known) !== false) failed(`${name}: must log in before ${expires_at?.toISOString()}`);
  else console.log(`${name}: lasts until ${expires_at?.toISOString() ?? 'it is revoked'}`);
  return known;
}

/** Only the owner of the account can go on: write to them. */
function mustAsk(login: Login): Login {
  failed(`${login.name}: must log in again`);
  return { ...login, mustLogIn: true };
}

/** The run goes on with the others, and ends with code 1, so that somebody looks. */
function failed(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
