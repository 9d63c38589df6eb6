import { livePlatform, type Platform } from '../core/platform.ts';
import type { HostKind } from './types.ts';

/** Addresses of the sandbox: below `base` when it is served, else on hosts that do not exist. */
export function sandboxPlatform(base?: string): Platform {
  const at = (name: string): string =>
    base === undefined ? `https://${name}.sandbox.test` : `${base}/${name}`;
  return {
    graphUrl: at('graph'),
    dialogUrl: at('dialog'),
    picsGraphUrl: at('pics-graph'),
    picsAuthUrl: `${at('pics-auth')}/oauth/authorize`,
    picsTokenUrl: `${at('pics-token')}/oauth/access_token`,
    uploadUrl: at('upload'),
    words: livePlatform.words,
  };
}

export interface Place {
  readonly host: HostKind;
  readonly version: string | undefined;
  /** Path below the version, still percent-encoded. */
  readonly path: string;
}

/** The host, version and path that an address names. */
export function placeOf(url: URL, platform: Platform): Place | undefined {
  const address = url.origin + url.pathname;
  const found = hosts(platform).find(([, base]) => address === base || address.startsWith(`${base}/`));
  if (found === undefined) return undefined;
  const [host, base] = found;
  const rest = address
    .slice(base.length)
    .replace(host === 'upload' ? /^\/(?:video|ig-api)-upload(?=\/)/ : /^/, '');
  const version = /^\/(v\d+\.\d+)(?=\/|$)/.exec(rest)?.[1];
  const path = version === undefined ? rest : rest.slice(version.length + 1);
  return { host, version, path: path === '' ? '/' : path };
}

function hosts(platform: Platform): [HostKind, string][] {
  return [
    ['graph', platform.graphUrl],
    ['picsGraph', platform.picsGraphUrl],
    ['upload', platform.uploadUrl],
    ['dialog', platform.dialogUrl],
    ['dialog', platform.picsAuthUrl.replace(/\/oauth\/authorize$/, '')],
    ['picsToken', platform.picsTokenUrl.replace(/\/oauth\/access_token$/, '')],
  ];
}

const oldest = 'v21.0';
const newest = 'v26.0';

/** The version that is served: for an expired or unknown version the oldest usable one, without a version the newest. */
export function servedVersion(asked: string | undefined): string {
  if (asked === undefined) return newest;
  const major = Number(/^v(\d+)\.0$/.exec(asked)?.[1]);
  return major >= 21 && major <= 26 ? asked : oldest;
}
