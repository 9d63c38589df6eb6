import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type Failure } from '../core/errors.ts';
import { perform, safeTry } from '../core/http/send.ts';
import { check, id, names, optional, token } from '../core/options/check.ts';
import { loginFacts } from './loginFacts.ts';
import { type AnyContext, isOfPics, pageFacts } from './pageFacts.ts';
import { type ConnectionReport, reportOf } from './report.ts';
import { type ConnectionClient, unknownFunction, type Requirement, requirements } from './requirements.ts';

export interface CheckConnectionOptions {
  /** A user or Page token; in login mode that of the account. */
  readonly token: string;
  /** The Page to call functions for. A Page token shows its own. */
  readonly pageId?: string | undefined;
  /** The account to call functions for; by default that of the Page, or of the token. */
  readonly picsUserId?: string | undefined;
  /** Names of functions. @default all that the client has */
  readonly functions?: readonly string[] | undefined;
  /** Webhook fields whose events must arrive. @default those that report what the functions read */
  readonly webhookFields?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reports which functions work with a token, and why the others do not, before a call fails.
 *
 * For a user token, it reports what works with the Page token that `pages` returns for it. Only a user token shows a
 * person's tasks on a Page: for a Page token, functions that need a task are `undefined`. Tokens of login mode cannot
 * be inspected, so there it makes a small read for each permission.
 *
 * It sends at most six requests for a Page, and as many in login mode, all of them reads. A webhook that is not
 * subscribed stops no function, and is a warning.
 *
 * Fails with ConfigurationError when a function is unknown, and in page mode of a context without `appId`. What the
 * platform refuses to say is `undefined` in the report, except what the token is: without that, the call fails.
 *
 * Source: platform reference, Debug Token, and the permissions reference.
 *
 * @example
 * const report = await checkConnection(context, { token, pageId, functions: ['publishPost'] });
 * if (report.isOk()) console.log(report.value.works, report.value.missing);
 */
export function checkConnection(
  context: AnyContext,
  options: CheckConnectionOptions,
): ResultAsync<ConnectionReport, Failure> {
  const checked = check(
    context,
    options,
    () => ({
      token,
      pageId: optional(id),
      picsUserId: optional(id),
      functions: optional(names),
      webhookFields: optional(names),
    }),
    () =>
      clientOf(context) === 'page' || context.mode === 'login' || context.appId !== undefined
        ? undefined
        : new ConfigurationError('appId is needed to inspect a token: give it to the context', 'appId'),
  ).andThen((own) => functionsOf(clientOf(context), own.functions).map((rows) => ({ ...own, rows })));
  return perform(context, 'checkConnection', checked, (call, { rows, ...own }) =>
    safeTry(async function* () {
      const wanted = wantedBy(own, Object.values(rows));
      const isLogin = isOfPics(context) && context.mode === 'login';
      const facts = yield* isLogin ? loginFacts(context, call, wanted) : pageFacts(context, call, wanted);
      return ok(reportOf(rows, facts));
    }),
  );
}

/** What to find out. */
export interface Wanted extends CheckConnectionOptions {
  readonly webhookFields: readonly string[];
  /** All that the functions need. */
  readonly permissions: readonly string[];
}

function wantedBy(own: CheckConnectionOptions, rows: readonly (Requirement | undefined)[]): Wanted {
  const needed = rows.filter((row) => row !== undefined);
  const fields = needed.flatMap(({ webhookFields = [] }) => webhookFields);
  return {
    ...own,
    webhookFields: own.webhookFields ?? [...new Set(fields)],
    permissions: [...new Set(needed.flatMap(({ permissions }) => permissions))],
  };
}

function clientOf(context: AnyContext): ConnectionClient {
  if (!isOfPics(context)) return 'page';
  return context.mode === 'login' ? 'pics-login' : 'pics-pages';
}

/** What the functions need. A function that only the other mode has cannot work. */
function functionsOf(
  client: ConnectionClient,
  asked: readonly string[] | undefined,
): Result<Readonly<Record<string, Requirement | undefined>>, ConfigurationError> {
  const own = requirements[client];
  if (asked === undefined) return ok(own);
  const ofAnyMode = { ...requirements['pics-login'], ...requirements['pics-pages'] };
  const fault = unknownFunction(client, asked, client === 'page' ? own : ofAnyMode);
  if (fault !== undefined) return err(fault);
  return ok(
    Object.fromEntries(asked.map((name) => [name, Object.hasOwn(own, name) ? own[name] : undefined])),
  );
}
