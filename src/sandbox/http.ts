import { livePlatform, type Platform } from '../core/platform.ts';
import type { HostKind } from './types.ts';
import { invalid, refusalOf, refuse, toJson } from './values.ts';
import type { Log, World } from './world.ts';

/** Markup that is safe to send: everything that was put into it is escaped. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly Part[];

/** Markup from a template. Its values are escaped, unless they are markup themselves. */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { html: texts.map((text, at) => text + markupOf(values[at])).join('') };
}

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part !== 'object') return escape(String(part));
  return 'html' in part ? part.html : part.map(markupOf).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
}

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

/** The versions of the platform, oldest first, and when each ends, as far as that is announced. */
const versions: readonly (readonly [version: string, endsAt: number])[] = [
  ['v21.0', Date.UTC(2027, 0, 21)],
  ['v22.0', Date.UTC(2027, 4, 20)],
  ['v23.0', Date.UTC(2027, 9, 8)],
  ['v24.0', Date.UTC(2028, 1, 18)],
  ['v25.0', Date.UTC(2028, 6, 29)],
  ['v26.0', Infinity],
  ['v27.0', Infinity],
];

/**
 * The version that is served at a time: for an expired or unknown version the oldest usable one, without a version the
 * newest. All versions that are no longer supported at the time are expired; none is too new.
 */
export function servedVersion(asked: string | undefined, now: number): string {
  const usable = versions.flatMap(([version, endsAt]) => (now < endsAt ? [version] : []));
  const [oldest = ''] = usable;
  if (asked === undefined) return usable.at(-1) ?? oldest;
  return usable.includes(asked) ? asked : oldest;
}

/** An address on this machine. */
export function loopbackAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isLoopback = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(url.hostname);
  return isLoopback && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** A lost connection, as `fetch` reports it. */
export function connectionLost(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

export function unreachable(host: string): TypeError {
  const message = `${host} is not a host of this sandbox; give the context its platform as well as its fetch`;
  const cause = Object.assign(new Error(message), { code: 'ENOTFOUND' });
  return new TypeError('fetch failed', { cause });
}

type Fields = Record<string, string>;

/** A body, once it is read. */
interface Body {
  readonly form?: Fields;
  readonly json?: unknown;
  /** The JSON body as it came. */
  readonly jsonText?: string;
  /** Files of a multipart body. */
  readonly files?: Files;
  /** The names of those files, by the names of their fields. */
  readonly fileNames?: Fields;
  /** The refusal of a request whose body cannot be read. */
  readonly unreadable?: unknown;
}

/** A request with its body read, except on the upload host, where the body stays a stream. */
export interface Incoming extends Body {
  readonly request: Request;
  readonly url: URL;
  readonly place: Place;
  readonly query: Fields;
}

/** The bytes of files, by the names of their fields. */
export type Files = Readonly<Record<string, Uint8Array>>;

export async function readRequest(request: Request, platform: Platform): Promise<Incoming | undefined> {
  const url = new URL(request.url);
  const place = placeOf(url, platform);
  if (place === undefined) return undefined;
  const query: Fields = Object.fromEntries(url.searchParams);
  const body: Body =
    place.host === 'upload' ? {} : await readBody(request).catch((unreadable: unknown) => ({ unreadable }));
  return { request, url, place, query, ...body };
}

/** The fields of the body as text, from a form or from JSON. */
export function bodyFields(incoming: Incoming): Fields {
  if (incoming.form !== undefined) return incoming.form;
  if (typeof incoming.json !== 'object' || incoming.json === null) return {};
  const members = Object.entries(incoming.json).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    members.map(([name, value]) => [name, typeof value === 'string' ? value : toJson(value)]),
  );
}

/** The maximum number of characters of a body that is logged. */
const maxLogged = 1_048_576;

/** The log of a request, and roughly how many bytes it takes. A JSON body is parsed only when it is read. */
export function logOf(world: World, incoming: Incoming): { readonly log: Log; readonly size: number } {
  const { request, place, jsonText = '' } = incoming;
  const headers = Object.fromEntries(request.headers);
  const formSize = sizeOf(incoming.form ?? {});
  const isLarge = formSize + jsonText.length > maxLogged;
  const log: Log = {
    method: request.method,
    host: place.host,
    path: place.path,
    version: place.version,
    query: incoming.query,
    form: isLarge ? undefined : incoming.form,
    headers,
    at: world.now(),
    status: undefined,
    faulted: false,
    get json() {
      return isLarge || jsonText === '' ? undefined : parsedBody(jsonText);
    },
  };
  const body = isLarge ? 0 : formSize + jsonText.length;
  return { log, size: 1000 + 2 * (request.url.length * 2 + sizeOf(headers) + body) };
}

function sizeOf(fields: Readonly<Record<string, string>>): number {
  return Object.entries(fields).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

/** Larger than any chunk of an upload. */
const maxBodyBytes = 100_000_000;

async function readBody(request: Request): Promise<Body> {
  if (request.body === null) return {};
  const type = request.headers.get('content-type') ?? '';
  const body = new Response(limited(request.body), { headers: { 'content-type': type } });
  if (type.startsWith('multipart/form-data')) {
    const form = await body.formData().catch((thrown: unknown) => {
      if (refusalOf(thrown) !== undefined) throw thrown;
      return invalid('The body is not a multipart form');
    });
    const fields: Fields = {};
    const files: Record<string, Uint8Array> = {};
    const fileNames: Fields = {};
    for (const [name, value] of form) {
      fields[name] = typeof value === 'string' ? value : `(file of ${value.size} bytes)`;
      if (typeof value === 'string') continue;
      files[name] = new Uint8Array(await value.arrayBuffer());
      fileNames[name] = value.name;
    }
    return { form: fields, files, fileNames };
  }
  const text = await body.text();
  if (text === '') return {};
  if (type.startsWith('application/json')) return { json: parsedBody(text), jsonText: text };
  return { form: Object.fromEntries(new URLSearchParams(text)) };
}

/** The same body, which fails once it is larger than may be read into memory. */
function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBodyBytes) refuse(100, 'The body is too large', { status: 413 });
        controller.enqueue(chunk);
      },
    }),
  );
}

/** Deeper than the JSON of any call. JSON that is nested deeper stays text, and so does invalid JSON. */
const maxLevels = 100;

function parsedBody(text: string): unknown {
  try {
    return levelsOf(text) > maxLevels ? text : JSON.parse(text);
  } catch {
    return text;
  }
}

/** How deep the lists and objects of a JSON text are nested. */
function levelsOf(text: string): number {
  let [level, deepest] = [0, 0];
  for (const [sign] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (sign === '[' || sign === '{') deepest = Math.max(deepest, (level += 1));
    else if (sign === ']' || sign === '}') level -= 1;
  }
  return deepest;
}

/** A response before it is sent. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes of the body that arrive before the connection is lost. */
  readonly truncate?: number;
}

/** Real time, whatever the clock of the sandbox says. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
