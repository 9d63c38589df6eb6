import type { Fetch } from '../core/http/types.ts';
import { fieldsOf } from '../core/objects.ts';
import { isPublicHost } from '../publicHost.ts';

/** The result of a check. `ok: undefined`: it could not be determined, which does not block the plan. */
export interface Check {
  readonly check: 'permissions' | 'quota' | 'text' | 'media';
  readonly ok: boolean | undefined;
  readonly detail: string;
}

export interface MediaCheck extends Check {
  /** Identifies the version of the file, as far as its headers do. */
  readonly version: string;
}

/** How media is fetched, and from where. */
export interface MediaSource {
  readonly fetch: Fetch;
  /** The hosts that media may be on; `undefined` for all that are public. */
  readonly hosts: readonly string[] | undefined;
}

export interface MediaBounds {
  readonly kind: 'image' | 'video';
  /** The types that the platform takes. */
  readonly types: RegExp;
  /** In bytes, if the platform documents a limit. */
  readonly maxBytes: number | undefined;
}

const timeoutMs = 10_000;

/** Reads the headers of a file that the platform is to fetch, but not its content. */
export async function checkMediaAt(
  { fetch, hosts }: MediaSource,
  address: string,
  bounds: MediaBounds,
  signal: AbortSignal,
): Promise<MediaCheck> {
  const found = (ok: boolean | undefined, detail: string, version = ''): MediaCheck => ({
    check: 'media',
    ok,
    detail: `${address}: ${detail}`,
    version,
  });
  const url = new URL(address);
  const isPrivate = 'is not public, so the platform cannot fetch it';
  // A model has no reason to name a number.
  if (!isPublicHost(url.hostname) || /^(?:[\d.]+|\[.*)$/.test(url.hostname)) return found(false, isPrivate);
  if (hosts?.includes(url.hostname) === false) return found(false, `is on none of ${hosts.join(', ')}`);
  let response: Response;
  try {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    response = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: ends });
    await response.body?.cancel();
  } catch (thrown) {
    if (fieldsOf(thrown)['code'] === 'ENOTPUBLIC') return found(false, isPrivate);
    return found(undefined, 'does not respond to this machine');
  }
  return { ...readHeaders(response, bounds, found), version: versionOf(response) };
}

function readHeaders(
  { status, headers }: Response,
  { kind, types, maxBytes }: MediaBounds,
  found: (ok: boolean | undefined, detail: string) => MediaCheck,
): MediaCheck {
  if (status >= 300 && status < 400) return found(false, 'redirects, which the platform does not follow');
  if (status === 405 || status === 501) return found(undefined, 'does not answer HEAD requests');
  if (status !== 200) return found(false, `responds with status ${status}`);
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!types.test(type))
    return found(
      false,
      `is ${type === '' ? 'of no type' : type}, not ${kind === 'image' ? 'an' : 'a'} ${kind} that the platform accepts`,
    );
  const length = headers.get('content-length');
  if (maxBytes !== undefined && Number(length) > maxBytes)
    return found(false, `has ${length} bytes, more than ${maxBytes}`);
  return found(true, `${type}, ${length === null ? 'of unknown size' : `${length} bytes`}`);
}

function versionOf({ status, headers }: Response): string {
  const names = ['etag', 'last-modified', 'content-length', 'content-type'];
  return [status, ...names.map((name) => headers.get(name) ?? '')].join('|');
}
