import { readDialog, type OpenDialog } from '../auth/dialog.ts';
import { readRequest } from '../http.ts';
import { formOf, isOwnForm } from './guard.ts';
import { html } from './html.ts';
import { leadTo, page, problem, type Ui } from './pages.ts';

/** Responds as a login dialog does to a browser; `undefined` for any other request. */
export async function dialogPage(ui: Ui, request: Request): Promise<Response | undefined> {
  const isForm = request.method === 'POST' && request.headers.get('origin') !== null;
  const isVisit = request.method === 'GET' && request.headers.get('accept')?.includes('text/html') === true;
  if (!isForm && !isVisit) return undefined;
  const incoming = await readRequest(new Request(request.url), ui.platform);
  if (incoming?.place.host !== 'dialog') return undefined;
  const dialog = readDialog(ui.world, incoming);
  if (typeof dialog === 'string') return problem(400, `The login dialog shows an error: ${dialog}`);
  return isForm ? decided(ui, request) : asking(ui, dialog, incoming.query['redirect_uri'] ?? '');
}

function asking({ sandbox }: Ui, { kind, asked }: OpenDialog, redirectUri: string): Response {
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
  return page(`Log in as ${who}`, body);
}

async function decided({ sandbox }: Ui, request: Request): Promise<Response> {
  if (!isOwnForm(request)) return problem(403, 'This form was not sent by a page of the sandbox.');
  const form = await formOf(request);
  const decision = form?.get('decision');
  if (decision === 'cancel') return leadTo((await sandbox.authorize(request.url, { deny: true })).href);
  if (decision !== 'continue') return problem(400, 'The form lacks a decision.');
  const scopes = ['public_profile', ...(form?.getAll('scope') ?? [])];
  return leadTo((await sandbox.authorize(request.url, { scopes })).href);
}
