import { err, ok, type Result } from 'neverthrow';

import type { Arguments, CommandLine } from '../commandLine.ts';
import { begin, failed, painter, shownArgument, unknownArguments, wrapped } from '../commandLine.ts';
import { createRedact, type Redact } from '../core/http/redact.ts';
import { nearestOf } from '../core/options/unknown.ts';
import { isMisplaced } from '../core/platform.ts';
import type { Environment } from '../core/settings.ts';
import { checkConnection, type ConnectionReport } from './checkConnection.ts';
import { clientIn, contextOf, tokenVariable, usualClient } from './environment.ts';
import { allTasks, type Reason, withScope } from './facts.ts';
import { type ConnectionClient, requirements, scopesFor } from './requirements.ts';

/** The command line of `doctor` and `scopes`. */
export interface ConnectionsLine extends CommandLine {
  /** Reads standard input; empty if it is a terminal. */
  readonly readInput: () => Promise<string>;
}

const noEnvFile = 'A .env file is not read: set -a; . ./.env; set +a takes its variables into the shell.';

const usage = `Usage: pagepics doctor [options]
       pagepics scopes <function> … [options]

doctor shows which functions work with a token, and what to do about the others.
It exits with 1 when one does not, and with 2 when it could not find out for one.
The token comes from PAGE_TOKEN, PICS_TOKEN or standard input, the app from
PAGE_APP_ID and PAGE_APP_SECRET, or PICS_APP_ID and PICS_APP_SECRET. It is sent
to the platform only, or to the addresses in PAGEPICS_PLATFORM. A .env file is
not read; this takes its variables into the shell: set -a; . ./.env; set +a

  --page <id>                  the Page; PAGE_ID by default
  --account <id>               the photo-sharing account of the Page;
                               PICS_USER_ID by default
  --functions <name>,…         all of the client by default
  --webhook-fields <field>,…   those that the functions go with by default; none
                               leaves webhooks out

scopes prints the permissions that functions need: to ask for in the login, and
for App Review. The names of all functions are in docs/functions.md of this
package.

  --client <name>              page, pics-login or pics-pages; by default scopes
                               takes page, and doctor what the options and the
                               variables suggest
  --json                       prints JSON
  --help                       shows this`;

const options = ['page', 'account', 'functions', 'webhook-fields', 'client'] as const;
const flags = ['json'] as const;

type Given = Arguments<(typeof options)[number], (typeof flags)[number]>;

/** Runs `doctor` or `scopes`, and returns the exit code. */
export async function run([command, ...args]: readonly string[], line: ConnectionsLine): Promise<number> {
  const read = begin(args, line, usage, options, flags);
  if (typeof read === 'number') return read;
  return command === 'scopes' ? scopes(read, line) : doctor(read, line);
}

function namesIn(text: string): readonly string[] {
  return text.split(',').filter((name) => name !== '');
}

function scopes({ words: given, values, flags }: Given, line: ConnectionsLine): number {
  const words = given.flatMap(namesIn);
  const named = clientIn(values['client'], 'page');
  if (named.isErr()) return failed(line, named.error.message);
  const client = named.value;
  if (words.length === 0) return failed(line, `Name the functions.\n\n${usage}`);
  const found = scopesFor(client, words);
  if (found.isErr()) return failed(line, unknownNames(client, words, Object.keys(requirements[client])));
  if (flags.has('json')) {
    line.write(JSON.stringify(found.value));
    return 0;
  }
  const rows = words.map((name) => [name, requirements[client][name]] as const);
  const paint = painter(line);
  line.write(paint.bold('To ask for in the login'));
  for (const permission of found.value) line.write(`  ${permission}`);
  line.write(paint.bold('For App Review'));
  for (const permission of found.value) {
    const users = rows.filter(([, row]) => row?.permissions.includes(permission)).map(([name]) => name);
    for (const text of wrapped(`${permission}: ${users.join(', ')}`, '  ', '    ')) line.write(text);
  }
  const features = new Set(rows.flatMap(([, row]) => row?.features ?? []));
  for (const feature of features) line.write(`  Feature: ${feature}`);
  return 0;
}

