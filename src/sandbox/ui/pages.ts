import type { Platform } from '../../core/platform.ts';
import type { Sandbox } from '../types.ts';
import type { SandboxDelivery } from '../webhooks/types.ts';
import type { World } from '../world.ts';
import { html, type Html } from './html.ts';

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
}
