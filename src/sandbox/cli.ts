import { readArguments, unknownArguments } from '../commandLine.ts';
import { html, loopbackAddress, placeOf, readRequest } from './http.ts';
import { openSandbox } from './sandbox.ts';
import { listen, type Respond, type ServedSandbox, type ServeOptions } from './serve.ts';
import { day, hour, type OpenDialog, readDialog } from './tokens.ts';
import type { SandboxDelivery, SandboxOptions } from './types.ts';
import * as web from './ui/html.ts';
import { shortened, startPage, variables, versionOf } from './ui/start.ts';
import { beginTrial, endTrial, trialPage } from './ui/trials.ts';
import { wordsIn } from './values.ts';
import { isTaken } from './webhooks.ts';
import { find, type World } from './world.ts';

/** Where the command line writes to, and when it ends. */
export interface Terminal {
  readonly write: (line: string) => void;
  readonly writeError: (line: string) => void;
  /** Resolves when the server is to stop. */
  readonly stopped: Promise<void>;
}

const usage = `Usage: pagepics sandbox [options]

Serves both platforms, emulated in memory, with pages for people, on 127.0.0.1.

  --port <number>   0 takes any free port; 4010 by default
  --seed <number>   equal seeds give equal ids and tokens; 1 by default
  --pages <number>  how many Pages there are, 3 to 100; 3 by default
  --posts <number>  how many posts each of the first three Pages has, 0 to 1000; 6 by default
  --upload-speed <number>
                    kilobytes of a video that are taken in a second, so that a progress bar moves; no limit by default
  --quota <number>  calls for each Page, and for each account, in 24 hours, or with 60/hour in an hour;
                    no limit by default
  --require-proof   refuses calls without an appsecret_proof
  --help            shows this`;

interface Settings {
  readonly port: number;
  readonly seed: number;
  readonly pages: number;
  readonly posts: number;
  /** 0 for no limit. */
  readonly 'upload-speed': number;
  readonly requireProof: boolean;
  /** 0 for none. */
  readonly quota: number;
  readonly quotaMs: number;
}

const numbers = {
  port: { from: 0, to: 65_535 },
  seed: { from: 0, to: 4_294_967_295 },
  pages: { from: 3, to: 100 },
  posts: { from: 0, to: 1000 },
  'upload-speed': { from: 1, to: 1_000_000 },
  quota: { from: 1, to: 1_000_000_000 },
} as const;
type NumberOption = keyof typeof numbers;
const numberOptions = ['port', 'seed', 'pages', 'posts', 'upload-speed', 'quota'] as const;