async function doctor(given: Given, line: ConnectionsLine): Promise<number> {
  const { env } = line;
  const asked = readAsked(given, env);
  if (asked.isErr()) return failed(line, asked.error);
  const { client, pageId, picsUserId, functions, webhookFields } = asked.value;
  const variable = tokenVariable(client);
  const token = env[variable] || (await line.readInput()).trim();
  if (token === '')
    return failed(line, `There is no token: set ${variable}, or give it on standard input. ${noEnvFile}`);
  const made = contextOf(client, { env });
  if (made.isErr()) return failed(line, `${made.error.message} ${noEnvFile}`);
  const options = { token, pageId, picsUserId, functions, webhookFields };
  const checked = await checkConnection(made.value, options);
  const redact = createRedact([token, made.value.secret]);
  if (checked.isErr()) return failed(line, redact(checked.error.message));
  const misplaced = misplacedToken(client, token, checked.value);
  const report = masked(misplaced ? explained(checked.value, misplaced) : checked.value, redact);
  const lines = given.flags.has('json')
    ? [JSON.stringify(report, null, 2)]
    : shown(aboutOf(asked.value, report, misplaced !== undefined), report, line);
  for (const text of lines) line.write(text);
  return exitCode(report);
}

/** What `doctor` is to check. */
interface Asked {
  readonly client: ConnectionClient;
  /** Which variable chose the client, if that may surprise. */
  readonly choice: readonly string[];
  readonly pageId: string | undefined;
  readonly picsUserId: string | undefined;
  readonly functions: readonly string[] | undefined;
  readonly webhookFields: readonly string[] | undefined;
}

/** Reads what `doctor` is to check, from its arguments and the variables; or says what is wrong with them. */
function readAsked({ words, values }: Given, env: Environment): Result<Asked, string> {
  if (words.length > 0) return err(unknownArguments(words));
  const functions = values['functions'] === undefined ? undefined : namesIn(values['functions']);
  const usual = usualClient(env, values);
  const named = clientIn(values['client'], values['account'] ? usual : clientWith(functions ?? [], usual));
  if (named.isErr()) return err(named.error.message);
  const client = named.value;
  const chosen = choice(client, values, env);
  const unknown = unknownNames(client, functions ?? [], namesFor(client));
  if (unknown !== '') return err([unknown, ...chosen].join('\n'));
  const pageId = values['page'] ?? (env['PAGE_ID'] || undefined);
  const picsUserId = values['account'] ?? (env['PICS_USER_ID'] || undefined);
  const fault =
    faultOf(values['page'] ? '--page' : 'PAGE_ID', 'a Page', pageId) ??
    faultOf(values['account'] ? '--account' : 'PICS_USER_ID', 'an account', picsUserId);
  if (fault !== undefined) return err(fault);
  const fields = values['webhook-fields']?.replace(/^none$/, '');
  const webhookFields = fields === undefined ? undefined : namesIn(fields);
  return ok({ client, choice: chosen, pageId, picsUserId, functions, webhookFields });
}

/** The names of functions that may be asked for. A function of the other mode of accounts is part of the report. */
function namesFor(client: ConnectionClient): readonly string[] {
  if (client === 'page') return Object.keys(requirements.page);
  return Object.keys({ ...requirements['pics-login'], ...requirements['pics-pages'] });
}

/** What is wrong with an id, if anything. */
function faultOf(name: string, whose: string, id: string | undefined): string | undefined {
  const isId = id === undefined || /^\d+$/.test(id);
  return isId ? undefined : `${name} must be the id of ${whose}: a number, not a name.`;
}

/** What a report for people says beside the report. */
function aboutOf(
  { client, choice: chosen, functions, pageId }: Asked,
  report: ConnectionReport,
  isMisplaced: boolean,
): About {
  const isAlsoOfPage = (functions ?? []).every((name) => Object.hasOwn(requirements.page, name));
  const names = Object.keys(report.functions).filter((name) => Object.hasOwn(requirements[client], name));
  return {
    title: `${client}: ${isMisplaced ? 'a token for another client' : tokenOf(report)}`,
    note: client === 'pics-pages' && isAlsoOfPage ? chosen : [],
    scopes: report.missing.length === 0 ? [] : scopesFor(client, names).unwrapOr([]),
    userTokenCommand: userTokenCommand(client, functions, pageId, report),
  };
}

/** The same check with the token of the person; `undefined` if it is that token already. */
function userTokenCommand(
  client: ConnectionClient,
  functions: readonly string[] | undefined,
  pageId: string | undefined,
  { token }: ConnectionReport,
): string | undefined {
  if (token?.type !== 'PAGE' && token?.profile_id === undefined) return undefined;
  return [
    'PAGE_TOKEN=$USER_TOKEN npx pagepics doctor',
    `--page ${pageId ?? token.profile_id ?? '<id>'}`,
    // The variables may suggest another one.
    `--client ${client}`,
    ...(functions === undefined ? [] : [`--functions ${functions.join(',')}`]),
  ].join(' ');
}

