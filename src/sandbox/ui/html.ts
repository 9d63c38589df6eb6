import type { Platform } from '../../core/platform.ts';
import { html, type Html } from '../http.ts';
import type { Sandbox, SandboxDelivery } from '../types.ts';
import type { World } from '../world.ts';
import type { Trial } from './trials.ts';

/**
 * Asks each second whether something changed, and replaces the parts of the page that did, except one in which a person
 * is typing.
 */
export const script = `
const main = document.querySelector('main');
const live = document.querySelector('#live');
let seen = main.dataset.version;

async function look() {
  if (!document.hidden) {
    try {
      const now = await (await fetch('/ui/version')).text();
      announce('New calls appear here as they come in.');
      if (now !== seen) await renew();
    } catch {
      announce('The sandbox does not respond: it may have been stopped.');
    }
  }
  setTimeout(look, 1000);
}

/** A screen reader reads out only what changes. */
function announce(text) {
  if (live.textContent !== text) live.textContent = text;
}

async function renew() {
  const text = await (await fetch(location.pathname)).text();
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  seen = fresh.querySelector('main').dataset.version;
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id);
    if (next === null || part.innerHTML === next.innerHTML || inUse(part)) continue;
    part.replaceChildren(...next.childNodes);
  }
}

function inUse(part) {
  const changed = [...part.querySelectorAll('input')].some((input) => input.value !== input.defaultValue);
  return changed || (part !== document.activeElement && part.contains(document.activeElement));
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = 'Copied';
  });
}

look();
`;