/** Runs the command line until it is stopped, and returns the exit code. */
export async function run([, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  const settings = settingsIn(args);
  if (settings === 'help') {
    terminal.write(usage);
    return 0;
  }
  if (typeof settings === 'string') {
    terminal.writeError(`${settings}\n\n${usage}`);
    return 1;
  }
  return serve(settings, terminal);
}

async function serve(
  { port, quota, quotaMs, 'upload-speed': speed, ...options }: Settings,
  terminal: Terminal,
): Promise<number> {
  const each = { calls: quota, windowMs: quotaMs };
  const quotas = quota > 0 ? { page: each, pics: each } : undefined;
  try {
    const bytesPerSecond = speed > 0 ? speed * 1000 : undefined;
    const server = await serveUi({ ...options, quotas }, { port, bytesPerSecond });
    terminal.write(`The sandbox is at ${server.url} (Ctrl-C stops it).`);
    await terminal.stopped;
    await server.close();
    return 0;
  } catch (thrown) {
    terminal.writeError(reasonOf(thrown, port));
    return 1;
  }
}

function reasonOf(thrown: unknown, port: number): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another one with --port.`;
  if (code === 'EACCES') return `Port ${port} is not allowed. Choose one of at least 1024 with --port.`;
  return `The sandbox could not start: ${String(thrown)}`;
}

/** The settings in the arguments, `help`, or what is wrong with them. */
function settingsIn(args: readonly string[]): Settings | string {
  const read = readArguments(args, numberOptions, ['require-proof'], rangeOf);
  if (typeof read === 'string') return read;
  if (read.flags.has('help')) return 'help';
  if (read.words.length > 0) return unknownArguments(read.words);
  const { values, flags } = read;
  const requireProof = flags.has('require-proof');
  const settings = {
    port: 4010,
    seed: 1,
    pages: 3,
    posts: 6,
    'upload-speed': 0,
    quota: 0,
    quotaMs: day,
    requireProof,
  };
  for (const name of numberOptions) {
    const text = values[name];
    if (text === undefined) continue;
    const { from, to } = numbers[name];
    const [, digits, per] = (name === 'quota' ? /^(\d+)(\/hour|\/day)?$/ : /^(\d+)$/).exec(text) ?? [];
    const value = Number(digits);
    if (!(value >= from && value <= to)) return rangeOf(name);
    settings[name] = value;
    if (name === 'quota') settings.quotaMs = per === '/hour' ? hour : day;
  }
  return settings;
}

function rangeOf(name: NumberOption): string {
  const { from, to } = numbers[name];
  const ending = name === 'quota' ? ', or that with /hour or /day' : '';
  return `--${name} takes a whole number from ${from} to ${to}${ending}.`;
}

/** Responds as a login dialog does to a browser; `undefined` for any other request. */
async function dialogPage(ui: web.Ui, request: Request): Promise<Response | undefined> {
  const isForm = request.method === 'POST' && request.headers.get('origin') !== null;
  const isVisit = request.method === 'GET' && request.headers.get('accept')?.includes('text/html') === true;
  if (!isForm && !isVisit) return undefined;
  const incoming = await readRequest(new Request(request.url), ui.platform);
  if (incoming?.place.host !== 'dialog') return undefined;
  const dialog = readDialog(ui.world, incoming);
  if (typeof dialog === 'string') return web.problem(400, `The login dialog shows an error: ${dialog}`);
  return isForm ? submitDialog(ui, request) : showDialog(ui, dialog, incoming.query['redirect_uri'] ?? '');
}

function showDialog({ sandbox }: web.Ui, { kind, asked }: OpenDialog, redirectUri: string): Response {
  const [who, app] =
    kind === 'user' ? [sandbox.user.name, sandbox.app.id] : [sandbox.account.username, sandbox.picsApp.id];
  // The person's name and picture are always granted.
  const fixed = asked.filter((scope) => scope === 'public_profile');
  const free = asked.filter((scope) => scope !== 'public_profile');
  const body = html`<main class="dialog">
    <h1>Log in as ${who}</h1>
    <p>
      The app <code>${app}</code> asks for access to what ${who} manages. Afterwards you are led back to
      <code>${redirectUri}</code>.
    </p>
    <form method="post">
      <fieldset>
        <legend>Permissions</legend>
        ${fixed.map((scope) => html`<label><input type="checkbox" checked disabled /> ${scope} (always granted)</label>`)}
        ${free.map((scope) => html`<label><input type="checkbox" name="scope" value="${scope}" checked /> ${scope}</label>`)}
        ${asked.length === 0 ? html`<p>None but the public profile.</p>` : undefined}
      </fieldset>
      <p class="choice">
        <button name="decision" value="continue">Continue as ${who}</button>
        <button name="decision" value="cancel" class="plain">Cancel</button>
      </p>
    </form>
    <p class="soft">A dialog of the pagepics sandbox: no real account is involved.</p>
  </main>`;
  return web.page(`Log in as ${who}`, body);
}

async function submitDialog({ sandbox }: web.Ui, request: Request): Promise<Response> {
  if (!web.isOwnForm(request)) return web.problem(403, 'This form was not sent by a page of the sandbox.');
  const form = await web.formOf(request);
  const decision = form?.get('decision');
  if (decision === 'cancel') return web.leadTo((await sandbox.authorize(request.url, { deny: true })).href);
  if (decision !== 'continue') return web.problem(400, 'The form lacks a decision.');
  const scopes = ['public_profile', ...(form?.getAll('scope') ?? [])];
  return web.leadTo((await sandbox.authorize(request.url, { scopes })).href);
}

type Action = (ui: web.Ui, form: URLSearchParams) => Promise<Response> | Response;

const actions: Readonly<Record<string, Action>> = {
  comment,
  message,
  lead,
  subscribe,
  deliver,
  begin,
  end,
  advance,
  token,
};

/** Does what a button of the start page asks for; `undefined` if there is no such button. */
async function runAction(ui: web.Ui, name: string, request: Request): Promise<Response | undefined> {
  const run = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (run === undefined) return undefined;
  if (request.method !== 'POST') return web.problem(405, 'This is the address of a form.');
  if (!web.isOwnForm(request)) return web.problem(403, 'This form was not sent by a page of the sandbox.');
  const form = await web.formOf(request);
  if (form === undefined) return web.problem(400, 'This is not a form, or it is too large.');
  try {
    return await run(ui, form);
  } catch (thrown) {
    return web.problem(400, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function comment(ui: web.Ui, form: URLSearchParams): Response {
  const [on, message] = [textOf(form, 'on'), textOf(form, 'message')];
  ui.sandbox.happen({ kind: 'comment', on, message });
  return redirectTo(ui, `A customer commented: “${shortened(message)}”`, `on-${on}`);
}

function message(ui: web.Ui, form: URLSearchParams): Response {
  const [contactId, text] = [textOf(form, 'contactId'), textOf(form, 'text')];
  ui.sandbox.happen({ kind: 'message', contactId, text });
  return redirectTo(ui, `A customer wrote: “${shortened(text)}”`, `on-${contactId}`);
}

function lead(ui: web.Ui, form: URLSearchParams): Response {
  const given = [...form].filter(([name, value]) => name.startsWith('answer:') && value.trim() !== '');
  const answers = Object.fromEntries(given.map(([name, value]) => [name.slice('answer:'.length), value]));
  if (given.length === 0) throw new Error('A lead needs an answer.');
  const formId = textOf(form, 'formId');
  const id = ui.sandbox.happen({ kind: 'lead', formId, answers });
  return redirectTo(ui, `A customer left the lead ${id}.`, `on-${formId}`);
}

const accountFields = ['comments', 'messages', 'message_reactions', 'messaging_postbacks'];
const pageFields = wordsIn(`
  feed leadgen messages message_echoes message_reactions message_reads messaging_postbacks
`);

function subscribe(ui: web.Ui, form: URLSearchParams): Response {
  const id = textOf(form, 'id');
  const page = find(ui.world, 'page', id);
  const account = find(ui.world, 'picsAccount', id);
  if (page === undefined && account === undefined)
    throw new Error(`the sandbox has no Page or account ${id}`);
  if (page !== undefined) page.subscribed = pageFields;
  if (account !== undefined) account.subscribed = accountFields;
  return redirectTo(ui, 'Subscribed.', `on-${id}`);
}

const timeoutMs = 10_000;

/** Sends each event once. Those that the receiver does not confirm are sent again at the next click. */
async function deliver(ui: web.Ui, form: URLSearchParams): Promise<Response> {
  const { sandbox } = ui;
  const to = textOf(form, 'to');
  const address = loopbackAddress(to);
  if (address === undefined) {
    throw new Error(
      'Webhooks are delivered to addresses on this machine only, such as http://127.0.0.1:3000/webhooks',
    );
  }
  const sent = await sandbox.deliver((request) => forward(request, address), { attempts: 1 });
  const failed = sent.filter(({ statuses }) => !isTaken(statuses.at(-1))).map(objectOf);
  ui.target = address.href;
  ui.delivered = sent;
  return redirectTo(ui, deliveryNotice(sent.length, failed.length), 'webhooks');
}

function advance(ui: web.Ui, form: URLSearchParams): Response {
  ui.sandbox.advance(Number(textOf(form, 'ms')));
  return redirectTo(ui, 'Time has passed.', '');
}

/**
 * Responds with a new token of the seeded person, which has only the scopes that the form names, or one of the account
 * in login mode, old enough to be renewed.
 */
function token(ui: web.Ui, form: URLSearchParams): Response {
  const pageId = form.get('pageId') ?? undefined;
  const life = form.get('expiresInMs');
  const ofAccount = form.get('kind') === 'pics';
  const value = ui.sandbox.issueToken({
    ...(pageId !== undefined && { pageId }),
    ...(life !== null && { expiresInMs: Number(life) }),
    ...(ofAccount ? { kind: 'pics' } : { scopes: form.getAll('scope') }),
  });
  if (ofAccount) makeRenewable(ui.world, value);
  return web.respondWith(value, 'text/plain');
}

function begin(ui: web.Ui, form: URLSearchParams): Response {
  beginTrial(ui, textOf(form, 'fault'));
  return web.leadTo('/ui/faults');
}

function end(ui: web.Ui): Response {
  endTrial(ui);
  return web.leadTo('/ui/faults');
}

function deliveryNotice(requests: number, failed: number): string {
  if (requests === 0) return 'There was nothing to deliver.';
  return failed === 0 ? 'The webhooks were delivered.' : 'Webhooks were not delivered: see the result.';
}

async function forward(request: Request, to: URL): Promise<Response> {
  const { method, headers } = request;
  const body = await request.text();
  // A redirect could lead away from this machine.
  return fetch(to, { method, headers, body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
}

function objectOf({ body }: SandboxDelivery): string {
  return (JSON.parse(body) as { readonly object: string }).object;
}

function textOf(form: URLSearchParams, name: string): string {
  const text = form.get(name) ?? '';
  if (text.trim() === '') throw new Error(`The form lacks a text: ${name}`);
  return text;
}

/** Redirects to the part of the start page where it happened: a browser then opens the Page or account around it. */
function redirectTo(ui: web.Ui, notice: string, part: string): Response {
  ui.notice = notice;
  return web.leadTo(`/#${part}`);
}

