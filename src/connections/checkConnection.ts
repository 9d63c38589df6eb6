import { err, ok, type Result, type ResultAsync } from 'neverthrow';

import { ConfigurationError, type Failure } from '../core/errors.ts';
import { perform, safeTry } from '../core/http/send.ts';
import type { CallOptions } from '../core/http/types.ts';
import { check } from '../core/options/check.ts';
import * as rule from '../core/options/rules.ts';
import type { TokenInfo } from '../models/tokens.ts';
import type { AnyContext, Facts, Reason, Wanted } from './facts.ts';
import { allTasks, isOfPics, loginFacts, pageFacts, reasonOf } from './facts.ts';
import { type ConnectionClient, unknownFunction, type Requirement, requirements } from './requirements.ts';

export interface CheckConnectionOptions extends CallOptions {
  /** A user or Page token; in login mode that of the account. */
  readonly token: string;
  /** The Page to call functions for. A Page token shows its own. */
  readonly pageId?: string | undefined;
  /** The account to call functions for; by default that of the Page, or of the token. */
  readonly picsUserId?: string | undefined;
  /** Names of functions. @default all that the client has */
  readonly functions?: readonly string[] | undefined;
  /**
   * Webhook fields whose events must arrive; `[]` leaves webhooks out.
   * @default those that report what the functions read
   */
  readonly webhookFields?: readonly string[] | undefined;
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
 * platform refuses to say is `undefined` in the report, except what the token is: without that, the call fails, as in
 * login mode when none of the reads says anything.
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
    {
      token: rule.token,
      pageId: rule.optional(rule.id),
      picsUserId: rule.optional(rule.id),
      functions: rule.optional(rule.names),
      webhookFields: rule.optional(fields),
    },
    () =>
      clientOf(context) !== 'pics-pages' || context.appId !== undefined
        ? undefined
        : new ConfigurationError('appId is needed to inspect a token: give it to the context', 'appId'),
  ).andThen((options) =>
    functionsOf(clientOf(context), options.functions).map((rows) => ({ ...options, rows })),
  );
  return perform(context, 'checkConnection', checked, (call, { rows, ...options }) =>
    safeTry(async function* () {
      const wanted = wantedBy(options, Object.values(rows));
      const isLogin = isOfPics(context) && context.mode === 'login';
      const facts = yield* isLogin ? loginFacts(context, call, wanted) : pageFacts(context, call, wanted);
      return ok(reportOf(rows, facts));
    }),
  );
}

function wantedBy(options: CheckConnectionOptions, rows: readonly (Requirement | undefined)[]): Wanted {
  const needed = rows.filter((row) => row !== undefined);
  const fields = needed.flatMap(({ webhookFields = [] }) => webhookFields);
  return {
    ...options,
    webhookFields: options.webhookFields ?? [...new Set(fields)],
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
  const rows = requirements[client];
  if (asked === undefined) return ok(rows);
  const ofAnyMode = { ...requirements['pics-login'], ...requirements['pics-pages'] };
  const fault = unknownFunction(client, asked, client === 'page' ? rows : ofAnyMode);
  if (fault !== undefined) return err(fault);
  return ok(Object.fromEntries(asked.map((name) => [name, rows[name]])));
}

/** Whether a function works. */
export interface FunctionReport {
  /** `undefined` if no call shows it: the reasons say why. */
  readonly works: boolean | undefined;
  /** All that is wrong; empty if it works. */
  readonly reasons: readonly Reason[];
}

/** What works with a token, and what does not. */
export interface ConnectionReport {
  /** `true` if no function is known to fail. */
  readonly works: boolean;
  /** By the name of the function. */
  readonly functions: Readonly<Record<string, FunctionReport>>;
  /** What the platform says about the token; `undefined` in login mode, where it says nothing. */
  readonly token: TokenInfo | undefined;
  /** Permissions to ask for: those that the functions need and the person did not grant. Sorted. */
  readonly missing: readonly string[];
  /** What stops no function, or none yet: events that do not arrive, and expiry dates that are near. */
  readonly warnings: readonly Reason[];
}

/** Everything that prevents a function from working. */
function reasonsFor(name: string, requirement: Requirement, facts: Facts): readonly Reason[] {
  const { token, permissions, task, features = [] } = requirement;
  if (token === 'none') return [];
  if (facts.dead !== undefined) return [facts.dead];
  if (token === 'any') return [];
  const lacking = permissions.map(facts.lacking).filter((reason) => reason !== undefined);
  if (token === 'user') {
    // It concerns the person, regardless of the Pages they chose.
    const general = lacking.filter(({ code }) => code !== 'asset');
    return facts.kind === 'page' ? [notOfPerson(name), ...general] : general;
  }
  const unseen = features.map((feature) => unseenFeature(name, feature));
  return [...lacking, ...facts.faults, ...taskReasons(task, facts), ...unseen, ...ageReasons(name)];
}

function notOfPerson(name: string): Reason {
  const message = `${name} needs the token of the person, and this is the token of a Page.`;
  return reasonOf('token', message, 'Call it with the user token that exchangeCode gave.');
}

function taskReasons(needed: Requirement['task'], { tasks }: Facts): readonly Reason[] {
  // Without any task, the person gets no token for the Page at all.
  const task = needed ?? (tasks?.length === 0 ? allTasks : undefined);
  if (task === undefined) return [];
  const wanted = [task].flat();
  const words = wanted.join(' or ');
  if (tasks === undefined) {
    const message = `Whether the person has the task ${words} on the Page, this token does not show.`;
    const fix = 'The list of Pages shows it to a user token, with pageId.';
    return [reasonOf('unknown', message, fix, { task })];
  }
  if (wanted.some((one) => tasks.includes(one))) return [];
  const message = `The person does not have the task ${words} on the Page.`;
  const fix = `Let somebody who manages the Page give the person ${words}, or let another person log in.`;
  return [reasonOf('task', message, fix, { task })];
}

function unseenFeature(name: string, feature: string): Reason {
  const message = `${name} needs the feature ${feature}, and no call shows whether the app has it.`;
  return reasonOf('unknown', message, 'Look in the dashboard of the app, and ask for it by App Review.');
}

/** A login-mode token must be a day old before it can be refreshed, and its age cannot be read. */
function ageReasons(name: string): readonly Reason[] {
  if (name !== 'refreshToken') return [];
  const message = 'A token can be refreshed once it is 24 hours old, and no call shows its age.';
  return [reasonOf('unknown', message, 'Go by the time at which you stored it.')];
}

/** The report on a client's functions, from what the platform said. */
function reportOf(
  functions: Readonly<Record<string, Requirement | undefined>>,
  facts: Facts,
): ConnectionReport {
  const reports = Object.entries(functions).map(([name, requirement]) => {
    const reasons = requirement === undefined ? [otherMode(name)] : reasonsFor(name, requirement, facts);
    const fails = reasons.some(({ code }) => code !== 'unknown');
    return [name, { works: fails ? false : reasons.length > 0 ? undefined : true, reasons }] as const;
  });
  const missing = reports.flatMap(([, { reasons }]) =>
    reasons.flatMap(({ code, permission }) => (code === 'permission' && permission ? [permission] : [])),
  );
  return {
    works: reports.every(([, { works }]) => works !== false),
    functions: Object.fromEntries(reports),
    token: facts.token,
    missing: [...new Set(missing)].toSorted(),
    warnings: facts.warnings,
  };
}

function otherMode(name: string): Reason {
  const fix = 'Create a context of that mode, with a token for it.';
  return reasonOf('mode', `${name} is a function of the other mode.`, fix);
}

const fields = rule.listOf(rule.text);