/** 1 if a function does not work, 2 if that could not be found out for one. */
function exitCode({ works, functions }: ConnectionReport): number {
  if (!works) return 1;
  return Object.values(functions).every((one) => one.works === true) ? 0 : 2;
}

/** The client for these functions: the usual one, unless only the other one for a Page token has them all. */
function clientWith(functions: readonly string[], usual: ConnectionClient): ConnectionClient {
  if (usual === 'pics-login') return usual;
  const hasAll = (client: ConnectionClient): boolean =>
    functions.every((name) => Object.hasOwn(requirements[client], name));
  const other = usual === 'page' ? 'pics-pages' : 'page';
  return !hasAll(usual) && hasAll(other) ? other : usual;
}

/** Says which variable chose a client for photo-sharing accounts; empty if none did. */
function choice(client: ConnectionClient, values: Given['values'], env: Environment): readonly string[] {
  if (values['client'] || values['account'] || client === 'page') return [];
  const names = client === 'pics-login' ? ['PICS_TOKEN', 'PICS_APP_ID'] : ['PICS_USER_ID'];
  const chooser = names.find((name) => env[name]);
  return chooser === undefined ? [] : [`${chooser} chose ${client}; --client page chooses otherwise.`];
}

/** Says which of these names are no functions of a client, and what could be meant; empty if all are. */
function unknownNames(client: ConnectionClient, names: readonly string[], known: readonly string[]): string {
  const unknown = names.filter((name) => !known.includes(name));
  const hints = unknown.map((name) => hintFor(name, known));
  const lines = unknown.map(
    (name, at) => `${client} has no function ${shownArgument(name)}${hints[at] ?? '.'}`,
  );
  if (hints.includes(undefined)) lines.push('All functions are in docs/functions.md of this package.');
  return lines.join('\n');
}

/** What an unknown name could mean: a function of this client, or of another one. */
function hintFor(name: string, known: readonly string[]): string | undefined {
  const having = Object.entries(requirements).filter(([, functions]) => Object.hasOwn(functions, name));
  const clients = having.map(([other]) => other).join(' or ');
  // Such as `publishPost` for `publish`.
  const nearest = nearestOf(name, known) ?? known.find((one) => name.length > 3 && one.startsWith(name));
  if (nearest === undefined) return clients ? `: choose --client ${clients}.` : undefined;
  return `. Did you mean ${nearest}?${clients && ` Or choose --client ${clients}.`}`;
}

/**
 * No report contains a secret, but the platform might quote one in a text. It is masked before the report is written as
 * JSON or broken into lines, in which it would not be found.
 */
function masked<TValue>(value: TValue, redact: Redact): TValue {
  const maskPart = (part: unknown): unknown => masked(part, redact);
  const isObject = typeof value === 'object' && value !== null && !(value instanceof Date);
  const shown = Array.isArray(value)
    ? value.map(maskPart)
    : isObject
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskPart(part)]))
      : typeof value === 'string'
        ? redact(value)
        : value;
  // Masking keeps the shape.
  return shown as TValue;
}

/**
 * Why the platform refuses a token whose beginning is that of the tokens for another client; `undefined` if it takes the
 * token, or the beginning says nothing.
 */
function misplacedToken(
  client: ConnectionClient,
  token: string,
  { functions }: ConnectionReport,
): Pick<Reason, 'message' | 'fix'> | undefined {
  const isRefused = Object.values(functions).some(({ reasons }) => reasons.some(isOfToken));
  const mode = client === 'pics-login' ? 'login' : 'page';
  if (!isRefused || !isMisplaced(token, mode)) return undefined;
  if (mode === 'page') {
    const fix = 'Give it in PICS_TOKEN, with --client pics-login.';
    return { message: "The token begins like one of an account's own login.", fix };
  }
  const fix = 'Give it in PAGE_TOKEN, with --client page or pics-pages.';
  return { message: 'The token begins like one of a Page or a person.', fix };
}

function isOfToken({ code }: Reason): boolean {
  return code === 'token';
}

/** The report with this instead of what it says about the token. */
function explained(report: ConnectionReport, why: Pick<Reason, 'message' | 'fix'>): ConnectionReport {
  const functions = Object.entries(report.functions).map(([name, { works, reasons }]) => {
    const shown = reasons.map((reason) => (isOfToken(reason) ? { ...reason, ...why } : reason));
    return [name, { works, reasons: shown }] as const;
  });
  return { ...report, functions: Object.fromEntries(functions) };
}