/** Serves a new sandbox with pages for people, on the loopback address only. */
export function serveUi(
  options: SandboxOptions,
  { port, bytesPerSecond }: Pick<ServeOptions, 'port'> & { readonly bytesPerSecond?: number | undefined },
): Promise<ServedSandbox> {
  const { sandbox, world } = openSandbox(options);
  sandbox.tune({ videos: { bytesPerSecond } });
  makeRenewable(world, sandbox.account.token);
  return listen(
    (platform, url) => {
      const target = 'http://127.0.0.1:3000/webhooks';
      const ui: web.Ui = {
        sandbox,
        world,
        platform,
        url,
        target,
        notice: undefined,
        delivered: undefined,
        trial: undefined,
      };
      return withPages(ui, sandbox.serveAt(platform));
    },
    port === undefined ? {} : { port },
  );
}

/** Makes a token old enough to be renewed, so that a job that does it at night can be seen at work. */
function makeRenewable(world: World, value: string): void {
  const token = world.tokens.get(value);
  if (token !== undefined) world.tokens.set(value, { ...token, issuedAt: token.issuedAt - 2 * day });
}

/** Responds with the pages for people, and to everything else as the platform does. */
function withPages(ui: web.Ui, respond: Respond): Respond {
  const { port, origin } = new URL(ui.url);
  return async (request) => {
    if (!web.isOwnHost(request, port)) return web.problem(403, `The sandbox responds at ${ui.url} only.`);
    const url = new URL(request.url);
    const isOwn = url.origin === origin && /^\/(?:$|\.env$|ui\/)/.test(url.pathname);
    if (isOwn)
      return (await ownPage(ui, url.pathname, request)) ?? web.problem(404, 'There is no such page.');
    if (placeOf(url, ui.platform) === undefined) return web.problem(404, 'There is no such page.');
    const dialog = await dialogPage(ui, request);
    if (dialog) return dialog;
    // A foreign page knows the tokens of a seed, and could have the sandbox call any port of this machine.
    if (web.isForeign(request)) return web.problem(403, 'The platform responds to no pages of other sites.');
    return respond(request);
  };
}

async function ownPage(ui: web.Ui, path: string, request: Request): Promise<Response | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return formPage(ui, path, request);
  switch (path) {
    case '/':
      return startPage(ui);
    case '/ui/faults':
      return trialPage(ui);
    case '/.env':
      return web.respondWith(variables(ui), 'text/plain');
    case '/ui/style.css':
      return web.respondWith(web.style, 'text/css');
    case '/ui/icon.svg':
      return web.respondWith(web.icon, 'image/svg+xml');
    case '/ui/live.js':
      return web.respondWith(web.script, 'text/javascript');
    case '/ui/version':
      return web.respondWith(versionOf(ui.world), 'text/plain');
    default:
      return formPage(ui, path, request);
  }
}

function formPage(ui: web.Ui, path: string, request: Request): Promise<Response | undefined> {
  return runAction(ui, path.slice('/ui/'.length), request);
}
