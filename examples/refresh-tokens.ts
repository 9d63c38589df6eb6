// Renews tokens of login mode before they end, and tells who must log in again. Run it every night:
//
//   0 3 * * *   node --env-file=.env refresh-tokens.ts tokens.json
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';

import { createPicsClientFromEnv, isRefreshDue, isSdkError } from 'pagepics';

/** An account that logged in; in an app, a row of a table, its token encrypted. */
interface Account {
  readonly name: string;
  readonly token: string;
  /** Both are those of the bundle that the token came in. Without them, it is renewed at once. */
  readonly expires_at?: Date | string | undefined;
  readonly expires_in?: number | undefined;
  readonly mustLogIn?: boolean;
}

const [file = 'tokens.json'] = process.argv.slice(2);
const { PICS_TOKEN: token = '' } = process.env;
if (token === '' && !existsSync(file)) {
  console.error(`PICS_TOKEN is missing: the first run, which makes ${file}, begins with its token`);
  process.exit(1);
}
const initial = [{ name: 'the first', token }];
const accounts = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Account[]) : initial;
const client = createPicsClientFromEnv();

for (const [at, account] of accounts.entries()) {
  accounts[at] = await renewed(account);
  // Written after each account, so that a renewed token is kept whatever happens to the others. Only this user may read it.
  await writeFile(`${file}.new`, JSON.stringify(accounts, undefined, 2), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function renewed(account: Account): Promise<Account> {
  const { name, token, expires_at, mustLogIn } = account;
  const due = expires_at === undefined || isRefreshDue(account);
  if (due === false) console.log(`${name}: lasts until ${new Date(expires_at ?? 0).toISOString()}`);
  if (mustLogIn || due === 'ended') return mustAsk(account);
  if (!due) return account;
  try {
    const { access_token, expires_at, expires_in } = await client.refreshToken({ token });
    console.log(`${name}: renewed, until ${expires_at?.toISOString()}`);
    return { name, token: access_token, expires_at, expires_in };
  } catch (error) {
    if (!isSdkError(error)) throw error;
    if ('action' in error && error.action === 'login') return mustAsk(account);
    // The next night tries again.
    if (error.message.includes('24 hours')) console.log(`${name}: too young to be renewed`);
    else failed(`${name}: ${error.message}`);
    return account;
  }
}

/** Only the owner of the account can go on: write to them. */
function mustAsk(account: Account): Account {
  failed(`${account.name}: must log in again`);
  return { ...account, mustLogIn: true };
}

/** The run goes on with the other accounts, and ends with code 1, so that somebody looks. */
function failed(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