export const style = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; --back: #fff; --box: #f6f8fa; --act: #0b57d0; --on-act: #fff; --good: #11632f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9da7b3; --line: #3d444d; --back: #0d1117; --box: #161b22; --act: #8ab4f8; --on-act: #0d1117; --good: #7ee2a0; --bad: #ffa198; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; padding: 1rem 1.5rem 3rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; } h3, h4 { font-size: 1rem; margin: 1rem 0 .25rem; } summary h3 { display: inline; }
a { color: var(--act); } p { margin: .25rem 0; } .soft { color: var(--soft); font-size: .875rem; }
code, pre, .calls td, .calls td .soft { font-family: ui-monospace, monospace; font-size: .8125rem; overflow-wrap: anywhere; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .75rem; max-height: 14rem; overflow: auto; white-space: pre-wrap; margin: .5rem 0; }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
button, input, select { font: inherit; padding: .25rem .6rem; border: 1px solid var(--soft); border-radius: 6px; background: var(--back); color: inherit; }
button { background: var(--act); border-color: var(--act); color: var(--on-act); cursor: pointer; } button.plain { background: transparent; color: var(--act); }
form.line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; font-size: .875rem; margin: .25rem 0 .5rem; } form.line label { display: grid; font-size: .8125rem; color: var(--soft); flex: 1 1 12rem; } form.line input { width: 100%; color: var(--text); } form.said { flex-wrap: nowrap; } form.said label { flex: 1 1 auto; min-width: 0; } ul.entries button { background: transparent; color: var(--act); }
code.id { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; white-space: nowrap; } @media (max-width: 40rem) { body { padding: 1rem; } code.id { font-size: .75rem; } }
#variables { max-height: 16rem; white-space: pre; overflow-wrap: normal; } #trial form { margin-top: 1rem; }
ul.entries { list-style: none; margin: 0; padding: 0; } ul.entries > li { border-top: 1px solid var(--line); padding: .5rem 0; } ul.entries ul { margin: .25rem 0; padding-left: 1.25rem; }
details.part { border: 1px solid var(--line); border-radius: 8px; padding: .5rem 1rem; margin: .5rem 0; } details.part > summary { cursor: pointer; }
.notice { border-left: 4px solid var(--act); background: var(--box); padding: .5rem .75rem; margin: .75rem 0; } .good { color: var(--good); } .bad { color: var(--bad); }
.columns { display: grid; gap: 0 2rem; grid-template-columns: minmax(0, 1fr); } @media (min-width: 70rem) { .columns { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } .beside { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 0 4px; } }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .25rem .5rem .25rem 0; border-top: 1px solid var(--line); } th { font-size: .8125rem; color: var(--soft); } caption { text-align: left; } .calls :is(td, th):first-child { white-space: nowrap; width: 5rem; } .calls :is(td, th):last-child { width: 6rem; } @media (max-width: 40rem) { .calls td .soft { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; } }
svg.kind { float: left; width: 2.5rem; height: 2.5rem; margin: .1rem .75rem .25rem 0; padding: .4rem; border: 1px solid var(--line); border-radius: 8px; background: var(--box); fill: none; stroke: var(--act); stroke-width: 1.5; stroke-linejoin: round; stroke-linecap: round; } ul.entries > li::after { content: ''; display: block; clear: both; } ul.entries > li > form, ul.entries > li > ul { clear: both; } svg.kind ~ p { margin-left: 3.25rem; }
.badge { border: 1px solid var(--bad); border-radius: 9px; color: var(--bad); font-size: .75rem; padding: 0 .4rem; } .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.choices { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); margin: 1rem 0; } section.choice { border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem 1rem; display: flex; flex-direction: column; } section.choice h2 { margin: 0; } section.choice p.soft { margin-bottom: .75rem; } section.choice button { margin-top: auto; align-self: start; } section.chosen { border-color: var(--act); box-shadow: inset 0 0 0 1px var(--act); }
main.dialog { max-width: 30rem; margin: 3rem auto; border: 1px solid var(--line); border-radius: 8px; padding: 1.5rem; } main.dialog fieldset { border: 0; padding: 0; margin: 1rem 0; } main.dialog label { display: block; padding: .25rem 0; } main.dialog .choice { display: flex; gap: .75rem; }
`;

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M7 2h13l7 7v18a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3z" fill="#0b57d0"/><path d="M20 2l7 7h-5a2 2 0 0 1-2-2z" fill="#8ab4f8"/><circle cx="10.5" cy="12.5" r="2.5" fill="#fff"/><path d="M7 25l6.5-7 3.5 3.5L21 16l4 9z" fill="#fff"/></svg>';

/** Pages may load only their own style and script, and must not be framed. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  // Without a referrer, forms would send no `Origin` either, by which foreign ones are recognized.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** A page of the sandbox. */
export function page(title: string, body: Html, status = 200): Response {
  const { html: text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <link rel="icon" href="/ui/icon.svg" />
        <link rel="stylesheet" href="/ui/style.css" />
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return respondWith(text, 'text/html', status);
}

/** A page that says what went wrong. */
export function problem(status: number, message: string): Response {
  const body = html`<main class="dialog">
    <h1>This did not work</h1>
    <p role="alert">${message}</p>
    <p><a href="/">To the start page</a></p>
  </main>`;
  return page('This did not work', body, status);
}

export function respondWith(text: string, type: string, status = 200): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': `${type}; charset=utf-8` } });
}

/** Leads a browser on after a form, so that a reload does not send the form again. */
export function leadTo(location: string): Response {
  return new Response(null, { status: 303, headers: { ...headers, location } });
}

/** What the pages of a served sandbox show, and remember. */
export interface Ui {
  readonly sandbox: Sandbox;
  readonly world: World;
  /** The addresses of the server. */
  readonly platform: Platform;
  readonly url: string;
  /** What the last button did. */
  notice: string | undefined;
  /** Where webhooks were delivered to the last time. */
  target: string;
  delivered: readonly SandboxDelivery[] | undefined;
  /** The fault that an app is to meet. */
  trial: Trial | undefined;
}

/**
 * Whether a request names this server as its host. A foreign name that resolves to 127.0.0.1 (DNS rebinding) would let
 * pages of that name read the sandbox.
 */
export function isOwnHost(request: Request, port: string): boolean {
  const host = request.headers.get('host');
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

/** Whether a form was sent by a page of this server. Browsers always say so. */
export function isOwnForm(request: Request): boolean {
  return request.headers.get('origin') === `http://${request.headers.get('host')}`;
}

/** Whether a browser sent a request for a page of another site. Only browsers send these headers. */
export function isForeign(request: Request): boolean {
  const { headers } = request;
  return (
    (headers.has('origin') && !isOwnForm(request)) ||
    /^(?:cross|same)-site$/.test(headers.get('sec-fetch-site') ?? '')
  );
}

const maxBytes = 65_536;

/** The fields of a form; `undefined` for any other body, and for a large one. */
export async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const type = request.headers.get('content-type') ?? '';
  const length = Number(request.headers.get('content-length') ?? maxBytes + 1);
  if (!type.startsWith('application/x-www-form-urlencoded') || !(length <= maxBytes)) return undefined;
  return new URLSearchParams(await request.text());
}
