import type { Incoming } from '../http.ts';
import { randomText } from '../random.ts';
import type { RawResponse } from '../responses.ts';
import type { Decision } from '../types.ts';
import { html } from '../ui/html.ts';
import type { World } from '../world.ts';
import { pageScopes, picsScopes } from './scopes.ts';

interface Dialog {
  readonly kind: 'user' | 'pics';
  readonly clientId: string;
  readonly params: readonly string[];
  readonly scopes: readonly string[];
  readonly ending: string;
}

/** A dialog that a person can decide. */
export interface OpenDialog {
  readonly kind: Dialog['kind'];
  /** Scopes that the app asks for. */
  readonly asked: readonly string[];
  readonly ending: string;
}

/** The response of a login dialog to a browser: a redirect to the callback, or an error page. */
export function dialogResponse(world: World, incoming: Incoming, decision: Decision = {}): RawResponse {
  const back = decide(world, incoming, decision);
  const date = new Date(world.now()).toUTCString();
  return typeof back === 'string'
    ? {
        status: 400,
        headers: { 'content-type': 'text/html; charset=utf-8', date },
        body: html`<html>
          <body>
            ${back}
          </body>
        </html>`.html,
      }
    : { status: 302, headers: { location: back.href, date }, body: '' };
}

/** The callback address, or the text of an error page. */
export function decide(world: World, incoming: Incoming, decision: Decision): URL | string {
  const dialog = readDialog(world, incoming);
  if (typeof dialog === 'string') return dialog;
  const { query } = incoming;
  const redirectUri = query['redirect_uri'] ?? '';
  const back = new URL(redirectUri);
  const granted = dialog.asked.filter((scope) => decision.scopes?.includes(scope) ?? true);
  if (decision.deny === true) {
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_reason', 'user_denied');
    back.searchParams.set('error_description', 'The user denied your request.');
  } else {
    back.searchParams.set('code', createCode(world, dialog.kind, redirectUri, granted, decision.as));
  }
  if (query['state'] !== undefined) back.searchParams.set('state', query['state']);
  back.hash = dialog.ending;
  return back;
}

/** The request in the address of a login dialog, or the text of an error page. */
export function readDialog(world: World, incoming: Incoming): OpenDialog | string {
  const dialog = dialogAt(world, incoming.place.path);
  if (dialog === undefined || incoming.request.method !== 'GET') return 'Page not found';
  const { query } = incoming;
  const asked = query['config_id'] === undefined ? scopesIn(query['scope'] ?? '') : dialog.scopes;
  const { kind, ending } = dialog;
  return problemOf(world, dialog, query, asked) ?? { kind, asked, ending };
}

function dialogAt(world: World, path: string): Dialog | undefined {
  const common = ['client_id', 'redirect_uri', 'state', 'response_type', 'scope'];
  if (path === '/dialog/oauth') {
    const more = ['config_id', 'auth_type', 'display', 'override_default_response_type'];
    const params = [...common, ...more];
    return { kind: 'user', clientId: world.app.id, params, scopes: pageScopes, ending: '#_=_' };
  }
  if (path === '/oauth/authorize') {
    const params = [...common, 'force_reauth', 'enable_fb_login', 'force_authentication'];
    return { kind: 'pics', clientId: world.picsApp.id, params, scopes: picsScopes, ending: '#_' };
  }
  return undefined;
}

function problemOf(
  world: World,
  dialog: Dialog,
  query: Readonly<Record<string, string>>,
  asked: readonly string[],
): string | undefined {
  const unknown = Object.keys(query).find((name) => !dialog.params.includes(name));
  if (world.strict && unknown !== undefined) return `Unknown parameter: ${unknown}`;
  if (query['client_id'] !== dialog.clientId) return 'Invalid App ID';
  if ((query['response_type'] ?? 'code') !== 'code') return 'Invalid response_type';
  if (!/^https?:$/.test(URL.parse(query['redirect_uri'] ?? '')?.protocol ?? ''))
    return 'Invalid redirect_uri';
  const { config_id: config, scope } = query;
  if (config !== undefined && scope !== undefined) return 'config_id and scope exclude each other';
  if (config !== undefined && config !== world.app.configId) return 'Invalid config_id';
  const invalid = asked.find((name) => !dialog.scopes.includes(name));
  return invalid === undefined ? undefined : `Invalid Scopes: ${invalid}`;
}

/** The names of a list with commas or spaces, or of a JSON array. */
function scopesIn(text: string): string[] {
  return text.split(/[\s,"[\]]+/).filter(Boolean);
}

function createCode(
  world: World,
  kind: 'user' | 'pics',
  redirectUri: string,
  scopes: readonly string[],
  as: string | undefined,
): string {
  const value = `AQ${randomText(world.random, 60)}`;
  world.codes.set(value, { value, kind, redirectUri, scopes, as, issuedAt: world.now(), used: false });
  return value;
}
