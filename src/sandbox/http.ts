import type { Platform } from '../core/platform.ts';
import { invalid, refusalOf, refuse } from './errors.ts';
import { placeOf, type Place } from './hosts.ts';
import { toJson } from './json.ts';
import type { Log, World } from './world.ts';

type Fields = Record<string, string>;

/** A request with its body read, except on the upload host, where the body stays a stream. */
export interface Incoming {
  readonly request: Request;
  readonly url: URL;
  readonly place: Place;
  readonly query: Fields;
  readonly form: Fields | undefined;
  readonly json: unknown;
  /** The JSON body as it came. */
  readonly jsonText?: string | undefined;
  /** Files of a multipart body. */
  readonly files?: Files | undefined;
  /** The names of those files, by the names of their fields. */
  readonly fileNames?: Fields | undefined;
  /** The refusal of a request whose body cannot be read. */
  readonly unreadable?: unknown;
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
  return { request, url, place, query, form: undefined, json: undefined, ...body };
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

/** The most characters of a body that are logged. */
const mostLogged = 1_048_576;

/** The log of a request, and roughly how many bytes it takes. A JSON body is parsed only when it is read. */
export function logOf(world: World, incoming: Incoming): { readonly log: Log; readonly size: number } {
  const { request, place, jsonText = '' } = incoming;
  const headers = Object.fromEntries(request.headers);
  const formSize = sizeOf(incoming.form ?? {});
  const isLarge = formSize + jsonText.length > mostLogged;
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
      return isLarge || jsonText === '' ? undefined : parsed(jsonText);
    },
  };
  const body = isLarge ? 0 : formSize + jsonText.length;
  return { log, size: 1000 + 2 * (request.url.length * 2 + sizeOf(headers) + body) };
}

function sizeOf(fields: Readonly<Record<string, string>>): number {
  return Object.entries(fields).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

interface Body {
  readonly unreadable?: unknown;
  readonly form?: Fields | undefined;
  readonly json?: unknown;
  readonly jsonText?: string | undefined;
  readonly files?: Files | undefined;
  readonly fileNames?: Fields | undefined;
}

/** More than any part of a chunked upload has. */
const mostBodyBytes = 100_000_000;

async function readBody(request: Request): Promise<Body> {
  if (request.body === null) return {};
  const type = request.headers.get('content-type') ?? '';
  const body = new Response(limited(request.body), { headers: { 'content-type': type } });
  if (type.startsWith('multipart/form-data')) {
    const form = await body.formData().catch((thrown: unknown) => {
      if (refusalOf(thrown) !== undefined) throw thrown;
      return invalid('The body is no multipart form');
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
  if (type.startsWith('application/json')) return { json: parsed(text), jsonText: text };
  return { form: Object.fromEntries(new URLSearchParams(text)) };
}

/** A body that fails beyond the most bytes that are read into memory. */
function limited(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > mostBodyBytes) refuse({ code: 100, status: 413, message: 'The body is too large' });
        controller.enqueue(chunk);
      },
    }),
  );
}

/** More levels than any call of the platform has. A deeper text is not parsed, and neither is invalid JSON. */
const mostLevels = 100;

function parsed(text: string): unknown {
  try {
    return levelsOf(text) > mostLevels ? text : JSON.parse(text);
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