/** What a report for people says beside the report. */
interface About {
  /** The client, and what the token is. */
  readonly title: string;
  /** Which variable chose the client, if that may surprise. */
  readonly note: readonly string[];
  /** All permissions that the functions need, if one is missing: a login for less may lose those that were granted. */
  readonly scopes: readonly string[];
  /** The same check with the token of the person; `undefined` if it is that token already. */
  readonly userTokenCommand: string | undefined;
}

/** A report for people. */
function shown(
  { title, note, scopes, userTokenCommand }: About,
  report: ConnectionReport,
  line: ConnectionsLine,
): readonly string[] {
  const paint = painter(line);
  const functions = Object.entries(report.functions);
  const width = Math.max(...functions.map(([name]) => name.length)) + 2;
  const rows = functions.flatMap(([name, { works, reasons }]) => {
    const mark =
      works === undefined ? paint.yellow('?    ') : works ? paint.green('works') : paint.red('fails');
    const why = wrapped(works === true ? '' : reasons.map(briefly).join(', '), '', '', 80 - 9 - width);
    return why.map((text, at) =>
      (at === 0 ? `  ${mark}  ${name.padEnd(width)}${text}` : ' '.repeat(9 + width) + text).trimEnd(),
    );
  });
  const all = functions.flatMap(([, { reasons }]) => reasons);
  const others = all.filter(({ code }) => code !== 'permission');
  // All other warnings are about subscriptions.
  const ends = report.warnings.filter(({ code }) => code === 'expires_soon');
  const events = report.warnings.filter(({ code }) => code !== 'expires_soon').map(aboutTasks);
  const isTaskUnseen = all.some(({ code, task }) => code === 'unknown' && task !== undefined);
  return [
    ...wrapped(title),
    ...note,
    '',
    ...rows,
    ...section(paint.bold('Permissions to ask for, granted ones included'), scopes),
    ...section(paint.bold('What to do'), [...aboutPermissions(all), ...advice(others)]),
    // A command is not broken into lines, so that it can be copied.
    ...(isTaskUnseen && userTokenCommand !== undefined
      ? ['', paint.bold('To check with the user token'), `  ${userTokenCommand}`]
      : []),
    ...section(paint.bold('Warnings'), advice(ends)),
    ...section(
      paint.bold('Matters only if you receive webhooks'),
      events.length === 0 ? [] : [...advice(events), '--webhook-fields none leaves this out.'],
    ),
  ];
}

function tokenOf({ token }: ConnectionReport): string {
  if (token === undefined) return 'a login-mode token, which the platform does not describe';
  const kind = (token.type ?? 'unknown').toLowerCase();
  const ends = token.expires_at === undefined ? '' : `, ends ${token.expires_at.toISOString().slice(0, 10)}`;
  return token.is_valid ? `a ${kind} token${ends}` : 'a token that is not valid';
}

function briefly({ code, permission, task, field }: Reason): string {
  const words = [permission, ...[task ?? []].flat(), field].filter((one) => one !== undefined);
  return [code.replaceAll('_', ' '), words.join(' or ')].join(' ').trim();
}

/** Where the platform says which task is missing, a login does not help. */
function aboutTasks(reason: Reason): Reason {
  const fix = 'Let somebody who manages the Page give the person the task that this names.';
  const namesTask = reason.code === 'unknown' && allTasks.some((task) => reason.message.includes(task));
  return namesTask ? { ...reason, fix } : reason;
}

/** What to do about missing permissions: one login for all of them. */
function aboutPermissions(reasons: readonly Reason[]): readonly string[] {
  const fixes = new Map(
    reasons.flatMap(({ permission, code, fix }) =>
      code === 'permission' && permission !== undefined ? [[permission, fix] as const] : [],
    ),
  );
  if (fixes.size === 0) return [];
  const more = [...fixes].map(([name, fix]) => [name, fix.replace(withScope, '').trim()] as const);
  return [
    `Not granted: ${[...fixes.keys()].join(', ')}. Send the person through the login once, with all permissions listed above among its scopes.`,
    ...more.flatMap(([name, fix]) => (fix === '' ? [] : [`${name}: ${fix}`])),
    "For people who are not on the app's team, App Review must grant these to the app first: npx pagepics scopes tells what each is for.",
  ];
}

/** Each message once, and what to do once for all that it helps against. */
function advice(reasons: readonly Reason[]): readonly string[] {
  const messages = new Map<string, Set<string>>();
  for (const { fix, message } of reasons) messages.set(fix, (messages.get(fix) ?? new Set()).add(message));
  return [...messages].map(([fix, ofFix]) => [...ofFix, fix].join(' '));
}

function section(title: string, texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? [] : ['', title, ...texts.flatMap((text) => wrapped(text, '  ', '    '))];
}
