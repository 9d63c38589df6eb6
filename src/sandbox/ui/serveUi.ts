import { openSandbox } from '../sandbox.ts';
import { listen, type Respond, type ServedSandbox, type ServeOptions } from '../serve.ts';
import type { SandboxOptions } from '../types.ts';
import { act } from './acts.ts';
import { script, icon, style } from './assets.ts';
import { versionOf } from './calls.ts';
import { dialogPage } from './dialog.ts';
import { isOwnHost } from './guard.ts';
import { problem, respondWith, type Ui } from './pages.ts';
import { startPage } from './start.ts';

/** Serves a new sandbox with pages for people, on the loopback address only. */
export function serveUi(
  options: SandboxOptions,
  { port }: Pick<ServeOptions, 'port'>,
): Promise<ServedSandbox> {
  const { sandbox, world } = openSandbox(options);
  return listen(
    (platform, url) => {
      const target = 'http://127.0.0.1:3000/webhooks';
      const ui: Ui = { sandbox, world, platform, url, target, notice: undefined, delivered: undefined };
      return withPages(ui, sandbox.serveAt(platform));
    },
    port === undefined ? {} : { port },
  );
}

/** Puts the pages before the platform. */
function withPages(ui: Ui, respond: Respond): Respond {
  const { port, origin } = new URL(ui.url);
  return async (request) => {
    if (!isOwnHost(request, port)) return problem(403, `The sandbox responds at ${ui.url} only.`);
    const url = new URL(request.url);
    const isOwn = url.origin === origin && (url.pathname === '/' || url.pathname.startsWith('/ui/'));
    if (isOwn) return (await ownPage(ui, url.pathname, request)) ?? problem(404, 'There is no such page.');
    return (await dialogPage(ui, request)) ?? respond(request);
  };
}

async function ownPage(ui: Ui, path: string, request: Request): Promise<Response | undefined> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return formPage(ui, path, request);
  switch (path) {
    case '/':
      return startPage(ui);
    case '/ui/style.css':
      return respondWith(style, 'text/css');
    case '/ui/icon.svg':
      return respondWith(icon, 'image/svg+xml');
    case '/ui/live.js':
      return respondWith(script, 'text/javascript');
    case '/ui/version':
      return respondWith(versionOf(ui.world), 'text/plain');
    default:
      return formPage(ui, path, request);
  }
}

function formPage(ui: Ui, path: string, request: Request): Promise<Response | undefined> {
  return act(ui, path.slice('/ui/'.length), request);
}
