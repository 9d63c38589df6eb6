import { isSubscribed, isTaken } from '../webhooks/deliver.ts';
import type { SandboxDelivery } from '../webhooks/types.ts';
import { find } from '../world.ts';
import { formOf, isOwnForm, loopbackAddress } from './guard.ts';
import { leadTo, problem, type Ui } from './pages.ts';
import { shortened } from './parts.ts';

type Act = (ui: Ui, form: URLSearchParams) => Promise<Response> | Response;

const acts: Readonly<Record<string, Act>> = { comment, message, lead, subscribe, deliver };

/** Does what a button of the start page asks for; `undefined` if there is no such button. */
export async function act(ui: Ui, name: string, request: Request): Promise<Response | undefined> {
  const run = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (run === undefined) return undefined;
  if (request.method !== 'POST') return problem(405, 'This is the address of a form.');
  if (!isOwnForm(request)) return problem(403, 'This form was not sent by a page of the sandbox.');
  const form = await formOf(request);
  if (form === undefined) return problem(400, 'This is no form, or one that is too large.');
  try {
    return await run(ui, form);
  } catch (thrown) {
    return problem(400, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function comment(ui: Ui, form: URLSearchParams): Response {
  const [on, message] = [textOf(form, 'on'), textOf(form, 'message')];
  ui.sandbox.happen({ kind: 'comment', on, message });
  return done(ui, `A customer commented: “${shortened(message)}”`, `on-${on}`);
}

function message(ui: Ui, form: URLSearchParams): Response {
  const [contactId, text] = [textOf(form, 'contactId'), textOf(form, 'text')];
  ui.sandbox.happen({ kind: 'message', contactId, text });
  return done(ui, `A customer wrote: “${shortened(text)}”`, `on-${contactId}`);
}

function lead(ui: Ui, form: URLSearchParams): Response {
  const given = [...form].filter(([name, value]) => name.startsWith('answer:') && value.trim() !== '');
  const answers = Object.fromEntries(given.map(([name, value]) => [name.slice('answer:'.length), value]));
  if (given.length === 0) throw new Error('A lead needs an answer.');
  const formId = textOf(form, 'formId');
  const id = ui.sandbox.happen({ kind: 'lead', formId, answers });
  return done(ui, `A customer left the lead ${id}.`, `on-${formId}`);
}

const accountFields = ['comments', 'messages', 'message_reactions', 'messaging_postbacks'];
const pageFields = [
  'feed',
  'leadgen',
  'messages',
  'message_echoes',
  'message_reactions',
  'message_reads',
  'messaging_postbacks',
];

function subscribe(ui: Ui, form: URLSearchParams): Response {
  const id = textOf(form, 'id');
  const page = find(ui.world, 'page', id);
  const account = find(ui.world, 'picsAccount', id);
  if (page === undefined && account === undefined)
    throw new Error(`the sandbox has no Page or account ${id}`);
  if (page !== undefined) page.subscribed = pageFields;
  if (account !== undefined) account.subscribed = accountFields;
  return done(ui, 'Subscribed.', `on-${id}`);
}

const patience = 10_000;

/** Delivers once, as the live platform does at first. Events that no response confirms wait for the next time. */
async function deliver(ui: Ui, form: URLSearchParams): Promise<Response> {
  const { world, sandbox } = ui;
  const to = textOf(form, 'to');
  const address = loopbackAddress(to);
  if (address === undefined) {
    throw new Error(
      'Webhooks are delivered to addresses on this machine only, such as http://127.0.0.1:3000/webhooks',
    );
  }
  const waiting = world.happenings.filter((one) => isSubscribed(world, one));
  const sent = await sandbox.deliver((request) => forward(request, address), { attempts: 1 });
  const failed = sent.filter(({ statuses }) => !isTaken(statuses.at(-1))).map(objectOf);
  world.happenings.unshift(...waiting.filter(({ object }) => failed.includes(object)));
  ui.target = address.href;
  ui.delivered = sent;
  return done(ui, saidOf(sent.length, failed.length), 'webhooks');
}

function saidOf(requests: number, failed: number): string {
  if (requests === 0) return 'There was nothing to deliver.';
  return failed === 0 ? 'The webhooks were delivered.' : 'Webhooks were not delivered: see the result.';
}

async function forward(request: Request, to: URL): Promise<Response> {
  const { method, headers } = request;
  const body = await request.text();
  // A redirect could lead away from this machine.
  return fetch(to, { method, headers, body, redirect: 'manual', signal: AbortSignal.timeout(patience) });
}

function objectOf({ body }: SandboxDelivery): string {
  return (JSON.parse(body) as { readonly object: string }).object;
}

function textOf(form: URLSearchParams, name: string): string {
  const text = form.get(name) ?? '';
  if (text.trim() === '') throw new Error(`The form lacks a text: ${name}`);
  return text;
}

/** Leads back to the part of the start page where it happened; a browser opens the Page or account around it. */
function done(ui: Ui, notice: string, part: string): Response {
  ui.notice = notice;
  return leadTo(`/#${part}`);
}
